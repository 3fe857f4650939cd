/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What leads from the state that is to the state that is wanted: steps, each with the value
 * before and after.  Pure: nothing is read or changed.  A state that is as wanted gives an
 * empty plan, and so does one that a plan was carried out on.
 *
 * Undoing any first part of a plan is carrying out its steps backwards with before for after.
 * A value that a later step destroys has a step of its own ahead of it that only keeps it
 * (@keep): to do it changes nothing, to undo it writes the value.  What is set of a VF that
 * the plan itself makes has no @before: it goes with the VF.
 *
 * In this order, and so backwards in the other: PF up; drivers off; autoprobe off; eswitch and
 * number of VFs; MTU of the PF; what the PF sets of its VFs; interrupts of unbound VFs;
 * overrides; autoprobe as it was; drivers; channels and MTU of VFs.  plan.c says why.  Each
 * setting is one run of steps, of all VFs that it is changed of.
 */
#ifndef SRIOVCTL_PLAN_H
#define SRIOVCTL_PLAN_H

#include <sriovctl/pfstate.h>

#define PLAN_OF_PF UINT32_MAX /* instead of a VF's index */

struct step {
	uint32_t pf; /* index into the states that the plan was made from */
	uint32_t vf; /* or PLAN_OF_PF */
	enum setting what;
	struct setting_value before, after;
	bool keep;
	bool needs_carrier; /* pending where there is none */
	bool required;	    /* that the driver lacks it is a failure */
};

enum plan_refusal_kind {
	PLAN_IN_USE,	 /* somebody uses a VF that would be taken away */
	PLAN_RECREATE,	 /* VFs there would be destroyed: --recreate */
	PLAN_DISRUPTION, /* the PF carries what must not be interrupted: --allow-disruption */
	PLAN_UNKNOWN,	 /* what is to be changed cannot be read */
	PLAN_IMPOSSIBLE, /* more VFs than can be, a value that this driver cannot have */
};

struct plan_refusal {
	enum plan_refusal_kind kind;
	char *text;
};

struct plan {
	struct step *steps;
	size_t n;
	struct plan_refusal *refusals; /* any: must not be carried out */
	size_t n_refusals;
	struct strv notes; /* what is lost, interrupted, or not to be had on this driver */
};

struct plan_options {
	bool recreate, allow_disruption;
};

/* @want has the functions of @is, in the same order.  0 or -ENOMEM. */
int plan_build(const struct pfstates *is, const struct pfstates *want, const struct plan_options *o,
	       struct plan *ret, struct error *e) MUST_USE;
void plan_done(struct plan *p);
#define AUTO_PLAN CLEANUP(plan_done)

/* "set VF 3 of 0000:3b:00.0: vlan 100 (was none)". */
void plan_describe(const struct pfstates *is, const struct step *s, struct buf *ret);
/* The same of all VFs from the step's to @last, of which each has such a step. */
void plan_describe_vfs(const struct pfstates *is, const struct step *s, uint32_t last,
		       struct buf *ret);
/*
 * Do they belong together, the same setting of two VFs of one PF?  In a plan these follow each
 * other by index: none depends on what becomes of another, and one look tells of all of them.
 */
bool plan_goes_with(const struct step *s, const struct step *next);
/* It writes a value that is there already, unless a step before it has changed that. */
bool plan_holds(const struct step *s);

#endif
