/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan carried out on the running system: one run at a time, under the journal in /run,
 * after what an earlier run left.  Once one of these has begun, SIGINT, SIGTERM and SIGHUP stop
 * a run between two steps and have it undone; they end nothing half way.
 */
#ifndef CMD_CHANGE_RUN_H
#define CMD_CHANGE_RUN_H

#include <sriovctl/apply.h>

/*
 * The journal, when what an earlier run had begun is undone; an exit code.  @await: another run
 * that goes on is waited for, and not a reason to refuse.
 */
int change_run_begin(uint32_t timeout, bool await, struct journal **ret, struct error *e) MUST_USE;

struct change_run {
	uint32_t carrier_wait; /* seconds, where carrier is wanted and there is none */
	uint32_t timeout;      /* seconds for each request to the kernel; 0: as many as usual */
	struct strv *lacks;    /* gets a sentence for each step that the driver has no way to do */
	enum apply_result result;
};

/* A negative errno: nothing of the plan was begun. */
int change_run(const struct pfstates *is, const struct plan *p, struct journal *j,
	       struct change_run *run, struct error *e) MUST_USE;
/* Where nothing is to be done: what still waits of these functions is not wanted any more. */
int change_run_settle(const struct pfstates *is, const struct plan *p, struct journal *j,
		      struct strv *lacks, struct error *e) MUST_USE;
const char *change_run_name(enum apply_result result);
int change_run_exit(enum apply_result result);

/* Only what an earlier run left; @ret_was: what that was.  An exit code. */
int change_run_recover(uint32_t timeout, enum journal_state *ret_was, struct error *e) MUST_USE;

#endif
