/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_step.h"

#include <sriovctl/error.h>

#include <errno.h>

/* What was set meanwhile is not set again. */
static int set_waiting(const struct apply *a, const struct step *s, struct error *e)
{
	struct setting_value now;

	if (apply_step_read(a, s, &now, e) == 0 && setting_equal(s->what, &s->after, &now))
		return 0;
	if (!apply_step_carrier(a, s))
		return error_set(e, -ENOLINK, "%s has no carrier", a->is->items[s->pf].bdf);
	return apply_step_set(a, s, &s->after, e);
}

/* A step that cannot be set is no reason to leave the others. */
static enum apply_result finish(const struct apply *a)
{
	size_t n = journal_length(a->j);
	int first = 0;

	for (size_t i = 0; i < n; i++) {
		const struct step s = journal_at(a->j, i)->step;
		struct error e = { 0 };
		int r;

		if (journal_at(a->j, i)->mark != JOURNAL_WAITS)
			continue;
		apply_step_progress(a, &s, i, n, false);
		r = set_waiting(a, &s, &e);
		if (r == -EOPNOTSUPP && !s.required)
			r = apply_step_note(a, &s, "left out, as the driver has no such thing", &e);
		if (r == 0)
			journal_mark(a->j, i, JOURNAL_DONE);
		else if (first == 0)
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
