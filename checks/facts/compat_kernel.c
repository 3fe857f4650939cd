/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a kernel have a fault?  A fault is known by the releases that fixed it.  A stable branch
 * that is among them had it before.  Of any other nothing is told, unless it is newer than the
 * first release that was fixed from the start, or older than the row says that the fault is: that
 * a branch never got the fix is no sign that it never had the fault.
 */
#include <sriovctl/compat_judge.h>

#include "compat_match.h"
#include "compat_version.h"

#include <sriovctl/version_kernel.h>

#include <string.h>

enum state { STATE_FREE, STATE_FAULTY, STATE_MAYBE, STATE_UNTOLD };

/* That no kernel is as new as. */
static const struct version_release never = { .major = UINT32_MAX };

void compat_kernel_done(struct compat_kernel *k)
{
	compat_hits_done(&k->faults);
	compat_hits_done(&k->maybe);
	compat_hits_done(&k->untold);
	compat_hits_done(&k->free);
	compat_hits_done(&k->notes);
}

static enum state state_of(enum version_has has)
{
	if (has == VERSION_HAS)
		return STATE_FREE;
	return has == VERSION_LACKS ? STATE_FAULTY : STATE_MAYBE;
}

/* Has the kernel what came with the release at @at? */
static enum version_has has_release(const struct compat_hit *hit, uint32_t at,
				    const struct version_kernel *k)
{
	struct version_release release;

	if (version_kernel_release(compat_text(hit->table, at), &release, NULL) < 0)
		return VERSION_MAY_HAVE;
	return version_kernel_has(k, &release, NULL, 0);
}

static bool is_branch(const struct version_kernel *k, const char *text)
{
	struct version_release r;

	return version_kernel_release(text, &r, NULL) == 0 && r.major == k->base.major &&
	       r.minor == k->base.minor;
}

static enum state by_fixes(const struct compat_hit *hit, const struct version_kernel *k)
{
	struct version_release fix;

	if (hit->row->mainline && has_release(hit, hit->row->mainline, k) == VERSION_HAS)
		return STATE_FREE;
	COMPAT_EACH(text, hit->table, hit->row->fixed_in)
	{
		if (is_branch(k, text) && version_kernel_release(text, &fix, NULL) == 0)
			return state_of(version_kernel_has(k, &never, &fix, 1));
	}
	return STATE_UNTOLD;
}

/* "6.1.76-1" where uname(2) says 6.1.0-18: the package's number, of which no order is known. */
static bool is_of_package(const struct compat_limits *l, const struct version *release,
			  const struct version_kernel *k)
{
	const struct version *const limits[] = { &l->from, &l->to };

	for (size_t i = 0; release->parts[2] == 0 && k->base.patch > 0 && i < ARRAY_SIZE(limits);
	     i++)
		if (limits[i]->parts[0] == k->base.major && limits[i]->parts[1] == k->base.minor &&
		    limits[i]->parts[2] > 0)
			return true;
	return false;
}

/* A distribution's own numbers: what it says of them is of just these. */
static enum state by_numbers(const struct compat_hit *hit, const struct compat_function *f)
{
	const struct version_scheme *s = version_scheme_find(COMPAT_SCHEME_RELEASE);
	struct compat_limits l;
	struct version v;

	if (!f->release || version_parse(s, f->release, &v, NULL) < 0)
		return STATE_UNTOLD;
	compat_version_limits(hit->table, &hit->row->version, s, &l);
	if (is_of_package(&l, &v, f->kernel))
		return STATE_MAYBE;
	switch (compat_version_among(&l, &v)) {
	case COMPAT_WITHIN:
		return hit->row->says == COMPAT_BAD ? STATE_FAULTY : STATE_FREE;
	case COMPAT_APART:
		return STATE_UNTOLD;
	case COMPAT_BELOW:
		return hit->row->says == COMPAT_MINIMUM ? STATE_FAULTY : STATE_FREE;
	case COMPAT_ABOVE:
		break;
	}
	return STATE_FREE;
}

static enum state judge(const struct compat_hit *hit, const struct compat_function *f)
{
	const struct compat_row *r = hit->row;
	const struct version_kernel *k = f->kernel;

	if (r->distribution)
		return by_numbers(hit, f);
	if (r->says == COMPAT_MINIMUM)
		return state_of(has_release(hit, r->version.from, k));
	/* Older than the fault is; but who fills an old number with new code may have brought it.
	 */
	if (r->version.from && has_release(hit, r->version.from, k) != VERSION_HAS)
		return k->is_plain ? STATE_FREE : STATE_UNTOLD;
	if (r->version.to)
		return state_of(has_release(hit, r->version.to, k));
	return by_fixes(hit, k);
}

/* A fault of a driver of the kernel is none of one that came from elsewhere. */
static enum compat_holds holds_for(const struct compat_hit *hit, const struct compat_function *f)
{
	enum compat_holds holds = compat_match_conditions(hit, f);
	bool is_of_driver = hit->row->drivers || hit->row->families || hit->row->pci;

	if (!is_of_driver || hit->row->tree == COMPAT_OUT_OF_TREE || f->tree == COMPAT_IN_TREE)
		return holds;
	if (f->tree == COMPAT_OUT_OF_TREE)
		return COMPAT_HOLDS_NOT;
	return holds < COMPAT_HOLDS_MAYBE ? holds : COMPAT_HOLDS_MAYBE;
}

static int add(const struct compat_hit *hit, enum state state, struct compat_kernel *ret)
{
	if (hit->row->weight == COMPAT_NOTE && (state == STATE_FAULTY || state == STATE_MAYBE))
		return compat_hits_add(&ret->notes, hit);
	switch (state) {
	case STATE_FAULTY:
		return compat_hits_add(&ret->faults, hit);
	case STATE_MAYBE:
		return compat_hits_add(&ret->maybe, hit);
	case STATE_UNTOLD:
		return hit->row->weight == COMPAT_NOTE ? 0 : compat_hits_add(&ret->untold, hit);
	case STATE_FREE:
		break;
	}
	return compat_hits_add(&ret->free, hit);
}

/* The grave ones first, all else in the order it was found in. */
static void put_grave_first(struct compat_hits *v)
{
	size_t n_grave = 0;

	for (size_t i = 0; i < v->n; i++) {
		const struct compat_hit hit = v->items[i];

		if (hit.row->weight != COMPAT_GRAVE)
			continue;
		memmove(&v->items[n_grave + 1], &v->items[n_grave],
			(i - n_grave) * sizeof(*v->items));
		v->items[n_grave++] = hit;
	}
}

int compat_judge_kernel(const struct compat *c, const struct compat_function *f,
			struct compat_kernel *ret)
{
	AUTO_COMPAT_HITS struct compat_hits rows = { 0 };
	int r = compat_judge_rows(c, COMPAT_KERNEL, f, &rows);

	for (size_t i = 0; r == 0 && i < rows.n; i++) {
		enum compat_holds holds = holds_for(&rows.items[i], f);
		enum state state = judge(&rows.items[i], f);

		if (holds == COMPAT_HOLDS_NOT)
			continue;
		if (holds == COMPAT_HOLDS_MAYBE && state == STATE_FAULTY)
			state = STATE_MAYBE;
		r = add(&rows.items[i], state, ret);
	}
	put_grave_first(&ret->faults);
	put_grave_first(&ret->maybe);
	put_grave_first(&ret->untold);
	return r;
}
