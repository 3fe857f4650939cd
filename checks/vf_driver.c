/* SPDX-License-Identifier: GPL-2.0-or-later */
/* VFs that exist: the drivers that they have here, and those that guests have for them. */
#include "areas.h"
#include "compat_say.h"
#include "remedy.h"
#include "vf_subject.h"

#include <sriovctl/buf.h>
#include <sriovctl/compat_host.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/machine.h>
#include <sriovctl/modules.h>
#include <sriovctl/modules_guest.h>
#include <sriovctl/nics.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/spec.h>

#include <errno.h>
#include <string.h>

/* --- vf.driver ---------------------------------------------------------------------------- */

/* What is wanted of the VF, and by whom; NULL: any driver will do. */
struct wanted {
	char name[SETTING_NAME_MAX]; /* "": that none is bound */
	const char *by;
};

static struct wanted find_wanted(const struct check_input *in)
{
	const struct vf *vf = in->vf;
	const struct setting_value *override = vf->set ? &vf->set->set[SETTING_OVERRIDE] : NULL;
	struct wanted w = { 0 };

	if (in->spec && spec_vf_driver(in->spec, in->entry, vf->index, w.name)) {
		w.by = "the spec";
	} else if (override && override->state == SETTING_KNOWN && *override->name) {
		memcpy(w.name, override->name, sizeof(w.name));
		w.by = "driver_override";
	}
	return w;
}

/* How the VF gets the driver. */
static void say_bind(const struct vf *vf, const char *driver, struct finding *f)
{
	if (vf->set)
		vf_subject_provision(vf,
				     vf_subject_any_has(vf, SETTING_DRIVER)
					     ? NULL
					     : finding_path(f, "--driver %s", driver),
				     finding_path(f, "\"driver\": \"%s\" for them", driver), f);
	else
		finding_remedy(f, "Bind it through /sys/bus/pci/drivers_probe.");
}

static const char *bind_name(const struct wanted *w)
{
	return w->by ? w->name : SETTING_DRIVER_DEFAULT;
}

static bool is_kept_from_drivers(const struct vf *vf)
{
	const struct setting_value *v = vf->state ? &vf->state->set[SETTING_AUTOPROBE] : NULL;

	return v && v->state == SETTING_KNOWN && v->number == 0;
}

/* True: something keeps a module from being loaded, and @ret is what comes of it. */
static bool judge_refused(const struct host *h, const struct wanted *w, const char *name,
			  const struct modules_info *info, struct finding *f, enum verdict *ret)
{
	enum actor actor;
	const char *word;

	if (remedy_module_blacklist(f, h, info, name)) {
		*ret = finding_fail(f, ACTOR_CMDLINE,
				    "no driver is bound: module_blacklist on the command line has "
				    "the kernel refuse %s",
				    name);
		return true;
	}
	/* By alias alone: by its name it can be loaded all the same. */
	word = w->by ? NULL : remedy_autoload(f, h, info, name, &actor);
	if (word)
		*ret = finding_fail(f, actor, "no driver is bound: %s is blacklisted, by %s", name,
				    word);
	if (!word && info->blocks) {
		remedy_install(f, info);
		*ret = finding_fail(f, ACTOR_OS, "no driver is bound: loading %s is blocked", name);
	}
	return word || info->blocks;
}

/* A module that would do, and does not. */
static enum verdict judge_module(const struct check_input *in, const struct wanted *w,
				 const char *name, const struct modules_info *info,
				 struct finding *f)
{
	const struct vf *vf = in->vf;
	enum verdict verdict;

	finding_note(f, info->source, NULL, "%s", name);
	if (info->state == MODULES_MISSING) {
		finding_remedy(f, "Install the package of the running kernel that has %s.", name);
		return finding_fail(f, ACTOR_OS, "no driver is bound: this kernel has no %s", name);
	}
	if (info->state == MODULES_LOADABLE && judge_refused(in->host, w, name, info, f, &verdict))
		return verdict;
	if (is_kept_from_drivers(vf)) {
		finding_note(f, finding_path(f, "%s/sriov_drivers_autoprobe", vf->state->sysfs),
			     "1", "0");
		say_bind(vf, bind_name(w), f);
		return finding_fail(f, ACTOR_OS,
				    "no driver is bound: new VFs of its function are kept from "
				    "drivers");
	}
	if (info->state != MODULES_LOADABLE) {
		say_bind(vf, bind_name(w), f);
		return finding_fail(f, ACTOR_OS,
				    "no driver is bound: %s is there and has not taken it", name);
	}
	/* Who binds by name loads as well. */
	if (w->by)
		say_bind(vf, w->name, f);
	else
		finding_remedy(f, "Load the driver: modprobe %s.", name);
	return finding_fail(f, ACTOR_OS, "no driver is bound: %s is available and not loaded",
			    name);
}

/* The module that is wanted, else the one that claims it. */
static int find_module(const struct check_input *in, const struct wanted *w, struct strv *ret,
		       struct modules_info *ret_info)
{
	const struct modules *m = NULL;
	AUTO_BUF struct buf modalias = { 0 };
	int r = modules_get(in->host, &m, NULL);

	if (r == 0 && w->by)
		r = strv_add(ret, w->name);
	else if (r == 0)
		r = host_attr(in->host, &modalias, NULL, PCIDEV_PATH "/%s/modalias",
			      in->vf->dev->name);
	if (r == 0 && !w->by)
		r = modules_resolve(m, buf_text(&modalias), ret, NULL);
	return r == 0 ? modules_lookup(m, ret->items[0], ret_info, NULL) : r;
}

static enum verdict judge_unbound(const struct check_input *in, const struct wanted *w,
				  struct finding *f)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_STRV struct strv names = { 0 };
	int r = find_module(in, w, &names, &info);

	if (r == 0)
		return judge_module(in, w, names.items[0], &info, f);
	if (r == -ENOENT && !w->by) {
		finding_remedy(f, "Install the driver of the VF, or bind it to vfio-pci for "
				  "guests.");
		return finding_fail(f, ACTOR_OS,
				    "no driver is bound, and no module of this kernel claims it");
	}
	say_bind(in->vf, bind_name(w), f);
	return finding_fail(f, ACTOR_OS, "no driver is bound");
}

/* Of the PF's own driver pf.driver_compat tells. */
static bool is_of_pf(const struct check_input *in)
{
	return in->pf && in->pf->driver_error == 0 &&
	       strcmp(in->pf->driver, in->vf->dev->driver) == 0;
}

/* True, with the verdict: what is bound is of a version that breaks VFs, or may be. */
static bool is_bad(const struct check_input *in, struct finding *f, enum verdict *ret)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	AUTO_COMPAT_HOST struct compat_host c = { 0 };
	const struct compat *tables = in->compat;
	struct error why = { 0 };
	struct compat_say say = { .kind = "version of the driver",
				  .update = "Install another version of the driver",
				  .actor = ACTOR_OS,
				  .why = &why };

	/* A site's table that cannot be read is told by the checks that ask no other. */
	if (is_of_pf(in) || (!tables && compat_get(in->host, &tables, NULL) < 0))
		return false;
	if (compat_host_read(in->host, in->vf->dev, false, &c, NULL) < 0 ||
	    compat_judge_driver(tables, &c.f, &j, &why) < 0) {
		*ret = finding_nomem(f);
		return true;
	}
	if (j.verdict != COMPAT_IS_BAD && j.verdict != COMPAT_TOO_OLD &&
	    j.verdict != COMPAT_MAY_BE_BAD)
		return false;
	say.what = finding_path(f, "driver %s %s", c.f.driver, c.f.driver_version);
	*ret = compat_say_judgement(&say, &j, f);
	return true;
}

static enum verdict judge_bound(const struct check_input *in, const struct wanted *w,
				struct finding *f)
{
	const char *driver = in->vf->dev->driver;
	enum verdict v;

	if ((!w->by || strcmp(driver, w->name) == 0) && is_bad(in, f, &v))
		return v;
	if (!w->by || strcmp(driver, w->name) == 0)
		return finding_pass(f, "%s is bound%s%s", driver, w->by ? ", as wanted by " : "",
				    w->by ? w->by : "");
	say_bind(in->vf, *w->name ? w->name : "none", f);
	return finding_fail(f, ACTOR_OS, "%s is bound, and %s wants %s", driver, w->by,
			    *w->name ? w->name : "none");
}

static enum verdict run_driver(const struct check_input *in, struct finding *f)
{
	const struct pcidev *d = in->vf->dev;
	const char *path = finding_path(f, PCIDEV_PATH "/%s/driver", d->name);
	const struct wanted w = find_wanted(in);
	const char *expected = !w.by ? "a driver" : *w.name ? w.name : "none";

	if (d->driver_error < 0 && d->driver_error != -ENOENT) {
		finding_unread(f, in->host, path, d->driver_error);
		return finding_unknown(f, "which driver is bound is not known");
	}
	finding_note(f, path, expected, "%s", d->driver_error ? "none" : d->driver);
	if (d->driver_error == 0)
		return judge_bound(in, &w, f);
	if (w.by && !*w.name)
		return finding_pass(f, "no driver is bound, as wanted by %s", w.by);
	return judge_unbound(in, &w, f);
}

/* --- guest.vf_driver ---------------------------------------------------------------------- */

/* The guest's modules: those of the folder that was named, or of this guest itself. */
struct guest {
	const struct modules_guest *named;
	const struct modules *own;
	const char *source;
};

static int resolve(const struct guest *g, const char *modalias, struct strv *ret)
{
	return g->named ? modules_guest_resolve(g->named, modalias, ret, NULL)
			: modules_resolve(g->own, modalias, ret, NULL);
}

static int has_module(const struct guest *g, const char *name)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	int r;

	if (g->named)
		return modules_guest_has(g->named, name, NULL);
	r = modules_lookup(g->own, name, &info, NULL);
	return r == 0 && info.state == MODULES_MISSING ? -ENOENT : r;
}

static enum verdict fail_unclaimed(const struct check_input *in, const struct guest *g,
				   const char *modalias, struct finding *f)
{
	const struct pf *vf = pf_of(in->host, in->vf->dev);
	const char *driver = vf && vf->nic ? vf->nic->family->vf_driver : NULL;
	int r = driver ? has_module(g, driver) : -ENOENT;

	finding_note(f, g->source, "a module that claims it", "none for %s", modalias);
	if (r == 0) {
		finding_note(f, g->source, NULL, "%s", driver);
		finding_remedy(f, "Give the guest a newer kernel, or a newer %s.", driver);
		return finding_fail(f, ACTOR_OS,
				    "the guest's %s is there, and does not know the VF's id",
				    driver);
	}
	if (r != -ENOENT) {
		finding_unread(f, in->host, g->source, r);
		return finding_unknown(f, "whether the guest's kernel has %s is not known", driver);
	}
	finding_remedy(f, "Install %s in the guest.", driver ? driver : "the driver of the VF");
	return driver ? finding_fail(f, ACTOR_OS, "the guest's kernel has no %s", driver)
		      : finding_fail(f, ACTOR_OS, "no module of the guest's kernel knows the VF");
}

static enum verdict judge_guest(const struct check_input *in, const struct guest *g,
				struct finding *f)
{
	const char *path = finding_path(f, PCIDEV_PATH "/%s/modalias", in->vf->dev->name);
	AUTO_BUF struct buf modalias = { 0 };
	AUTO_STRV struct strv names = { 0 };
	int r = host_attr(in->host, &modalias, NULL, "%s", path);

	if (r < 0) {
		finding_unread(f, in->host, path, r);
		return finding_unknown(f, "the VF's id is not known");
	}
	r = resolve(g, buf_text(&modalias), &names);
	if (r == -ENOENT)
		return fail_unclaimed(in, g, finding_text(f, &modalias), f);
	if (r < 0) {
		finding_unread(f, in->host, g->source, r);
		return finding_unknown(f, "which module of the guest claims the VF is not known");
	}
	finding_note(f, g->source, NULL, "%s", names.items[0]);
	return finding_pass(f, "the guest's kernel has %s, which knows the VF's id",
			    names.items[0]);
}

/* In a guest: its kernel has what is bound. */
static bool is_driven(const struct vf *vf)
{
	const char *driver = vf->dev->driver;

	/* What only holds it for something else. */
	return vf->dev->driver_error == 0 && !vf_is_passed_through(vf) && !strstr(driver, "uio") &&
	       !strstr(driver, "stub");
}

static enum verdict judge_here(const struct check_input *in, struct finding *f)
{
	struct guest g = { .source = "/lib/modules" };
	int r;

	if (is_driven(in->vf)) {
		finding_note(f, finding_path(f, PCIDEV_PATH "/%s/driver", in->vf->dev->name), NULL,
			     "%s", in->vf->dev->driver);
		return finding_pass(f, "%s drives the VF", in->vf->dev->driver);
	}
	r = modules_get(in->host, &g.own, NULL);
	if (r < 0) {
		finding_unread(f, in->host, g.source, r);
		return finding_unknown(f, "which modules this guest has is not known");
	}
	if (modules_dir(g.own))
		g.source = modules_dir(g.own);
	return judge_guest(in, &g, f);
}

static enum verdict run_guest(const struct check_input *in, struct finding *f)
{
	const struct guest named = {
		.named = in->guest_modules,
		.source = in->guest_modules ? modules_guest_dir(in->guest_modules) : NULL,
	};

	if (named.named)
		return judge_guest(in, &named, f);
	if (!in->pf && machine_is_guest(in->host))
		return judge_here(in, f);
	return finding_na(f, "it is given to nobody yet; --guest-modules says which kernel a guest "
			     "has");
}

static const struct check checks[] = {
	{
		.id = "vf.driver",
		.title = "the wanted driver is bound to the VF, in no version that is known to be "
			 "bad",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_VF,
		.run = run_driver,
		.actor = ACTOR_OS,
		.remedy = "Bind the driver.",
		.impact = "A VF without a driver, or with another one, is of no use to who waits "
			  "for it.",
		.reference = "Linux Documentation/ABI/testing/sysfs-bus-pci, driver_override and "
			     "sriov_drivers_autoprobe; modprobe.d(5)",
	},
	{
		.id = "guest.vf_driver",
		.title = "the guest has the VF's driver, and that knows the VF's id",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_VF,
		.run = run_guest,
		.actor = ACTOR_OS,
		.remedy = "Install the VF's driver in the guest.",
		.impact = "The guest sees a PCI function, and gets no interface.",
		.reference = "modules.alias of depmod(8); Linux include/linux/mod_devicetable.h, "
			     "struct pci_device_id",
	},
};
CHECK_GROUP(vf_driver_checks, checks);
