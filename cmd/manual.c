/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "manual.h"

#include "command.h"
#include "options.h"

#include <config.h>
#include <sriovctl/check.h>
#include <sriovctl/kargs_apply.h>
#include <sriovctl/persist.h>

#include <string.h>

static const struct {
	const char *name, *text;
} files[] = {
	{ .name = PERSIST_SPEC,
	  .text = "the spec that is provisioned on each boot, by provision --persist" },
	{ .name = PERSIST_IDENTITY,
	  .text = "which cards it was that the first of these boots has found" },
	{ .name = "/run/sriovctl/journal",
	  .text = "what a run has begun, or what waits for carrier; gone after a boot, as VFs "
		  "are" },
	{ .name = "FILE" KARGS_APPLY_BACKUP,
	  .text = "what a file of the boot loader was before provision --kernel-args --apply" },
};

/* Text as it is meant: nothing in it is a request or an escape, and a hyphen is a minus. */
static void put(FILE *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
			(void)fputs("\\&", out);
		if (text[i] == '\\')
			(void)fputs("\\e", out);
		else if (text[i] == '-')
			(void)fputs("\\-", out);
		else
			(void)fputc(text[i], out);
	}
}

static void put_text(FILE *out, const char *text)
{
	put(out, text, strlen(text));
}

/* Paragraphs are parted by a newline. */
static void put_paragraphs(FILE *out, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		(void)fputs(".PP\n", out);
		put(out, text, len);
		(void)fputc('\n', out);
		text += len + (text[len] == '\n');
	}
}

static void put_option(FILE *out, const struct option_def *o)
{
	(void)fputs(".TP\n", out);
	if (o->letter)
		(void)fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
	(void)fputs("\\fB\\-\\-", out);
	put_text(out, o->name);
	(void)fputs("\\fR", out);
	if (o->metavar) {
		(void)fputs("=\\fI", out);
		put_text(out, o->metavar);
		(void)fputs("\\fR", out);
	}
	(void)fputc('\n', out);
	put_text(out, o->help);
	for (size_t i = 0; o->choices && o->choices[i]; i++) {
		(void)fputs(i ? ", " : ": ", out);
		put_text(out, o->choices[i]);
	}
	(void)fputc('\n', out);
}

/* "0  meaning" as a list of terms. */
static void put_exits(FILE *out, const struct command *c)
{
	(void)fputs(".PP\nExit status:\n", out);
	for (size_t i = 0; c->exits[i]; i++) {
		size_t len = strcspn(c->exits[i], " ");

		(void)fputs(".TP\n.B ", out);
		put(out, c->exits[i], len);
		(void)fputc('\n', out);
		put_text(out, c->exits[i] + len + strspn(c->exits[i] + len, " "));
		(void)fputc('\n', out);
	}
}

static void put_command(FILE *out, const struct command *c)
{
	(void)fputs(".SS \"sriovctl ", out);
	put_text(out, c->name);
	(void)fputs(" [OPTION...]", out);
	if (c->args) {
		(void)fputc(' ', out);
		put_text(out, c->args);
	}
	(void)fputs("\"\n", out);
	put_paragraphs(out, c->description);
	if (c->args) {
		(void)fputs(".TP\n.I ", out);
		put_text(out, c->args);
		(void)fputc('\n', out);
		put_text(out, c->args_help);
		(void)fputc('\n', out);
	}
	for (size_t i = 0; i < c->n_options; i++)
		put_option(out, &c->options[i]);
	put_exits(out, c);
	(void)fputs(".PP\nExamples:\n.PP\n.nf\n.RS\n", out);
	for (size_t i = 0; c->examples[i]; i++) {
		put_text(out, c->examples[i]);
		(void)fputc('\n', out);
	}
	(void)fputs(".RE\n.fi\n", out);
}

/* Each check by what is true when it passes. */
static void put_checks(FILE *out)
{
	const struct check *c;

	(void)fputs(
		".SH CHECKS\nWhat \\fBcheck\\fR claims, by the ids of its reports; \\fBexplain\\fR "
		"\\fIID\\fR says more of each. The level is that of the profile sriov.\n",
		out);
	for (size_t i = 0; (c = check_at(i)); i++) {
		(void)fputs(".TP\n.B ", out);
		put_text(out, c->id);
		(void)fputc('\n', out);
		put_text(out, c->title);
		(void)fprintf(out, " (%s)\n", severity_name(c->severity));
	}
}

void manual_page(const struct command *const *commands, size_t n, FILE *out)
{
	(void)fputs(".\\\" Made from the tables of the program, by sriovctl \\-\\-man.\n"
		    ".TH SRIOVCTL 8 \"\" \"sriovctl " VERSION "\" \"System Administration\"\n"
		    ".SH NAME\nsriovctl \\- readiness of a host for SR\\-IOV, and its virtual "
		    "functions\n.SH SYNOPSIS\n.B sriovctl\n.I COMMAND\n.RI [ OPTION ...]\n"
		    ".SH DESCRIPTION\n",
		    out);
	(void)fputs("Judges whether a Linux host is ready for SR\\-IOV, by what the kernel did and "
		    "not by what it logged, and makes virtual functions (VFs) of its physical "
		    "functions (PFs) as a spec says.\n.SH COMMANDS\n",
		    out);
	for (size_t i = 0; i < n; i++)
		put_command(out, commands[i]);
	put_checks(out);
	(void)fputs(".SH FILES\n", out);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		(void)fputs(".TP\n.I ", out);
		put_text(out, files[i].name);
		(void)fputc('\n', out);
		put_text(out, files[i].text);
		(void)fputc('\n', out);
	}
	(void)fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nnothing is coloured, on a terminal either\n"
		    ".SH SEE ALSO\n.BR lspci (8),\n.BR ip\\-link (8),\n.BR devlink (8),\n"
		    ".BR systemd.link (5)\n.PP\nREADME.md beside the examples, as in "
		    "/usr/share/doc/sriovctl, tells the forms of specs, profiles and rows.\n",
		    out);
}
