/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As much of YAML as files of networks are made of: keys, in quotes or not, with values of one
 * line, held together by indentation, and flow mappings and lists that end in the line that they
 * begin in.  No anchors, no blocks of text, no documents.
 */
#ifndef CHECKS_HOST_RIVALS_YAML_H
#define CHECKS_HOST_RIVALS_YAML_H

#include "rivals_lines.h"

/* One key; what it is below of is the nearest before it with a smaller column. */
struct rivals_node {
	struct rivals_line line;
	/* Where the key begins; what is in braces or brackets is further right by its depth. */
	size_t column;
	bool is_item; /* the first key of an entry of a list */
	const char *key, *value;
	size_t key_len, value_len; /* 0: what is below it is its value */
};

struct rivals_yaml {
	struct rivals_node *items;
	size_t n;
};

/* The nodes point into the text.  0 or -ENOMEM. */
int rivals_yaml_read(const char *text, struct rivals_yaml *ret) MUST_USE;
/* The same of one line. */
int rivals_yaml_read_line(const struct rivals_line *l, struct rivals_yaml *ret) MUST_USE;
void rivals_yaml_done(struct rivals_yaml *y);
#define AUTO_RIVALS_YAML CLEANUP(rivals_yaml_done)

#endif
