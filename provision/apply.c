/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/apply.h>

#include "apply_group.h"

#include <sriovctl/error.h>
#include <sriovctl/step.h>

#include <errno.h>
#include <string.h>

/* Of a VF that this run made nobody had anything. */
static unsigned hazards_of(const struct apply *a, const struct step *s)
{
	if (s->keep || s->before.state != SETTING_KNOWN)
		return 0;
	return step_hazards(&a->is->items[s->pf], s, &s->before, &s->after);
}

/* Before anything is changed, so that a refusal leaves no trace at all: one look at each PF. */
static int guard_all(const struct apply *a, const struct plan *p)
{
	uint32_t seen = PLAN_OF_PF;

	for (size_t i = 0; i < p->n; i++) {
		const struct step *s = &p->steps[i];
		int r = 0;

		if (!(hazards_of(a, s) & (STEP_TAKES | STEP_RESETS)))
			continue;
		if (s->pf != seen)
			r = a->f->look(a->f->ctx, s->pf, 0, PLAN_OF_PF, a->e);
		seen = s->pf;
		if (r == 0)
			r = a->f->guard(a->f->ctx, s, a->e);
		if (r < 0)
			return apply_step_say(a, s, &s->after, r, a->e);
	}
	return 0;
}

/* Was it not touched after all?  Some drivers refuse to be told what is so already. */
static bool is_held(const struct apply *a, const struct step *s)
{
	struct setting_value now;

	return plan_holds(s) && apply_step_read(a, s, &now, NULL) == 0 &&
	       step_reached(s, &s->after, &now);
}

/*
 * The steps up to @n, and @i is the first that is done next.  When all VFs go, some drivers put the
 * PF's MTU and the mode of its eswitch back: then what these were is on disk before.
 */
static int journal_up_to(const struct apply *a, const struct plan *p, size_t i, size_t n)
{
	if (p->steps[i].what == SETTING_VFS)
		while (n < p->n && p->steps[n].pf == p->steps[i].pf &&
		       (p->steps[n].what == SETTING_MTU || p->steps[n].what == SETTING_ESWITCH))
			n++;
	for (size_t k = journal_length(a->j); k < n; k++) {
		if (journal_step(a->j, &p->steps[k]) < 0)
			return error_nomem(a->e);
	}
	return 0;
}

/* 1: it is to be done. */
static int prepare(const struct apply *a, struct apply_group *g, size_t i)
{
	const struct step *s = &journal_at(a->j, g->first + i)->step;

	if (s->keep)
		return 0;
	if (s->needs_carrier && !apply_step_carrier(a, s)) {
		journal_mark(a->j, g->first + i, JOURNAL_WAITS);
		return 0;
	}
	if (is_held(a, s))
		return apply_group_finish(a, g, i, 0, a->e);
	g->of[i].hazards = hazards_of(a, s);
	return 1;
}

static int do_group(const struct apply *a, const struct plan *p, size_t first, size_t n,
		    bool *ret_refused)
{
	struct apply_group g = { .first = first, .n = n, .all = p->n };
	int r = journal_up_to(a, p, first, first + n);

	for (size_t i = 0; r >= 0 && i < n; i++) {
		r = prepare(a, &g, i);
		g.of[i].todo = r > 0;
	}
	if (r >= 0 && !p->steps[first].keep)
		r = apply_group_set(a, &g, a->e);
	*ret_refused = g.refused;
	return r < 0 ? r : 0;
}

/* The PF's settings, drivers and overrides are written more than once: the last one counts. */
static bool is_last(const struct journal *j, size_t i)
{
	const struct step *s = &journal_at(j, i)->step;
	bool once = s->vf != PLAN_OF_PF && s->what != SETTING_DRIVER && s->what != SETTING_OVERRIDE;

	for (size_t k = i + 1; !once && k < journal_length(j); k++) {
		const struct step *later = &journal_at(j, k)->step;

		if (later->pf == s->pf && later->vf == s->vf && later->what == s->what)
			return false;
	}
	return true;
}

static int verify(const struct apply *a)
{
	for (size_t i = 0; i < journal_length(a->j); i++) {
		const struct step s = journal_at(a->j, i)->step;
		int r;

		/* Without an address of the PF's choice the VF's driver chooses, and shows it. */
		if (journal_at(a->j, i)->mark != JOURNAL_DONE || !is_last(a->j, i) ||
		    (s.what == SETTING_MAC && s.after.number == 0))
			continue;
		r = apply_step_settle(a, &s, &s.after, a->e);
		if (r < 0)
			return r;
	}
	return 0;
}

static int do_steps(const struct apply *a, const struct plan *p, bool *ret_refused)
{
	for (size_t i = 0, n; i < p->n; i += n) {
		int r;

		n = apply_group_of_plan(&p->steps[i], p->n - i);
		r = do_group(a, p, i, n, ret_refused);
		if (r < 0)
			return r;
	}
	return verify(a);
}

static enum apply_result end(const struct apply *a)
{
	int r = journal_end(a->j, a->e);

	if (r < 0)
		return apply_undo(a, r);
	if (journal_state(a->j) == JOURNAL_NONE)
		return APPLY_DONE;
	(void)error_set(a->e, -ENOLINK, "what needs carrier waits for it");
	return APPLY_PENDING;
}

/* Somebody is in the way, or may be; anything else is a failure. */
static enum apply_result result_of_look(int r)
{
	return r == -EBUSY || r == -EINPROGRESS ? APPLY_REFUSED : APPLY_FAILED;
}

static enum apply_result begin(const struct apply *a, const struct plan *p)
{
	int r;

	if (p->n_refusals > 0)
		(void)error_set(a->e, -EPERM, "%s", p->refusals[0].text);
	else if (journal_state(a->j) == JOURNAL_BROKEN)
		(void)error_set(a->e, -EBUSY, "an earlier run has to be recovered first");
	if (p->n_refusals > 0 || journal_state(a->j) == JOURNAL_BROKEN)
		return APPLY_REFUSED;
	r = guard_all(a, p);
	if (r < 0)
		return result_of_look(r);
	if (apply_forget(a, p) < 0 || journal_begin(a->j, a->is, a->e) < 0)
		return APPLY_FAILED;
	return APPLY_DONE;
}

/* What waited since an earlier run is either so already, or not wanted any more. */
static enum apply_result settle(const struct apply *a, const struct plan *p)
{
	if (journal_state(a->j) != JOURNAL_PENDING)
		return APPLY_DONE;
	if (apply_forget(a, p) < 0 || journal_forget(a->j, a->is, a->e) < 0)
		return APPLY_FAILED;
	return APPLY_DONE;
}

/* Nothing was written: there is nothing to undo, and whoever does not come back is let be. */
static enum apply_result leave(const struct apply *a, enum apply_result result)
{
	for (size_t i = 0; i < journal_length(a->j); i++)
		if (journal_at(a->j, i)->mark == JOURNAL_WAITS)
			journal_mark(a->j, i, JOURNAL_UNDONE);
	(void)!journal_end(a->j, NULL);
	return result;
}

enum apply_result apply_plan(const struct pfstates *is, const struct plan *p,
			     const struct effector *f, struct journal *j,
			     const struct apply_options *o, struct error *e)
{
	const struct apply a = { .is = is, .f = f, .j = j, .o = o, .e = e };
	enum apply_result result;
	bool refused = false;
	int r;

	if (p->n == 0 && p->n_refusals == 0)
		return settle(&a, p);
	result = begin(&a, p);
	if (result != APPLY_DONE)
		return result;
	r = do_steps(&a, p, &refused);
	if (r == 0)
		return end(&a);
	if (r == -EINPROGRESS && !f->has_written(f->ctx))
		return leave(&a, refused ? APPLY_REFUSED : APPLY_FAILED);
	/* Nothing can be undone below a write that goes on. */
	if (r == -EINPROGRESS)
		return APPLY_BETWEEN;
	result = apply_undo(&a, r);
	return result == APPLY_ROLLED_BACK && refused ? result_of_look(r) : result;
}
