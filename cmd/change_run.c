/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "change_run.h"

#include "command.h"
#include "complain.h"
#include "plan_print.h"

#include <sriovctl/buf.h>
#include <sriovctl/effector_live.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define RUN_DIR "/run/sriovctl"

/* From here on a signal is a reason to stop and to undo, and ends nothing half way. */
static void hold_signals(void)
{
	sigset_t signals;

	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &signals, NULL);
}

static bool is_told_to_stop(void *ctx)
{
	sigset_t pending;

	(void)ctx;
	return sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
		sigismember(&pending, SIGHUP));
}

static void tell_progress(void *ctx, const struct step *s, size_t i, size_t n, bool undo)
{
	const struct pfstates *is = ctx;

	if (isatty(STDERR_FILENO))
		plan_print_progress(is, s, i, n, undo, stderr);
}

static struct apply_options apply_options_of(const struct pfstates *is, struct strv *lacks)
{
	return (struct apply_options){
		.stop = is_told_to_stop,
		.progress = tell_progress,
		.ctx = (void *)(uintptr_t)is,
		.notes = lacks,
	};
}

static const struct {
	const char *name;
	int code;
} results[] = {
	[APPLY_DONE] = { .name = "done", .code = EXIT_READY },
	[APPLY_PENDING] = { .name = "pending", .code = EXIT_NOT_READY },
	[APPLY_REFUSED] = { .name = "refused", .code = EXIT_REFUSED },
	[APPLY_FAILED] = { .name = "failed", .code = EXIT_NOT_READY },
	[APPLY_ROLLED_BACK] = { .name = "rolled-back", .code = EXIT_NOT_READY },
	[APPLY_BETWEEN] = { .name = "between", .code = EXIT_BETWEEN },
};

const char *change_run_name(enum apply_result result)
{
	return results[result].name;
}

int change_run_exit(enum apply_result result)
{
	return results[result].code;
}

/* How often in a row what waits may be refused, though there is carrier. */
#define REFUSED_MAX 3

/* What is pending is tried again while there is time. */
static enum apply_result await_carrier(const struct pfstates *is, const struct effector *f,
				       struct journal *j, const struct apply_options *o,
				       uint32_t seconds, struct error *e)
{
	enum apply_result result = APPLY_PENDING;
	unsigned refused = 0;

	while (result == APPLY_PENDING && seconds-- > 0 && !o->stop(o->ctx)) {
		(void)sleep(1);
		result = apply_recover(is, f, j, o, e);
		refused = e->code == -ENOLINK || e->code == -EAGAIN ? 0 : refused + 1;
		if (result == APPLY_PENDING && refused == REFUSED_MAX)
			return apply_give_up(is, f, j, o, e);
	}
	return result;
}

static void end_progress(void)
{
	if (isatty(STDERR_FILENO))
		(void)fputc('\n', stderr);
}

int change_run(const struct pfstates *is, const struct plan *p, struct journal *j,
	       struct change_run *run, struct error *e)
{
	AUTO_EFFECTOR_LIVE struct effector_live *live = NULL;
	const struct apply_options options = apply_options_of(is, run->lacks);
	int r = effector_live_open(is, RUN_DIR, run->timeout, &live, e);

	if (r < 0)
		return r;
	run->result = apply_plan(is, p, effector_live_get(live), j, &options, e);
	if (run->result == APPLY_PENDING)
		run->result = await_carrier(is, effector_live_get(live), j, &options,
					    run->carrier_wait, e);
	end_progress();
	return 0;
}

/* The plan has no step that an effector would be asked for. */
int change_run_settle(const struct pfstates *is, const struct plan *p, struct journal *j,
		      struct strv *lacks, struct error *e)
{
	const struct apply_options options = apply_options_of(is, lacks);

	return results[apply_plan(is, p, NULL, j, &options, e)].code;
}

/* The functions that a journal names, as they are now. */
static int look(const struct journal *j, struct pfstates *ret, struct error *e)
{
	AUTO_HOST struct host *h = NULL;
	AUTO_STRV struct strv functions = { 0 };
	int r = journal_functions(j, &functions);

	if (r < 0)
		return error_nomem(e);
	r = host_open("/", &h, e);
	return r < 0 ? r : pfstates_read(h, &functions, ret, e);
}

/* As long as it could not even be begun, the host is where the earlier run has left it. */
static int recover(struct journal *j, uint32_t timeout, struct error *e)
{
	AUTO_EFFECTOR_LIVE struct effector_live *live = NULL;
	AUTO_STRV struct strv lacks = { 0 };
	AUTO_PFSTATES struct pfstates is = { 0 };
	struct apply_options options;
	enum apply_result result;
	int r = look(j, &is, e);

	if (r == -ENODEV)
		r = error_prefix(e, r,
				 "the journal of an earlier run in " RUN_DIR " is about a function "
				 "that is gone; remove it if it is gone for good");
	if (r == 0)
		r = effector_live_open(&is, RUN_DIR, timeout, &live, e);
	if (r < 0)
		return journal_state(j) == JOURNAL_BROKEN ? EXIT_BETWEEN : EXIT_NOT_READY;
	options = apply_options_of(&is, &lacks);
	result = apply_recover(&is, effector_live_get(live), j, &options, e);
	end_progress();
	/* Undone is what recovering a run that was killed is about. */
	if (result == APPLY_ROLLED_BACK || result == APPLY_DONE) {
		*e = (struct error){ 0 };
		return EXIT_READY;
	}
	if (result == APPLY_BETWEEN) {
		const struct error why = *e;

		(void)error_set(e, why.code,
				"%s; \"sriovctl provision --recover\" goes on when the cause is "
				"gone; whoever wants the VFs as they are now removes " RUN_DIR
				"/journal",
				why.text);
	}
	return results[result].code;
}

static int open_journal(bool await, struct journal **ret, struct error *e)
{
	AUTO_HOST struct host *h = NULL;
	AUTO_BUF struct buf boot = { 0 };
	int r;

	if (geteuid() != 0) {
		(void)error_set(e, -EPERM, "only root can change VFs; --dry-run needs no root");
		return EXIT_REFUSED;
	}
	r = host_open("/", &h, e);
	if (r == 0)
		r = host_attr(h, &boot, e, "/proc/sys/kernel/random/boot_id");
	if (r == 0)
		r = journal_open(RUN_DIR, buf_text(&boot), ret, e);
	while (await && r == -EBUSY) {
		r = journal_await(RUN_DIR, e);
		if (r == 0)
			r = journal_open(RUN_DIR, buf_text(&boot), ret, e);
	}
	/* A journal that cannot be understood is of a run that came to no end. */
	return r == 0	       ? EXIT_READY
	       : r == -EBUSY   ? EXIT_REFUSED
	       : r == -EBADMSG ? EXIT_BETWEEN
			       : EXIT_NOT_READY;
}

/* An earlier run's rest is dealt with first, or two would explain the state. */
int change_run_begin(uint32_t timeout, bool await, struct journal **ret, struct error *e)
{
	int code;

	hold_signals();
	code = open_journal(await, ret, e);
	if (code != EXIT_READY || journal_state(*ret) != JOURNAL_BROKEN)
		return code;
	complain("an earlier run came to no end: what it had begun is undone first");
	return recover(*ret, timeout, e);
}

int change_run_recover(uint32_t timeout, enum journal_state *ret_was, struct error *e)
{
	AUTO_JOURNAL struct journal *j = NULL;
	int code;

	hold_signals();
	code = open_journal(false, &j, e);
	if (code != EXIT_READY)
		return code;
	*ret_was = journal_state(j);
	return *ret_was == JOURNAL_NONE ? code : recover(j, timeout, e);
}
