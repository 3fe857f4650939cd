/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What there is to say of checks and topics, for a person; without words, a line for each. */
#include "render.h"

#include "wrap.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/explain.h>

#include <string.h>

#define INDENT 9
#define TEXT   2 /* of a topic */

static void print_line(FILE *out, size_t column, const char *name, const char *text,
		       struct buf *first)
{
	buf_clear(first);
	buf_printf(first, "  %-*s ", (int)column, name);
	wrap_print(out, buf_text(first), column + 3, text);
}

static void print_overview(const struct explain *x, FILE *out, struct buf *line)
{
	size_t column = 0;

	for (size_t i = 0; i < x->n_checks; i++)
		if (strlen(x->checks[i].check->id) > column)
			column = strlen(x->checks[i].check->id);
	(void)fputs("Checks, each with what is true when it passes:\n\n", out);
	for (size_t i = 0; i < x->n_checks; i++)
		print_line(out, column, x->checks[i].check->id, x->checks[i].check->title, line);
	(void)fputs("\nTopics:\n\n", out);
	for (size_t i = 0; i < x->n_topics; i++)
		print_line(out, column, x->topics[i].name, x->topics[i].title, line);
}

static void print_part(FILE *out, const char *name, const char *text)
{
	(void)fputc('\n', out);
	wrap_print(out, name, INDENT, text);
}

static void print_check(const struct explain_check *x, FILE *out, struct buf *line)
{
	const struct check *c = x->check;

	wrap_print(out, "", 0, c->id);
	wrap_print(out, "  ", 2, c->title);
	print_part(out, "why      ", c->impact);
	print_part(out, "decides  ", x->decides);
	for (size_t i = 0; i < x->n_causes; i++) {
		buf_clear(line);
		buf_printf(line, "%s (to be fixed by: %s). %s", x->causes[i].what,
			   actor_name(x->causes[i].actor), x->causes[i].means);
		print_part(out, "fails    ", buf_text(line));
	}
	if (x->note)
		print_part(out, "note     ", x->note);
	buf_clear(line);
	buf_printf(line, "%s, if no profile says otherwise", severity_name(c->severity));
	print_part(out, "level    ", buf_text(line));
	print_part(out, "see      ", c->reference);
}

static void print_topic(const struct explain_topic *t, FILE *out)
{
	wrap_print(out, "", 0, t->title);
	for (size_t i = 0; i < t->paragraphs.n; i++) {
		(void)fputc('\n', out);
		wrap_print(out, "  ", TEXT, t->paragraphs.items[i]);
	}
}

int render_explain_text(const struct explain *x, const struct strv *words,
			const struct render_style *style, FILE *out, struct error *e)
{
	AUTO_BUF struct buf line = { 0 };

	(void)style;
	if (words->n == 0)
		print_overview(x, out, &line);
	for (size_t i = 0; i < words->n; i++) {
		const struct explain_topic *t = explain_topic(x, words->items[i]);

		if (i > 0)
			(void)fputs("\n\n", out);
		if (t)
			print_topic(t, out);
		else
			print_check(explain_find(x, words->items[i]), out, &line);
	}
	return buf_error(&line) < 0 ? error_nomem(e) : 0;
}
