/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the next boot will be told, against what this one was. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/bootnext.h>
#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>

/* What of the words of one line is not in the other, joined by blanks. */
static void put_missing(const struct strv *of, const struct strv *in, struct buf *ret)
{
	for (size_t i = 0; i < of->n; i++)
		if (!strv_has(in, of->items[i]))
			buf_printf(ret, "%s%s", ret->len ? " " : "", of->items[i]);
}

static int take_words(const struct cmdline *c, struct strv *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < c->words.n; i++)
		if (bootnext_matters(c->words.items[i]))
			r = strv_add(ret, c->words.items[i]);
	return r;
}

/*
 * Did this boot come from these entries?  GRUB says which kernel it started; one from the
 * network, or started by another kernel, came from elsewhere, and the next may as well.
 */
static bool is_of_this_boot(const struct bootnext *b, const struct cmdline *c)
{
	const char *image = cmdline_value(c, "BOOT_IMAGE");

	if (!b->by_grub)
		return true;
	for (size_t i = 0; image && i < b->kernels.n; i++)
		if (strcmp(parse_base_name(image), parse_base_name(b->kernels.items[i])) == 0)
			return true;
	return false;
}

struct change {
	struct buf lost, gained;
};

static void change_done(struct change *c)
{
	buf_done(&c->lost);
	buf_done(&c->gained);
}
#define AUTO_CHANGE CLEANUP(change_done)

static bool is_same(const struct change *a, const struct change *b)
{
	return strcmp(buf_text(&a->lost), buf_text(&b->lost)) == 0 &&
	       strcmp(buf_text(&a->gained), buf_text(&b->gained)) == 0;
}

/*
 * What each of the possible entries would change, when that is the same for all.  False: it
 * depends on which it is, or on something that its file does not tell.
 */
static bool find_change(const struct bootnext *b, const struct strv *now, struct change *ret)
{
	for (size_t i = 0; i < b->n; i++) {
		AUTO_CHANGE struct change own = { 0 };
		const struct bootnext_entry *e = &b->items[i];

		put_missing(now, &e->words, &own.lost);
		put_missing(&e->words, now, &own.gained);
		if (e->is_unsure || (b->firmware_adds && own.lost.len > 0))
			return false;
		if (i > 0 && !is_same(&own, ret))
			return false;
		if (i == 0) {
			*ret = own;
			own = (struct change){ 0 };
		}
	}
	return true;
}

static void note_entries(const struct bootnext *b, const struct strv *now, struct finding *f)
{
	AUTO_BUF struct buf line = { 0 };

	put_missing(now, &(struct strv){ 0 }, &line);
	finding_note(f, CMDLINE_PATH, NULL, "%s", line.len ? buf_text(&line) : "no such word");
	for (size_t i = 0; i < b->n; i++) {
		buf_clear(&line);
		put_missing(&b->items[i].words, &(struct strv){ 0 }, &line);
		finding_note(f, b->items[i].path, NULL, "%s%s%s%s", b->items[i].name,
			     *b->items[i].name ? ": " : "",
			     line.len ? finding_text(f, &line) : "no such word",
			     b->items[i].is_unsure ? ", and what cannot be told" : "");
	}
}

static enum verdict judge_change(const struct host *h, struct change *c, struct finding *f)
{
	const char *lost = finding_text(f, &c->lost), *gained = finding_text(f, &c->gained);

	if (c->lost.len == 0 && c->gained.len == 0)
		return finding_pass(f, "the next boot's command line says the same of what matters "
				       "here");
	if (c->gained.len > 0)
		finding_remedy(f,
			       "Reboot, if \"%s\" is wanted; else take it out of the boot loader's "
			       "configuration.",
			       gained);
	if (c->lost.len > 0)
		remedy_cmdline_add(f, h, lost);
	if (c->lost.len == 0)
		return finding_fail(f, ACTOR_OS, "the next boot gains \"%s\"", gained);
	if (c->gained.len == 0)
		return finding_fail(f, ACTOR_OS, "the next boot loses \"%s\"", lost);
	return finding_fail(f, ACTOR_OS, "the next boot loses \"%s\" and gains \"%s\"", lost,
			    gained);
}

/* Nothing that tells: what was looked for is the boot loader's, and may be elsewhere. */
static enum verdict judge_unknown(const struct host *h, const struct bootnext *b, struct finding *f)
{
	if (b->error < 0) {
		finding_unread(f, h,
			       b->source || b->error == -EACCES ? b->blind
								: "the boot loader's configuration",
			       b->error);
		return finding_unknown(f, "the boot loader's configuration could not be read");
	}
	finding_note(f, "/boot", "grub.cfg, loader/entries or extlinux.conf", "none of them");
	finding_remedy(f, "Compare " CMDLINE_PATH " with what the boot loader is configured to "
			  "pass.");
	return finding_unknown(f, "no configuration of a boot loader was found here");
}

static enum verdict judge(const struct host *h, const struct bootnext *b, const struct cmdline *c,
			  struct finding *f)
{
	AUTO_STRV struct strv now = { 0 };
	AUTO_CHANGE struct change change = { 0 };

	if (take_words(c, &now) < 0)
		return finding_nomem(f);
	note_entries(b, &now, f);
	if (!is_of_this_boot(b, c)) {
		finding_note(f, CMDLINE_PATH, "BOOT_IMAGE= with a kernel of the boot loader's",
			     "%s", cmdline_value(c, "BOOT_IMAGE") ?: "no BOOT_IMAGE");
		finding_remedy(f, "Find out what started this kernel (the network, kexec), and "
				  "compare " CMDLINE_PATH " with what that passes.");
		return finding_unknown(f, "this kernel was not started by the boot loader of %s",
				       b->source);
	}
	if (find_change(b, &now, &change))
		return judge_change(h, &change, f);
	finding_remedy(f, "Find out which of the entries is the next, and compare it with "
			  "" CMDLINE_PATH ".");
	return finding_unknown(f, "what the next boot is told depends on more than %s tells",
			       b->source);
}

static enum verdict run_pending(const struct check_input *in, struct finding *f)
{
	const struct bootnext *b = NULL;
	const struct cmdline *c = NULL;
	int r = cmdline_get(in->host, &c, NULL);

	if (r < 0) {
		finding_unread(f, in->host, CMDLINE_PATH, r);
		return finding_unknown(f, "the kernel command line is not known");
	}
	if (bootnext_get(in->host, &b, NULL) < 0)
		return finding_nomem(f);
	if (!b->source || b->n == 0 || b->error < 0)
		return judge_unknown(in->host, b, f);
	return judge(in->host, b, c, f);
}

static const struct check checks[] = {
	{
		.id = "kernel.cmdline_pending",
		.title = "the next boot's command line keeps the words that matter for VFs",
		.severity = SEVERITY_RECOMMENDED,
		.run = run_pending,
		.actor = ACTOR_OS,
		.remedy = "Make the boot loader's configuration say what the running kernel was "
			  "told.",
		.impact = "What works now, or is mended now, is another thing after a reboot.",
		.reference =
			"Linux Documentation/admin-guide/kernel-parameters.rst; the Boot Loader "
			"Specification (uapi-group.org)",
	},
};
CHECK_GROUP(cmdline_pending_checks, checks);
