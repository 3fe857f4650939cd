/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a locked-down kernel, or one that wants signatures, keeps VFs from. */
#include "areas.h"

#include <sriovctl/lockdown.h>

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/modules.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>

/* What binds to VFs in any case, and what it stands on. */
static const char *const for_vfs[] = { "vfio-pci", "vfio_iommu_type1" };

static int add_once(struct strv *v, const char *name)
{
	return strv_has(v, name) ? 0 : strv_add(v, name);
}

/* 0, also where no module has it; or why that is not known. */
static int add_drivers_of(const struct host *h, const struct modules *m, const struct pcidev *d,
			  struct strv *ret)
{
	AUTO_BUF struct buf alias = { 0 };
	AUTO_STRV struct strv names = { 0 };
	int r = host_attr(h, &alias, NULL, PCIDEV_PATH "/%s/modalias", d->name);

	if (r == 0)
		r = modules_resolve(m, buf_text(&alias), &names, NULL);
	for (size_t n = 0; r == 0 && n < names.n; n++)
		r = add_once(ret, names.items[n]);
	return r == -ENOENT ? 0 : r;
}

/* The drivers of functions that have none bound: what is bound was taken.  As above. */
static int add_drivers(const struct host *h, const struct modules *m, struct strv *ret)
{
	const struct pfs *v = NULL;
	int error = pfs_get(h, &v, NULL);

	for (size_t i = 0; error != -ENOMEM && v && i < v->n; i++) {
		const struct pcidev *d = v->items[i].dev;
		int r = d->driver_error;

		if (!pf_is_subject(&v->items[i]))
			continue;
		if (r == -ENOENT)
			r = add_drivers_of(h, m, d, ret);
		error = r < 0 ? r : error;
	}
	return error;
}

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

/* Would this one be refused for want of a signature? */
static enum answer is_refused(const struct host *h, const struct modules *m, const char *name,
			      struct finding *f)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_MODULES_FILE struct modules_file file = { 0 };
	int r = modules_lookup(m, name, &info, NULL);

	if (r == 0 && info.state != MODULES_LOADABLE)
		return ANSWER_NO;
	if (r == 0)
		r = modules_inspect(m, &info, &file, NULL);
	if (r < 0) {
		finding_unread(f, h, info.source ? info.source : "/lib/modules", r);
		return ANSWER_UNKNOWN;
	}
	if (file.is_signed)
		return ANSWER_NO;
	finding_note(f, info.source, "a signature", "%s: none", name);
	return ANSWER_YES;
}

static enum verdict fail_unsigned(const char *names, struct finding *f)
{
	finding_remedy(
		f,
		"Install the package of the kernel's own modules; where %s has to be another, "
		"sign it with a key that is enrolled (mokutil --import).",
		names);
	return finding_fail(f, ACTOR_OS, "the kernel takes signed modules only, and refuses %s",
			    names);
}

static enum verdict judge_modules(const struct host *h, const char *state, struct finding *f)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf refused = { 0 };
	const struct modules *m = NULL;
	bool unsure = false;
	int r = modules_get(h, &m, NULL);

	if (r < 0) {
		finding_unread(f, h, "/lib/modules", r);
		return finding_unknown(f, "%s; whether drivers are signed is not known", state);
	}
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(for_vfs); i++)
		r = add_once(&names, for_vfs[i]);
	if (r == 0)
		r = add_drivers(h, m, &names);
	if (r == -ENOMEM)
		return finding_nomem(f);
	if (r < 0)
		finding_unread(f, h, PCIDEV_PATH, r);
	unsure = r < 0;
	for (size_t i = 0; i < names.n; i++) {
		enum answer a = is_refused(h, m, names.items[i], f);

		if (a == ANSWER_YES)
			buf_printf(&refused, "%s%s", refused.len ? ", " : "", names.items[i]);
		unsure = unsure || a == ANSWER_UNKNOWN;
	}
	if (refused.len)
		return fail_unsigned(finding_text(f, &refused), f);
	if (unsure)
		return finding_unknown(f, "%s; whether all drivers are signed is not known", state);
	return finding_pass(f, "%s, and refuses no driver that VFs need", state);
}

/*
 * security/lockdown/lockdown.c: what each level refuses.  Of sysfs, drivers/pci/pci-sysfs.c:
 * writing "config", mapping "resourceN"; reading, and sriov_numvfs, are not.
 */
static const char *describe(const struct lockdown *l)
{
	switch (l->level) {
	case LOCKDOWN_INTEGRITY:
	case LOCKDOWN_CONFIDENTIALITY:
		return "the kernel is locked down";
	case LOCKDOWN_NONE:
	case LOCKDOWN_UNKNOWN:
		break;
	}
	return "the kernel takes signed modules only";
}

static void note_secure_boot(const struct lockdown *l, struct finding *f)
{
	if (l->secure_boot_error == 0)
		finding_note(f, LOCKDOWN_SECURE_BOOT, NULL, "secure boot is %s",
			     l->secure_boot ? "on" : "off");
}

static enum verdict judge_unknown(const struct host *h, const struct lockdown *l, struct finding *f)
{
	/* The folder is the kernel's own, and empty until securityfs is there. */
	if (l->error == -ENOENT) {
		finding_note(f, LOCKDOWN_PATH, NULL, "absent: securityfs is not mounted");
		finding_remedy(f, "Mount securityfs (mount -t securityfs none "
				  "/sys/kernel/security), and check again.");
	} else {
		finding_unread(f, h, l->source, l->error);
	}
	return finding_unknown(f, "whether the kernel is locked down is not known");
}

static enum verdict run_lockdown(const struct check_input *in, struct finding *f)
{
	const struct lockdown *l = NULL;

	if (lockdown_get(in->host, &l, NULL) < 0)
		return finding_nomem(f);
	note_secure_boot(l, f);
	if (l->level != LOCKDOWN_UNKNOWN)
		finding_note(f, l->source, NULL, "%s", l->observed);
	if (l->sig_enforce)
		finding_note(f, LOCKDOWN_ENFORCE, NULL, "Y");
	if (l->level == LOCKDOWN_UNKNOWN && !l->sig_enforce)
		return judge_unknown(in->host, l, f);
	if (l->level == LOCKDOWN_INTEGRITY || l->level == LOCKDOWN_CONFIDENTIALITY)
		finding_note(f, "man kernel_lockdown.7", NULL,
			     "refused are writes to the configuration space and mappings of BARs "
			     "by programs (setpci, mstconfig, igb_uio), of MSRs and of /dev/mem");
	else if (!l->sig_enforce)
		return finding_pass(f, "the kernel is not locked down");
	return judge_modules(in->host, describe(l), f);
}

static const struct check checks[] = {
	{
		.id = "kernel.lockdown",
		.title = "neither lockdown nor signatures keep VFs from what they need",
		.severity = SEVERITY_INFO,
		.run = run_lockdown,
		.actor = ACTOR_OS,
		.remedy = "Sign the modules that VFs need.",
		.impact = "A driver does not load, or a tool cannot reach the card.",
		.reference = "man kernel_lockdown.7; Linux security/lockdown/lockdown.c",
	},
};
CHECK_GROUP(lockdown_checks, checks);
