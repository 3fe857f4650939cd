/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_args_print.h"

#include "plan_print.h"
#include "render/render.h"
#include "render/wrap.h"

#include <config.h>
#include <sriovctl/error.h>
#include <sriovctl/kargs_apply.h>
#include <sriovctl/parse.h>
#include <sriovctl/table.h>

#include <stdio.h>
#include <string.h>

/* A line that is another one behind an edit; NULL: there was none, or is none any more. */
struct change {
	unsigned number;
	const char *was, *is;
	size_t was_len, is_len;
};

static bool is_same(const struct change *c)
{
	return c->was && c->is && c->was_len == c->is_len && memcmp(c->was, c->is, c->is_len) == 0;
}

/* Edits change lines and add some at the end, so that line answers to line. */
static bool next_change(const char **was, const char **is, struct change *c)
{
	do {
		if (!parse_line(was, &c->was, &c->was_len))
			c->was = NULL;
		if (!parse_line(is, &c->is, &c->is_len))
			c->is = NULL;
		c->number++;
	} while (is_same(c));
	return c->was || c->is;
}

static void print_line(const char *mark, const char *text, size_t len, struct buf *line)
{
	buf_clear(line);
	buf_append(line, text, len);
	wrap_print(stdout, mark, 8, buf_text(line));
}

static void print_edit(const struct kargs_edit *edit, struct buf *line)
{
	const char *was = buf_text(&edit->before), *is = buf_text(&edit->after);
	struct change c = { 0 };

	while (next_change(&was, &is, &c)) {
		buf_clear(line);
		buf_printf(line, "%s:%u%s", edit->path, c.number,
			   edit->is_new ? ", a new file" : "");
		wrap_print(stdout, "edit  ", 6, buf_text(line));
		if (c.was)
			print_line("      - ", c.was, c.was_len, line);
		if (c.is)
			print_line("      + ", c.is, c.is_len, line);
	}
}

static void print_words(const struct strv *words, const struct strv *by, const char *mark,
			struct buf *line)
{
	for (size_t i = 0; i < words->n; i++) {
		buf_clear(line);
		buf_puts(line, words->items[i]);
		if (by)
			buf_printf(line, ", for %s", by->items[i]);
		wrap_print(stdout, mark, 6, buf_text(line));
	}
}

static int print_text(const struct kernel_args_page *p, struct error *e)
{
	const char *program = kargs_apply_generator(p->plan->generator);
	AUTO_BUF struct buf line = { 0 };

	print_words(&p->words->add, p->add_by, "add   ", &line);
	print_words(&p->words->remove, p->remove_by, "drop  ", &line);
	for (size_t i = 0; i < p->plan->n; i++)
		print_edit(&p->plan->edits[i], &line);
	if (program && p->runs) {
		buf_clear(&line);
		buf_printf(&line, "%s, which makes %s of it", program, p->plan->result);
		wrap_print(stdout, "run   ", 6, buf_text(&line));
	}
	plan_print_sentences(p->notes, "note  ", stdout);
	(void)fflush(stdout);
	return buf_error(&line) < 0 ? error_nomem(e) : 0;
}

enum { HEAD_RESULT, HEAD_ERROR, HEAD_COLUMNS };

static const struct table_column head_columns[HEAD_COLUMNS] = {
	[HEAD_RESULT] = { .key = "result" },
	[HEAD_ERROR] = { .key = "error" },
};

enum { KIND, WORD, CHECKS, FILE_NAME, LINE, BEFORE, AFTER, TEXT, COLUMNS };

static const struct table_column columns[COLUMNS] = {
	[KIND] = { .key = "kind" },
	[WORD] = { .key = "word" },
	[CHECKS] = { .key = "checks" },
	[FILE_NAME] = { .key = "file" },
	[LINE] = { .key = "line", .type = TABLE_INT },
	[BEFORE] = { .key = "before" },
	[AFTER] = { .key = "after" },
	[TEXT] = { .key = "text" },
};

static void add_words(struct table *t, const char *kind, const struct strv *words,
		      const struct strv *by)
{
	for (size_t i = 0; i < words->n; i++) {
		struct table_row *row = table_add(t);

		table_set_text(row, KIND, kind);
		table_set_text(row, WORD, words->items[i]);
		table_set_text(row, CHECKS, by ? by->items[i] : NULL);
	}
}

static void set_part(struct table_row *row, size_t column, const char *text, size_t len,
		     struct buf *copy)
{
	if (!text)
		return;
	buf_clear(copy);
	buf_append(copy, text, len);
	table_set_text(row, column, buf_text(copy));
}

static void add_edit(struct table *t, const struct kargs_edit *edit, struct buf *copy)
{
	const char *was = buf_text(&edit->before), *is = buf_text(&edit->after);
	struct change c = { 0 };

	while (next_change(&was, &is, &c)) {
		struct table_row *row = table_add(t);

		table_set_text(row, KIND, "edit");
		table_set_text(row, FILE_NAME, edit->path);
		table_set_int(row, LINE, c.number);
		set_part(row, BEFORE, c.was, c.was_len, copy);
		set_part(row, AFTER, c.is, c.is_len, copy);
	}
}

static void add_text(struct table *t, const char *kind, const char *file, const char *text)
{
	struct table_row *row = table_add(t);

	table_set_text(row, KIND, kind);
	table_set_text(row, FILE_NAME, file);
	table_set_text(row, TEXT, text);
}

static int print_json(const struct kernel_args_page *p, const char *result, struct error *e)
{
	AUTO_TABLE struct table t = { .key = "kernel_args",
				      .columns = columns,
				      .n_columns = COLUMNS };
	const struct render_style style = { .tool_version = VERSION };
	struct table_row *head = table_add_head(&t, head_columns, HEAD_COLUMNS);
	const char *program = kargs_apply_generator(p->plan->generator);
	AUTO_BUF struct buf copy = { 0 };

	table_set_text(head, HEAD_RESULT, result);
	table_set_text(head, HEAD_ERROR, e->code < 0 ? e->text : NULL);
	add_words(&t, "add", &p->words->add, p->add_by);
	add_words(&t, "remove", &p->words->remove, p->remove_by);
	for (size_t i = 0; i < p->plan->n; i++)
		add_edit(&t, &p->plan->edits[i], &copy);
	if (program && p->runs)
		add_text(&t, "run", program, NULL);
	for (size_t i = 0; i < p->notes->n; i++)
		add_text(&t, "note", NULL, p->notes->items[i]);
	if (table_error(&t) < 0 || buf_error(&copy) < 0)
		return error_nomem(e);
	return render_find("json")->table(&t, &style, stdout, e);
}

bool kernel_args_print_is_text(const struct kernel_args_page *p)
{
	return strcmp(p->output, "text") == 0;
}

int kernel_args_print(const struct kernel_args_page *p, const char *result, struct error *e)
{
	return kernel_args_print_is_text(p) ? print_text(p, e) : print_json(p, result, e);
}
