/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_args.h"

#include "command.h"
#include "kernel_args_print.h"
#include "spec_ask.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/report.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is wanted, by whom, and what leads there. */
struct draft {
	int lock; /* of the files; -1: they are only looked at */
	struct host *host;
	struct kargs words;
	struct strv add_by, remove_by, notes;
	enum bootcfg_method method;
	struct kargs_plan plan;
	bool asked; /* the checks were */
};

static void draft_done(struct draft *d)
{
	kargs_plan_done(&d->plan);
	strv_done(&d->notes);
	strv_done(&d->add_by);
	strv_done(&d->remove_by);
	kargs_done(&d->words);
	host_close(d->host);
	base_close(&d->lock);
}
#define AUTO_DRAFT CLEANUP(draft_done)

/* @word with the check that asks for it, which joins those that do already. */
static int add_word(struct strv *words, struct strv *by, const char *word, const char *check)
{
	struct buf all = { 0 };

	for (size_t i = 0; i < words->n; i++) {
		if (strcmp(words->items[i], word) != 0)
			continue;
		if (strstr(by->items[i], check))
			return 0;
		buf_printf(&all, "%s, %s", by->items[i], check);
		free(by->items[i]);
		by->items[i] = buf_take(&all);
		return by->items[i] ? 0 : -ENOMEM;
	}
	return strv_add(words, word) < 0 ? -ENOMEM : strv_add(by, check);
}

static int add_words(const struct result *it, struct draft *d)
{
	const struct kargs *k = &it->finding.kargs;
	int r = 0;

	for (size_t i = 0; r == 0 && i < k->add.n; i++)
		r = add_word(&d->words.add, &d->add_by, k->add.items[i], it->check->id);
	for (size_t i = 0; r == 0 && i < k->remove.n; i++)
		r = add_word(&d->words.remove, &d->remove_by, k->remove.items[i], it->check->id);
	return r;
}

/* What cannot be answered may ask for something too. */
static int note_unknown(const struct report *r, struct strv *notes)
{
	AUTO_BUF struct buf line = { 0 };

	if (r->counts[VERDICT_UNKNOWN] == 0)
		return 0;
	buf_printf(
		&line,
		"%u of the checks could not be answered, and ask for nothing: see sriovctl check",
		r->counts[VERDICT_UNKNOWN]);
	return buf_error(&line) < 0 ? -ENOMEM : strv_add(notes, buf_text(&line));
}

static int ask_checks(const struct kernel_args_options *o, struct draft *d, struct error *e)
{
	AUTO_SPEC_ASK struct spec_ask ask = { 0 };
	AUTO_REPORT struct report report = { 0 };
	int r = o->spec ? spec_ask_make(o->spec, NULL, d->host, &ask, e) : 0;

	if (r == 0)
		r = report_run(d->host, &ask.options, &report, e);
	if (r < 0)
		return r;
	d->asked = true;
	for (size_t i = 0; r == 0 && i < report.n_results; i++) {
		const struct result *it = &report.results[i];

		if (it->verdict == VERDICT_FAIL && it->finding.severity != SEVERITY_INFO)
			r = add_words(it, d);
	}
	if (r == 0)
		r = note_unknown(&report, &d->notes);
	return r < 0 ? error_nomem(e) : 0;
}

static int copy_words(const struct strv *from, struct strv *to, struct error *e)
{
	for (size_t i = 0; i < from->n; i++) {
		if (kargs_check_word(from->items[i], e) < 0)
			return -EINVAL;
		if (!strv_has(to, from->items[i]) && strv_add(to, from->items[i]) < 0)
			return error_nomem(e);
	}
	return 0;
}

/* Words of a command line come from a machine that may be a stranger's. */
static int check_words(const struct kargs *k, struct error *e)
{
	struct strv none = { 0 };
	int r = copy_words(&k->add, &none, e);

	if (r == 0)
		r = copy_words(&k->remove, &none, e);
	strv_done(&none);
	return r == -EINVAL ? -ENOTSUP : r;
}

static int find_words(const struct kernel_args_options *o, struct draft *d, struct error *e)
{
	int r;

	if (o->words.add.n + o->words.remove.n > 0) {
		r = copy_words(&o->words.add, &d->words.add, e);
		if (r == 0)
			r = copy_words(&o->words.remove, &d->words.remove, e);
		return r;
	}
	if (o->root && kargs_apply_is_mounted(o->root))
		return error_set(
			e, -EINVAL,
			"%s has this kernel's /proc or /sys: what checks find there is about "
			"the system that runs, and not that one; say what is wanted, by "
			"--add-arg and --remove-arg",
			o->root);
	r = ask_checks(o, d, e);
	return r == 0 ? check_words(&d->words, e) : r;
}

/* By what an installed system is, or what it is as it runs. */
static int find_method(struct draft *d, struct error *e)
{
	const struct bootcfg *running = NULL;
	struct bootcfg installed = { .method = BOOTCFG_UNKNOWN };
	bool by_files = !d->asked && !host_is_live(d->host);
	int r = by_files ? bootcfg_read_installed(d->host, &installed, e)
			 : bootcfg_get(d->host, &running, e);

	if (r == 0)
		d->method = running ? running->method : installed.method;
	return r;
}

/* What is left to a generator that is not run there. */
static bool leaves_generator(const struct draft *d)
{
	return !host_is_live(d->host) && d->plan.generator != KARGS_GENERATOR_NONE;
}

static int note_generator(struct draft *d)
{
	AUTO_BUF struct buf line = { 0 };

	if (!leaves_generator(d))
		return 0;
	buf_printf(&line,
		   "%s is not run below a root: run it in that system, before it boots, so that %s "
		   "has what is wanted",
		   kargs_apply_generator(d->plan.generator), d->plan.result);
	return buf_error(&line) < 0 ? -ENOMEM : strv_add(&d->notes, buf_text(&line));
}

/* Of what is no root to be edited host_open() tells. */
static int take_lock(const struct kernel_args_options *o, int *ret_fd, struct error *e)
{
	int r = o->apply ? kargs_apply_lock(o->root ? o->root : "/", ret_fd, e) : 0;

	if (r == -EBUSY) {
		(void)error_prefix(e, r, "nothing was changed");
		return EXIT_REFUSED;
	}
	*e = (struct error){ 0 };
	return EXIT_READY;
}

/* An exit code; EXIT_READY to go on. */
static int make_draft(const struct kernel_args_options *o, struct draft *d, struct error *e)
{
	int r, code = take_lock(o, &d->lock, e);

	if (code != EXIT_READY)
		return code;
	r = host_open(o->root ? o->root : "/", &d->host, e);
	if (r < 0)
		return r == -ENOMEM ? EXIT_NOT_READY : EXIT_USAGE;
	if (o->apply && !host_is_live(d->host) && !host_is_partial(d->host)) {
		(void)error_set(e, -EINVAL, "%s is a capture, in which nothing is changed",
				o->root);
		return EXIT_USAGE;
	}
	r = find_words(o, d, e);
	if (r == 0)
		r = find_method(d, e);
	if (r == 0)
		r = kargs_plan_make(d->host, d->method, &d->words, &d->plan, e);
	if (r == 0 && note_generator(d) < 0)
		r = error_nomem(e);
	if (r == 0)
		return EXIT_READY;
	if (r == -ENOTSUP)
		(void)error_prefix(e, r, "nothing was changed");
	return r == -ENOTSUP  ? EXIT_REFUSED
	       : r == -EINVAL ? EXIT_USAGE
	       : r == -ENOMEM ? EXIT_NOT_READY
			      : EXIT_UNKNOWN;
}

static int apply(const struct kernel_args_options *o, const struct draft *d, struct error *e)
{
	int r;

	if (host_is_live(d->host) && geteuid() != 0) {
		(void)error_set(e, -EPERM,
				"nothing was changed: only root can edit the files of the boot "
				"loader");
		return EXIT_REFUSED;
	}
	r = kargs_apply(o->root ? o->root : "/", d->method, &d->words, &d->plan, e);

	return r == 0 ? EXIT_READY : r == -ENOTRECOVERABLE ? EXIT_BETWEEN : EXIT_NOT_READY;
}

enum end { END_NOTHING, END_SHOWN, END_DONE, END_FAILED, END_REFUSED, END_BETWEEN, END_MAX };

static const struct {
	const char *word, *sentence;
} ends[END_MAX] = {
	[END_NOTHING] = { .word = "nothing-to-do",
			  .sentence = "Nothing to do: the next boot has what is wanted." },
	[END_SHOWN] = { .word = "planned",
			.sentence = "Nothing was changed: --apply makes this edit." },
	[END_DONE] = { .word = "done",
		       .sentence =
			       "Done: the next boot has what is wanted. Reboot when it suits." },
	[END_FAILED] = { .word = "failed" },
	[END_REFUSED] = { .word = "refused" },
	[END_BETWEEN] = { .word = "between" },
};

static enum end end_of(int code)
{
	return code == EXIT_REFUSED ? END_REFUSED : code == EXIT_BETWEEN ? END_BETWEEN : END_FAILED;
}

static const char *sentence(const struct draft *d, enum end end)
{
	if (end == END_NOTHING && d->words.add.n + d->words.remove.n == 0)
		return "Nothing to do: no check that fails asks for another kernel command line.";
	if (end == END_DONE && leaves_generator(d))
		return "Done, but for what the note says.";
	if (end == END_NOTHING && leaves_generator(d))
		return "Nothing to do here, but for what the note says.";
	return ends[end].sentence;
}

int kernel_args_fail(const struct kernel_args_options *o, int code, struct error *e)
{
	static const struct draft nothing;
	const struct kernel_args_page page = {
		.output = o->output,
		.words = &nothing.words,
		.plan = &nothing.plan,
		.notes = &nothing.notes,
	};

	if (kernel_args_print_is_text(&page))
		return code;
	return kernel_args_print(&page, ends[end_of(code)].word, e) < 0 ? EXIT_NOT_READY : code;
}

int kernel_args(const struct kernel_args_options *o, struct error *e)
{
	AUTO_DRAFT struct draft d = { .lock = -1 };
	int code = make_draft(o, &d, e);
	const bool is_live = d.host && host_is_live(d.host);
	const struct kernel_args_page page = {
		.output = o->output,
		.words = &d.words,
		.add_by = d.asked ? &d.add_by : NULL,
		.remove_by = d.asked ? &d.remove_by : NULL,
		.plan = &d.plan,
		.notes = &d.notes,
		.runs = is_live,
	};
	bool is_text = kernel_args_print_is_text(&page);
	enum end end = d.plan.n > 0 || (d.plan.generator && is_live) ? END_SHOWN : END_NOTHING;

	if (code == EXIT_USAGE)
		return kernel_args_fail(o, code, e);
	/* What is about to be done is shown before. */
	if (is_text && kernel_args_print(&page, NULL, e) < 0)
		return EXIT_NOT_READY;
	if (code == EXIT_READY && o->apply && end == END_SHOWN) {
		code = apply(o, &d, e);
		end = END_DONE;
	}
	if (code != EXIT_READY)
		end = end_of(code);
	if (is_text && ends[end].sentence)
		(void)puts(sentence(&d, end));
	if (!is_text && kernel_args_print(&page, ends[end].word, e) < 0)
		return EXIT_NOT_READY;
	return code;
}
