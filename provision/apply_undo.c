/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_step.h"

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
 * Writes what was before, unless it reads so already: the step may not have come to be, or
 * an undoing that was cut short has been here.
 */
static int undo_step(const struct apply *a, const struct step *s, enum journal_mark mark,
		     struct error *e)
{
	struct setting_value now = s->after;
	int r;

	/* It was set of a VF that the run itself has made, and goes with it. */
	if (s->before.state != SETTING_KNOWN)
		return 0;
	r = apply_step_read(a, s, &now, e);
	if (r == 0 && step_reached(s, &s->before, &now))
		return 0;
	if (r == 0 && is_of_others(s, mark, &now))
		return error_set(
			e, -EEXIST,
			"somebody else has made other VFs of %s since: they are left alone",
			a->is->items[s->pf].bdf);
	/* Who would lose what is there is asked, whatever it is. */
	if (r < 0)
		now = (struct setting_value){ .state = SETTING_UNKNOWN, .error = r };
	r = apply_step_guard(a, s, &now, &s->before, e);
	if (r < 0)
		return r;
	/* Without carrier the driver may still take it. */
	if (s->needs_carrier)
		(void)apply_step_carrier(a, s);
	/* What a full disk does not take is found to be undone when it is looked at again. */
	(void)!journal_sync(a->j, NULL);
	return apply_step_set(a, s, &s->before, e);
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

enum apply_result apply_undo(const struct apply *a, int r)
{
	size_t n = journal_length(a->j);
	struct error why = { 0 };
	int first = 0;

	for (size_t i = n; i-- > 0;) {
		const struct step s = journal_at(a->j, i)->step;
		struct error e = { 0 };
		int undone;

		/* Nothing was done of what still waited. */
		if (journal_at(a->j, i)->mark == JOURNAL_WAITS)
			journal_mark(a->j, i, JOURNAL_UNDONE);
		if (!is_to_be_undone(journal_at(a->j, i)->mark) ||
		    (first < 0 && is_blocked(a->j, i)))
			continue;
		apply_step_progress(a, &s, i, n, true);
		undone = undo_step(a, &s, journal_at(a->j, i)->mark, &e);
		if (undone == 0)
			journal_mark(a->j, i, JOURNAL_UNDONE);
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
