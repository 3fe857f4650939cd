/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What provision and deprovision share: from a wish to the host as wished, or as it was.
 * Looks, plans, shows the plan, and carries it out under a lock and a journal.
 */
#ifndef CMD_CHANGE_H
#define CMD_CHANGE_H

#include <sriovctl/base.h>

struct error;
struct host;
struct keep;
struct pfstates;
struct strv;

struct change_options {
	const char *output;
	bool dry_run, recreate, allow_disruption;
	uint32_t carrier_wait; /* seconds to wait for carrier where a setting needs it */
	uint32_t timeout;      /* seconds for each request to the kernel; 0: as many as usual */
	bool await_others;     /* another run is waited for, and not a reason to refuse */
	/*
	 * Not NULL: that settings wait for carrier is told here and is no failure, as somebody
	 * else waits for it.
	 */
	bool *ret_pending;
};

/* Who makes a wish of the state that is. */
struct change_wish {
	/* The functions that it is about. */
	int (*match)(void *ctx, const struct host *h, struct strv *ret_functions, struct error *e);
	/* Before anything is written: an exit code, EXIT_READY to go on; NULL: nothing is asked. */
	int (*preflight)(void *ctx, const struct host *h, const struct pfstates *is,
			 struct strv *ret_notes, struct error *e);
	int (*want)(void *ctx, const struct host *h, const struct pfstates *is,
		    struct pfstates *ret, struct strv *ret_notes, struct error *e);
	void *ctx;
	/* Files that are changed once the host is as wished; NULL: none. */
	struct keep *keep;
};

/* Of what was asked for, or looked at, before anything was changed. */
int change_exit_of(int r);

/* The exit code; what went wrong is in @e. */
int change_host(const struct change_wish *w, const struct change_options *o, struct error *e);

/*
 * What fails before there is anything to look for, @e: to programs it is told in the same form
 * as all else.  @code.
 */
int change_fail(const struct change_options *o, int code, struct error *e);

/* Only what an earlier run left behind. */
int change_recover(const struct change_options *o, struct error *e);

#endif
