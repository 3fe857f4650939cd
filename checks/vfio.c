/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handing devices to guests: is VFIO there, and is it safe? */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/kernel.h>
#include <sriovctl/modules.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

/* --- vfio.available ---------------------------------------------------------- */

/* The kernel takes a list of names as it spells them itself (kernel/module, blacklisted()). */
static bool is_blacklisted(const struct host *h, const char *name, struct finding *f)
{
	AUTO_FREE char *spelled = strdup(name);
	const struct cmdline *c = NULL;

	if (!spelled) {
		f->error = -ENOMEM;
		return false;
	}
	for (char *p = spelled; *p; p++)
		if (*p == '-')
			*p = '_';
	return cmdline_get(h, &c, NULL) == 0 && cmdline_has_item(c, "module_blacklist", spelled);
}

/* Lockdown takes only signed modules, as sig_enforce does ("none [integrity] confidentiality"). */
static bool wants_signatures(const struct host *h)
{
	AUTO_BUF struct buf text = { 0 };

	if (host_attr(h, &text, NULL, "/sys/module/module/parameters/sig_enforce") == 0 &&
	    strcmp(buf_text(&text), "Y") == 0)
		return true;
	return host_attr(h, &text, NULL, "/sys/kernel/security/lockdown") == 0 &&
	       !strstr(buf_text(&text), "[none]");
}

/* Why a module that could be loaded cannot; NULL when nothing is in the way. */
static const char *obstacle(const struct host *h, const struct modules *m,
			    const struct modules_info *info, const char *name, struct finding *f)
{
	AUTO_MODULES_FILE struct modules_file file = { 0 };
	AUTO_BUF struct buf text = { 0 };
	const struct cmdline *c = NULL;

	if (info->blocks)
		return "modprobe.d blocks it";
	if (host_attr(h, &text, NULL, "/proc/sys/kernel/modules_disabled") == 0 &&
	    strcmp(buf_text(&text), "1") == 0)
		return "the kernel takes no more modules (kernel.modules_disabled is 1)";
	if (cmdline_get(h, &c, NULL) == 0 && cmdline_value(c, "nomodule"))
		return "the command line has nomodule";
	if (is_blacklisted(h, name, f))
		return "module_blacklist on the command line names it";
	if (wants_signatures(h) && modules_inspect(m, info, &file, NULL) == 0 && !file.is_signed)
		return "the kernel takes only signed modules, and this one is not";
	return NULL;
}

enum use { USABLE, UNUSABLE, UNSURE };

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
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	struct error e = { 0 };
	const char *in_the_way = NULL;
	int r = modules_lookup(m, name, &info, &e);

	if (r < 0) {
		finding_unread(f, h, modules_dir(m) ? modules_dir(m) : "/lib/modules", r);
		buf_printf(why, "%s%s: %s", why->len ? "; " : "", name, e.text);
		return UNSURE;
	}
	if (info.state == MODULES_LOADABLE)
		in_the_way = obstacle(h, m, &info, name, f);
	finding_note(f, info.source, "built in, loaded or loadable", "%s: %s%s%s", name,
		     states[info.state], in_the_way ? ", but " : "", in_the_way ? in_the_way : "");
	if (in_the_way || info.state == MODULES_MISSING)
		buf_printf(why, "%s%s: %s", why->len ? "; " : "", name,
			   in_the_way ? in_the_way : states[info.state]);
	if (info.blocks)
		finding_remedy(f, "Remove \"%s\" from %s.", info.install, info.install_source);
	if (in_the_way || info.state == MODULES_MISSING)
		return UNUSABLE;
	return info.state == MODULES_LOADABLE && info.config_error < 0 ? UNSURE : USABLE;
}

/*
 * There are no modules of the running kernel: it was built without, or they are gone, as
 * after an update of its package without a reboot.
 */
static enum verdict fail_no_modules(const struct host *h, const struct modules *m,
				    struct finding *f)
{
	const struct kconfig *k = NULL;

	if (kconfig_get(h, &k, NULL) == 0 && !kconfig_is_on(k, "VFIO_PCI")) {
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

	if (r < 0) {
		finding_unread(f, in->host, "/lib/modules", r);
		return finding_unknown(f, "the modules of this kernel are not known");
	}
	device = look_at(in->host, m, "vfio-pci", f, &why);
	if (device == UNUSABLE && modules_have_dir(m) == -ENOENT)
		return fail_no_modules(in->host, m, f);
	type1 = look_at(in->host, m, "vfio_iommu_type1", f, &backend_why);
	iommufd = type1 == USABLE ? USABLE : look_at(in->host, m, "iommufd", f, &backend_why);
	if (device == UNUSABLE)
		return finding_fail(f, ACTOR_OS, "VFIO cannot be used: %s", buf_text(&why));
	if (type1 == UNUSABLE && iommufd == UNUSABLE)
		return finding_fail(f, ACTOR_OS, "VFIO has no IOMMU backend: %s",
				    buf_text(&backend_why));
	if (device == UNSURE || (type1 != USABLE && iommufd != USABLE)) {
		finding_unread(f, in->host, "/etc/modprobe.d", -ENODATA);
		return finding_unknown(
			f, "whether vfio-pci and its backend can be loaded is not known");
	}
	return finding_pass(f, "vfio-pci and its IOMMU backend %s can be used",
			    type1 == USABLE ? "vfio_iommu_type1" : "iommufd");
}

/* --- vfio.safe ----------------------------------------------------------------- */

/* A switch that gives up a protection, and what is then exposed. */
static const struct unsafe {
	const char *module, *param;
	const char *symbol; /* of the kernel's configuration, without which it does not exist */
	const char *exposes;
} switches[] = {
	{ .module = "vfio_iommu_type1",
	  .param = "allow_unsafe_interrupts",
	  .symbol = "VFIO_IOMMU_TYPE1",
	  .exposes = "a guest can send any interrupt to the host" },
	{ .module = "iommufd",
	  .param = "allow_unsafe_interrupts",
	  .symbol = "IOMMUFD",
	  .exposes = "a guest can send any interrupt to the host" },
	{ .module = "vfio",
	  .param = "enable_unsafe_noiommu_mode",
	  .symbol = "VFIO_NOIOMMU",
	  .exposes = "a device can write to all memory of the host" },
};

enum setting { SETTING_OFF, SETTING_ON, SETTING_UNKNOWN, SETTING_NOT_LOADED };

/* Without its folder in sysfs: the list of modules tells that it is not in the kernel. */
static enum setting setting_without_folder(const struct modules *m, const struct unsafe *u, int r)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };

	if (r == -ENOENT)
		return SETTING_NOT_LOADED;
	if (!m || modules_lookup(m, u->module, &info, NULL) < 0)
		return SETTING_UNKNOWN;
	return info.state == MODULES_LOADABLE || info.state == MODULES_MISSING ? SETTING_NOT_LOADED
									       : SETTING_UNKNOWN;
}

/* What the module has now. */
static enum setting setting_now(const struct host *h, const struct modules *m,
				const struct unsafe *u, struct finding *f)
{
	AUTO_BUF struct buf path = { 0 }, text = { 0 };
	bool on;
	int r = host_exists(h, "/sys/module/%s", u->module);

	if (r < 0)
		return setting_without_folder(m, u, r);
	buf_printf(&path, "/sys/module/%s/parameters/%s", u->module, u->param);
	if (buf_error(&path) < 0)
		f->error = -ENOMEM;
	r = host_attr(h, &text, NULL, "%s", buf_text(&path));
	/* A kernel that was built without the switch has no file for it. */
	if (r == -ENOENT)
		return SETTING_OFF;
	if (r < 0 || parse_bool(buf_text(&text), &on) < 0)
		return SETTING_UNKNOWN;
	finding_note(f, buf_text(&path), "N", "%s", buf_text(&text));
	return on ? SETTING_ON : SETTING_OFF;
}

/* What it would have when it is loaded next: modprobe.d, then the command line. */
static enum setting setting_at_load(const struct host *h, const struct modules *m,
				    const struct unsafe *u, struct finding *f)
{
	AUTO_BUF struct buf value = { 0 }, source = { 0 }, key = { 0 };
	const struct cmdline *c = NULL;
	const char *word;
	bool on = false;
	int config = modules_option(m, u->module, u->param, &value, &source, NULL);

	buf_printf(&key, "%s.%s", u->module, u->param);
	if (config == -ENOMEM || buf_error(&key) < 0)
		f->error = -ENOMEM;
	if (config == 0 && parse_bool(buf_text(&value), &on) == 0 && on) {
		finding_note(f, buf_text(&source), "no such option", "options %s %s=%s", u->module,
			     u->param, buf_text(&value));
		finding_remedy(f, "Remove %s=%s from %s.", u->param, buf_text(&value),
			       buf_text(&source));
		return SETTING_ON;
	}
	if (cmdline_get(h, &c, NULL) < 0)
		return SETTING_UNKNOWN;
	word = cmdline_value(c, buf_text(&key));
	if (word && (!*word || (parse_bool(word, &on) == 0 && on))) {
		finding_note(f, CMDLINE_PATH, "no such word", "%s=%s", buf_text(&key), word);
		remedy_cmdline_remove(f, h, buf_text(&key));
		return SETTING_ON;
	}
	return config == 0 || config == -ENOENT ? SETTING_OFF : SETTING_UNKNOWN;
}

/* Is the switch not even built into this kernel? */
static bool is_not_built(const struct host *h, const struct unsafe *u, struct finding *f)
{
	const struct kconfig *k = NULL;

	if (kconfig_get(h, &k, NULL) < 0 || kconfig_is_on(k, u->symbol))
		return false;
	finding_note(f, k->source, NULL, "CONFIG_%s is not set", u->symbol);
	return true;
}

static enum setting setting_of(const struct host *h, const struct modules *m,
			       const struct unsafe *u, struct finding *f, bool *ret_now)
{
	enum setting now = setting_now(h, m, u, f);
	enum setting later;

	*ret_now = now == SETTING_ON;
	if (now == SETTING_ON)
		return SETTING_ON;
	if (is_not_built(h, u, f))
		return SETTING_OFF;
	later = m ? setting_at_load(h, m, u, f) : SETTING_UNKNOWN;
	if (later == SETTING_ON)
		return SETTING_ON;
	/* What is loaded is what counts, and only what is not can be told by configuration. */
	return now == SETTING_NOT_LOADED ? later : now;
}

static enum verdict fail_unsafe(const struct unsafe *u, bool now, struct finding *f)
{
	if (now)
		finding_remedy(f,
			       "Write 0 to /sys/module/%s/parameters/%s, after the guests that use "
			       "it have stopped.",
			       u->module, u->param);
	return finding_fail(f, ACTOR_OS, "%s of %s is on%s: %s", u->param, u->module,
			    now ? "" : " from its next load on", u->exposes);
}

static enum verdict run_safe(const struct check_input *in, struct finding *f)
{
	const struct iommu_groups *groups = NULL;
	const struct modules *m = NULL;
	int r = modules_get(in->host, &m, NULL);
	bool unsure = false, now;

	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		switch (setting_of(in->host, m, &switches[i], f, &now)) {
		case SETTING_ON:
			return fail_unsafe(&switches[i], now, f);
		case SETTING_UNKNOWN:
			unsure = true;
			break;
		case SETTING_OFF:
		case SETTING_NOT_LOADED:
			break;
		}
	}
	if (iommu_groups_get(in->host, &groups, NULL) == 0 && groups->n_noiommu > 0) {
		finding_note(f, IOMMU_GROUPS, "none named vfio-noiommu", "%zu", groups->n_noiommu);
		finding_remedy(f, "Unbind the devices in those groups from vfio-pci.");
		return finding_fail(f, ACTOR_OS, "%zu devices are open to VFIO without any IOMMU",
				    groups->n_noiommu);
	}
	if (unsure) {
		finding_unread(f, in->host, "/etc/modprobe.d", r < 0 ? r : -ENODATA);
		return finding_unknown(f, "what VFIO's modules will be loaded with is not known");
	}
	return finding_pass(
		f, "unsafe interrupts and no-IOMMU mode are off, now and at the next load");
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
		.run = run_safe,
		.actor = ACTOR_OS,
		.remedy = "Switch the parameter off.",
		.impact = "A guest, or whoever controls its device, can take over the host.",
		.reference = "Linux drivers/vfio/vfio_iommu_type1.c, allow_unsafe_interrupts; "
			     "drivers/vfio/container.c, enable_unsafe_noiommu_mode",
	},
};
CHECK_GROUP(vfio_checks, checks);
