/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of host.h: what host_attr() makes of a path in a tree. */
#ifndef TESTS_TREE_ATTR_H
#define TESTS_TREE_ATTR_H

#include "tree.h"

static inline int tree_code(const struct tree *t, const char *path)
{
	AUTO_BUF struct buf text = { 0 };

	return host_attr(t->h, &text, NULL, "%s", path);
}

static inline bool tree_reads(const struct tree *t, const char *path, const char *expected)
{
	AUTO_BUF struct buf text = { 0 };

	return host_attr(t->h, &text, NULL, "%s", path) == 0 && same(buf_text(&text), expected);
}

#endif
