/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handing devices to guests: is VFIO there?  Whether it is safe: vfio_safe.c. */
#include "vfio.h"

#include "areas.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/lockdown.h>
#include <sriovctl/machine.h>
#include <sriovctl/modules.h>

#include <errno.h>
#include <string.h>

/* 1: the kernel will refuse it for want of a signature; 0; negative: that is not known. */
static int lacks_signature(const struct host *h, const struct modules *m,
			   const struct modules_info *info)
{
	AUTO_MODULES_FILE struct modules_file file = { 0 };
	int r;

	if (!lockdown_wants_signatures(h))
		return 0;
	r = modules_inspect(m, info, &file, NULL);
	return r < 0 ? r : !file.is_signed;
}

/* Why a module that could be loaded cannot; NULL when nothing is known to be in the way. */
static const char *obstacle(const struct host *h, const struct modules_info *info, const char *name,
			    int signature, struct finding *f)
{
	AUTO_BUF struct buf text = { 0 };
	const struct cmdline *c = NULL;

	if (info->blocks)
		return "modprobe.d blocks it";
	if (host_attr(h, &text, NULL, "/proc/sys/kernel/modules_disabled") == 0 &&
	    strcmp(buf_text(&text), "1") == 0)
		return "the kernel takes no more modules (kernel.modules_disabled is 1)";
	if (cmdline_get(h, &c, NULL) == 0 && cmdline_value(c, "nomodule"))
		return "the command line has nomodule";
	if (remedy_module_blacklist(f, h, info, name))
		return "module_blacklist on the command line names it, or what it needs";
	if (signature > 0)
		return "the kernel takes only signed modules, and this one is not";
	return NULL;
}

void vfio_note_unclear(struct finding *f, const struct modules_info *info)
{
	finding_note(f, info->install_source, "modprobe --ignore-install", "%s", info->install);
	finding_remedy(f, "Find out what \"%s\" in %s does.", info->install, info->install_source);
}

/* Why it is not known whether a module can be loaded; NULL when it is. */
static const char *doubt(const struct host *h, const struct modules_info *info, int signature,
			 struct finding *f)
{
	const struct cmdline *c = NULL;
	int line = cmdline_get(h, &c, NULL);

	if (info->unclear) {
		vfio_note_unclear(f, info);
		return "modprobe.d has a command of its own for it";
	}
	if (info->config_error < 0) {
		finding_unread(f, h, "/etc/modprobe.d", info->config_error);
		return "what modprobe.d says is not known";
	}
	if (line < 0) {
		finding_unread(f, h, CMDLINE_PATH, line);
		return "the command line is not known";
	}
	if (signature < 0) {
		finding_unread(f, h, info->source, signature);
		return "whether it is signed is not known";
	}
	return NULL;
}

enum use { USABLE, UNUSABLE, UNSURE };

/* @ret gets the reason for another answer than USABLE. */
static enum use judge(const struct host *h, const struct modules *m,
		      const struct modules_info *info, const char *name, struct finding *f,
		      const char **ret)
{
	int signature;

	*ret = NULL;
	if (info->state == MODULES_MISSING) {
		*ret = "not built for this kernel";
		return UNUSABLE;
	}
	if (info->state != MODULES_LOADABLE)
		return USABLE;
	signature = lacks_signature(h, m, info);
	*ret = obstacle(h, info, name, signature, f);
	if (*ret && info->kernel_error == 0)
		return UNUSABLE;
	if (*ret) {
		finding_unread(f, h, "/proc/modules", info->kernel_error);
		return UNSURE;
	}
	*ret = doubt(h, info, signature, f);
	return *ret ? UNSURE : USABLE;
}

/* Can @name be used; @why gets the reason when it cannot be, or that is not known. */
static enum use look_at(const struct host *h, const struct modules *m, const char *name,
			struct finding *f, struct buf *why)
{
	static const char *const states[] = {
		[MODULES_BUILTIN] = "built in",
		[MODULES_LOADED] = "loaded",
		[MODULES_LOADABLE] = "loadable",
		[MODULES_MISSING] = "not built for this kernel",
	};
	_Static_assert(ARRAY_SIZE(states) == MODULES_STATE_MAX, "every state has a name");
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	struct error e = { 0 };
	const char *reason = NULL;
	enum use use;
	int r = modules_lookup(m, name, &info, &e);

	if (r < 0) {
		finding_unread(f, h, modules_dir(m) ? modules_dir(m) : "/lib/modules", r);
		buf_printf(why, "%s%s: %s", why->len ? "; " : "", name, e.text);
		return UNSURE;
	}
	use = judge(h, m, &info, name, f, &reason);
	finding_note(f, info.source, "built in, loaded or loadable", "%s: %s%s%s", name,
		     states[info.state], reason && info.state == MODULES_LOADABLE ? ", but " : "",
		     reason && info.state == MODULES_LOADABLE ? reason : "");
	if (reason)
		buf_printf(why, "%s%s: %s", why->len ? "; " : "", name, reason);
	if (info.blocks)
		finding_remedy(f, "Remove \"%s\" from %s.", info.install, info.install_source);
	return use;
}

/*
 * iommufd alone serves where VFIO gives its devices out by it: as character devices, since 6.6, or
 * in place of type1 (drivers/vfio/Kconfig, VFIO_DEVICE_CDEV; drivers/iommu/iommufd/Kconfig,
 * IOMMUFD_VFIO_CONTAINER).
 */
static enum use look_at_iommufd(const struct host *h, const struct modules *m, struct finding *f,
				struct buf *why)
{
	enum use use = look_at(h, m, "iommufd", f, why);
	const struct kconfig *k = NULL;

	if (use != USABLE || kconfig_get(h, &k, NULL) < 0)
		return use == USABLE ? UNSURE : use;
	if (kconfig_is_on(k, "VFIO_DEVICE_CDEV") || kconfig_is_on(k, "IOMMUFD_VFIO_CONTAINER"))
		return USABLE;
	finding_note(f, k->source, "CONFIG_VFIO_DEVICE_CDEV=y",
		     "neither that nor "
		     "CONFIG_IOMMUFD_VFIO_CONTAINER");
	buf_printf(why, "%siommufd: VFIO was built without it", why->len ? "; " : "");
	return UNUSABLE;
}

/*
 * There are no modules of the running kernel: it was built without, or they are gone, as
 * after an update of its package without a reboot.
 */
static enum verdict fail_no_modules(const struct host *h, const struct modules *m,
				    struct finding *f)
{
	const struct kconfig *k = NULL;

	if (kconfig_get(h, &k, NULL) == 0 && kconfig_ask(k, "VFIO_PCI") == KCONFIG_OFF) {
		finding_note(f, k->source, "CONFIG_VFIO_PCI=y or m", "CONFIG_VFIO_PCI is not set");
		finding_remedy(f, "Boot a kernel that was built with CONFIG_VFIO_PCI.");
		return finding_fail(f, ACTOR_OS, "this kernel was built without vfio-pci");
	}
	finding_note(f, modules_dir(m), "the modules of the running kernel", "absent");
	finding_remedy(f, "Install the package with the modules of the running kernel, or reboot "
			  "into the kernel that is installed.");
	return finding_fail(f, ACTOR_OS, "the modules of the running kernel are not installed");
}

static enum verdict run_available(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf why = { 0 }, backend_why = { 0 };
	const struct modules *m = NULL;
	struct error e = { 0 };
	enum use device, type1, iommufd;
	int r = modules_get(in->host, &m, &e);

	if (machine_is_xen_control(in->host))
		return finding_na(f, "Xen's guests are given devices by xen-pciback: VFIO has no "
				     "IOMMU here");
	if (r < 0) {
		finding_unread(f, in->host, "/lib/modules", r);
		return finding_unknown(f, "the modules of this kernel are not known");
	}
	device = look_at(in->host, m, "vfio-pci", f, &why);
	if (device == UNUSABLE && modules_have_dir(m) == -ENOENT)
		return fail_no_modules(in->host, m, f);
	type1 = look_at(in->host, m, "vfio_iommu_type1", f, &backend_why);
	iommufd = type1 == USABLE ? USABLE : look_at_iommufd(in->host, m, f, &backend_why);
	if (device == UNUSABLE)
		return finding_fail(f, ACTOR_OS, "VFIO cannot be used: %s", finding_text(f, &why));
	if (type1 == UNUSABLE && iommufd == UNUSABLE)
		return finding_fail(f, ACTOR_OS, "VFIO has no IOMMU backend: %s",
				    finding_text(f, &backend_why));
	if (device == UNSURE || (type1 != USABLE && iommufd != USABLE))
		return finding_unknown(
			f, "whether vfio-pci and its backend can be loaded is not known");
	return finding_pass(f, "vfio-pci and its IOMMU backend %s can be used",
			    type1 == USABLE ? "vfio_iommu_type1" : "iommufd");
}

static const struct check checks[] = {
	{
		.id = "vfio.available",
		.title = "vfio-pci and an IOMMU backend are built in, loaded or loadable",
		.severity = SEVERITY_RECOMMENDED,
		.run = run_available,
		.actor = ACTOR_OS,
		.remedy = "Install the kernel package that has vfio-pci and vfio_iommu_type1.",
		.impact = "No VF can be handed to a guest or to a user-space driver.",
		.reference = "Linux Documentation/driver-api/vfio.rst",
	},
	{
		.id = "vfio.safe",
		.title = "unsafe interrupts and no-IOMMU mode are off",
		.severity = SEVERITY_REQUIRED,
		.run = vfio_safe_run,
		.actor = ACTOR_OS,
		.remedy = "Switch the parameter off.",
		.impact = "A guest, or whoever controls its device, can take over the host.",
		.reference = "Linux drivers/vfio/vfio_iommu_type1.c, allow_unsafe_interrupts; "
			     "drivers/vfio/container.c, enable_unsafe_noiommu_mode",
	},
};
CHECK_GROUP(vfio_checks, checks);
