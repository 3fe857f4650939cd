/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of one file that contradict each other: what is said to be good of versions that
 * another row, of all the same functions and with no condition of its own, says to be bad; and
 * two that want another minimum, or pair a driver with two firmwares.  Of what holds for some of
 * the functions alone, the narrower row is an exception and no contradiction.
 */
#include "compat_model.h"
#include "compat_version.h"

#include <sriovctl/error.h>
#include <sriovctl/json.h>

#include <stdlib.h>
#include <string.h>

/* --- twice --------------------------------------------------------------------------------- */

/* Where the id of the family, or row, with this number in its list stands. */
static size_t place_of_id(const struct compat_draft *d, const char *list, size_t i)
{
	const struct json *it = json_first(json_get(d->tree, list));

	while (i-- > 0)
		it = json_next(it);
	return json_offset(json_get(it, "id"));
}

/* Where a PCI id stands, behind so many others of the same. */
static size_t place_of_pci(const struct compat_draft *d, const struct compat_id *id, size_t others)
{
	const struct json *family, *it;
	struct compat_id other;
	size_t n = 0;

	JSON_EACH(family, json_get(d->tree, "families"))
	{
		JSON_EACH(it, json_get(family, "pfs"))
		{
			if (compat_draft_id(json_text(it), &other) == 0 &&
			    other.vendor == id->vendor && other.device == id->device &&
			    n++ == others)
				return json_offset(it);
		}
	}
	return 0;
}

static int refuse_twice(struct compat_draft *d, size_t first, size_t second, size_t place,
			const char *what)
{
	struct json_place p = json_place(d->text, d->places[first]);

	return compat_draft_refuse(d, place, "row \"%s\" %s in line %u",
				   buf_text(&d->strings) + d->rows[second].id, what, p.line);
}

struct order {
	const char *id;
	size_t row;
};

static int compare_orders(const void *a, const void *b)
{
	const struct order *oa = a, *ob = b;
	int by_id = strcmp(oa->id, ob->id);

	if (by_id)
		return by_id;
	return oa->row < ob->row ? -1 : oa->row > ob->row;
}

static int find_twice(struct compat_draft *d)
{
	AUTO_FREE struct order *all = calloc(d->n_rows + 1, sizeof(*all));

	if (!all)
		return error_nomem(d->e);
	for (size_t i = 0; i < d->n_rows; i++)
		all[i] = (struct order){ .id = buf_text(&d->strings) + d->rows[i].id, .row = i };
	qsort(all, d->n_rows, sizeof(*all), compare_orders);
	for (size_t i = 1; i < d->n_rows; i++)
		if (strcmp(all[i - 1].id, all[i].id) == 0)
			return refuse_twice(d, all[i - 1].row, all[i].row,
					    place_of_id(d, "rows", all[i].row),
					    "has the id of the one");
	return 0;
}

static int find_families_twice(struct compat_draft *d)
{
	const struct compat_table t = compat_draft_table(d);

	for (size_t i = 0; i < t.n_families; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(compat_text(&t, t.families[i].id),
				   compat_text(&t, t.families[k].id)) == 0)
				return compat_draft_refuse(d, place_of_id(d, "families", i),
							   "family \"%s\" is there twice",
							   compat_text(&t, t.families[i].id));
	/* What is within others stands right behind them, as it is not smaller. */
	for (size_t i = 1; i < t.n_ids; i++)
		if (t.ids[i - 1].vendor == t.ids[i].vendor &&
		    t.ids[i - 1].device == (t.ids[i].device & t.ids[i - 1].mask))
			return compat_draft_refuse(
				d,
				place_of_pci(d, &t.ids[i], t.ids[i - 1].device == t.ids[i].device),
				"%04x:%04x is in \"%s\" and \"%s\"", t.ids[i].vendor,
				t.ids[i].device,
				compat_text(&t, t.families[t.ids[i - 1].family].id),
				compat_text(&t, t.families[t.ids[i].family].id));
	return 0;
}

/* --- who is meant -------------------------------------------------------------------------- */

static bool is_same(const struct compat_table *t, uint32_t a, uint32_t b)
{
	return strcmp(compat_text(t, a), compat_text(t, b)) == 0;
}

static bool lists_all(const struct compat_table *t, uint32_t some, uint32_t all)
{
	COMPAT_EACH(it, t, some)
	{
		if (!compat_lists(t, all, it))
			return false;
	}
	return true;
}

static bool families_have(const struct compat_draft *d, uint32_t pci, uint32_t families)
{
	const struct compat_table t = compat_draft_table(d);
	struct compat_model_family f;

	COMPAT_EACH(id, &t, pci)
	{
		if (!compat_model_of(d, id, &f) || !compat_lists(&t, families, f.id))
			return false;
	}
	return true;
}

/* Does @wide hold for all that @row holds for? */
static bool covers(const struct compat_draft *d, const struct compat_row *wide,
		   const struct compat_row *row)
{
	const struct compat_table t = compat_draft_table(d);

	if (wide->pci && !(row->pci && lists_all(&t, row->pci, wide->pci)))
		return false;
	if (wide->subsystem && !(row->subsystem && lists_all(&t, row->subsystem, wide->subsystem)))
		return false;
	if (wide->families &&
	    !(row->families ? lists_all(&t, row->families, wide->families)
			    : row->pci && families_have(d, row->pci, wide->families)))
		return false;
	if (wide->drivers && !(row->drivers && lists_all(&t, row->drivers, wide->drivers)))
		return false;
	return is_same(&t, wide->vendor, row->vendor) &&
	       (!wide->product || is_same(&t, wide->product, row->product)) &&
	       (wide->tree == COMPAT_ANY_TREE || wide->tree == row->tree);
}

/* Is @bad, by ids, about some of the very cards that @good says a family of is well? */
static bool is_part_of(const struct compat_draft *d, const struct compat_row *bad,
		       const struct compat_row *good)
{
	const struct compat_table t = compat_draft_table(d);
	struct compat_row wide = *bad;
	struct compat_model_family f;
	bool is_of_family = false;

	if (good->says != COMPAT_TESTED || good->pci || !good->families)
		return false;
	COMPAT_EACH(id, &t, bad->pci)
	{
		is_of_family |=
			compat_model_of(d, id, &f) && compat_lists(&t, good->families, f.id);
	}
	wide.pci = 0;
	wide.families = 0;
	return is_of_family && covers(d, &wide, good);
}

static bool is_same_range(const struct compat_table *t, const struct compat_range *a,
			  const struct compat_range *b)
{
	return is_same(t, a->from, b->from) && is_same(t, a->to, b->to) && a->below == b->below;
}

static bool has_conditions(const struct compat_row *r)
{
	return r->vfs || r->config || r->config_off || r->distribution || r->driver.from ||
	       r->driver.to || r->firmware.from || r->firmware.to || r->weight == COMPAT_NOTE;
}

/* --- what is said -------------------------------------------------------------------------- */

static const struct version_scheme *scheme_of(const struct compat_draft *d,
					      const struct compat_row *r)
{
	const struct compat_table t = compat_draft_table(d);
	const struct compat_model_family *f;
	struct compat_model_family room;

	if (r->judges == COMPAT_DRIVER)
		return version_scheme_find(COMPAT_SCHEME_DRIVER);
	if (r->judges != COMPAT_FIRMWARE)
		return version_scheme_find(r->judges == COMPAT_BIOS ? COMPAT_SCHEME_BIOS
								    : COMPAT_SCHEME_RELEASE);
	f = r->families ? compat_model_find(d, compat_text(&t, r->families), &room)
			: compat_model_of(d, compat_text(&t, r->pci), &room);
	return f ? version_scheme_find(f->scheme) : NULL;
}

/* A row and its versions, which are read once, as each row is held against all others. */
struct reading {
	const struct compat_row *row;
	const struct version_scheme *scheme;
	struct compat_limits version, driver;
};

static void read_row(const struct compat_draft *d, const struct compat_row *row,
		     const struct version_scheme *s, struct reading *ret)
{
	const struct compat_table t = compat_draft_table(d);

	*ret = (struct reading){ .row = row, .scheme = s };
	if (s)
		compat_version_limits(&t, &row->version, s, &ret->version);
	compat_version_limits(&t, &row->driver, version_scheme_find(COMPAT_SCHEME_DRIVER),
			      &ret->driver);
}

/* @r, with its versions as those of another row are written. */
static const struct reading *read_as(const struct compat_draft *d, const struct reading *r,
				     const struct version_scheme *s, struct reading *room)
{
	if (r->scheme == s)
		return r;
	read_row(d, r->row, s, room);
	return room;
}

/* Is the version that @good is of among those that @bad is of? */
static bool is_within(const struct compat_draft *d, const struct reading *good,
		      const struct reading *bad)
{
	struct reading room;

	return good->version.from.scheme &&
	       compat_version_among(&read_as(d, bad, good->scheme, &room)->version,
				    &good->version.from) == COMPAT_WITHIN;
}

static bool is_same_version(const struct compat_draft *d, const struct reading *a,
			    const struct reading *other)
{
	const struct compat_table t = compat_draft_table(d);
	struct reading room;
	const struct reading *b = read_as(d, other, a->scheme, &room);

	if (a->version.from.scheme && b->version.from.scheme)
		return version_compare(&a->version.from, &b->version.from) == VERSION_SAME;
	return is_same(&t, a->row->version.from, b->row->version.from);
}

/* Is there a driver that both are for, so that each pairs it with a firmware? */
static bool share_driver(const struct compat_draft *d, const struct reading *a,
			 const struct reading *b)
{
	const struct compat_table t = compat_draft_table(d);
	const struct version *va = &a->driver.from, *vb = &b->driver.from;

	if (a->row->says != COMPAT_PAIRS)
		return is_same_range(&t, &a->row->driver, &b->row->driver);
	return va->scheme && vb->scheme &&
	       (compat_version_among(&b->driver, va) == COMPAT_WITHIN ||
		compat_version_among(&a->driver, vb) == COMPAT_WITHIN);
}

static bool is_bad_of(const struct compat_draft *d, const struct reading *bad,
		      const struct reading *good)
{
	const struct compat_row *b = bad->row;

	return !has_conditions(b) && (b->version.from || b->version.to) &&
	       is_within(d, good, bad) && (covers(d, b, good->row) || is_part_of(d, b, good->row));
}

/* Versions before functions, since what is read is compared soonest. */
static bool contradict(const struct compat_draft *d, const struct reading *ra,
		       const struct reading *rb)
{
	const struct compat_row *a = ra->row, *b = rb->row;

	if (a->judges != b->judges || a->weight == COMPAT_NOTE || b->weight == COMPAT_NOTE)
		return false;
	if ((a->says == COMPAT_BAD) != (b->says == COMPAT_BAD))
		return a->says == COMPAT_BAD ? is_bad_of(d, ra, rb) : is_bad_of(d, rb, ra);
	return a->says == b->says && (a->says == COMPAT_MINIMUM || a->says == COMPAT_PAIRS) &&
	       !is_same_version(d, ra, rb) && share_driver(d, ra, rb) && covers(d, a, b) &&
	       covers(d, b, a) &&
	       strcmp(buf_text(&d->strings) + a->distribution,
		      buf_text(&d->strings) + b->distribution) == 0;
}

static int find_contradictions(struct compat_draft *d)
{
	AUTO_FREE struct reading *all = calloc(d->n_rows + 1, sizeof(*all));

	if (!all)
		return error_nomem(d->e);
	for (size_t i = 0; i < d->n_rows; i++) {
		read_row(d, &d->rows[i], scheme_of(d, &d->rows[i]), &all[i]);
		for (size_t k = 0; k < i; k++)
			if (contradict(d, &all[k], &all[i]))
				return refuse_twice(d, k, i, d->places[i], "contradicts the one");
	}
	return 0;
}

int compat_clash_find(struct compat_draft *d)
{
	int r = find_families_twice(d);

	if (r == 0)
		r = find_twice(d);
	return r == 0 ? find_contradictions(d) : r;
}
