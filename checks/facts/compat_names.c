/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows that no host would ever get, because something in them is called what nothing is; and
 * families and changelogs that say of others what is not so.
 */
#include "compat_model.h"

#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/parse.h>
#include <sriovctl/version.h>
#include <sriovctl/version_kernel.h>

#include <string.h>

/* What a function is bound to, whosever driver it would have. */
#define GIVEN_AWAY "vfio-pci"
#define SYMBOL	   "CONFIG_"

/* --- rows ---------------------------------------------------------------------------------- */

static bool has_driver(const struct compat_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_families; i++)
		if (strcmp(compat_text(t, t->families[i].driver), name) == 0)
			return true;
	return false;
}

/* Rows alone name drivers of VFs. */
static bool is_driver(const struct compat_draft *d, const char *name)
{
	const struct compat_table t = compat_draft_table(d);

	if (!d->base || has_driver(&t, name) || has_driver(d->base, name))
		return true;
	for (size_t i = 0; i < d->base->n_rows; i++)
		if (compat_lists(d->base, d->base->rows[i].drivers, name))
			return true;
	return false;
}

static int check_drivers(struct compat_draft *d, const struct json *list)
{
	const struct json *it;

	JSON_EACH(it, list)
	{
		if (!is_driver(d, json_text(it)))
			return compat_draft_refuse(
				d, json_offset(it),
				"no driver of VFs, or of cards that have them, is "
				"called \"%s\"; a new one wants a family",
				json_text(it));
	}
	return 0;
}

/* Functions of @list, by family or id, never have another driver than their own. */
static int check_owners(struct compat_draft *d, const struct compat_row *row,
			const struct json *list, bool is_pci)
{
	const struct compat_table t = compat_draft_table(d);
	const struct compat_model_family *f;
	struct compat_model_family room;
	const struct json *it;

	if (!row->drivers || compat_lists(&t, row->drivers, GIVEN_AWAY))
		return 0;
	JSON_EACH(it, list)
	{
		f = is_pci ? compat_model_of(d, json_text(it), &room)
			   : compat_model_find(d, json_text(it), &room);
		if (f && !compat_lists(&t, row->drivers, f->driver))
			return compat_draft_refuse(d, json_offset(it),
						   "\"%s\" has the driver \"%s\", which "
						   "\"drivers\" does not name",
						   json_text(it), f->driver);
	}
	return 0;
}

static int check_symbol(struct compat_draft *d, const struct json *j)
{
	const char *text = json_text(j);

	if (!text ||
	    (parse_has_prefix(text, SYMBOL) && text[strlen(SYMBOL)] && !strpbrk(text, " \t=")))
		return 0;
	return compat_draft_refuse(d, json_offset(j),
				   "\"%s\" is no symbol of the kernel's configuration as "
				   "\"" SYMBOL "PREEMPT\"",
				   text);
}

int compat_names_row(struct compat_draft *d, const struct compat_row *row, const struct json *j)
{
	const struct json *distribution = json_get(j, "distribution");
	int r = check_drivers(d, json_get(j, "drivers"));

	if (r == 0)
		r = check_owners(d, row, json_get(j, "families"), false);
	if (r == 0)
		r = check_owners(d, row, json_get(j, "pci"), true);
	if (r == 0)
		r = check_symbol(d, json_get(j, "config"));
	if (r == 0)
		r = check_symbol(d, json_get(j, "config_off"));
	if (r == 0 && distribution && !version_kernel_is_known(json_text(distribution)))
		r = compat_draft_refuse(d, json_offset(distribution),
					"no kernel is known to be of \"%s\"; \"Debian\", \"RHEL\", "
					"\"SUSE\", \"Ubuntu\" and others are",
					json_text(distribution));
	return r;
}

/* --- families ------------------------------------------------------------------------------ */

static const struct compat_family *find_overlap(const struct compat_table *base,
						const struct compat_id *id)
{
	for (size_t i = 0; i < base->n_ids; i++) {
		const struct compat_id *other = &base->ids[i];
		uint16_t mask = id->mask & other->mask;

		if (other->vendor == id->vendor && (other->device & mask) == (id->device & mask))
			return &base->families[other->family];
	}
	return NULL;
}

static int check_claims(struct compat_draft *d, const char *id, const struct json *j)
{
	const struct compat_family *other;
	struct compat_id pci;
	const struct json *it;

	JSON_EACH(it, json_get(j, "pfs"))
	{
		other = compat_draft_id(json_text(it), &pci) < 0 ? NULL
								 : find_overlap(d->base, &pci);
		if (other && strcmp(compat_text(d->base, other->id), id) != 0)
			return compat_draft_refuse(d, json_offset(it),
						   "\"%s\" is of the family \"%s\"", json_text(it),
						   compat_text(d->base, other->id));
	}
	return 0;
}

/* What the program's own rows say of a family is by its driver and scheme. */
static int check_replaced(struct compat_draft *d, const struct compat_family *f,
			  const struct json *j)
{
	const struct compat_table t = compat_draft_table(d);
	const char *id = compat_text(&t, f->id);
	const struct json *at;

	for (size_t i = 0; i < d->base->n_families; i++) {
		const struct compat_family *old = &d->base->families[i];
		const char *scheme = compat_text(d->base, old->scheme);
		const char *driver = compat_text(d->base, old->driver);

		if (strcmp(compat_text(d->base, old->id), id) != 0)
			continue;
		if (strcmp(driver, compat_text(&t, f->driver)) != 0)
			return compat_draft_refuse(d, json_offset(json_get(j, "driver")),
						   "family \"%s\" has the driver \"%s\"", id,
						   driver);
		at = json_get(j, "scheme");
		if (strcmp(scheme, compat_text(&t, f->scheme)) != 0)
			return compat_draft_refuse(d, json_offset(at ? at : j),
						   "family \"%s\" has the scheme \"%s\"", id,
						   scheme);
	}
	return 0;
}

static int check_family(struct compat_draft *d, const struct json *j)
{
	const struct json *id = json_get(j, "id"), *scheme = json_get(j, "scheme");

	if (!compat_lint_is_id(json_text(id)))
		return compat_draft_refuse(d, json_offset(id),
					   "\"%s\" is no id: small letters, digits, \".\", \"_\" "
					   "and \"-\"",
					   json_text(id));
	if (scheme && !version_scheme_find(json_text(scheme)))
		return compat_draft_refuse(d, json_offset(scheme), "no scheme is called \"%s\"",
					   json_text(scheme));
	return 0;
}

int compat_names_families(struct compat_draft *d, const struct json *list)
{
	const struct json *it;
	size_t i = 0;
	int r = 0;

	JSON_EACH(it, list)
	{
		const struct compat_family *f = &d->families[i++];

		r = check_family(d, it);
		if (r == 0 && d->base)
			r = check_replaced(d, f, it);
		if (r == 0 && d->base)
			r = check_claims(d, json_text(json_get(it, "id")), it);
		if (r < 0)
			return r;
	}
	return 0;
}

/* --- changelogs ---------------------------------------------------------------------------- */

static bool is_of_branch(const char *to, const char *branch)
{
	struct version_release a, b;

	return version_kernel_release(to, &a, NULL) == 0 &&
	       version_kernel_release(branch, &b, NULL) == 0 && a.major == b.major &&
	       a.minor == b.minor && b.patch == 0;
}

int compat_names_changelogs(struct compat_draft *d, const struct json *list)
{
	const struct json *it, *other;

	JSON_EACH(it, list)
	{
		const char *branch = json_text(json_get(it, "branch"));
		const char *to = json_text(json_get(it, "to"));

		if (!is_of_branch(to, branch))
			return compat_draft_refuse(d, json_offset(json_get(it, "to")),
						   "\"%s\" is no release of the branch \"%s\"", to,
						   branch);
		for (other = json_first(list); other != it; other = json_next(other))
			if (is_of_branch(branch, json_text(json_get(other, "branch"))))
				return compat_draft_refuse(d, json_offset(json_get(it, "branch")),
							   "the branch \"%s\" is there twice",
							   branch);
	}
	return 0;
}
