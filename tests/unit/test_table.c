/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <sriovctl/table.h>

#include <string.h>

enum { NAME, COUNT, COLUMNS };

static const struct table_column columns[COLUMNS] = {
	[NAME] = { .key = "name", .header = "NAME" },
	[COUNT] = { .key = "count", .header = "COUNT", .type = TABLE_INT },
};

TEST(a_new_row_has_none_everywhere)
{
	AUTO_TABLE struct table t = { .columns = columns, .n_columns = COLUMNS };
	struct table_row *row = table_add(&t);

	EXPECT(row && t.n == 1 && !row->sub);
	for (size_t i = 0; row && i < COLUMNS; i++)
		EXPECT(row->cells[i].state == TABLE_NONE);
	EXPECT(table_error(&t) == 0);
}

TEST(cells_hold_what_was_set_last)
{
	AUTO_TABLE struct table t = { .columns = columns, .n_columns = COLUMNS };
	struct table_row *row = table_add(&t);

	table_set_text(row, NAME, "first");
	table_set_text(row, NAME, "second");
	table_set_int(row, COUNT, INT64_MIN);
	EXPECT(row->cells[NAME].state == TABLE_KNOWN &&
	       strcmp(row->cells[NAME].text, "second") == 0);
	EXPECT(row->cells[COUNT].number == INT64_MIN);
	table_set_unknown(row, NAME, "(hint)", "why");
	EXPECT(row->cells[NAME].state == TABLE_UNKNOWN &&
	       strcmp(row->cells[NAME].text, "why") == 0);
	EXPECT(strcmp(row->cells[NAME].hint, "(hint)") == 0);
	table_set_text(row, NAME, NULL);
	EXPECT(row->cells[NAME].state == TABLE_NONE && !row->cells[NAME].text);
	EXPECT(!row->cells[NAME].hint);
}

TEST(rows_stay_where_they_are)
{
	AUTO_TABLE struct table t = { .columns = columns, .n_columns = COLUMNS };
	struct table_row *first = table_add(&t);

	for (int i = 1; i < 100; i++)
		table_set_int(table_add(&t), COUNT, i);
	EXPECT(t.n == 100 && t.rows[0] == first && t.rows[99]->cells[COUNT].number == 99);
}

TEST(tables_below_and_above)
{
	AUTO_TABLE struct table t = { .key = "all", .columns = columns, .n_columns = COLUMNS };
	const struct table like = { .key = "sub", .columns = columns, .n_columns = COLUMNS };
	struct table_row *head = table_add_head(&t, columns, COLUMNS);
	struct table_row *row = table_add(&t);
	struct table *sub = table_add_sub(row, &like, "title");

	table_set_text(head, NAME, "host");
	table_set_text(table_add(sub), NAME, "below");
	EXPECT(t.head && t.head->n == 1 && t.n == 1 && row->sub == sub && sub->n == 1);
	EXPECT(strcmp(sub->key, "sub") == 0 && strcmp(sub->title, "title") == 0);
	EXPECT(table_error(sub) == 0);
	/* A failure below is one of the whole. */
	t.error = -12;
	EXPECT(table_error(sub) == -12 && !table_add(sub) && !table_add_sub(row, &like, NULL));
}

TEST(nothing_happens_to_no_row)
{
	const struct table like = { .columns = columns, .n_columns = COLUMNS };

	table_set_text(NULL, NAME, "x");
	table_set_int(NULL, COUNT, 1);
	table_set_unknown(NULL, NAME, NULL, "x");
	EXPECT(!table_add(NULL) && !table_add_sub(NULL, &like, NULL));
}
