/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/table.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct table *outermost(struct table *t)
{
	while (t->above)
		t = t->above;
	return t;
}

static void *failed(struct table *t)
{
	outermost(t)->error = -ENOMEM;
	return NULL;
}

static void free_row(struct table_row *row, size_t n)
{
	for (size_t i = 0; row->cells && i < n; i++) {
		free(row->cells[i].text);
		free(row->cells[i].hint);
	}
	free(row->cells);
	if (row->sub)
		table_done(row->sub);
	free(row->sub);
	free(row);
}

void table_done(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free_row(t->rows[i], t->n_columns);
	free(t->rows);
	free(t->title);
	if (t->head)
		table_done(t->head);
	free(t->head);
	*t = (struct table){ 0 };
}

struct table_row *table_add(struct table *t)
{
	struct table_row *row, **rows;

	if (!t || outermost(t)->error < 0)
		return NULL;
	rows = base_room(t->rows, t->n, sizeof(*rows));
	if (!rows)
		return failed(t);
	t->rows = rows;
	row = calloc(1, sizeof(*row));
	if (!row)
		return failed(t);
	row->of = t;
	row->cells = calloc(t->n_columns + 1, sizeof(*row->cells));
	t->rows[t->n++] = row;
	return row->cells ? row : failed(t);
}

static struct table *new_table(struct table *above, const struct table *like)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return failed(above);
	t->key = like->key;
	t->empty = like->empty;
	t->columns = like->columns;
	t->n_columns = like->n_columns;
	t->above = above;
	return t;
}

struct table_row *table_add_head(struct table *t, const struct table_column *columns, size_t n)
{
	const struct table like = { .columns = columns, .n_columns = n };

	if (outermost(t)->error < 0)
		return NULL;
	t->head = new_table(t, &like);
	return table_add(t->head);
}

struct table *table_add_sub(struct table_row *row, const struct table *like, const char *title)
{
	if (!row || outermost(row->of)->error < 0)
		return NULL;
	row->sub = new_table(row->of, like);
	if (!row->sub || !title)
		return row->sub;
	row->sub->title = strdup(title);
	return row->sub->title ? row->sub : failed(row->of);
}

/* The cell to be filled; NULL when there is nothing to be done. */
static struct table_cell *cell_of(struct table_row *row, size_t column, enum table_state state)
{
	struct table_cell *cell;

	if (!row || outermost(row->of)->error < 0)
		return NULL;
	cell = &row->cells[column];
	free(cell->text);
	free(cell->hint);
	*cell = (struct table_cell){ .state = state };
	return cell;
}

static char *copy(struct table_row *row, const char *text)
{
	char *new = strdup(text);

	return new ? new : failed(row->of);
}

void table_set_text(struct table_row *row, size_t column, const char *text)
{
	struct table_cell *cell = cell_of(row, column, text ? TABLE_KNOWN : TABLE_NONE);

	if (cell && text)
		cell->text = copy(row, text);
}

void table_set_int(struct table_row *row, size_t column, int64_t value)
{
	struct table_cell *cell = cell_of(row, column, TABLE_KNOWN);

	if (cell)
		cell->number = value;
}

void table_set_unknown(struct table_row *row, size_t column, const char *hint, const char *reason)
{
	struct table_cell *cell = cell_of(row, column, TABLE_UNKNOWN);

	if (!cell)
		return;
	cell->text = copy(row, reason);
	if (hint)
		cell->hint = copy(row, hint);
}

int table_error(const struct table *t)
{
	while (t->above)
		t = t->above;
	return t->error;
}
