/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"
#include "compat_ask.h"
#include "compat_rows.h"
#include "complain.h"
#include "help.h"
#include "infile.h"
#include "options.h"
#include "render/render.h"

#include <config.h>
#include <sriovctl/buf.h>
#include <sriovctl/compat.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/strv.h>
#include <sriovctl/table.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct compat_args {
	const char *root, *output;
	struct strv compat, words;
};

static const struct option_def options[] = {
	{ .name = "root",
	  .metavar = "ROOT",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct compat_args, root),
	  .help = "the functions, and the files in " COMPAT_DIR ", of this capture or tree" },
	{ .name = "compat",
	  .metavar = "FILE",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct compat_args, compat),
	  .help = "rows that add to those of the program, or replace those of the same id; may be "
		  "given again" },
	{ .name = "output",
	  .metavar = "FORMAT",
	  .type = OPTION_CHOICE,
	  .choices = render_names,
	  .offset = offsetof(struct compat_args, output),
	  .help = "how to print the rows" },
};

static const char *const examples[] = {
	"sriovctl compat show",
	"sriovctl compat show ens1f0",
	"sriovctl compat show ice --output=json | jq -r '.rows[] | select(.says==\"bad\").id'",
	"sriovctl compat lint site.json",
	NULL,
};

static const char *const exits[] = {
	"0  shown, also where there is no such row; or nothing is wrong with the file",
	"1  the rows could not be written",
	"2  a wrong option or word, a file that is wrong, or a root that is no host's tree",
	"3  the PCI functions could not be read",
	NULL,
};

static int print_rows(const struct table *t, const char *output, struct error *e)
{
	const struct render_style style = { .tool_version = VERSION };

	if (table_error(t) < 0)
		return error_nomem(e);
	return render_find(output)->table(t, &style, stdout, e);
}

static int show(const struct compat_args *args, const char *word, struct error *e)
{
	AUTO_TABLE struct table t = { 0 };
	AUTO_HOST struct host *h = NULL;
	AUTO_COMPAT struct compat c = { 0 };
	int r;

	if (host_open(args->root, &h, e) < 0 || compat_ask(h, &args->compat, &c, e) < 0)
		return EXIT_USAGE;
	r = compat_rows_find(h, &c, word, &t, e);
	if (r < 0)
		return r == -EINVAL ? EXIT_USAGE : r == -ENOMEM ? EXIT_NOT_READY : EXIT_UNKNOWN;
	return print_rows(&t, args->output, e) < 0 ? EXIT_NOT_READY : EXIT_READY;
}

static int lint(const char *path, struct error *e)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	AUTO_BUF struct buf text = { 0 };

	if (infile_read(path, &text, e) < 0 ||
	    compat_parse(buf_text(&text), text.len, infile_name(path), &compat_built_in, &t, e) < 0)
		return EXIT_USAGE;
	(void)printf("%s: %zu row%s, %zu famil%s: nothing is wrong with them\n", infile_name(path),
		     t->n_rows, t->n_rows == 1 ? "" : "s", t->n_families,
		     t->n_families == 1 ? "y" : "ies");
	return EXIT_READY;
}

/* The exit code. */
static int compat(const struct compat_args *args, struct error *e)
{
	const char *verb = args->words.n > 0 ? args->words.items[0] : "";
	const char *word = args->words.n > 1 ? args->words.items[1] : NULL;
	int r;

	if (args->words.n <= 2 && strcmp(verb, "show") == 0)
		return show(args, word, e);
	if (args->words.n == 2 && strcmp(verb, "lint") == 0)
		return lint(word, e);
	if (strcmp(verb, "lint") == 0)
		r = error_set(e, -EINVAL, "compat lint wants one FILE");
	else if (strcmp(verb, "show") == 0)
		r = error_set(e, -EINVAL, "compat show takes one PF or DRIVER");
	else
		r = error_set(e, -EINVAL, "compat wants \"show\" or \"lint FILE\"%s%s%s",
			      *verb ? ", not \"" : "", verb, *verb ? "\"" : "");
	return r < 0 ? EXIT_USAGE : EXIT_READY;
}

static int run_compat(int argc, char **argv)
{
	struct compat_args args = { .root = "/", .output = "text" };
	struct error e = { 0 };
	bool help;
	int code = EXIT_USAGE;

	if (options_parse(&cmd_compat, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_compat, stdout);
		code = help ? EXIT_READY : compat(&args, &e);
	}
	if (e.code < 0)
		complain("%s", e.text);
	strv_done(&args.words);
	strv_done(&args.compat);
	return code;
}

const struct command cmd_compat = {
	.name = "compat",
	.summary = "show which firmware, drivers and kernels are known to be bad, or to fit",
	.description =
		"show: the rows that are about the functions of this host, or about the one that "
		"is named, as it is now; or all about a driver. Each names its source.\n"
		"lint: says what is wrong with a file of rows, by line and column, before it goes "
		"to " COMPAT_DIR ", whose files *.json add rows or replace those of the same id. "
		"Changes nothing.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.args = "show [PF|DRIVER] | lint FILE",
	.args_help = "a PCI address, a network interface or a driver; a file, - for standard input",
	.args_offset = offsetof(struct compat_args, words),
	.verbs = "show lint",
	.examples = examples,
	.exits = exits,
	.run = run_compat,
};
