/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/import.h>

#include "import_impl.h"
#include "lspci.h"

#include <sriovctl/buf.h>
#include <sriovctl/bundle.h>
#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING	     "nothing in it was recognised"
#define STRANGE_TOLD 20

static size_t take_dumps(struct import *i, const struct import_text *t)
{
	return lspci_take_dumps(&i->functions, t->data);
}

static size_t take_lspci(struct import *i, const struct import_text *t)
{
	return lspci_take_text(&i->functions, &i->nics, t->data);
}

/* The first that tells something is believed: the better the witness, the earlier the round. */
#define ROUNDS 4
static const struct kind {
	const char *source, *thing; /* "lspci", "function": what was counted */
	import_take *take;
	unsigned round;
	bool is_binary;
	bool of_functions; /* and of nothing else */
	bool by_words;	   /* of a line that a terminal cut the last one counts for nothing */
} kinds[] = {
	{ .source = "ACPI", .thing = "table", .take = acpi_take_table, .is_binary = true },
	{ .source = "SMBIOS", .thing = "table", .take = smbios_take_tables, .is_binary = true },
	{ .source = "acpidump", .thing = "table", .take = acpi_take_dump },
	{ .source = "lspci -x", .thing = "function", .take = take_dumps, .of_functions = true },
	{ .source = "transcript", .thing = "answer", .take = shell_take },
	{ .source = "command line", .thing = "line", .take = proc_take_cmdline },
	{ .source = "interrupts", .thing = "row", .take = proc_take_interrupts },
	{ .source = "cpuinfo", .thing = "processor", .take = proc_take_cpuinfo },
	{ .source = "iomem", .thing = "range", .take = proc_take_iomem },
	{ .source = "version", .thing = "line", .take = proc_take_version, .round = 1 },
	{ .source = "dmidecode",
	  .thing = "structure",
	  .by_words = true,
	  .take = smbios_take_text,
	  .round = 1 },
	{ .source = "lscpu", .thing = "line", .take = lscpu_take, .round = 1 },
	{ .source = "lspci",
	  .thing = "function",
	  .by_words = true,
	  .take = take_lspci,
	  .round = 1,
	  .of_functions = true },
	{ .source = "lspci -t",
	  .thing = "function",
	  .by_words = true,
	  .take = lspci_take_tree,
	  .round = 1,
	  .of_functions = true },
	{ .source = "IOMMU groups",
	  .thing = "member",
	  .take = groups_take,
	  .round = 1,
	  .of_functions = true },
	{ .source = "ethtool -i",
	  .thing = "function",
	  .take = ethtool_take_driver,
	  .round = 1,
	  .of_functions = true },
	{ .source = "ethtool -l", .thing = "interface", .take = ethtool_take_channels, .round = 1 },
	{ .source = "ethtool -c",
	  .thing = "interface",
	  .take = ethtool_take_coalescing,
	  .round = 1 },
	{ .source = "devlink dev info",
	  .thing = "device",
	  .by_words = true,
	  .take = devlink_take,
	  .round = 1 },
	{ .source = "modinfo",
	  .thing = "module",
	  .by_words = true,
	  .take = modinfo_take,
	  .round = 1 },
	{ .source = "ip link", .thing = "interface", .take = iplink_take, .round = 1 },
	{ .source = "kernel log", .thing = "machine", .take = bootlog_look, .round = 1 },
	{ .source = "journal", .thing = "machine", .take = journal_look, .round = 1 },
	{ .source = "kernel log", .thing = "line", .take = bootlog_take, .round = 2 },
	{ .source = "journal", .thing = "line", .take = journal_take, .round = 2 },
	{ .source = "configuration of a kernel",
	  .thing = "option",
	  .take = proc_take_config,
	  .round = 3 },
};

/* --- one text ------------------------------------------------------------------------------- */

/* Runs of NULs are what a log has of a crash; elsewhere they tell what is no text. */
static bool is_binary(const struct buf *content)
{
	const char *nul = memchr(content->data, '\0', content->len < 64 ? content->len : 64);

	return nul != NULL;
}

/*
 * NULs as ends of lines, of which two in a row say as much as a million; no blanks before one, as
 * people's programs put them there and kernels do not mind.
 */
static void clean(struct buf *content)
{
	size_t n = 0, ends = 0;

	for (size_t i = 0; i < content->len; i++) {
		char c = content->data[i] ? content->data[i] : '\n';

		while (c == '\n' && n > 0 && strchr(" \t\r", content->data[n - 1]))
			n--;
		ends = c == '\n' ? ends + 1 : 0;
		if (ends <= 2)
			content->data[n++] = c;
	}
	content->len = n;
	if (content->data)
		content->data[n] = '\0';
}

static void tell(struct buf *told, const struct kind *k, size_t n)
{
	buf_printf(told, "%s%s (%zu %s%s)", told->len ? ", " : "", k->source, n, k->thing,
		   n == 1 ? "" : "s");
}

/* Lines of a terminal that is so wide, without what may be the beginning of a word. */
static void shorten(const char *text, size_t width, struct buf *ret)
{
	const char *line;
	size_t len;

	while (parse_line(&text, &line, &len)) {
		for (size_t whole = len; len > 0 && whole == width;)
			if (strchr(" ,;=:\t", line[--len]))
				break;
		buf_append(ret, line, len);
		buf_puts(ret, "\n");
	}
}

static size_t take_text(struct import *i, const struct import_text *t, unsigned round,
			struct buf *told)
{
	const size_t width = t->is_binary ? 0 : text_width(t->data);
	AUTO_BUF struct buf words = { 0 };
	struct import_text shortened = *t;
	size_t n_kinds = 0;

	if (width > 0) {
		shorten(t->data, width, &words);
		import_note(i, &words);
		shortened.data = buf_text(&words);
		shortened.len = words.len;
	}

	for (size_t k = 0; k < ARRAY_SIZE(kinds) && i->error == 0; k++) {
		size_t n;

		if (kinds[k].round != round || kinds[k].is_binary != t->is_binary)
			continue;
		n = kinds[k].take(i, kinds[k].by_words ? &shortened : t);
		if (n > 0 && kinds[k].of_functions)
			i->n_of_functions++;
		n_kinds += n > 0;
		if (n > 0)
			tell(told, &kinds[k], n);
	}
	return n_kinds;
}

/* --- all of them ------------------------------------------------------------------------------ */

struct run {
	struct import *i;
	const struct bundle *bundle;
	struct buf *told; /* for each member */
	size_t n_taken;	  /* how often something was taken of one */
	struct error *e;
};

static int take_member(struct run *run, size_t n, unsigned round)
{
	AUTO_BUF struct buf content = { 0 };
	struct import_text t = { .name = bundle_member(run->bundle, n)->name,
				 .number = (unsigned)n + 1 };
	struct error why = { 0 };
	int r = bundle_read(run->bundle, n, &content, &why);

	if (r == -ENOMEM)
		return error_nomem(run->e);
	if (r == 0 && buf_error(&content) < 0)
		return error_nomem(run->e);
	if (r < 0) {
		if (round == 0)
			buf_printf(&run->told[n], "not read: %s", why.text);
		return 0;
	}
	if (content.len == 0)
		return 0;
	paste_narrow(&content);
	t.is_binary = is_binary(&content);
	if (!t.is_binary) {
		clean(&content);
		paste_undo(&content);
	}
	if (buf_error(&content) < 0)
		return error_nomem(run->e);
	t.data = buf_text(&content);
	t.len = content.len;
	run->n_taken += take_text(run->i, &t, round, &run->told[n]);
	return 0;
}

static int take_all(struct run *run, const size_t *taken)
{
	int r = 0;

	for (unsigned round = 0; r == 0 && round < ROUNDS; round++)
		for (size_t n = 0; r == 0 && n < bundle_count(run->bundle); n++)
			if (!taken[n] && bundle_member(run->bundle, n)->kind == BUNDLE_FILE)
				r = take_member(run, n, round);
	return r;
}

/* "NAME: what", of a member. */
static int tell_member(const struct run *run, size_t n, const char *what, struct strv *told)
{
	struct buf line = { 0 };

	buf_printf(&line, "%s: %s", bundle_member(run->bundle, n)->name, what);
	return strv_take(told, buf_take(&line));
}

PRINTF(2, 3)
static int tell_count(struct strv *told, const char *fmt, ...)
{
	struct buf line = { 0 };

	BUF_FORMAT(&line, fmt);
	return strv_take(told, buf_take(&line));
}

/* Of a thousand files of which nothing was wanted the first few are named. */
static int tell_all(struct run *run, const size_t *taken, struct strv *told)
{
	size_t of_trees = 0, n_strange = 0;
	int r = 0;

	for (size_t n = 0; r == 0 && n < bundle_count(run->bundle); n++) {
		const char *what = bundle_refused(run->bundle, n);
		bool is_file = bundle_member(run->bundle, n)->kind == BUNDLE_FILE;

		of_trees += taken[n] > 0;
		if (!what && run->told[n].len > 0)
			what = buf_text(&run->told[n]);
		if (!what && is_file && n_strange++ < STRANGE_TOLD)
			what = NOTHING;
		if (taken[n] == 0 && what)
			r = tell_member(run, n, what, told);
	}
	if (r == 0 && n_strange > STRANGE_TOLD)
		r = tell_count(told, "%zu more: nothing in them was recognised",
			       n_strange - STRANGE_TOLD);
	if (r == 0 && of_trees > 0)
		r = tell_count(told, "trees of /proc and /sys: %zu files, folders and links",
			       of_trees);
	if (r == 0 && run->i->beyond)
		r = tell_count(told,
			       "more than %u PCI functions%s, as no machine has: none was taken",
			       run->i->beyond,
			       run->i->beyond == FUNCTIONS_MAX ? "" : " that can have VFs");
	for (size_t k = 0; r == 0 && k < run->i->conflicts.n; k++)
		r = strv_add(told, run->i->conflicts.items[k]);
	run->n_taken += of_trees;
	return r < 0 ? error_nomem(run->e) : 0;
}

/* What follows from all texts together. */
static void put_all(struct import *i)
{
	/* A host has these, and what is in them is told elsewhere. */
	host_make_folder(i->make, "/proc");
	host_make_folder(i->make, "/sys");
	if (!i->release && i->image)
		proc_keep_release(i, i->image, strlen(i->image));
	conflicts_settle(i);
	sysfs_put(i);
	bootlog_put(i);
}

static int run_all(struct run *run, const char *root, struct host **ret, struct strv *told)
{
	size_t n = bundle_count(run->bundle);
	AUTO_FREE size_t *taken = calloc(n + 1, sizeof(*taken));
	struct import *i = run->i;
	int r;

	if (!taken)
		return error_nomem(run->e);
	r = tree_take(i, run->bundle, taken, run->e);
	if (r == 0)
		r = take_all(run, taken);
	if (r == 0)
		put_all(i);
	if (r == 0 && (i->error || i->functions.error))
		r = error_nomem(run->e);
	for (size_t k = 0; r == 0 && k < n; k++)
		r = buf_error(&run->told[k]) < 0 ? error_nomem(run->e) : 0;
	if (r == 0)
		r = tell_all(run, taken, told);
	return r < 0 ? r : host_make_open(i->make, root, ret, run->e);
}

int import_run(const struct bundle *b, const char *root, struct host **ret, struct strv *told,
	       struct error *e)
{
	struct import i = { 0 };
	struct run run = { .i = &i, .bundle = b, .e = e };
	int r = host_make_new(&i.make, e);

	if (r == 0)
		r = nics_load(&i.nics, e);
	run.told = calloc(bundle_count(b) + 1, sizeof(*run.told));
	if (r == 0 && !run.told)
		r = error_nomem(e);
	if (r == 0)
		r = run_all(&run, root, ret, told);
	for (size_t k = 0; run.told && k < bundle_count(b); k++)
		buf_done(&run.told[k]);
	free(run.told);
	host_make_free(i.make);
	functions_done(&i.functions);
	nics_done(&i.nics);
	free(i.release);
	free(i.image);
	bootlog_forget_boots(&i);
	buf_done(&i.log);
	strv_done(&i.conflicts);
	/* Of too many functions none is in the host. */
	if (i.beyond)
		run.n_taken -= i.n_of_functions;
	return r < 0 ? r : run.n_taken > 0;
}
