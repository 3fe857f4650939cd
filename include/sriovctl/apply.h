/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries out a plan, by groups of steps that belong together (plan_goes_with()): a group is
 * written to the journal, its steps to the host, and then all of them are read back, as one
 * answer tells of all VFs; what was written proves nothing until it reads back.  When all is
 * done, all is read once more, as a later step may have changed what an earlier one set.  On a
 * failure, or when told to stop, the steps that were done are undone, backwards, and nothing
 * else.  Who would lose something is looked for just before, for a few steps at once.
 *
 * Returns APPLY_*, with the reason in @e for all but APPLY_DONE.
 */
#ifndef SRIOVCTL_APPLY_H
#define SRIOVCTL_APPLY_H

#include <sriovctl/journal.h>

/*
 * What changes a host, and reads back.  @pf and @vf of a step name the function; the value
 * is given besides, as undoing writes what was before.
 */
struct effector {
	/*
	 * 0; -EOPNOTSUPP: this driver has no such setting; -EAGAIN: try again soon;
	 * -EINPROGRESS: the write does not return, and goes on by itself; else an error,
	 * with cause and remedy in @e.  A driver's name: it is bound, by its override or by
	 * autoprobe; SETTING_DRIVER_DEFAULT: whichever takes the VF; "": none is bound.
	 */
	int (*write)(void *ctx, const struct step *s, const struct setting_value *v,
		     struct error *e);
	int (*read)(void *ctx, const struct step *s, struct setting_value *ret, struct error *e);
	/*
	 * Looks who uses VFs @first to @last of a PF now; of what guard() is asked before a step
	 * that takes or resets what was there, or all of them: -EBUSY, the holders in @e.
	 */
	int (*look)(void *ctx, uint32_t pf, uint32_t first, uint32_t last, struct error *e);
	int (*guard)(void *ctx, const struct step *s, struct error *e);
	/* Was it told to write anything yet? */
	bool (*has_written)(void *ctx);
	/* Waits for what the next look needs (an event, or a short time): 0, or -ETIMEDOUT. */
	int (*wait)(void *ctx, const struct step *s, unsigned tries);
	bool (*carrier)(void *ctx, uint32_t pf);
	void *ctx;
};

enum apply_result {
	APPLY_DONE,
	APPLY_PENDING,	   /* done but for steps that wait for carrier: the journal keeps them */
	APPLY_REFUSED,	   /* by the plan, a guard, or a journal that is to be recovered first */
	APPLY_FAILED,	   /* before anything was changed */
	APPLY_ROLLED_BACK, /* the state is that of before */
	APPLY_BETWEEN,	   /* it could not be undone either: the journal is kept */
};

struct apply_options {
	/* True: stop and undo.  Asked before each step; may be NULL. */
	bool (*stop)(void *ctx);
	/* Told of each step before it is done or undone; may be NULL. */
	void (*progress)(void *ctx, const struct step *s, size_t i, size_t n, bool undo);
	void *ctx;
	/* Gets a sentence for each setting that the driver turned out to lack. */
	struct strv *notes;
};

/*
 * Refused, the host is as it was: also where the guard saw somebody come between two steps.  An
 * empty plan forgets what waits of its functions since an earlier run, as that is so already,
 * or not wanted any more.
 */
enum apply_result apply_plan(const struct pfstates *is, const struct plan *p,
			     const struct effector *f, struct journal *j,
			     const struct apply_options *o, struct error *e);

/*
 * What an earlier run left: that which was done before it was killed is undone; what waits
 * for carrier is set where that is there.  @is: the functions of journal_functions().
 * APPLY_DONE: nothing was left, or nothing waits any more.
 */
enum apply_result apply_recover(const struct pfstates *is, const struct effector *f,
				struct journal *j, const struct apply_options *o, struct error *e);

/*
 * Of a run that came to APPLY_PENDING, and what waits is then refused, with carrier: all that
 * it did is undone.  @e has the reason, and keeps it.
 */
enum apply_result apply_give_up(const struct pfstates *is, const struct effector *f,
				struct journal *j, const struct apply_options *o, struct error *e);

#endif
