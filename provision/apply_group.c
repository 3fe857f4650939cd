/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_group.h"

#include <sriovctl/error.h>
#include <sriovctl/step.h>

#include <errno.h>
#include <string.h>

size_t apply_group_of_plan(const struct step *first, size_t n)
{
	size_t len = 1;

	while (len < n && len < APPLY_GROUP_MAX && plan_goes_with(&first[len - 1], &first[len]))
		len++;
	return len;
}

size_t apply_group_of_journal(const struct journal *j, size_t first)
{
	size_t end = first + 1;

	while (end < journal_length(j) && end - first < APPLY_GROUP_MAX &&
	       plan_goes_with(&journal_at(j, end - 1)->step, &journal_at(j, end)->step))
		end++;
	return end - first;
}

/* Which of the group is done at this turn. */
static size_t member_at(const struct apply_group *g, size_t turn)
{
	return g->undo ? g->n - 1 - turn : turn;
}

static const struct step *step_of(const struct apply *a, const struct apply_group *g, size_t i)
{
	return &journal_at(a->j, g->first + i)->step;
}

static const struct setting_value *value_of(const struct apply_group *g, const struct step *s)
{
	return g->undo ? &s->before : &s->after;
}

/* At those whose turn comes next, or for a step of the PF at all of its VFs. */
static int look_ahead(const struct apply *a, struct apply_group *g, size_t turn, struct error *e)
{
	size_t last = turn + APPLY_GROUP_LOOK < g->n ? turn + APPLY_GROUP_LOOK : g->n;
	const struct step *from = step_of(a, g, member_at(g, g->undo ? last - 1 : turn));
	const struct step *to = step_of(a, g, member_at(g, g->undo ? turn : last - 1));

	g->look_at = last;
	if (from->vf == PLAN_OF_PF)
		return a->f->look(a->f->ctx, from->pf, 0, PLAN_OF_PF, e);
	return a->f->look(a->f->ctx, from->pf, from->vf, to->vf, e);
}

static int guard(const struct apply *a, struct apply_group *g, size_t turn, struct error *e)
{
	size_t i = member_at(g, turn);
	int r = 0;

	if (!(g->of[i].hazards & (STEP_TAKES | STEP_RESETS)))
		return 0;
	if (turn >= g->look_at)
		r = look_ahead(a, g, turn, e);
	if (r == 0)
		r = a->f->guard(a->f->ctx, step_of(a, g, i), e);
	g->refused |= r < 0;
	return r;
}

static int write_member(const struct apply *a, struct apply_group *g, size_t turn, struct error *e)
{
	const struct step *s = step_of(a, g, member_at(g, turn));
	const struct setting_value *v = value_of(g, s);
	unsigned tries = 0;
	int r;

	do {
		r = guard(a, g, turn, e);
		if (r == 0)
			r = a->f->write(a->f->ctx, s, v, e);
		/* While it is waited for, somebody may come. */
		g->look_at = r == -EAGAIN ? turn : g->look_at;
	} while (r == -EAGAIN && a->f->wait(a->f->ctx, s, tries++) == 0);
	return r < 0 ? apply_step_say(a, s, v, r, e) : 0;
}

/* That a VF finds no driver, or that a driver has no such setting, is said and no failure. */
static const char *excuse(const struct step *s, int r)
{
	if (s->required)
		return NULL;
	if (r == -EOPNOTSUPP)
		return "left out, as the driver has no such thing";
	if (r == -ETIMEDOUT && s->what == SETTING_DRIVER &&
	    strcmp(s->after.name, SETTING_DRIVER_DEFAULT) == 0)
		return "no driver takes it";
	return NULL;
}

int apply_group_finish(const struct apply *a, const struct apply_group *g, size_t i, int r,
		       struct error *e)
{
	const struct step *s = step_of(a, g, i);
	const char *because = r < 0 && !g->undo ? excuse(s, r) : NULL;

	if (because)
		r = apply_step_note(a, s, because, e);
	if (r == 0)
		journal_mark(a->j, g->first + i,
			     g->undo   ? JOURNAL_UNDONE
			     : because ? JOURNAL_LACKS
				       : JOURNAL_DONE);
	return r;
}

/* One turn of writing, or of reading back. */
typedef int turn_fn(const struct apply *a, struct apply_group *g, size_t turn, struct error *e);

static int do_write(const struct apply *a, struct apply_group *g, size_t turn, struct error *e)
{
	size_t i = member_at(g, turn);
	int r;

	if (!g->goes_on && apply_step_stops(a))
		return error_set(e, -EINTR, "told to stop");
	apply_step_progress(a, step_of(a, g, i), g->first + i, g->all, g->undo);
	r = write_member(a, g, turn, e);
	if (r == 0)
		return 0;
	g->of[i].todo = false;
	return apply_group_finish(a, g, i, r, e);
}

static int do_settle(const struct apply *a, struct apply_group *g, size_t turn, struct error *e)
{
	size_t i = member_at(g, turn);
	const struct step *s = step_of(a, g, i);
	int r = apply_step_settle(a, s, value_of(g, s), e);

	return apply_group_finish(a, g, i, r, e);
}

static int do_turns(const struct apply *a, struct apply_group *g, turn_fn *fn, struct error *e)
{
	int first = 0;

	for (size_t turn = 0; turn < g->n; turn++) {
		struct error why = { 0 };
		int r;

		if (!g->of[member_at(g, turn)].todo)
			continue;
		r = fn(a, g, turn, &why);
		if (r < 0 && first == 0)
			first = error_set(e, r, "%s", why.text);
		/* Nothing more can be done below a write that goes on. */
		if (r == -EINPROGRESS)
			return error_set(e, r, "%s", why.text);
		if (r < 0 && !g->goes_on)
			return r;
	}
	return first;
}

int apply_group_set(const struct apply *a, struct apply_group *g, struct error *e)
{
	struct error why = { 0 };
	int r = journal_sync(a->j, e), later;

	/* What a full disk does not take is found to be undone when it is looked at again. */
	if (r < 0 && !g->undo)
		return r;
	r = do_turns(a, g, do_write, e);
	if (r < 0 && (r == -EINPROGRESS || !g->goes_on))
		return r;
	later = do_turns(a, g, do_settle, &why);
	if (later < 0 && (r == 0 || later == -EINPROGRESS))
		r = error_set(e, later, "%s", why.text);
	return r;
}
