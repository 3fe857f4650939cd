/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "change.h"

#include "command.h"
#include "complain.h"
#include "plan_print.h"

#include <sriovctl/buf.h>
#include <sriovctl/capacity.h>
#include <sriovctl/effector_live.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pf.h>
#include <sriovctl/step.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RUN_DIR "/run/sriovctl"

/* What was looked at, what is wanted, and what leads there. */
struct draft {
	struct host *host;
	struct strv functions, notes, capacity, preflight;
	struct pfstates is, want;
	struct plan plan;
};

struct outcome {
	bool has_plan;
	const char *result; /* one word */
	struct strv lacks;
};

static void draft_done(struct draft *d)
{
	plan_done(&d->plan);
	pfstates_done(&d->want);
	pfstates_done(&d->is);
	strv_done(&d->notes);
	strv_done(&d->capacity);
	strv_done(&d->preflight);
	strv_done(&d->functions);
	host_close(d->host);
	*d = (struct draft){ 0 };
}
#define AUTO_DRAFT CLEANUP(draft_done)

static int exit_of(int r)
{
	return r == -EINVAL ? EXIT_USAGE : r == -ENOMEM ? EXIT_NOT_READY : EXIT_UNKNOWN;
}

static int say_room(const struct capacity *c, const char *function, struct strv *notes)
{
	AUTO_BUF struct buf line = { 0 };

	buf_printf(&line, "%s: ", function);
	if (c->at_least == c->at_most)
		buf_printf(&line, "%" PRIu32 " VFs at most, by %s", c->at_most,
			   capacity_limit_name(c->bounded_by));
	else if (c->at_most == CAPACITY_ANY)
		buf_printf(&line, "%" PRIu32 " VFs at least; how many more is not known: %s",
			   c->at_least, capacity_limit_name(c->unsure));
	else
		buf_printf(&line, "%" PRIu32 " to %" PRIu32 " VFs at most, by %s", c->at_least,
			   c->at_most, capacity_limit_name(c->bounded_by));
	return buf_error(&line) < 0 ? -ENOMEM : strv_add(notes, buf_text(&line));
}

/* As pf.vf_count says it, of those that are PCI functions. */
static int look_for_room(struct draft *d, struct error *e)
{
	const struct pfs *pfs = NULL;
	int r = pfs_get(d->host, &pfs, e);

	for (size_t i = 0; r == 0 && i < d->functions.n; i++) {
		const struct pf *pf = pfs_find(pfs, d->functions.items[i]);
		AUTO_CAPACITY struct capacity c = { 0 };

		if (!pf)
			continue;
		r = capacity_read(d->host, pf, 0, 0, &c, e);
		if (r == 0)
			r = say_room(&c, d->functions.items[i], &d->capacity);
	}
	/* A host without PCI has other functions. */
	return r == -ENOMEM ? error_nomem(e) : 0;
}

/* EXIT_READY, and the plan from the state as it is now. */
static int make_draft(const struct change_wish *w, const struct change_options *o,
		      struct draft *ret, struct error *e)
{
	const struct plan_options options = { .recreate = o->recreate,
					      .allow_disruption = o->allow_disruption };
	int r = host_open("/", &ret->host, e);

	if (r == 0)
		r = w->match(w->ctx, ret->host, &ret->functions, e);
	if (r == 0)
		r = pfstates_read(ret->host, &ret->functions, &ret->is, e);
	if (r == 0)
		r = w->want(w->ctx, ret->host, &ret->is, &ret->want, &ret->notes, e);
	if (r == 0)
		r = plan_build(&ret->is, &ret->want, &options, &ret->plan, e);
	if (r == 0)
		r = look_for_room(ret, e);
	return r < 0 ? exit_of(r) : EXIT_READY;
}

/* More than one kind: what cannot be comes before what may not be. */
static int refuse(const struct plan *p, struct error *e)
{
	const struct plan_refusal *first = NULL;

	for (size_t i = 0; i < p->n_refusals; i++)
		if (!first || p->refusals[i].kind == PLAN_IMPOSSIBLE)
			first = &p->refusals[i];
	if (!first)
		return EXIT_READY;
	(void)error_set(e, -EPERM, "nothing was changed: %s", first->text);
	return first->kind == PLAN_IMPOSSIBLE ? EXIT_NOT_READY : EXIT_REFUSED;
}

static struct plan_page page_of(const struct draft *d, const struct outcome *o)
{
	return (struct plan_page){
		.is = &d->is,
		.plan = &d->plan,
		.notes = &d->notes,
		.capacity = &d->capacity,
		.preflight = &d->preflight,
		.lacks = o ? &o->lacks : NULL,
	};
}

static int print_plan(const struct draft *d, struct error *e)
{
	const struct plan_page page = page_of(d, NULL);

	return plan_print_text(&page, stdout, e);
}

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
	[APPLY_DONE] = { "done", EXIT_READY },
	[APPLY_PENDING] = { "pending", EXIT_NOT_READY },
	[APPLY_REFUSED] = { "refused", EXIT_REFUSED },
	[APPLY_ROLLED_BACK] = { "rolled-back", EXIT_NOT_READY },
	[APPLY_BETWEEN] = { "between", EXIT_BETWEEN },
};

/* What is pending is tried again while there is time. */
static enum apply_result await_carrier(const struct pfstates *is, const struct effector *f,
				       struct journal *j, const struct apply_options *o,
				       uint32_t seconds, struct error *e)
{
	enum apply_result result = APPLY_PENDING;

	while (result == APPLY_PENDING && seconds-- > 0 && !o->stop(o->ctx)) {
		(void)sleep(1);
		result = apply_recover(is, f, j, o, e);
	}
	return result;
}

/* The functions that a journal names, as they are now. */
static int recover(struct journal *j, struct error *e)
{
	AUTO_EFFECTOR_LIVE struct effector_live *live = NULL;
	AUTO_HOST struct host *h = NULL;
	AUTO_STRV struct strv functions = { 0 }, lacks = { 0 };
	AUTO_PFSTATES struct pfstates is = { 0 };
	struct apply_options options;
	enum apply_result result;
	int r = journal_functions(j, &functions);

	if (r == 0)
		r = host_open("/", &h, e);
	if (r == 0)
		r = pfstates_read(h, &functions, &is, e);
	if (r == 0)
		r = effector_live_open(&is, &live, e);
	if (r < 0)
		return exit_of(r);
	options = apply_options_of(&is, &lacks);
	result = apply_recover(&is, effector_live_get(live), j, &options, e);
	/* Undone is what recovering a run that was killed is about. */
	if (result == APPLY_ROLLED_BACK)
		*e = (struct error){ 0 };
	return result == APPLY_ROLLED_BACK ? EXIT_READY : results[result].code;
}

static int open_journal(struct journal **ret, struct error *e)
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
	return r == 0 ? EXIT_READY : r == -EBUSY ? EXIT_REFUSED : EXIT_NOT_READY;
}

int change_recover(struct error *e)
{
	AUTO_JOURNAL struct journal *j = NULL;
	bool waited;
	int code;

	hold_signals();
	code = open_journal(&j, e);
	if (code != EXIT_READY)
		return code;
	if (journal_state(j) == JOURNAL_NONE) {
		(void)puts("Nothing was left by an earlier run.");
		return EXIT_READY;
	}
	waited = journal_state(j) == JOURNAL_PENDING;
	code = recover(j, e);
	if (code == EXIT_READY)
		(void)puts(waited ? "What waited for carrier is set."
				  : "What an earlier run had begun is undone.");
	return code;
}

/* An earlier run's rest is dealt with first, or two would explain the state. */
static int begin(struct journal **ret, struct error *e)
{
	int code = open_journal(ret, e);

	if (code != EXIT_READY || journal_state(*ret) != JOURNAL_BROKEN)
		return code;
	complain("an earlier run came to no end: what it had begun is undone first");
	return recover(*ret, e);
}

/* Was it left out, as the driver has no such thing?  The sentence begins with the step. */
static bool is_left_out(const struct draft *d, const struct step *s, const struct strv *lacks)
{
	AUTO_BUF struct buf text = { 0 };

	if (s->keep)
		return true;
	step_print(&d->is.items[s->pf], s, &s->after, &text);
	buf_puts(&text, ": ");
	for (size_t i = 0; buf_error(&text) == 0 && i < lacks->n; i++)
		if (parse_has_prefix(lacks->items[i], buf_text(&text)))
			return true;
	return false;
}

/* Is the state as wanted, when it is looked at anew?  What cannot be read now is not. */
static int verify(const struct change_wish *w, const struct change_options *o,
		  const struct strv *lacks, struct error *e)
{
	AUTO_DRAFT struct draft d = { 0 };
	AUTO_BUF struct buf first = { 0 };
	int code = make_draft(w, o, &d, e);
	size_t i = 0;

	if (code != EXIT_READY)
		return code;
	while (i < d.plan.n && is_left_out(&d, &d.plan.steps[i], lacks))
		i++;
	if (i < d.plan.n)
		plan_describe(&d.is, &d.plan.steps[i], &first);
	else if (d.plan.n_refusals > 0)
		buf_puts(&first, d.plan.refusals[0].text);
	else
		return EXIT_READY;
	(void)error_set(e, -EIO, "all was set and read back, and yet it is not so now: %s",
			buf_text(&first));
	return EXIT_NOT_READY;
}

/* Carries the plan out; what came of it, for @page. */
static int carry_out(const struct change_wish *w, const struct change_options *o, struct draft *d,
		     struct journal *j, struct outcome *ret, struct error *e)
{
	AUTO_EFFECTOR_LIVE struct effector_live *live = NULL;
	const struct apply_options options = apply_options_of(&d->is, &ret->lacks);
	enum apply_result result;
	int code;

	if (effector_live_open(&d->is, &live, e) < 0)
		return EXIT_NOT_READY;
	result = apply_plan(&d->is, &d->plan, effector_live_get(live), j, &options, e);
	if (result == APPLY_PENDING)
		result = await_carrier(&d->is, effector_live_get(live), j, &options,
				       o->carrier_wait, e);
	if (isatty(STDERR_FILENO))
		(void)fputc('\n', stderr);
	ret->result = results[result].name;
	if (result != APPLY_DONE)
		return results[result].code;
	*e = (struct error){ 0 };
	code = verify(w, o, &ret->lacks, e);
	if (code != EXIT_READY)
		ret->result = "not-as-wanted";
	return code;
}

/* All but the printing at the end. */
static int change(const struct change_wish *w, const struct change_options *o, struct draft *d,
		  struct outcome *ret, struct error *e)
{
	AUTO_JOURNAL struct journal *j = NULL;
	int code = EXIT_READY;

	if (!o->dry_run) {
		hold_signals();
		code = begin(&j, e);
	}
	if (code == EXIT_READY)
		code = make_draft(w, o, d, e);
	if (code != EXIT_READY)
		return code;
	ret->has_plan = true;
	code = refuse(&d->plan, e);
	if (code == EXIT_READY && d->plan.n > 0 && w->preflight)
		code = w->preflight(w->ctx, d->host, &d->preflight, e);
	ret->result = code != EXIT_READY ? "refused" : d->plan.n == 0 ? "nothing-to-do" : "planned";
	if (strcmp(o->output, "text") == 0 && print_plan(d, e) < 0)
		return EXIT_NOT_READY;
	if (code != EXIT_READY || o->dry_run || d->plan.n == 0)
		return code;
	return carry_out(w, o, d, j, ret, e);
}

static int print_end(const struct change_options *o, const struct draft *d,
		     const struct outcome *out, struct error *e)
{
	const struct plan_page page = page_of(d, out);

	if (strcmp(o->output, "text") != 0)
		return plan_print_json(&page, out->result, e->text, stdout, e);
	for (size_t i = 0; i < out->lacks.n; i++)
		(void)printf("note  %s\n", out->lacks.items[i]);
	if (strcmp(out->result, "done") == 0)
		(void)printf("Done: %zu steps.\n", d->plan.n);
	return 0;
}

int change_host(const struct change_wish *w, const struct change_options *o, struct error *e)
{
	AUTO_DRAFT struct draft d = { 0 };
	struct outcome out = { 0 };
	int code = change(w, o, &d, &out, e);

	if (out.has_plan && print_end(o, &d, &out, e) < 0)
		code = EXIT_NOT_READY;
	strv_done(&out.lacks);
	return code;
}
