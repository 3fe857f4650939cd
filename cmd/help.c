/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "help.h"

#include "command.h"
#include "options.h"
#include "render/wrap.h"

#include <sriovctl/buf.h>

#include <string.h>

#define TEXT_COLUMN 26

/* "  name          text", the text wrapped in its column. */
static void print_row(FILE *out, const char *name, size_t column, const char *text)
{
	AUTO_BUF struct buf first = { 0 };

	buf_printf(&first, "  %-*s", (int)column - 2, name);
	if (first.len > column) {
		(void)fprintf(out, "%s\n", buf_text(&first));
		buf_clear(&first);
		buf_printf(&first, "%*s", (int)column, "");
	}
	wrap_print(out, buf_text(&first), column, text);
}

static void print_paragraphs(FILE *out, const char *text)
{
	AUTO_BUF struct buf paragraph = { 0 };

	while (*text) {
		size_t len = strcspn(text, "\n");

		buf_clear(&paragraph);
		buf_append(&paragraph, text, len);
		wrap_print(out, "", 0, buf_text(&paragraph));
		text += len + (text[len] == '\n');
	}
}

static void print_option(FILE *out, const struct option_def *o)
{
	AUTO_BUF struct buf name = { 0 }, help = { 0 };

	if (o->letter)
		buf_printf(&name, "-%c, ", o->letter);
	buf_printf(&name, "--%s%s%s", o->name, o->metavar ? "=" : "", o->metavar ? o->metavar : "");
	buf_puts(&help, o->help);
	for (size_t i = 0; o->choices && o->choices[i]; i++)
		buf_printf(&help, "%s%s", i ? ", " : ": ", o->choices[i]);
	print_row(out, buf_text(&name), TEXT_COLUMN, buf_text(&help));
}

static void print_list(FILE *out, const char *title, const char *const *lines)
{
	(void)fprintf(out, "\n%s:\n", title);
	for (; *lines; lines++)
		wrap_print(out, "  ", 5, *lines);
}

void help_commands(const struct command *const *commands, size_t n, FILE *out)
{
	(void)fputs("usage: sriovctl COMMAND [OPTION...]\n\n", out);
	wrap_print(
		out, "", 0,
		"Readiness of a Linux host for SR-IOV: firmware, IOMMU, kernel and cards, judged "
		"by what the kernel did and not by what it logged.");
	(void)fputs("\nCommands:\n", out);
	for (size_t i = 0; i < n; i++)
		print_row(out, commands[i]->name, TEXT_COLUMN, commands[i]->summary);
	(void)fputs("\nOptions:\n", out);
	print_row(out, "-h, --help", TEXT_COLUMN, "this text; behind a command, its own");
	print_row(out, "--version", TEXT_COLUMN, "the version");
	print_row(out, "--man", TEXT_COLUMN, "the manual page, sriovctl.8, for man -l");
	print_row(out, "--completion", TEXT_COLUMN, "completion of command lines, for bash");
}

void help_command(const struct command *c, FILE *out)
{
	(void)fprintf(out, "usage: sriovctl %s [OPTION...]%s%s\n\n", c->name, c->args ? " " : "",
		      c->args ? c->args : "");
	print_paragraphs(out, c->description);
	if (c->args) {
		(void)fputs("\nArguments:\n", out);
		print_row(out, c->args, TEXT_COLUMN, c->args_help);
	}
	(void)fputs("\nOptions:\n", out);
	for (size_t i = 0; i < c->n_options; i++)
		print_option(out, &c->options[i]);
	print_row(out, "-h, --help", TEXT_COLUMN, "this text");
	print_list(out, "Exit status", c->exits);
	print_list(out, "Examples", c->examples);
}
