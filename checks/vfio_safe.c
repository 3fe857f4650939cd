/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vfio.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/kernel.h>
#include <sriovctl/modules.h>
#include <sriovctl/parse.h>

#include "remedy.h"

#include <errno.h>

/* A switch that gives up a protection, and what is then exposed. */
static const struct unsafe {
	const char *module, *param;
	const char *symbol; /* of the kernel's configuration, without which it does not exist */
	bool is_optional;   /* the module can be built without it */
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
	  .is_optional = true,
	  .exposes = "a device can write to all memory of the host" },
};

enum setting { SETTING_OFF, SETTING_ON, SETTING_UNKNOWN, SETTING_NOT_LOADED };

static enum setting setting_of_value(const char *value)
{
	bool on;

	if (parse_bool(value, &on) < 0)
		return SETTING_UNKNOWN;
	return on ? SETTING_ON : SETTING_OFF;
}

/* A kernel that was built without the switch has no folder for it, in that of the module. */
static bool is_without(const struct host *h, const struct unsafe *u)
{
	return u->is_optional && !host_is_partial(h) &&
	       host_exists(h, "/sys/module/%s", u->module) == 0 &&
	       host_exists(h, "/sys/module/%s/parameters", u->module) == -ENOENT;
}

/* What the module has now; @info is NULL where nothing is known about it. */
static enum setting setting_now(const struct host *h, const struct modules_info *info,
				const struct unsafe *u, struct finding *f)
{
	const char *path = finding_path(f, "/sys/module/%s/parameters/%s", u->module, u->param);
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, "%s", path);

	if (r == 0) {
		finding_note(f, path, "N", "%s", buf_text(&text));
		return setting_of_value(buf_text(&text));
	}
	if (!info)
		return SETTING_UNKNOWN;
	if (info->state == MODULES_MISSING) {
		finding_note(f, info->source, NULL, "%s: not built for this kernel", u->module);
		return SETTING_NOT_LOADED;
	}
	if (info->state == MODULES_LOADABLE && info->kernel_error == 0)
		return SETTING_NOT_LOADED;
	return is_without(h, u) ? SETTING_OFF : SETTING_UNKNOWN;
}

/* Does a command of modprobe.d pass the parameter? */
static enum setting setting_by_install(const struct host *h, const struct modules *m,
				       const struct modules_info *info, const struct unsafe *u,
				       struct finding *f)
{
	AUTO_BUF struct buf line = { 0 }, source = { 0 };
	int r = modules_install_option(m, u->param, &line, &source, NULL);

	if (r == -ENOENT && info && info->unclear)
		vfio_note_unclear(f, info);
	if (r == -ENOENT)
		return info && !info->unclear ? SETTING_OFF : SETTING_UNKNOWN;
	if (r < 0) {
		finding_unread(f, h, "/etc/modprobe.d", r);
		return SETTING_UNKNOWN;
	}
	finding_note(f, finding_text(f, &source), "no such command", "%s", buf_text(&line));
	finding_remedy(f, "Remove \"%s\" from %s.", buf_text(&line), buf_text(&source));
	return SETTING_ON;
}

/* What the command line gives it, which comes behind modprobe.d; NOT_LOADED: nothing. */
static enum setting setting_by_cmdline(const struct host *h, const struct unsafe *u,
				       struct finding *f)
{
	const char *key = finding_path(f, "%s.%s", u->module, u->param), *word;
	const struct cmdline *c = NULL;
	enum setting setting;
	int r = cmdline_get(h, &c, NULL);

	if (r < 0) {
		finding_unread(f, h, CMDLINE_PATH, r);
		return SETTING_UNKNOWN;
	}
	word = cmdline_value(c, key);
	if (!word)
		return SETTING_NOT_LOADED;
	setting = *word ? setting_of_value(word) : SETTING_ON;
	if (setting == SETTING_OFF)
		return SETTING_OFF;
	finding_note(f, CMDLINE_PATH, "no such word", "%s=%s", key, word);
	remedy_cmdline_remove(f, h, key);
	return setting;
}

static enum setting setting_by_options(const struct host *h, const struct modules *m,
				       const struct unsafe *u, struct finding *f)
{
	AUTO_BUF struct buf value = { 0 }, source = { 0 };
	enum setting setting;
	int r = modules_option(m, u->module, u->param, &value, &source, NULL);

	if (r == -ENOENT)
		return SETTING_OFF;
	if (r < 0) {
		finding_unread(f, h, "/etc/modprobe.d", r);
		return SETTING_UNKNOWN;
	}
	setting = setting_of_value(buf_text(&value));
	if (setting == SETTING_OFF)
		return SETTING_OFF;
	finding_note(f, finding_text(f, &source), "no such option", "options %s %s=%s", u->module,
		     u->param, buf_text(&value));
	finding_remedy(f, "Remove %s=%s from %s.", u->param, buf_text(&value), buf_text(&source));
	return setting;
}

/* What it would have when it is loaded next.  The last word counts: see libkmod's options. */
static enum setting setting_at_load(const struct host *h, const struct modules *m,
				    const struct modules_info *info, const struct unsafe *u,
				    struct finding *f)
{
	enum setting install = setting_by_install(h, m, info, u, f);
	enum setting last;

	if (install == SETTING_ON)
		return SETTING_ON;
	last = setting_by_cmdline(h, u, f);
	if (last == SETTING_NOT_LOADED)
		last = setting_by_options(h, m, u, f);
	return last == SETTING_OFF ? install : last;
}

/*
 * Is the switch not even built into this kernel?  A configuration that says so is not
 * believed against the module itself, and one that says nothing may have been cut.
 */
static bool is_not_built(const struct host *h, const struct modules_info *info,
			 const struct unsafe *u, struct finding *f)
{
	const struct kconfig *k = NULL;
	enum kconfig_answer answer;
	bool is_missing = info && info->state == MODULES_MISSING;

	if (kconfig_get(h, &k, NULL) < 0)
		return false;
	answer = kconfig_ask(k, u->symbol);
	if (answer == KCONFIG_ON || (answer == KCONFIG_ABSENT && !is_missing))
		return false;
	if (info && !is_missing && !u->is_optional)
		return false;
	finding_note(f, k->source, NULL, "CONFIG_%s is not set", u->symbol);
	return true;
}

/* What stands in the way of knowing what a module has. */
static void note_unknown(const struct host *h, const struct modules *m,
			 const struct modules_info *info, const struct unsafe *u, int lookup,
			 struct finding *f)
{
	const char *path = finding_path(f, "/sys/module/%s/parameters/%s", u->module, u->param);
	int all = host_exists(h, "/sys/module"), r = host_exists(h, "%s", path);

	if (r < 0)
		finding_unread(f, h, all < 0 ? "/sys/module" : path, r);
	if (lookup < 0)
		finding_unread(f, h, m && modules_dir(m) ? modules_dir(m) : "/lib/modules", lookup);
	else if (info->kernel_error < 0)
		finding_unread(f, h, "/proc/modules", info->kernel_error);
}

static enum setting setting_of(const struct host *h, const struct modules *m,
			       const struct unsafe *u, struct finding *f, bool *ret_now)
{
	AUTO_MODULES_INFO struct modules_info found = { 0 };
	int r = m ? modules_lookup(m, u->module, &found, NULL) : -ENODATA;
	const struct modules_info *info = r < 0 ? NULL : &found;
	enum setting now = setting_now(h, info, u, f), later;

	*ret_now = now == SETTING_ON;
	if (now == SETTING_ON)
		return SETTING_ON;
	if (is_not_built(h, info, u, f))
		return SETTING_OFF;
	later = m ? setting_at_load(h, m, info, u, f) : SETTING_UNKNOWN;
	if (later != SETTING_ON && (now == SETTING_UNKNOWN || !info))
		note_unknown(h, m, info, u, r, f);
	if (later == SETTING_ON || now == SETTING_NOT_LOADED)
		return later;
	/* What is loaded can be unloaded, and then comes back as it is configured. */
	return later == SETTING_UNKNOWN ? later : now;
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

enum verdict vfio_safe_run(const struct check_input *in, struct finding *f)
{
	const struct iommu_groups *groups = NULL;
	const struct modules *m = NULL;
	bool unsure = modules_get(in->host, &m, NULL) < 0, now;

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
	if (unsure)
		return finding_unknown(
			f, "what VFIO's modules have, or will be loaded with, is not known");
	return finding_pass(
		f, "unsafe interrupts and no-IOMMU mode are off, now and at the next load");
}
