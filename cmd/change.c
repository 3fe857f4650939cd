/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "change.h"

#include "change_run.h"
#include "command.h"
#include "complain.h"
#include "keep.h"
#include "plan_print.h"

#include <sriovctl/buf.h>
#include <sriovctl/capacity.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pf.h>
#include <sriovctl/step.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What was looked at, what is wanted, and what leads there. */
struct draft {
	struct host *host;
	struct strv functions, notes, capacity, preflight;
	struct pfstates is, want;
	struct plan plan;
};

struct outcome {
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

int change_exit_of(int r)
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
	int r = pfs_get(d->host, &pfs, NULL);

	for (size_t i = 0; r == 0 && i < d->functions.n; i++) {
		const struct pf *pf = pfs_find(pfs, d->functions.items[i]);
		AUTO_CAPACITY struct capacity c = { 0 };

		if (!pf)
			continue;
		r = capacity_read(d->host, pf, 0, 0, &c, NULL);
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
	return r < 0 ? change_exit_of(r) : EXIT_READY;
}

/* The word for what ended before there was a plan. */
static const char *result_of(int code)
{
	return code == EXIT_REFUSED ? "refused" : code == EXIT_BETWEEN ? "between" : "failed";
}

static int exit_of_refusal(enum plan_refusal_kind k)
{
	return k == PLAN_IMPOSSIBLE ? EXIT_NOT_READY
	       : k == PLAN_UNKNOWN  ? EXIT_UNKNOWN
				    : EXIT_REFUSED;
}

/* Of several kinds: what cannot be comes before what is not known, and what may not be. */
static int refuse(const struct plan *p, struct error *e)
{
	const struct plan_refusal *first = p->n_refusals > 0 ? &p->refusals[0] : NULL;

	for (size_t i = 1; i < p->n_refusals; i++)
		if (exit_of_refusal(p->refusals[i].kind) < exit_of_refusal(first->kind))
			first = &p->refusals[i];
	if (!first)
		return EXIT_READY;
	(void)error_set(e, -EPERM, "nothing was changed: %s", first->text);
	return exit_of_refusal(first->kind);
}

static struct plan_page page_of(const struct change_wish *w, const struct draft *d,
				const struct strv *lacks)
{
	return (struct plan_page){
		.files = w && w->keep ? keep_files(w->keep) : NULL,
		.is = &d->is,
		.plan = &d->plan,
		.notes = &d->notes,
		.capacity = &d->capacity,
		.preflight = &d->preflight,
		.lacks = lacks,
	};
}

static bool is_text(const struct change_options *o)
{
	return strcmp(o->output, "text") == 0;
}

/* A step that was left out, and said to be. */
static bool is_left_out(const struct pfstates *is, const struct step *s, const struct strv *lacks)
{
	AUTO_BUF struct buf text = { 0 };

	step_print(&is->items[s->pf], s, &s->after, &text);
	buf_puts(&text, ": ");
	for (size_t i = 0; i < lacks->n; i++)
		if (parse_has_prefix(lacks->items[i], buf_text(&text)))
			return true;
	return false;
}

/* Is the state as wanted, when it is looked at anew? */
static int verify(const struct change_wish *w, const struct change_options *o,
		  const struct strv *lacks, struct error *e)
{
	AUTO_DRAFT struct draft d = { 0 };
	int code = make_draft(w, o, &d, e);

	/* As where somebody else took one of its addresses meanwhile: it is too late to refuse. */
	if (code != EXIT_READY) {
		(void)error_prefix(e, e->code, "all was set and read back, and yet");
		return EXIT_NOT_READY;
	}
	for (size_t i = 0; code == EXIT_READY && i < d.plan.n; i++) {
		const struct step *s = &d.plan.steps[i];
		AUTO_BUF struct buf text = { 0 };

		if (s->keep || is_left_out(&d.is, s, lacks))
			continue;
		plan_describe(&d.is, s, &text);
		(void)error_set(e, -EIO, "all was set and read back, and yet it is not so now: %s",
				buf_text(&text));
		code = EXIT_NOT_READY;
	}
	if (code == EXIT_READY && d.plan.n_refusals > 0) {
		(void)error_set(e, -EIO, "all was set and read back, and yet: %s",
				d.plan.refusals[0].text);
		code = EXIT_NOT_READY;
	}
	return code;
}

/* What is to be done where it did not come to its end. */
static void say_how_to_go_on(enum apply_result result, struct error *e)
{
	const struct error why = *e;

	if (result == APPLY_ROLLED_BACK)
		(void)error_set(e, why.code, "%s; what was done is undone", why.text);
	if (result == APPLY_PENDING)
		(void)error_set(
			e, why.code,
			"%s; what waits for it is kept: \"sriovctl provision --recover\" sets "
			"it when there is carrier",
			why.text);
	if (result == APPLY_BETWEEN)
		(void)error_set(
			e, why.code,
			"%s; the journal is kept: \"sriovctl provision --recover\" undoes what "
			"is left",
			why.text);
}

/* Carries the plan out; what came of it, for @page. */
static int carry_out(const struct change_wish *w, const struct change_options *o, struct draft *d,
		     struct journal *j, struct outcome *ret, struct error *e)
{
	struct change_run run = { .carrier_wait = o->carrier_wait,
				  .timeout = o->timeout,
				  .lacks = &ret->lacks };
	int code = change_run(&d->is, &d->plan, j, &run, e);

	if (code < 0) {
		ret->result = code == -EINPROGRESS ? "refused" : "failed";
		return code == -EINPROGRESS ? EXIT_REFUSED : EXIT_NOT_READY;
	}
	ret->result = change_run_name(run.result);
	if (run.result != APPLY_DONE) {
		say_how_to_go_on(run.result, e);
		return change_run_exit(run.result);
	}
	*e = (struct error){ 0 };
	code = verify(w, o, &ret->lacks, e);
	if (code != EXIT_READY)
		ret->result = "not-as-wanted";
	return code;
}

/* Which of them there are, where that is more than the one that the error says. */
static void complain_of(const struct plan *p, struct error *e)
{
	if (p->n_refusals < 2)
		return;
	for (size_t i = 0; i < p->n_refusals; i++)
		complain("%s", p->refusals[i].text);
	(void)error_set(e, e->code, "nothing was changed");
}

static int show_plan(const struct change_wish *w, const struct change_options *o,
		     const struct draft *d, struct error *e)
{
	const struct plan_page page = page_of(w, d, NULL);
	int r = 0;

	if (!is_text(o))
		return 0;
	r = plan_print_text(&page, stdout, e);
	if (r == 0)
		complain_of(&d->plan, e);
	return r;
}

static bool has_files(const struct change_wish *w)
{
	return w->keep && keep_files(w->keep)->n > 0;
}

/* All but the printing at the end. */
static int change(const struct change_wish *w, const struct change_options *o, struct draft *d,
		  struct outcome *ret, struct error *e)
{
	AUTO_JOURNAL struct journal *j = NULL;
	int code = EXIT_READY;

	if (!o->dry_run)
		code = change_run_begin(o->timeout, o->await_others, &j, e);
	if (code == EXIT_READY)
		code = make_draft(w, o, d, e);
	ret->result = result_of(code);
	if (code != EXIT_READY)
		return code;
	code = refuse(&d->plan, e);
	if (code == EXIT_READY && d->plan.n > 0 && w->preflight)
		code = w->preflight(w->ctx, d->host, &d->is, &d->preflight, e);
	ret->result = code == EXIT_USAGE || code == EXIT_UNKNOWN ? "failed"
		      : code != EXIT_READY			 ? "refused"
		      : d->plan.n == 0 && !has_files(w)		 ? "nothing-to-do"
								 : "planned";
	if (show_plan(w, o, d, e) < 0)
		return EXIT_NOT_READY;
	if (code != EXIT_READY || o->dry_run)
		return code;
	if (d->plan.n == 0)
		return change_run_settle(&d->is, &d->plan, j, &ret->lacks, e);
	return carry_out(w, o, d, j, ret, e);
}

static int print_end(const struct change_wish *w, const struct change_options *o,
		     const struct draft *d, const struct outcome *out, struct error *e)
{
	const struct plan_page page = page_of(w, d, &out->lacks);
	size_t n;

	if (!is_text(o))
		return plan_print_json(&page, out->result, e->text, stdout, e);
	plan_print_sentences(&out->lacks, "note  ", stdout);
	n = plan_print_count(&d->plan) + (page.files ? page.files->n : 0);
	if (strcmp(out->result, "done") == 0)
		(void)printf("Done: %zu step%s.\n", n, n == 1 ? "" : "s");
	return fflush(stdout) == 0 ? 0
				   : error_set(e, -errno, "standard output: %s", strerror(errno));
}

/* The files come last: what could not be had is not kept for later boots either. */
static int finish(const struct change_wish *w, const struct change_options *o, int code,
		  struct outcome *out, struct error *e)
{
	bool is_pending = strcmp(out->result, change_run_name(APPLY_PENDING)) == 0;
	struct error own = { 0 };

	if (is_pending && o->ret_pending) {
		*o->ret_pending = true;
		*e = (struct error){ 0 };
		code = EXIT_READY;
	}
	if ((code != EXIT_READY && !is_pending) || o->dry_run || !w->keep)
		return code;
	if (keep_finish(w->keep, &out->lacks, &own) < 0) {
		(void)error_set(e, own.code, "the VFs are as wished, and yet: %s", own.text);
		out->result = "failed";
		return EXIT_NOT_READY;
	}
	if (has_files(w) && code == EXIT_READY)
		out->result = change_run_name(APPLY_DONE);
	return code;
}

int change_host(const struct change_wish *w, const struct change_options *o, struct error *e)
{
	AUTO_DRAFT struct draft d = { 0 };
	struct outcome out = { 0 };
	int code = change(w, o, &d, &out, e);

	code = finish(w, o, code, &out, e);
	/* For a person what was asked for wrongly has no answer, as of all commands. */
	if ((code != EXIT_USAGE || !is_text(o)) && print_end(w, o, &d, &out, e) < 0)
		code = EXIT_NOT_READY;
	strv_done(&out.lacks);
	return code;
}

int change_fail(const struct change_options *o, int code, struct error *e)
{
	static const struct draft nothing;
	const struct outcome out = { .result = result_of(code) };

	if (is_text(o))
		return code;
	return print_end(NULL, o, &nothing, &out, e) < 0 ? EXIT_NOT_READY : code;
}

int change_recover(const struct change_options *o, struct error *e)
{
	static const char *const said[] = {
		[JOURNAL_NONE] = "Nothing was left by an earlier run.",
		[JOURNAL_PENDING] = "What waited for carrier is set.",
		[JOURNAL_BROKEN] = "What an earlier run had begun is undone.",
	};
	static const char *const results[] = {
		[JOURNAL_NONE] = "nothing-to-do",
		[JOURNAL_PENDING] = "done",
		[JOURNAL_BROKEN] = "rolled-back",
	};
	static const struct draft nothing;
	enum journal_state was = JOURNAL_NONE;
	int code = change_run_recover(o->timeout, &was, e);
	const struct outcome out = { .result =
					     code == EXIT_READY ? results[was] : result_of(code) };

	if (is_text(o) && code == EXIT_READY) {
		(void)puts(said[was]);
		return code;
	}
	return print_end(NULL, o, &nothing, &out, e) < 0 ? EXIT_NOT_READY : code;
}
