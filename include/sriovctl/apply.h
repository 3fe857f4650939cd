/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries out a plan: each step is written to the journal, written to the host, and read
 * back; what was written proves nothing until it reads back.  On a failure, or when told to
 * stop, the steps that were done are undone, backwards, and nothing else.
 *
 * Returns APPLY_*, with the reason in @e for all but APPLY_DONE.
 */
#ifndef SRIOVCTL_APPLY_H
#define SRIOVCTL_APPLY_H

#include <sriovctl/plan.h>

struct journal;

/*
 * What changes a host, and reads back.  @pf and @vf of a step name the function; the value
 * is given besides, as undoing writes what was before.
 */
struct effector {
	/*
	 * 0; -EOPNOTSUPP: this driver has no such setting; -EAGAIN: try again soon;
	 * -EINPROGRESS: the write does not return, and goes on by itself; else an error,
	 * with cause and remedy in @e.
	 */
	int (*write)(void *ctx, const struct step *s, const struct setting_value *v,
		     struct error *e);
	int (*read)(void *ctx, const struct step *s, struct setting_value *ret, struct error *e);
	/* Asked before a step that takes VFs or a driver away: -EBUSY, the holders in @e. */
	int (*guard)(void *ctx, const struct step *s, struct error *e);
	/* Waits for what the next look needs (an event, or a short time): 0, or -ETIMEDOUT. */
	int (*wait)(void *ctx, const struct step *s, unsigned tries);
	bool (*carrier)(void *ctx, uint32_t pf);
	void *ctx;
};

enum apply_result {
	APPLY_DONE,
	APPLY_PENDING,	   /* done but for steps that wait for carrier: the journal keeps them */
	APPLY_REFUSED,	   /* a guard refused the first change: nothing was changed */
	APPLY_ROLLED_BACK, /* the state is that of before */
	APPLY_BETWEEN,	   /* it could not be undone either: the journal is kept */
};

struct apply_options {
	/* True: stop and undo.  Asked between steps. */
	bool (*stop)(void *ctx);
	/* Told of each step before it is done or undone; may be NULL. */
	void (*progress)(void *ctx, const struct step *s, size_t i, size_t n, bool undo);
	void *ctx;
};

/* @notes gets a sentence for each setting that the driver turned out to lack. */
enum apply_result apply_plan(const struct pfstates *is, const struct plan *p,
			     const struct effector *f, struct journal *j,
			     const struct apply_options *o, struct strv *notes, struct error *e);

/* Undoes what the journal of a run that was killed says was done. */
enum apply_result apply_recover(struct journal *j, const struct effector *f,
				const struct apply_options *o, struct error *e);

#endif
