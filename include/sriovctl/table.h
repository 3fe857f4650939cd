/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of typed cells, ready to be printed: what a command lists, and renderers only
 * format.  A cell is a value, none (there is no such thing, and that is known), or not
 * known, with the reason; a new row has none everywhere.  A row may have a table of its
 * own below it.  Filling never asks in between: a failure sticks with the outermost
 * table, later calls do nothing, and table_error() tells once at the end.
 */
#ifndef SRIOVCTL_TABLE_H
#define SRIOVCTL_TABLE_H

#include <sriovctl/base.h>

enum table_type {
	TABLE_TEXT,
	TABLE_INT,
	TABLE_SWITCH, /* true or false; on or off for a person */
};

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
};

struct table_column {
	const char *key;    /* for programs; a dot makes an object: "link.speed" */
	const char *header; /* for a person; NULL: shown in the column before, behind a "/" */
	const char *unit;   /* of a text: told to programs with the value; or NULL */
	enum table_type type;
	enum table_align align;
	bool folds; /* goes to a line of its own, the last such first, where a line is too narrow */
};

enum table_state {
	TABLE_NONE,
	TABLE_KNOWN,
	TABLE_UNKNOWN,
};

struct table_cell {
	enum table_state state;
	int64_t number; /* of an int or a switch */
	char *text;	/* of a text; of what is not known, the reason */
	char *hint;	/* of what is not known: shown for "?"; or NULL */
};

struct table_row {
	struct table_cell *cells; /* as many as there are columns */
	struct table *sub;	  /* or NULL */
	struct table *of;
};

struct table {
	const char *key;   /* for programs */
	const char *empty; /* for a person, where there is no row */
	char *title;	   /* or NULL */
	const struct table_column *columns;
	size_t n_columns;
	struct table_row **rows;
	size_t n;
	struct table *head;  /* one row about the whole; or NULL */
	struct table *above; /* NULL: the outermost */
	int error;
};

/* The table itself starts as { .key = , .empty = , .columns = , .n_columns = }. */
void table_done(struct table *t);
#define AUTO_TABLE CLEANUP(table_done)

/* A new row; NULL after a failure, which every function here takes and does nothing for. */
struct table_row *table_add(struct table *t);
/* The one row of the head: a table with such columns. */
struct table_row *table_add_head(struct table *t, const struct table_column *columns, size_t n);
/* The table below a row. */
struct table *table_add_sub(struct table_row *row, const struct table *like, const char *title);

/* NULL leaves none. */
void table_set_text(struct table_row *row, size_t column, const char *text);
void table_set_int(struct table_row *row, size_t column, int64_t value);
void table_set_unknown(struct table_row *row, size_t column, const char *hint, const char *reason);

/* 0, or the first failure. */
int table_error(const struct table *t) MUST_USE;

#endif
