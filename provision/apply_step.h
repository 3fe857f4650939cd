/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What doing and undoing have in common: a value is waited for until it reads back. */
#ifndef PROVISION_APPLY_STEP_H
#define PROVISION_APPLY_STEP_H

#include <sriovctl/apply.h>

struct apply {
	const struct pfstates *is;
	const struct effector *f;
	struct journal *j;
	const struct apply_options *o;
	struct error *e;
};

/* What it is now, as soon as it can be read. */
int apply_step_read(const struct apply *a, const struct step *s, struct setting_value *ret,
		    struct error *e) MUST_USE;
/* Waits until it reads so.  -ETIMEDOUT: it reads otherwise. */
int apply_step_settle(const struct apply *a, const struct step *s, const struct setting_value *v,
		      struct error *e) MUST_USE;
/* Why a step failed, ahead of what the effector said. */
int apply_step_say(const struct apply *a, const struct step *s, const struct setting_value *v,
		   int r, struct error *e);
/* Has somebody told us to stop? */
bool apply_step_stops(const struct apply *a);
/* Is there any now?  It is not waited for. */
bool apply_step_carrier(const struct apply *a, const struct step *s);
void apply_step_progress(const struct apply *a, const struct step *s, size_t i, size_t n,
			 bool undo);
int apply_step_note(const struct apply *a, const struct step *s, const char *what,
		    struct error *e) MUST_USE;

/* apply_forget.c: notes what an earlier run left waiting, and this one neither does nor keeps. */
int apply_forget(const struct apply *a, const struct plan *p) MUST_USE;

/* apply_undo.c: all that the journal says was begun, backwards; @r: why, for @a->e. */
enum apply_result apply_undo(const struct apply *a, int r);

#endif
