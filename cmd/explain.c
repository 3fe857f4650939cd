/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"
#include "complain.h"
#include "help.h"
#include "options.h"
#include "render/render.h"

#include <config.h>
#include <sriovctl/error.h>
#include <sriovctl/explain.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <stdio.h>

struct explain_args {
	const char *output;
	struct strv words;
};

static const struct option_def options[] = {
	{ .name = "output",
	  .metavar = "FORMAT",
	  .type = OPTION_CHOICE,
	  .choices = render_names,
	  .offset = offsetof(struct explain_args, output),
	  .help = "how to print it" },
};

static const char *const examples[] = {
	"sriovctl explain",
	"sriovctl explain irq.remapping",
	"sriovctl explain sriov",
	NULL,
};

static const char *const exits[] = {
	"0  explained",
	"1  it could not be written",
	"2  a wrong option, or a word that is neither a check nor a topic",
	NULL,
};

static int refuse(const struct explain *x, const char *word, struct error *e)
{
	struct suggest s = { .word = word };

	for (size_t i = 0; i < x->n_checks; i++)
		suggest_offer(&s, x->checks[i].check->id);
	for (size_t i = 0; i < x->n_topics; i++)
		suggest_offer(&s, x->topics[i].name);
	return error_set(e, -EINVAL, "\"%s\" is neither a check nor a topic%s%s", word,
			 s.best ? "; did you mean " : ": sriovctl explain lists them",
			 s.best ? s.best : "");
}

static int explain(const struct explain_args *args, struct error *e)
{
	const struct render_style style = { .tool_version = VERSION };
	AUTO_EXPLAIN struct explain x = { 0 };
	int r = explain_read(&x, e);

	if (r < 0)
		return EXIT_NOT_READY;
	for (size_t i = 0; i < args->words.n; i++) {
		const char *word = args->words.items[i];

		if (!explain_find(&x, word) && !explain_topic(&x, word)) {
			(void)refuse(&x, word, e);
			return EXIT_USAGE;
		}
	}
	r = render_find(args->output)->explain(&x, &args->words, &style, stdout, e);
	return r < 0 ? EXIT_NOT_READY : EXIT_READY;
}

static int run_explain(int argc, char **argv)
{
	struct explain_args args = { .output = "text" };
	struct error e = { 0 };
	bool help;
	int code = EXIT_USAGE;

	if (options_parse(&cmd_explain, argc, argv, &args, &help, &e) == 0) {
		if (help)
			help_command(&cmd_explain, stdout);
		code = help ? EXIT_READY : explain(&args, &e);
	}
	if (e.code < 0)
		complain("%s", e.text);
	strv_done(&args.words);
	return code;
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "say what a check claims, how it decides, and what its failures mean",
	.description =
		"Of each check that is named: its claim, why it matters, which source decides, "
		"what "
		"each failure means and who acts, and where the rule stands. Without a word: all "
		"checks and topics in a line each. Looks at nothing of this host.",
	.options = options,
	.n_options = ARRAY_SIZE(options),
	.args = "[ID...]",
	.args_help = "checks, as reports call them, or topics",
	.args_offset = offsetof(struct explain_args, words),
	.examples = examples,
	.exits = exits,
	.run = run_explain,
};
