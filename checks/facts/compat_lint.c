/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a row may say at all: the rest of what is wrong with tables is in compat_clash.c. */
#include "compat_model.h"
#include "compat_version.h"

#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/version_kernel.h>

#include <errno.h>
#include <string.h>

bool compat_lint_is_id(const char *text)
{
	return text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789._-")] == '\0';
}

/* Where the value of this key stands, or else what it is missing in. */
static size_t place_of(const struct json *j, const char *key)
{
	const struct json *member = json_get(j, key);

	return json_offset(member ? member : j);
}

static int check_ids(struct compat_draft *d, const struct json *list)
{
	struct compat_id ignored;
	const struct json *it;

	JSON_EACH(it, list)
	{
		if (compat_draft_id(json_text(it), &ignored) < 0)
			return compat_draft_refuse(d, json_offset(it),
						   "\"%s\" is no PCI id as \"8086:1572\"",
						   json_text(it));
	}
	return 0;
}

/* Of functions, those that some family has: where families are named, one of these. */
static int check_pci(struct compat_draft *d, const struct compat_row *row, const struct json *list)
{
	const struct compat_table t = compat_draft_table(d);
	struct compat_model_family f;
	const struct json *it;
	int r = check_ids(d, list);

	JSON_EACH(it, list)
	{
		if (r < 0)
			return r;
		if (!compat_model_of(d, json_text(it), &f))
			r = compat_draft_refuse(d, json_offset(it),
						"no family has the PCI id \"%s\"", json_text(it));
		else if (row->families && !compat_lists(&t, row->families, f.id))
			r = compat_draft_refuse(d, json_offset(it),
						"\"%s\" is of \"%s\", which \"families\" does "
						"not name",
						json_text(it), f.id);
	}
	return r;
}

static int check_families(struct compat_draft *d, const struct json *list)
{
	struct compat_model_family f;
	const struct json *it;

	JSON_EACH(it, list)
	{
		if (!compat_model_find(d, json_text(it), &f))
			return compat_draft_refuse(d, json_offset(it), "no family is called \"%s\"",
						   json_text(it));
	}
	return 0;
}

/* What a row of its kind cannot do without, and what it cannot have. */
static const char *find_lack(const struct compat_row *r, const char **ret_key)
{
	bool is_one = r->version.from && r->version.from == r->version.to && !r->version.below;

	*ret_key = "";
	if (r->judges == COMPAT_FIRMWARE && !r->families && !r->pci)
		return "firmware is that of \"families\", or of \"pci\" ids";
	if (r->judges == COMPAT_DRIVER && !r->drivers)
		return "a version of a driver wants \"drivers\"";
	if (r->judges == COMPAT_BIOS && !r->vendor)
		return "a BIOS is that of a \"vendor\"";
	if (r->says <= COMPAT_MINIMUM && !r->fault)
		return "\"fault\" is missing";
	if (r->says == COMPAT_BAD && !r->version.from && !r->version.to && !r->fixed_in)
		return r->judges == COMPAT_KERNEL ? "\"version\" or \"fixed_in\" is missing"
						  : "\"version\" is missing";
	*ret_key = "version";
	if (r->says == COMPAT_MINIMUM && (!r->version.from || r->version.to))
		return "a minimum is a \"version\" with \"from\" alone";
	if (r->says >= COMPAT_PAIRS && !is_one)
		return "this wants one \"version\"";
	*ret_key = "driver";
	if (r->says == COMPAT_PAIRS && (r->judges != COMPAT_FIRMWARE || !r->driver.from))
		return "what pairs is \"firmware\" with a version of its \"driver\"";
	*ret_key = r->fixed_in ? "fixed_in" : "mainline";
	if ((r->fixed_in || r->mainline) && (r->judges != COMPAT_KERNEL || r->says != COMPAT_BAD))
		return "only faults of kernels have \"fixed_in\" and \"mainline\"";
	*ret_key = "version";
	if (r->judges == COMPAT_KERNEL && r->version.to && !r->version.below && !r->distribution)
		return "releases of upstream's kernel end \"below\" one";
	return NULL;
}

/* What no check would ask of a row of its kind, or asks instead of something else. */
static const char *find_surplus(const struct compat_draft *d, const struct compat_row *r,
				const char **ret_key)
{
	const struct compat_table t = compat_draft_table(d);

	*ret_key = r->families ? "families" : r->drivers ? "drivers" : r->pci ? "pci" : "subsystem";
	if (r->judges == COMPAT_BIOS && (r->families || r->drivers || r->pci || r->subsystem))
		return "a BIOS is that of a machine, whatever its cards";
	*ret_key = r->vendor ? "vendor" : "product";
	if (r->judges != COMPAT_BIOS && (r->vendor || r->product))
		return "only a BIOS has a \"vendor\" and a \"product\"";
	*ret_key = r->fixed_in ? "fixed_in" : "mainline";
	if (r->distribution && (r->fixed_in || r->mainline))
		return "which kernels of a \"distribution\" are meant, \"version\" tells";
	if (r->fixed_in && r->version.to)
		return "a fault ends with \"fixed_in\", or with the \"version\" that it is in";
	*ret_key = "config_off";
	if (r->config && r->config_off &&
	    strcmp(compat_text(&t, r->config), compat_text(&t, r->config_off)) == 0)
		return "no symbol is both on and off";
	*ret_key = "ddp";
	if (r->says != COMPAT_PAIRS && (r->ddp_os || r->ddp_comms || r->ddp_wireless))
		return "packages are those of what \"pairs\"";
	return NULL;
}

/* --- versions ------------------------------------------------------------------------------ */

static int check_range(struct compat_draft *d, const struct compat_range *range, const char *scheme,
		       size_t place)
{
	const struct version_scheme *s = version_scheme_find(scheme);
	const struct compat_table t = compat_draft_table(d);
	struct error own = { 0 };

	if (!s)
		return compat_draft_refuse(d, place, "no scheme is called \"%s\"", scheme);
	if ((range->from || range->to) && compat_version_range(&t, range, s, &own) < 0)
		return compat_draft_refuse(d, place, "%s", own.text);
	return 0;
}

/* A family whose versions all begin with its own number never has one with another. */
static int check_line(struct compat_draft *d, uint32_t at, const struct compat_model_family *f,
		      size_t place)
{
	const char *version = compat_draft_table(d).strings + at;
	size_t len = strlen(f->line);

	if (!len || (strncmp(version, f->line, len) == 0 && version[len] == '.'))
		return 0;
	return compat_draft_refuse(d, place,
				   "\"%s\" is no firmware of \"%s\", of which each begins \"%s.\"",
				   version, f->id, f->line);
}

static int check_of_family(struct compat_draft *d, const struct compat_range *range,
			   const struct compat_model_family *f, size_t place)
{
	int r;

	if (!range->from && !range->to)
		return 0;
	if (!f || !*f->scheme)
		return compat_draft_refuse(d, place,
					   "how the firmware of these cards tells its version is "
					   "not known: their family has no \"scheme\"");
	r = check_range(d, range, f->scheme, place);
	if (r == 0 && range->from)
		r = check_line(d, range->from, f, place);
	return r == 0 && range->to ? check_line(d, range->to, f, place) : r;
}

/* The range is of the firmware of all that the row holds for. */
static int check_firmware(struct compat_draft *d, const struct compat_row *row,
			  const struct compat_range *range, size_t place)
{
	const struct compat_table t = compat_draft_table(d);
	struct compat_model_family f;
	int r = 0;

	COMPAT_EACH(id, &t, row->families)
	{
		if (r == 0)
			r = check_of_family(d, range, compat_model_find(d, id, &f), place);
	}
	COMPAT_EACH(pci, &t, row->pci)
	{
		if (r == 0)
			r = check_of_family(d, range, compat_model_of(d, pci, &f), place);
	}
	return r;
}

static int compare_releases(const struct version_release *a, const struct version_release *b)
{
	const struct version_kernel k = { .base = *a, .knows_patch = true, .is_exact = true };

	return version_kernel_has(&k, b, NULL, 0) == VERSION_HAS;
}

static int read_release(struct compat_draft *d, uint32_t at, struct version_release *ret,
			size_t place)
{
	struct error own = { 0 };

	if (version_kernel_release(compat_draft_table(d).strings + at, ret, &own) < 0)
		return compat_draft_refuse(d, place, "%s", own.text);
	return 0;
}

static int check_releases(struct compat_draft *d, const struct compat_range *range, size_t place)
{
	struct version_release from, to;
	int r = 0;

	if (range->from)
		r = read_release(d, range->from, &from, place);
	if (r == 0 && range->to)
		r = read_release(d, range->to, &to, place);
	if (r == 0 && range->from && range->to && compare_releases(&from, &to))
		return compat_draft_refuse(d, place,
					   "no release is from \"%s\" on and below \"%s\"",
					   compat_draft_table(d).strings + range->from,
					   compat_draft_table(d).strings + range->to);
	return r;
}

/* Nothing is mended before it is there. */
static int check_start(struct compat_draft *d, const struct compat_row *row, uint32_t fixed,
		       size_t place)
{
	const struct compat_table t = compat_draft_table(d);
	struct version_release from, fix;

	if (!row->version.from || !fixed ||
	    version_kernel_release(compat_text(&t, row->version.from), &from, NULL) < 0 ||
	    version_kernel_release(compat_text(&t, fixed), &fix, NULL) < 0 ||
	    !compare_releases(&from, &fix))
		return 0;
	return compat_draft_refuse(d, place, "\"%s\" mends no fault that is from \"%s\" on",
				   compat_text(&t, fixed), compat_text(&t, row->version.from));
}

/* One release of each branch, and none of what came after the first that was whole. */
static int check_fixes(struct compat_draft *d, const struct compat_row *row, const struct json *j)
{
	const size_t place = place_of(j, "fixed_in");
	const struct compat_table t = compat_draft_table(d);
	struct version_release fix, other, mainline = { 0 };
	int r = row->mainline ? read_release(d, row->mainline, &mainline, place_of(j, "mainline"))
			      : 0;

	if (r == 0)
		r = check_start(d, row, row->mainline, place_of(j, "mainline"));
	COMPAT_EACH(text, &t, row->fixed_in)
	{
		if (r == 0)
			r = read_release(d, (uint32_t)(text - t.strings), &fix, place);
		if (r == 0)
			r = check_start(d, row, (uint32_t)(text - t.strings), place);
		if (r < 0)
			return r;
		for (const char *more = compat_next(text); *more; more = compat_next(more))
			if (version_kernel_release(more, &other, NULL) == 0 &&
			    other.major == fix.major && other.minor == fix.minor)
				return compat_draft_refuse(d, place,
							   "\"%s\" and \"%s\" are of one branch",
							   text, more);
		if (row->mainline && fix.patch && compare_releases(&fix, &mainline))
			return compat_draft_refuse(d, place,
						   "a fix in \"%s\" is none where all from \"%s\" "
						   "on have it",
						   text, compat_text(&t, row->mainline));
	}
	return r;
}

static int check_packages(struct compat_draft *d, const struct compat_row *row,
			  const struct json *j)
{
	const uint32_t all[] = { row->ddp_os, row->ddp_comms, row->ddp_wireless };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(all); i++) {
		const struct compat_range one = { .from = all[i], .to = all[i] };

		r = check_range(d, &one, COMPAT_SCHEME_PACKAGE, place_of(j, "ddp"));
	}
	return r;
}

static int check_versions(struct compat_draft *d, const struct compat_row *row,
			  const struct json *j)
{
	const size_t place = place_of(j, "version");
	int r = check_range(d, &row->driver, COMPAT_SCHEME_DRIVER, place_of(j, "driver"));

	if (r == 0)
		r = check_packages(d, row, j);
	if (r == 0)
		r = check_firmware(d, row, &row->firmware, place_of(j, "firmware"));
	if (r < 0)
		return r;
	switch ((enum compat_judges)row->judges) {
	case COMPAT_FIRMWARE:
		return check_firmware(d, row, &row->version, place);
	case COMPAT_DRIVER:
		return check_range(d, &row->version, COMPAT_SCHEME_DRIVER, place);
	case COMPAT_KERNEL:
		r = check_fixes(d, row, j);
		if (r < 0)
			return r;
		return row->distribution
			       ? check_range(d, &row->version, COMPAT_SCHEME_RELEASE, place)
			       : check_releases(d, &row->version, place);
	case COMPAT_BIOS:
	case COMPAT_JUDGES:
		break;
	}
	return check_range(d, &row->version, COMPAT_SCHEME_BIOS, place);
}

int compat_lint_row(struct compat_draft *d, const struct compat_row *row, const struct json *j)
{
	const char *id = compat_draft_table(d).strings + row->id, *key, *lack;
	int r;

	if (!compat_lint_is_id(id))
		return compat_draft_refuse(d, place_of(j, "id"),
					   "\"%s\" is no id: small letters, digits, \".\", \"_\" "
					   "and \"-\"",
					   id);
	lack = find_lack(row, &key);
	if (!lack)
		lack = find_surplus(d, row, &key);
	if (lack)
		return compat_draft_refuse(d, place_of(j, key), "row \"%s\": %s", id, lack);
	r = check_families(d, json_get(j, "families"));
	if (r == 0)
		r = check_pci(d, row, json_get(j, "pci"));
	if (r == 0)
		r = check_ids(d, json_get(j, "subsystem"));
	if (r == 0)
		r = compat_names_row(d, row, j);
	return r == 0 ? check_versions(d, row, j) : r;
}
