/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole root as a table of rows, on top of test_tree.h: a file with its text, a link
 * with its target, or, with neither, a directory.
 */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include "test_tree.h"

#include <sriovctl/parse.h>

#include <errno.h>

struct tree_row {
	const char *path, *text, *link;
};

static inline void tree_put_rows(const struct tree *t, const struct tree_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (rows[i].text)
			tree_put(t, rows[i].path, rows[i].text);
		else if (rows[i].link)
			tree_put_link(t, rows[i].path, rows[i].link);
		else
			tree_put_dir(t, rows[i].path);
	}
}

/* The root with an empty /proc, which makes it a host's; the test adds to it as it likes. */
static inline void tree_new(struct tree *t)
{
	tree_make(t);
	tree_put_dir(t, "/proc");
	tree_open(t);
}

static inline void tree_build(struct tree *t, const struct tree_row *rows, size_t n)
{
	tree_new(t);
	tree_put_rows(t, rows, n);
}

/* AUTO_TREE struct tree t = { 0 }; TREE(&t, { .path = "/proc/cmdline", .text = "quiet" }); */
#define TREE(t, ...)                                             \
	do {                                                     \
		const struct tree_row rows_[] = { __VA_ARGS__ }; \
		tree_build(t, rows_, ARRAY_SIZE(rows_));         \
	} while (0)

static inline bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

#endif
