/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run does to a host, written down and on disk before it is done, so that a run that
 * was killed at any point can be undone by the next.  One for a host, in a directory that
 * only its owner can write to, held by flock() on a file beside it as long as it is open: two
 * runs do not interleave.  It lies in /run, as the state it speaks of does not outlive a boot
 * either; one of another boot counts as none.
 *
 *   sriovctl-journal 1
 *   boot BOOT_ID
 *   pf INDEX BDF DRIVER|- PERMANENT_MAC|- IDS|- DSN|- SERIAL|-
 *   step N PF VF|- SETTING BEFORE AFTER FLAGS     about to be done
 *   done N | undone N | lacks N | pending N
 *   end                                          an "undone" behind it takes it back
 *
 * FLAGS: k only keeps, c needs carrier, r required; - none.  A last line that is torn does not
 * count.  Any other damage is -EBADMSG with the line.
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

enum journal_mark {
	JOURNAL_BEGUN, /* it may have been done, or not, or in part */
	JOURNAL_DONE,
	JOURNAL_UNDONE,
	JOURNAL_LACKS, /* the driver has no such thing: nothing was done */
	JOURNAL_WAITS, /* for carrier: nothing was done */
};

struct journal_entry {
	struct step step;
	enum journal_mark mark;
};

/*
 * @dir: "/run/sriovctl"; @boot: what /proc/sys/kernel/random/boot_id says.  -EBUSY: another
 * run holds it, its process in @e; -EPERM: somebody else could have written there.
 */
int journal_open(const char *dir, const char *boot, struct journal **ret, struct error *e) MUST_USE;
/*
 * Until no other run holds it, or none did; somebody else may be faster then.  A signal that is
 * held back elsewhere ends the program here.
 */
int journal_await(const char *dir, struct error *e) MUST_USE;
enum journal_state journal_state(const struct journal *j);
void journal_close(struct journal *j);
void journal_close_p(struct journal **j);
#define AUTO_JOURNAL CLEANUP(journal_close_p)

/* Of an earlier run: the functions it was about, in the order that its steps count them. */
int journal_functions(const struct journal *j, struct strv *ret) MUST_USE;
/* -ESTALE: these are not the functions that it was about, whatever their addresses are. */
int journal_compare(const struct journal *j, const struct pfstates *is, struct error *e) MUST_USE;

/*
 * A new run forgets what was left of these functions.  What waits of others is kept in a file
 * beside the journal, and is in it again when it is opened next.
 */
int journal_begin(struct journal *j, const struct pfstates *is, struct error *e) MUST_USE;
/* A step that is about to be done, and what became of it.  Neither is on disk yet. */
int journal_step(struct journal *j, const struct step *s) MUST_USE;
void journal_mark(struct journal *j, size_t i, enum journal_mark mark);
/* All that was said is on disk: to be called before anything is written to the host. */
int journal_sync(struct journal *j, struct error *e) MUST_USE;
/* The run is over: only what waits is kept, and on disk. */
int journal_end(struct journal *j, struct error *e) MUST_USE;

/* Where nothing is to be done: forgets what waits of these functions, and of no others. */
int journal_forget(struct journal *j, const struct pfstates *is, struct error *e) MUST_USE;

size_t journal_length(const struct journal *j);
/* Valid until the next step. */
const struct journal_entry *journal_at(const struct journal *j, size_t i);

#endif
