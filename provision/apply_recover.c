/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_group.h"

#include <sriovctl/error.h>
#include <sriovctl/step.h>

#include <errno.h>

/* 1: to be set.  What was set meanwhile is not set again. */
static int prepare(const struct apply *a, struct apply_group *g, size_t i, struct error *e)
{
	const struct step *s = &journal_at(a->j, g->first + i)->step;
	struct setting_value now;

	if (apply_step_read(a, s, &now, e) == 0 && setting_equal(s->what, &s->after, &now))
		return apply_group_finish(a, g, i, 0, e);
	if (!apply_step_carrier(a, s))
		return error_set(e, -ENOLINK, "%s has no carrier", a->is->items[s->pf].bdf);
	g->of[i].hazards = step_hazards(&a->is->items[s->pf], s, &s->before, &s->after);
	return 1;
}

static int finish_group(const struct apply *a, size_t first, size_t n, struct error *e)
{
	struct apply_group g = {
		.first = first, .n = n, .all = journal_length(a->j), .goes_on = true
	};
	struct error why = { 0 };
	int error = 0, r;

	for (size_t i = 0; i < n; i++) {
		if (journal_at(a->j, first + i)->mark != JOURNAL_WAITS)
			continue;
		r = prepare(a, &g, i, &why);
		g.of[i].todo = r > 0;
		if (r < 0 && error == 0)
			error = error_set(e, r, "%s", why.text);
	}
	r = apply_group_set(a, &g, &why);
	return r < 0 && error == 0 ? error_set(e, r, "%s", why.text) : error;
}

/* A step that cannot be set is no reason to leave the others. */
static enum apply_result finish(const struct apply *a)
{
	int first = 0;

	for (size_t i = 0, n; i < journal_length(a->j); i += n) {
		struct error e = { 0 };
		int r;

		n = apply_group_of_journal(a->j, i);
		r = finish_group(a, i, n, &e);
		if (r < 0 && first == 0)
			first = error_set(a->e, r, "%s", e.text);
	}
	if (journal_end(a->j, first < 0 ? NULL : a->e) < 0 || first < 0)
		return APPLY_PENDING;
	return APPLY_DONE;
}

enum apply_result apply_recover(const struct pfstates *is, const struct effector *f,
				struct journal *j, const struct apply_options *o, struct error *e)
{
	const struct apply a = { .is = is, .f = f, .j = j, .o = o, .e = e };
	enum journal_state state = journal_state(j);
	int r;

	if (state == JOURNAL_NONE)
		return APPLY_DONE;
	r = journal_compare(j, is, e);
	if (r < 0)
		return state == JOURNAL_PENDING ? APPLY_PENDING : APPLY_BETWEEN;
	if (state == JOURNAL_PENDING)
		return finish(&a);
	r = error_set(e, -ECANCELED, "an earlier run came to no end");
	return apply_undo(&a, r);
}

enum apply_result apply_give_up(const struct pfstates *is, const struct effector *f,
				struct journal *j, const struct apply_options *o, struct error *e)
{
	const struct apply a = { .is = is, .f = f, .j = j, .o = o, .e = e };

	/* On disk before anything is undone: who is killed then has begun, and come to no end. */
	for (size_t i = 0; i < journal_length(j); i++)
		if (journal_at(j, i)->mark == JOURNAL_WAITS)
			journal_mark(j, i, JOURNAL_UNDONE);
	if (journal_sync(j, e) < 0)
		return APPLY_PENDING;
	return apply_undo(&a, e->code);
}
