/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table for a person: columns that fit a terminal where they can, "-" for none, "?" for
 * what is not known and below the table why.  The tables below its rows follow, those
 * that have rows.
 */
#include "render.h"

#include "wrap.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/table.h>

#include <stdlib.h>
#include <string.h>

#define NONE	"-"
#define UNKNOWN "?"

#define GAP	   2
#define GAP_NARROW 1

/* What is shown of a table: a header and its cells for each column that has a header. */
struct shown {
	const struct table *t;
	/* By the number of a column; 0: not a column of its own, or, in @width, folded. */
	size_t *full, *width;
	size_t gap;
	struct buf cell, line;
};

static void free_shown(struct shown *s)
{
	base_free(&s->full);
	buf_done(&s->cell);
	buf_done(&s->line);
}

static const char *mark(const struct table_cell *cell)
{
	if (cell->state == TABLE_NONE)
		return NONE;
	return cell->hint ? cell->hint : UNKNOWN;
}

static void put_value(const struct table_column *column, const struct table_cell *cell,
		      struct buf *ret)
{
	if (cell->state != TABLE_KNOWN)
		buf_puts(ret, mark(cell));
	else if (column->type == TABLE_TEXT)
		buf_puts(ret, *cell->text ? cell->text : NONE);
	else if (column->type == TABLE_SWITCH)
		buf_puts(ret, cell->number ? "on" : "off");
	else
		buf_printf(ret, "%lld", (long long)cell->number);
}

/* Is the next column shown in this one? */
static bool is_joined(const struct table *t, size_t column)
{
	return column + 1 < t->n_columns && !t->columns[column + 1].header;
}

/* A column and those joined to it: "8/16"; one mark where they say the same nothing. */
static void describe(const struct table *t, const struct table_row *row, size_t i, struct buf *ret)
{
	const struct table_cell *first = &row->cells[i];
	bool differ = first->state == TABLE_KNOWN;

	for (size_t k = i; is_joined(t, k); k++)
		differ |= row->cells[k + 1].state == TABLE_KNOWN ||
			  strcmp(mark(&row->cells[k + 1]), mark(first)) != 0;
	buf_clear(ret);
	put_value(&t->columns[i], first, ret);
	for (; differ && is_joined(t, i); i++) {
		buf_puts(ret, "/");
		put_value(&t->columns[i + 1], &row->cells[i + 1], ret);
	}
}

static size_t width_of(const struct table *t, size_t column, struct buf *scratch)
{
	const char *header = t->columns[column].header;
	size_t width = wrap_columns(header, strlen(header));

	for (size_t i = 0; i < t->n; i++) {
		size_t w;

		describe(t, t->rows[i], column, scratch);
		w = wrap_columns(buf_text(scratch), scratch->len);
		if (w > width)
			width = w;
	}
	return width;
}

static size_t line_width(const struct shown *s)
{
	size_t width = 0;

	for (size_t i = 0; i < s->t->n_columns; i++)
		if (s->width[i])
			width += (width ? s->gap : 0) + s->width[i];
	return width;
}

static bool fits(const struct shown *s)
{
	return line_width(s) <= WRAP_COLUMNS;
}

/*
 * Narrower gaps first, then columns to lines of their own, as few as will do; the last of
 * them go first.
 */
static void fit(struct shown *s)
{
	const struct table *t = s->t;

	s->gap = GAP;
	if (fits(s))
		return;
	s->gap = GAP_NARROW;
	for (size_t i = t->n_columns; i-- > 0 && !fits(s);)
		if (t->columns[i].folds)
			s->width[i] = 0;
	for (size_t i = 0; i < t->n_columns; i++) {
		size_t folded = s->width[i];

		s->width[i] = s->full[i];
		if (!fits(s))
			s->width[i] = folded;
	}
	s->gap = GAP;
	if (!fits(s))
		s->gap = GAP_NARROW;
}

static void put_blanks(FILE *out, size_t n)
{
	(void)fprintf(out, "%*s", (int)n, "");
}

/* One piece of a line; the blanks behind it come with the next, so that no line ends in them. */
static void put_cell(const struct shown *s, size_t column, const char *text, size_t *owed,
		     FILE *out)
{
	size_t room = s->width[column] - wrap_columns(text, strlen(text));
	bool is_right = s->t->columns[column].align == TABLE_RIGHT;

	put_blanks(out, *owed + (is_right ? room : 0));
	wrap_put(out, text, strlen(text));
	*owed = s->gap + (is_right ? 0 : room);
}

static void print_headers(const struct shown *s, FILE *out)
{
	size_t owed = 0;

	for (size_t i = 0; i < s->t->n_columns; i++)
		if (s->width[i])
			put_cell(s, i, s->t->columns[i].header, &owed, out);
	(void)fputc('\n', out);
}

/* What was folded: "    FIRMWARE 14.32.1010, LINK auto". */
static void print_folded(struct shown *s, const struct table_row *row, FILE *out)
{
	struct buf *line = &s->line;

	buf_clear(line);
	for (size_t i = 0; i < s->t->n_columns; i++) {
		if (s->width[i] || !s->t->columns[i].header)
			continue;
		describe(s->t, row, i, &s->cell);
		buf_printf(line, "%s%s %s", line->len ? ", " : "", s->t->columns[i].header,
			   buf_text(&s->cell));
	}
	if (line->len)
		wrap_print(out, "    ", 4, buf_text(line));
}

static void print_rows(struct shown *s, FILE *out)
{
	print_headers(s, out);
	for (size_t i = 0; i < s->t->n; i++) {
		size_t owed = 0;

		for (size_t k = 0; k < s->t->n_columns; k++) {
			if (!s->width[k])
				continue;
			describe(s->t, s->t->rows[i], k, &s->cell);
			put_cell(s, k, buf_text(&s->cell), &owed, out);
		}
		(void)fputc('\n', out);
		print_folded(s, s->t->rows[i], out);
	}
}

/* --- why it is not known -------------------------------------------------------------- */

static bool is_same(const struct table_cell *a, const struct table_cell *b)
{
	return a->state == TABLE_UNKNOWN && b->state == TABLE_UNKNOWN &&
	       strcmp(a->text, b->text) == 0 && strcmp(mark(a), mark(b)) == 0;
}

/* Was this cell's reason met before it, in the order of rows and columns? */
static bool is_repeated(const struct table *t, size_t row, size_t column)
{
	const struct table_cell *cell = &t->rows[row]->cells[column];

	for (size_t i = 0; i <= row; i++)
		for (size_t k = 0; k < (i < row ? t->n_columns : column); k++)
			if (is_same(&t->rows[i]->cells[k], cell))
				return true;
	return false;
}

static bool has_reason(const struct table *t, size_t column, const struct table_cell *cell)
{
	for (size_t i = 0; i < t->n; i++)
		if (is_same(&t->rows[i]->cells[column], cell))
			return true;
	return false;
}

/* "? MAC, VLAN: not captured in this root" */
static void print_reason(const struct table *t, const struct table_cell *cell, struct buf *line,
			 FILE *out)
{
	bool any = false;

	buf_clear(line);
	buf_printf(line, "%s ", mark(cell));
	for (size_t i = 0; i < t->n_columns; i++) {
		bool has = has_reason(t, i, cell);

		if (!t->columns[i].header)
			continue;
		for (size_t k = i; is_joined(t, k); k++)
			has |= has_reason(t, k + 1, cell);
		if (has)
			buf_printf(line, "%s%s", any ? ", " : "", t->columns[i].header);
		any |= has;
	}
	buf_printf(line, ": %s", cell->text);
	wrap_print(out, "", 2, buf_text(line));
}

static void print_reasons(const struct table *t, struct buf *line, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->n_columns; k++) {
			const struct table_cell *cell = &t->rows[i]->cells[k];

			if (cell->state != TABLE_UNKNOWN || is_repeated(t, i, k))
				continue;
			if (!any)
				(void)fputc('\n', out);
			any = true;
			print_reason(t, cell, line, out);
		}
}

/* --- the whole -------------------------------------------------------------------------- */

static int print_one(const struct table *t, FILE *out, struct error *e)
{
	CLEANUP(free_shown) struct shown s = { .t = t };

	if (t->title)
		wrap_print(out, "", 0, t->title);
	if (t->n == 0) {
		wrap_print(out, "", 0, t->empty);
		return 0;
	}
	s.full = calloc(t->n_columns * 2, sizeof(*s.full));
	if (!s.full)
		return error_nomem(e);
	s.width = s.full + t->n_columns;
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].header)
			s.full[i] = s.width[i] = width_of(t, i, &s.cell);
	fit(&s);
	print_rows(&s, out);
	print_reasons(t, &s.line, out);
	return buf_error(&s.cell) < 0 || buf_error(&s.line) < 0 ? error_nomem(e) : 0;
}

int render_table_text(const struct table *t, const struct render_style *style, FILE *out,
		      struct error *e)
{
	int r = print_one(t, out, e);

	for (size_t i = 0; r == 0 && i < t->n; i++) {
		if (!t->rows[i]->sub || t->rows[i]->sub->n == 0)
			continue;
		(void)fputc('\n', out);
		r = render_table_text(t->rows[i]->sub, style, out, e);
	}
	return r;
}
