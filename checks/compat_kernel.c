/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tables of compatibility say of the running kernel, and of the machine's firmware. */
#include "areas.h"
#include "compat_say.h"

#include <sriovctl/buf.h>
#include <sriovctl/compat_host.h>
#include <sriovctl/dmi.h>
#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/version_kernel.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* More rows than these say nothing more to who has to act. */
#define ROWS_MAX     6
#define FAULTS_NAMED 2

/* --- kernel.compat ------------------------------------------------------------------------- */

/* PFs, and of their VFs those whose driver, and ids, were not among those before them. */
struct kinds {
	const struct pcidev **items;
	size_t n;
	/* One of which it is not known which card it is, or which driver it has; NULL: none. */
	const struct pcidev *unknown;
};

static void kinds_done(struct kinds *k)
{
	free(k->items);
}

static bool is_kind(const struct kinds *k, const struct pcidev *d)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->items[i]->vendor == d->vendor && k->items[i]->device == d->device &&
		    strcmp(k->items[i]->driver, d->driver) == 0)
			return true;
	return false;
}

static bool has_unknown_driver(const struct pcidev *d)
{
	return (d->driver_error < 0 && d->driver_error != -ENOENT) ||
	       (d->driver_error == 0 && d->id_error < 0);
}

/* A card that is not known may be one that can have VFs, if it is one of networks. */
static bool is_concerned(const struct pf *pf)
{
	return pf->is_vf || pf_is_subject(pf) ||
	       (pf->dev->id_error < 0 && pcidev_is_network(pf->dev));
}

/* Of PFs and VFs that have a driver. */
static int find_kinds(const struct host *h, struct kinds *ret)
{
	const struct pcidevs *all = NULL;
	int r = pcidevs_get(h, &all, NULL);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	ret->items = calloc(all->n + 1, sizeof(struct pcidev *));
	if (!ret->items)
		return -ENOMEM;
	for (size_t i = 0; i < all->n; i++) {
		const struct pcidev *d = &all->items[i];
		const struct pf *pf = pf_of(h, d);

		if (!pf || !is_concerned(pf))
			continue;
		if (has_unknown_driver(d))
			ret->unknown = d;
		if (d->driver_error < 0 || d->id_error < 0 || (pf->is_vf && is_kind(ret, d)))
			continue;
		ret->items[ret->n++] = d;
	}
	return 0;
}

static int judge_kinds(const struct host *h, const struct compat *tables, const struct kinds *kinds,
		       uint32_t vfs, struct compat_kernel *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < kinds->n; i++) {
		AUTO_COMPAT_HOST struct compat_host c = { 0 };

		r = compat_host_read(h, kinds->items[i], true, &c, NULL);
		c.f.vfs = vfs > kinds->items[i]->numvfs ? vfs : kinds->items[i]->numvfs;
		if (r == 0)
			r = compat_judge_kernel(tables, &c.f, ret);
	}
	return r;
}

/* "i40e, iavf": without doubles. */
static const char *drivers_of(const struct kinds *kinds, struct finding *f)
{
	AUTO_BUF struct buf all = { 0 };

	for (size_t i = 0; i < kinds->n; i++) {
		size_t k = 0;

		while (strcmp(kinds->items[k]->driver, kinds->items[i]->driver) != 0)
			k++;
		if (k == i)
			buf_printf(&all, "%s%s", i ? ", " : "", kinds->items[i]->driver);
	}
	return finding_path(f, "%s", finding_text(f, &all));
}

/* The newest release of the kernel's own branch that one of these was fixed in; 0: none. */
static uint32_t newest_fix(const struct compat_hits *rows, const struct version_kernel *k)
{
	struct version_release r;
	uint32_t newest = 0;

	for (size_t i = 0; i < rows->n; i++) {
		COMPAT_EACH(text, rows->items[i].table, rows->items[i].row->fixed_in)
		{
			if (version_kernel_release(text, &r, NULL) == 0 &&
			    r.major == k->base.major && r.minor == k->base.minor &&
			    r.patch > newest)
				newest = r.patch;
		}
	}
	return newest;
}

static void say_rows(const struct compat_hits *rows, struct finding *f)
{
	for (size_t i = 0; i < rows->n && i < ROWS_MAX; i++)
		compat_say_row(&rows->items[i], f);
	if (rows->n > ROWS_MAX)
		finding_note(f, "sriovctl compat show", NULL, "%zu rows more", rows->n - ROWS_MAX);
}

static void note_kernel(const struct host *h, const struct version_kernel *v, struct finding *f)
{
	const struct kernel *k = NULL;

	if (kernel_get(h, &k, NULL) < 0)
		return;
	finding_note(f, "/proc/sys/kernel/osrelease", NULL, "%s: %s, of upstream's %u.%u.%u%s",
		     k->release, v->distribution ? v->distribution : "nobody's that is known",
		     v->base.major, v->base.minor, v->base.patch,
		     v->knows_patch ? "" : " at least");
}

static void say_fix(const struct compat_hits *rows, const struct version_kernel *k,
		    struct finding *f)
{
	uint32_t patch = newest_fix(rows, k);

	if (patch)
		finding_remedy(f, "Install Linux %u.%u.%u, or a newer one.", k->base.major,
			       k->base.minor, patch);
	else if (rows->items[0].row->fix)
		finding_remedy(f, "Install %s.",
			       compat_text(rows->items[0].table, rows->items[0].row->fix));
}

/* "crashes; loses packets ...": the first two. */
static const char *first_faults(const struct compat_hits *rows, struct finding *f)
{
	AUTO_BUF struct buf all = { 0 };

	for (size_t i = 0; i < rows->n && i < FAULTS_NAMED; i++)
		buf_printf(&all, "%s%s", i ? "; " : "",
			   compat_text(rows->items[i].table, rows->items[i].row->fault));
	if (rows->n > FAULTS_NAMED)
		buf_puts(&all, " ...");
	return finding_path(f, "%s", finding_text(f, &all));
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* "6.1.76"; "5.14" where the third number is not upstream's. */
static const char *base_of(const struct version_kernel *v, struct finding *f)
{
	if (v->knows_patch)
		return finding_path(f, "%u.%u.%u", v->base.major, v->base.minor, v->base.patch);
	return finding_path(f, "%u.%u", v->base.major, v->base.minor);
}

/* The kernel itself has them, if they hold for this host: the driver's origin, its configuration.
 */
static enum verdict unknown_here(const struct compat_hits *rows, const char *others,
				 struct finding *f)
{
	finding_remedy(f,
		       "Capture /sys/module and the kernel's configuration as well, or run the "
		       "check on the host%s.",
		       rows->items[0].row->distribution
			       ? "; in a row, write the versions as uname -r prints them"
			       : "");
	return finding_unknown(f,
			       "this kernel has %zu fault%s of such drivers, and whether they hold "
			       "for this host is not known%s: %s",
			       rows->n, plural(rows->n), others, first_faults(rows, f));
}

/* Of rows that are about just this distribution's kernels nothing was brought back. */
static int find_own(const struct compat_hits *rows, struct compat_hits *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < rows->n; i++)
		if (rows->items[i].row->distribution)
			r = compat_hits_add(ret, &rows->items[i]);
	return r;
}

/* What is said of a kernel that may have the fixes, by its distribution. */
static enum verdict unknown_maybe(const struct compat_kernel *k, const struct version_kernel *v,
				  struct finding *f)
{
	const char *whose = v->distribution ? v->distribution : "who built it";
	AUTO_COMPAT_HITS struct compat_hits own = { 0 };
	const char *others = "";

	if (find_own(&k->maybe, &own) < 0)
		return finding_nomem(f);
	if (k->untold.n)
		others = finding_path(f, "; it may have %zu more, of which the table does not tell",
				      k->untold.n);
	say_rows(own.n > 0 && !v->is_exact ? &own : &k->maybe, f);
	if (v->is_exact)
		return unknown_here(&k->maybe, others, f);
	if (own.n > 0 && own.n < k->maybe.n)
		others = finding_path(f, "; of %zu more %s may carry the fixes%s",
				      k->maybe.n - own.n, whose, others);
	if (own.n > 0)
		return unknown_here(&own, others, f);
	finding_remedy(f,
		       "Look in the changelog of the kernel's package whether %s brought the "
		       "fixes back.",
		       whose);
	return finding_unknown(
		f,
		"warning: %zu fault%s that concern%s these drivers %s fixed in newer "
		"kernels, and %s may carry the fixes%s: %s",
		k->maybe.n, plural(k->maybe.n), k->maybe.n == 1 ? "s" : "",
		k->maybe.n == 1 ? "is" : "are", whose, others, first_faults(&k->maybe, f));
}

static enum verdict unknown_untold(const struct compat_kernel *k, const struct version_kernel *v,
				   const char *drivers, struct finding *f)
{
	const struct compat_changelog *newest =
		&compat_built_in.changelogs[compat_built_in.n_changelogs - 1];

	say_rows(&k->untold, f);
	finding_remedy(f, "Compare with the changelogs of the kernel, or use a branch that the "
			  "table has: sriovctl compat show.");
	return finding_unknown(f,
			       "not in the table: whether Linux %s has %zu fault%s of %s that %s "
			       "fixed elsewhere: %s (newest in the table: %s)",
			       base_of(v, f), k->untold.n, plural(k->untold.n), drivers,
			       k->untold.n == 1 ? "was" : "were", first_faults(&k->untold, f),
			       compat_text(&compat_built_in, newest->to));
}

static enum verdict fail_faults(const struct compat_kernel *k, const struct version_kernel *v,
				const char *drivers, struct finding *f)
{
	const char *others = k->maybe.n + k->untold.n ? finding_path(f, ", and may have %zu more",
								     k->maybe.n + k->untold.n)
						      : "";

	say_rows(&k->faults, f);
	say_fix(&k->faults, v, f);
	return finding_fail(f, ACTOR_OS, "this kernel has %zu known fault%s of %s%s: %s",
			    k->faults.n, plural(k->faults.n), drivers, others,
			    first_faults(&k->faults, f));
}

static enum verdict unknown_driver(const struct host *h, const struct pcidev *d, struct finding *f)
{
	const bool is_driver = d->driver_error < 0;

	finding_unread(
		f, h,
		finding_path(f, PCIDEV_PATH "/%s/%s", d->name, is_driver ? "driver" : "device"),
		is_driver ? d->driver_error : d->id_error);
	return finding_unknown(f, "which drivers PFs and VFs have is not known");
}

static enum verdict judge_kernel(const struct host *h, const struct compat_kernel *k,
				 const struct version_kernel *v, const struct kinds *kinds,
				 struct finding *f)
{
	const char *drivers = drivers_of(kinds, f);

	if (k->faults.n > 0)
		return fail_faults(k, v, drivers, f);
	if (k->maybe.n > 0)
		return unknown_maybe(k, v, f);
	if (k->untold.n > 0)
		return unknown_untold(k, v, drivers, f);
	if (kinds->unknown)
		return unknown_driver(h, kinds->unknown, f);
	if (k->free.n + k->notes.n == 0)
		return finding_na(f, "not in the table: it has no faults of %s", drivers);
	say_rows(&k->notes, f);
	return finding_pass(f, "it has none of the %zu faults in the table that could concern %s",
			    k->free.n, drivers);
}

static enum verdict run_kernel(const struct check_input *in, struct finding *f)
{
	CLEANUP(kinds_done) struct kinds kinds = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };
	const struct version_kernel *v = NULL;
	const struct compat *tables;
	struct error e = { 0 };
	const struct pfs *pfs = NULL;
	enum verdict verdict;
	int r;

	if (!compat_say_tables(in, f, &tables, &verdict))
		return verdict;
	r = find_kinds(in->host, &kinds);
	if (r == -ENOMEM)
		return finding_nomem(f);
	if (r < 0) {
		finding_unread(f, in->host, PCIDEV_PATH, r);
		return finding_unknown(f, "which drivers PFs and VFs have is not known");
	}
	if (kinds.n == 0 && kinds.unknown)
		return unknown_driver(in->host, kinds.unknown, f);
	if (kinds.n == 0 && (pfs_get(in->host, &pfs, NULL) < 0 || !pfs_are_all(in->host, pfs))) {
		finding_unread(f, in->host, PCIDEV_PATH, -ENODATA);
		return finding_unknown(f, "no function was captured whose driver could matter");
	}
	if (kinds.n == 0)
		return finding_na(f, "no PF or VF has a driver whose faults could matter");
	r = version_kernel_get(in->host, &v, &e);
	if (r < 0) {
		finding_unread(f, in->host, "/proc/sys/kernel/osrelease", r);
		return finding_unknown(f, "which kernel it is, is not known: %s", e.text);
	}
	if (judge_kinds(in->host, tables, &kinds, in->vfs, &k) < 0)
		return finding_nomem(f);
	note_kernel(in->host, v, f);
	return judge_kernel(in->host, &k, v, &kinds, f);
}

/* --- firmware.compat ----------------------------------------------------------------------- */

static enum verdict judge_bios(const struct dmi *d, const struct compat *tables, struct finding *f)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	const char *vendor = d->vendor.text ? d->vendor.text : "a vendor that is not told";
	const char *product = d->product.text ? d->product.text : "";
	struct error why = { 0 };
	const struct compat_say say = {
		.what = finding_path(f, "BIOS %s",
				     d->bios_version.text ? d->bios_version.text : "?"),
		.kind = finding_path(f, "BIOS of %s %s", vendor, product),
		.update = "Install another version of the BIOS, from the machine's vendor",
		.actor = ACTOR_FIRMWARE,
		.why = &why,
	};

	if (compat_judge_bios(tables, d->vendor.text, d->product.text, d->bios_version.text, &j,
			      &why) < 0)
		return finding_nomem(f);
	finding_note(f, d->source, NULL, "%s %s, BIOS %s", vendor, product,
		     d->bios_version.text ? d->bios_version.text : "not told");
	return compat_say_judgement(&say, &j, f);
}

static enum verdict run_firmware(const struct check_input *in, struct finding *f)
{
	const struct compat *tables;
	const struct dmi *d = NULL;
	enum verdict v;
	int r;

	if (!compat_say_tables(in, f, &tables, &v))
		return v;
	r = dmi_get(in->host, &d, NULL);
	if (r == 0)
		return judge_bios(d, tables, f);
	if (r == -ENOENT)
		return finding_na(f, "this machine tells no BIOS (SMBIOS)");
	finding_unread(f, in->host, "/sys/firmware/dmi/tables", r);
	return finding_unknown(f, "which BIOS the machine has is not known");
}

static const struct check checks[] = {
	{
		.id = "firmware.compat",
		.title = "the BIOS is of no version that is known to be bad, or too old",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_HOST,
		.run = run_firmware,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Install another version of the BIOS.",
		.impact = "Tables and windows of address space that no setting of the host mends.",
		.reference = "sriovctl compat show: each row names its source; SMBIOS "
			     "(DSP0134), BIOS Information",
	},
	{
		.id = "kernel.compat",
		.title = "the running kernel has no known fault of the drivers of PFs and VFs",
		.severity = SEVERITY_RECOMMENDED,
		.scope = SCOPE_HOST,
		.run = run_kernel,
		.actor = ACTOR_OS,
		.remedy = "Install a newer kernel.",
		.impact = "VFs that do not come up, lose their settings, or take the host down.",
		.reference = "sriovctl compat show: each row names its source; Linux "
			     "Documentation/process/stable-kernel-rules.rst",
	},
};
CHECK_GROUP(compat_kernel_checks, checks);
