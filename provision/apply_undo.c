/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_group.h"

#include <sriovctl/error.h>
#include <sriovctl/step.h>

#include <errno.h>

/*
 * VFs that were made, and are others now, are not this run's: somebody took them away and made
 * his own.
 */
static bool is_of_others(const struct step *s, enum journal_mark mark,
			 const struct setting_value *now)
{
	return s->what == SETTING_VFS && mark == JOURNAL_DONE && now->state == SETTING_KNOWN &&
	       now->number > 0 && !step_reached(s, &s->after, now);
}

/*
 * What was before is written unless it reads so already: the step may not have come to be, or
 * an undoing that was cut short has been here.  1: it is to be written.
 */
static int prepare(const struct apply *a, struct apply_group *g, size_t i, struct error *e)
{
	const struct journal_entry *it = journal_at(a->j, g->first + i);
	const struct step *s = &it->step;
	struct setting_value now = s->after;
	int r;

	/* It was set of a VF that the run itself has made, and goes with it. */
	if (s->before.state != SETTING_KNOWN)
		return apply_group_finish(a, g, i, 0, e);
	r = apply_step_read(a, s, &now, e);
	if (r == 0 && step_reached(s, &s->before, &now))
		return apply_group_finish(a, g, i, 0, e);
	if (r == 0 && is_of_others(s, it->mark, &now))
		return error_set(
			e, -EEXIST,
			"somebody else has made other VFs of %s since: they are left alone",
			a->is->items[s->pf].bdf);
	/* Who would lose what is there is asked, whatever it is. */
	if (r < 0)
		now = (struct setting_value){ .state = SETTING_UNKNOWN, .error = r };
	g->of[i].hazards = step_hazards(&a->is->items[s->pf], s, &now, &s->before);
	return 1;
}

static bool is_to_be_undone(enum journal_mark mark)
{
	return mark == JOURNAL_BEGUN || mark == JOURNAL_DONE;
}

/*
 * A step is undone on the state that it left: what came later of its VF, or of its PF, has to
 * be undone by then.  Other VFs, and other PFs, do not wait for one that cannot be.
 */
static bool is_blocked(const struct journal *j, size_t i)
{
	const struct step *s = &journal_at(j, i)->step;

	for (size_t k = i + 1; k < journal_length(j); k++) {
		const struct step *later = &journal_at(j, k)->step;

		if (later->pf == s->pf && is_to_be_undone(journal_at(j, k)->mark) &&
		    (s->vf == PLAN_OF_PF || later->vf == PLAN_OF_PF || later->vf == s->vf))
			return true;
	}
	return false;
}

/* Both reasons: why it was to be undone, and why it could not be. */
static void say_both(const struct apply *a, int r, const struct error *undoing)
{
	const struct error first = a->e ? *a->e : (struct error){ 0 };

	(void)error_set(a->e, r, "%s; and undoing: %s", first.text, undoing->text);
}

/* The group that ends before entry @end. */
static size_t first_of_group(const struct journal *j, size_t end)
{
	size_t i = end - 1;

	while (i > 0 && end - i < APPLY_GROUP_MAX &&
	       plan_goes_with(&journal_at(j, i - 1)->step, &journal_at(j, i)->step))
		i--;
	return i;
}

static int undo_group(const struct apply *a, size_t first, size_t end, bool failed, struct error *e)
{
	struct apply_group g = { .first = first,
				 .n = end - first,
				 .all = journal_length(a->j),
				 .undo = true,
				 .goes_on = true };
	struct error why = { 0 };
	int error = 0, r;

	for (size_t i = g.n; i-- > 0;) {
		enum journal_mark mark = journal_at(a->j, first + i)->mark;

		/* Nothing was done of what still waited. */
		if (mark == JOURNAL_WAITS)
			journal_mark(a->j, first + i, JOURNAL_UNDONE);
		if (!is_to_be_undone(mark) || (failed && is_blocked(a->j, first + i)))
			continue;
		r = prepare(a, &g, i, &why);
		g.of[i].todo = r > 0;
		if (r < 0 && error == 0)
			error = error_set(e, r, "%s", why.text);
		if (r == -EINPROGRESS)
			return r;
	}
	r = apply_group_set(a, &g, &why);
	if (r < 0 && (error == 0 || r == -EINPROGRESS))
		error = error_set(e, r, "%s", why.text);
	return error;
}

enum apply_result apply_undo(const struct apply *a, int r)
{
	struct error why = { 0 };
	int first = 0;

	for (size_t end = journal_length(a->j), begin; end > 0; end = begin) {
		struct error e = { 0 };
		int undone;

		begin = first_of_group(a->j, end);
		undone = undo_group(a, begin, end, first < 0, &e);
		if (undone < 0 && first == 0) {
			first = undone;
			why = e;
		}
		if (undone == -EINPROGRESS)
			break;
	}
	if (first < 0) {
		(void)!journal_sync(a->j, NULL);
		say_both(a, r, &why);
		return APPLY_BETWEEN;
	}
	(void)!journal_end(a->j, NULL);
	return APPLY_ROLLED_BACK;
}
