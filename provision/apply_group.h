/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps of the journal that belong together: written one after the other, and then read back.
 * What came of each is marked in the journal.
 */
#ifndef PROVISION_APPLY_GROUP_H
#define PROVISION_APPLY_GROUP_H

#include "apply_step.h"

#define APPLY_GROUP_MAX 256
/* So many steps are done on one look at who uses their VFs; who comes meanwhile is not seen. */
#define APPLY_GROUP_LOOK 8

struct apply_group {
	size_t first, n; /* entries of the journal */
	size_t all;	 /* that there will be, for who is told of progress */
	bool undo;	 /* from the last to the first, with before for after */
	bool goes_on;	 /* one that fails is no reason to leave the others */
	bool refused;	 /* somebody was seen to use a VF */
	size_t look_at;	 /* the turn that wants another look */
	struct apply_member {
		bool todo;
		unsigned hazards; /* of doing it: STEP_* */
	} of[APPLY_GROUP_MAX];
};

/* How many of the @n steps from @first on are one group, and how many entries from the @first. */
size_t apply_group_of_plan(const struct step *first, size_t n);
size_t apply_group_of_journal(const struct journal *j, size_t first);

/* Does those that are to be done.  The first error, which @e has. */
int apply_group_set(const struct apply *a, struct apply_group *g, struct error *e) MUST_USE;
/* What came of a step, when it is not done here: marked, noted where it is no failure. */
int apply_group_finish(const struct apply *a, const struct apply_group *g, size_t i, int r,
		       struct error *e) MUST_USE;

#endif
