/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/compat_judge.h>

#include "compat_match.h"
#include "compat_version.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <string.h>
#include <strings.h>

#define INTEL 0x8086

void compat_judgement_done(struct compat_judgement *j)
{
	compat_hits_done(&j->notes);
}

/* What is being judged, and how far that has come. */
struct look {
	const struct compat_function *f;
	const struct version_scheme *scheme;
	struct version v;
	struct compat_hit bad, may, old, pair, newest, oldest;
	struct compat_hit last; /* that was tested, where versions have no order */
	bool is_same;		/* some row is of just this version */
	bool has_minimum;
	struct compat_judgement *ret;
};

static bool is_set(const struct compat_hit *hit)
{
	return hit->row;
}

static int parse_of(const struct look *l, const struct compat_hit *hit, struct version *ret)
{
	return version_parse(l->scheme, compat_text(hit->table, hit->row->version.from), ret, NULL);
}

static void keep_first(struct compat_hit *to, const struct compat_hit *hit)
{
	if (!is_set(to))
		*to = *hit;
}

/* The rows of what was tested tell from where to where. */
static void look_tested(struct look *l, const struct compat_hit *hit)
{
	struct version v, other;

	if (parse_of(l, hit, &v) < 0)
		return;
	l->last = *hit;
	l->is_same |= version_compare(&l->v, &v) == VERSION_SAME;
	if (version_compare(&l->v, &v) == VERSION_APART)
		return;
	if (!is_set(&l->newest) ||
	    (parse_of(l, &l->newest, &other) == 0 && version_compare(&v, &other) == VERSION_NEWER))
		l->newest = *hit;
	if (!is_set(&l->oldest) ||
	    (parse_of(l, &l->oldest, &other) == 0 && version_compare(&v, &other) == VERSION_OLDER))
		l->oldest = *hit;
}

static int look_bad(struct look *l, const struct compat_hit *hit)
{
	enum compat_holds holds = compat_match_conditions(hit, l->f);
	enum compat_place at =
		compat_version_place(hit->table, &hit->row->version, l->scheme, &l->v);

	if (holds == COMPAT_HOLDS_NOT || at != COMPAT_WITHIN)
		return 0;
	if (hit->row->weight == COMPAT_NOTE)
		return compat_hits_add(&l->ret->notes, hit);
	keep_first(holds == COMPAT_HOLDS ? &l->bad : &l->may, hit);
	return 0;
}

static int look_minimum(struct look *l, const struct compat_hit *hit)
{
	enum compat_holds holds = compat_match_conditions(hit, l->f);
	enum compat_place at =
		compat_version_place(hit->table, &hit->row->version, l->scheme, &l->v);

	if (holds == COMPAT_HOLDS_NOT || at == COMPAT_APART)
		return 0;
	l->has_minimum |= holds == COMPAT_HOLDS && hit->row->weight != COMPAT_NOTE;
	if (at != COMPAT_BELOW)
		return 0;
	if (hit->row->weight == COMPAT_NOTE)
		return compat_hits_add(&l->ret->notes, hit);
	keep_first(holds == COMPAT_HOLDS ? &l->old : &l->may, hit);
	return 0;
}

static int look_at(struct look *l, const struct compat_hit *hit)
{
	switch ((enum compat_says)hit->row->says) {
	case COMPAT_BAD:
		return look_bad(l, hit);
	case COMPAT_MINIMUM:
		return look_minimum(l, hit);
	case COMPAT_PAIRS:
		look_tested(l, hit);
		if (compat_match_conditions(hit, l->f) == COMPAT_HOLDS)
			keep_first(&l->pair, hit);
		return 0;
	case COMPAT_TESTED:
		look_tested(l, hit);
		break;
	case COMPAT_SAYS:
		break;
	}
	return 0;
}

/* Of a driver that has a firmware of its own in the table, that counts. */
static enum compat_verdict by_pair(const struct look *l)
{
	struct version v;

	if (parse_of(l, &l->pair, &v) < 0)
		return COMPAT_NOT_COVERED;
	switch (version_compare(&l->v, &v)) {
	case VERSION_OLDER:
		return COMPAT_TOO_OLD;
	case VERSION_NEWER:
		return COMPAT_TOO_NEW;
	case VERSION_SAME:
		return COMPAT_FITS;
	case VERSION_APART:
		break;
	}
	return COMPAT_NOT_COVERED;
}

static enum compat_verdict by_range(const struct look *l)
{
	struct version v;

	if (l->is_same)
		return COMPAT_FITS;
	if (is_set(&l->newest) && parse_of(l, &l->newest, &v) == 0 &&
	    version_compare(&l->v, &v) == VERSION_NEWER)
		return COMPAT_TOO_NEW;
	if (!is_set(&l->newest))
		return l->has_minimum ? COMPAT_FITS : COMPAT_NOT_COVERED;
	if (l->has_minimum)
		return COMPAT_FITS;
	if (parse_of(l, &l->oldest, &v) == 0 && version_compare(&l->v, &v) == VERSION_OLDER)
		return COMPAT_NOT_COVERED;
	return COMPAT_FITS;
}

static void conclude(struct look *l)
{
	struct compat_judgement *j = l->ret;

	j->newest = is_set(&l->newest) ? l->newest : l->last;
	if (is_set(&l->bad)) {
		j->verdict = COMPAT_IS_BAD;
		j->because = l->bad;
	} else if (is_set(&l->old)) {
		j->verdict = COMPAT_TOO_OLD;
		j->because = l->old;
	} else if (is_set(&l->may)) {
		j->verdict = COMPAT_MAY_BE_BAD;
		j->because = l->may;
	} else if (is_set(&l->pair)) {
		j->verdict = by_pair(l);
		j->because = j->newest = l->pair;
	} else {
		j->verdict = by_range(l);
	}
}

/* All rows that are of a version as the one that is there. */
static int look_through(struct look *l, const struct compat_hits *rows, const char *text,
			struct error *ret_why)
{
	int r = 0;

	if (rows->n == 0) {
		l->ret->verdict = COMPAT_NO_ROWS;
		return 0;
	}
	if (version_parse(l->scheme, text, &l->v, ret_why) < 0) {
		l->ret->verdict = COMPAT_UNREADABLE;
		return 0;
	}
	for (size_t i = 0; r == 0 && i < rows->n; i++)
		r = look_at(l, &rows->items[i]);
	if (r == 0)
		conclude(l);
	return r;
}

int compat_judge_firmware(const struct compat *c, const struct compat_function *f,
			  struct compat_judgement *ret, struct error *ret_why)
{
	AUTO_COMPAT_HITS struct compat_hits rows = { 0 };
	struct look l = { .f = f, .ret = ret };
	const struct compat_family *family;
	const struct compat_table *t;
	int r = compat_judge_rows(c, COMPAT_FIRMWARE, f, &rows);

	if (r < 0)
		return r;
	if (compat_family_of(c, f->vendor, f->device, &t, &family))
		l.scheme = version_scheme_find(compat_text(t, family->scheme));
	/* What another driver tells of it is in other words. */
	if (!l.scheme ||
	    (f->driver &&
	     version_scheme_of(f->driver, f->vendor == INTEL ? f->device : 0) != l.scheme)) {
		ret->verdict = COMPAT_NO_ROWS;
		return 0;
	}
	return look_through(&l, &rows, f->firmware, ret_why);
}

/* Is there a row of such a driver for what is loaded: of the kernel's tree, or not? */
static int rows_of_tree(const struct compat *c, const struct compat_function *f,
			struct compat_hits *ret)
{
	AUTO_COMPAT_HITS struct compat_hits all = { 0 };
	int r = compat_judge_rows(c, COMPAT_DRIVER, f, &all);

	for (size_t i = 0; r == 0 && i < all.n; i++) {
		unsigned tree = all.items[i].row->tree;

		if (tree == COMPAT_ANY_TREE || f->tree == COMPAT_ANY_TREE || tree == f->tree)
			r = compat_hits_add(ret, &all.items[i]);
	}
	return r;
}

int compat_judge_driver(const struct compat *c, const struct compat_function *f,
			struct compat_judgement *ret, struct error *ret_why)
{
	AUTO_COMPAT_HITS struct compat_hits rows = { 0 };
	struct look l = { .f = f, .ret = ret, .scheme = version_scheme_find(COMPAT_SCHEME_DRIVER) };
	int r = rows_of_tree(c, f, &rows);

	if (r < 0)
		return r;
	return look_through(&l, &rows, f->driver_version ? f->driver_version : "", ret_why);
}

int compat_judge_bios(const struct compat *c, const char *vendor, const char *product,
		      const char *version, struct compat_judgement *ret, struct error *ret_why)
{
	const struct compat_function nothing = { 0 };
	AUTO_COMPAT_HITS struct compat_hits all = { 0 }, rows = { 0 };
	struct look l = { .f = &nothing,
			  .ret = ret,
			  .scheme = version_scheme_find(COMPAT_SCHEME_BIOS) };
	int r = compat_find(c, COMPAT_BIOS, "", &all);

	for (size_t i = 0; r == 0 && i < all.n; i++) {
		const struct compat_hit *hit = &all.items[i];
		const char *of = compat_text(hit->table, hit->row->product);

		if (!vendor || strcasecmp(compat_text(hit->table, hit->row->vendor), vendor) != 0 ||
		    (*of && (!product || strcasecmp(of, product) != 0)))
			continue;
		r = compat_hits_add(&rows, hit);
	}
	return r < 0 ? r : look_through(&l, &rows, version ? version : "", ret_why);
}

const char *compat_judge_package(const struct compat_hit *pair, const struct compat_function *f)
{
	const struct version_scheme *s = version_scheme_find(COMPAT_SCHEME_PACKAGE);
	const struct compat_row *r = pair->row;
	struct version loaded, wanted;
	uint32_t at;

	if (!r || !f->ddp_name || !f->ddp_version)
		return NULL;
	at = strcasestr(f->ddp_name, "comms")	   ? r->ddp_comms
	     : strcasestr(f->ddp_name, "wireless") ? r->ddp_wireless
						   : r->ddp_os;
	if (!at || version_parse(s, compat_text(pair->table, at), &wanted, NULL) < 0 ||
	    version_parse(s, f->ddp_version, &loaded, NULL) < 0 ||
	    version_compare(&loaded, &wanted) != VERSION_OLDER)
		return NULL;
	return compat_text(pair->table, at);
}
