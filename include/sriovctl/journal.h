/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run does to a host, written down and on disk before it is done, so that a run that
 * was killed at any point can be undone by the next.  One file for a host, held by flock()
 * as long as it is open: two runs do not interleave.  It lies in /run, as the state it
 * speaks of does not outlive a boot either.
 *
 *   sriovctl-journal 1
 *   pf INDEX BDF
 *   step N PF VF|- SETTING BEFORE AFTER FLAGS     about to be done
 *   done N | undone N | lacks N | pending N
 *   end
 *
 * A last line that is torn does not count.  Any other damage is -EBADMSG with the line.
 */
#ifndef SRIOVCTL_JOURNAL_H
#define SRIOVCTL_JOURNAL_H

#include <sriovctl/plan.h>

struct journal;

enum journal_state {
	JOURNAL_NONE,	 /* nothing was left by an earlier run */
	JOURNAL_PENDING, /* a run was finished but for steps that wait for carrier */
	JOURNAL_BROKEN,	 /* a run was killed, or could not undo what it did */
};

/* @dir: "/run/sriovctl".  -EBUSY: another run holds it, its process in @e. */
int journal_open(const char *dir, struct journal **ret, struct error *e) MUST_USE;
enum journal_state journal_state(const struct journal *j);
void journal_close(struct journal *j);
void journal_close_p(struct journal **j);
#define AUTO_JOURNAL CLEANUP(journal_close_p)

#endif
