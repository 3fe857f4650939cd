/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tables of compatibility say of the firmware and the driver of a function. */
#include "areas.h"
#include "compat_say.h"
#include "pf_subject.h"

#include <sriovctl/capacity.h>
#include <sriovctl/compat_host.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>

#include <errno.h>

/* As many as are wanted: without a wish, all that the function offers. */
static uint32_t count_vfs(const struct check_input *in)
{
	const struct pf *pf = pf_of(in->host, in->pf);
	uint32_t wanted = 0;

	if (!pf || capacity_wanted(pf, in->vfs, &wanted) < 0)
		wanted = in->vfs;
	return wanted > in->pf->numvfs ? wanted : in->pf->numvfs;
}

/* Without a driver that is told of there is nothing to judge: true, with the verdict. */
static bool lacks_driver(const struct check_input *in, struct finding *f, enum verdict *ret)
{
	if (in->pf->driver_error == 0)
		return false;
	if (in->pf->driver_error == -ENOENT) {
		*ret = finding_na(f, "no driver is bound, and so none is judged");
		return true;
	}
	finding_unread(f, in->host, finding_path(f, PCIDEV_PATH "/%s/driver", in->pf->name),
		       in->pf->driver_error);
	*ret = finding_unknown(f, "which driver is bound is not known");
	return true;
}

/* --- pf.driver_compat ---------------------------------------------------------------------- */

static const char *tree_of(enum compat_tree tree)
{
	switch (tree) {
	case COMPAT_IN_TREE:
		return "of the kernel's own tree";
	case COMPAT_OUT_OF_TREE:
		return "not of the kernel's tree";
	case COMPAT_ANY_TREE:
	case COMPAT_TREES:
		break;
	}
	return "of which tree is not known";
}

static void note_driver(const struct check_input *in, const struct compat_host *c,
			struct finding *f)
{
	const char *source = c->driver->source
				     ? c->driver->source
				     : finding_path(f, PCIDEV_PATH "/%s/driver", in->pf->name);

	finding_note(f, source, NULL, "%s%s%s, %s", in->pf->driver, c->driver->version ? " " : "",
		     c->driver->version ? c->driver->version : "", tree_of(c->f.tree));
}

/* Of one that is the kernel's own, what matters is said of the kernel. */
static enum verdict pass_own(const struct check_input *in, struct finding *f)
{
	return finding_pass(f,
			    "%s is the kernel's own: what is known of it is said of the kernel, "
			    "by kernel.compat",
			    in->pf->driver);
}

static enum verdict unknown_loaded(const struct check_input *in, const struct compat_host *c,
				   struct finding *f)
{
	finding_unread(f, in->host, finding_path(f, "/sys/module/%s", c->driver->module),
		       c->driver->error);
	return finding_unknown(f, "which version of %s is loaded is not known", in->pf->driver);
}

static enum verdict judge_driver(const struct check_input *in, const struct compat_host *c,
				 const struct compat_judgement *j, const struct error *why,
				 struct finding *f)
{
	const bool is_own = c->f.tree == COMPAT_IN_TREE;
	const struct compat_say say = { .what = finding_path(
						f, "driver %s %s", in->pf->driver,
						c->f.driver_version ? c->f.driver_version : ""),
					.kind = finding_path(f, "version of %s", in->pf->driver),
					.update = "Install another version of the driver",
					.actor = ACTOR_OS,
					.why = why };

	if (c->driver->error < 0 && !c->f.driver_version && j->verdict != COMPAT_NO_ROWS)
		return unknown_loaded(in, c, f);
	if (is_own &&
	    (!c->f.driver_version || (j->verdict != COMPAT_IS_BAD && j->verdict != COMPAT_TOO_OLD &&
				      j->verdict != COMPAT_MAY_BE_BAD)))
		return pass_own(in, f);
	if (!c->f.driver_version && j->verdict != COMPAT_NO_ROWS) {
		finding_remedy(f, "Compare what modinfo %s says with the vendor's list.",
			       in->pf->driver);
		return finding_unknown(f, "%s tells no version of its own, and %s", in->pf->driver,
				       c->f.tree == COMPAT_OUT_OF_TREE
					       ? "is not of the kernel's tree"
					       : "whether it is of the kernel's tree is not known");
	}
	return compat_say_judgement(&say, j, f);
}

static enum verdict run_driver(const struct check_input *in, struct finding *f)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	AUTO_COMPAT_HOST struct compat_host c = { 0 };
	const struct compat *tables;
	struct error why = { 0 };
	enum verdict v;

	if (lacks_driver(in, f, &v))
		return v;
	if (!compat_say_tables(in, f, &tables, &v))
		return v;
	if (compat_host_read(in->host, in->pf, true, &c, NULL) < 0)
		return finding_nomem(f);
	c.f.vfs = count_vfs(in);
	if (compat_judge_driver(tables, &c.f, &j, &why) < 0)
		return finding_nomem(f);
	note_driver(in, &c, f);
	return judge_driver(in, &c, &j, &why, f);
}

/* --- pf.firmware_compat -------------------------------------------------------------------- */

static void note_firmware(const struct check_input *in, const struct compat_host *c,
			  struct finding *f)
{
	if (c->devlink)
		finding_note(f, finding_path(f, "devlink dev info pci/%s", in->pf->name), NULL,
			     "running %s %s", c->devlink, c->f.firmware);
	else
		finding_note(f, finding_path(f, "ethtool -i %s", c->netdev), NULL, "firmware %s",
			     c->f.firmware);
	finding_note(f, finding_path(f, PCIDEV_PATH "/%s/driver", in->pf->name), NULL, "%s%s%s, %s",
		     c->f.driver, c->driver->version ? " " : "",
		     c->driver->version ? c->driver->version : "", tree_of(c->f.tree));
}

static enum verdict unknown_firmware(const struct check_input *in, const struct compat_host *c,
				     struct finding *f)
{
	if (c->netdev)
		finding_unread(f, in->host, finding_path(f, "ethtool -i %s", c->netdev),
			       c->firmware_error);
	else
		finding_remedy(f, "Run ethtool -i on the function's interface, in the network "
				  "namespace that it is in.");
	return finding_unknown(f, "which firmware the card runs is not known");
}

/* Devlink has it, and does not tell. */
static bool hides_package(const struct check_input *in, const struct compat_host *c,
			  const struct compat_row *r)
{
	return r && (r->ddp_os || r->ddp_comms || r->ddp_wireless) && !c->f.ddp_version &&
	       c->devinfo_error != -EOPNOTSUPP && host_is_refusal(in->host, c->devinfo_error);
}

/* A package that the pair of driver and firmware names, and what is loaded is older. */
static enum verdict judge_package(const struct check_input *in, const struct compat_host *c,
				  const struct compat_judgement *j, enum verdict so_far,
				  struct finding *f)
{
	const char *wanted =
		j->verdict == COMPAT_FITS ? compat_judge_package(&j->because, &c->f) : NULL;

	if (so_far == VERDICT_PASS && hides_package(in, c, j->because.row)) {
		finding_unread(f, in->host,
			       finding_path(f, "devlink dev info pci/%s", in->pf->name),
			       c->devinfo_error);
		return finding_unknown(f,
				       "the firmware is the one that goes with the driver; which "
				       "package is loaded is not known");
	}
	if (so_far != VERDICT_PASS || !wanted)
		return so_far;
	compat_say_row(&j->because, f);
	finding_note(f, "devlink dev info", wanted, "%s %s", c->f.ddp_name, c->f.ddp_version);
	finding_remedy(f,
		       "Install the package %s %s as intel/ice/ddp/ice.pkg below "
		       "/lib/firmware, then load the driver anew.",
		       c->f.ddp_name, wanted);
	return finding_fail(f, ACTOR_OS,
			    "the package %s is older than the %s that goes with this "
			    "driver and firmware",
			    c->f.ddp_version, wanted);
}

/* Is some firmware the one for just one version of the driver? */
static bool has_pairs(const struct compat *tables, const struct compat_function *fn)
{
	AUTO_COMPAT_HITS struct compat_hits rows = { 0 };
	int r = compat_judge_rows(tables, COMPAT_FIRMWARE, fn, &rows);

	for (size_t i = 0; r == 0 && i < rows.n; i++)
		if (rows.items[i].row->says == COMPAT_PAIRS)
			return true;
	return r < 0;
}

static enum verdict judge_firmware(const struct check_input *in, const struct compat_host *c,
				   const struct compat *tables, struct finding *f)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	struct error why = { 0 };
	const struct compat_say say = {
		.what = finding_path(f, "firmware %s", c->f.firmware),
		.kind = finding_path(f, "firmware of %s", compat_say_family(tables, in->pf, f)),
		.update = compat_say_update(tables, in->pf, f),
		.actor = ACTOR_NIC,
		.why = &why,
	};

	if (compat_judge_firmware(tables, &c->f, &j, &why) < 0)
		return finding_nomem(f);
	note_firmware(in, c, f);
	if (c->driver->error < 0 && j.verdict == COMPAT_FITS && has_pairs(tables, &c->f))
		return unknown_loaded(in, c, f);
	return judge_package(in, c, &j, compat_say_judgement(&say, &j, f), f);
}

static enum verdict run_firmware(const struct check_input *in, struct finding *f)
{
	AUTO_COMPAT_HOST struct compat_host c = { 0 };
	const struct compat *tables;
	enum verdict v;

	if (lacks_driver(in, f, &v))
		return v;
	if (!compat_say_tables(in, f, &tables, &v))
		return v;
	if (compat_host_read(in->host, in->pf, true, &c, NULL) < 0)
		return finding_nomem(f);
	if (c.no_scheme)
		return finding_na(f, "not in the table: %s tells no version of a firmware",
				  c.no_scheme);
	if (in->pf->id_error < 0) {
		finding_unread(f, in->host, finding_path(f, PCIDEV_PATH "/%s/device", in->pf->name),
			       in->pf->id_error);
		return finding_unknown(f, "which card it is is not known");
	}
	if (!compat_say_has_rows(tables, COMPAT_FIRMWARE, &c.f, f, &v))
		return v;
	if (!c.f.firmware)
		return unknown_firmware(in, &c, f);
	c.f.vfs = count_vfs(in);
	return judge_firmware(in, &c, tables, f);
}

static const struct check checks[] = {
	{
		.id = "pf.driver_compat",
		.title = "the driver is of no version that is known to be bad, or too old",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_driver,
		.actor = ACTOR_OS,
		.remedy = "Install another version of the driver.",
		.impact = "VFs that do not start, lose their settings, or take the host down.",
		.reference = "sriovctl compat show: each row names its source; Linux "
			     "Documentation/admin-guide/tainted-kernels.rst",
	},
	{
		.id = "pf.firmware_compat",
		.title = "the card's firmware is of no version that is known to be bad, and goes "
			 "with its driver",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_PF,
		.run = run_firmware,
		.actor = ACTOR_NIC,
		.remedy = "Update the card's firmware.",
		.impact = "Drivers and firmware that were never tried together: VFs that do not "
			  "come up, or lose packets.",
		.reference = "sriovctl compat show: each row names its source",
	},
};
CHECK_GROUP(compat_checks, checks);
