/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rivals_yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS	  " \t\r"
#define DEPTH_MAX 32

struct reader {
	const struct rivals_line *line;
	const char *p, *end;
	struct rivals_yaml *ret;
	int r;
};

static void skip_blanks(struct reader *rd)
{
	while (rd->p < rd->end && strchr(BLANKS, *rd->p))
		rd->p++;
}

static struct rivals_node *add_node(struct reader *rd, size_t column, bool is_item)
{
	struct rivals_yaml *y = rd->ret;
	struct rivals_node *n, *items = base_room(y->items, y->n, sizeof(*items));

	if (!items) {
		rd->r = -ENOMEM;
		return NULL;
	}
	y->items = items;
	n = &y->items[y->n++];
	*n = (struct rivals_node){ .line = *rd->line, .column = column, .is_item = is_item };
	return n;
}

/* What is quoted, without its quotes; or NULL, where nothing is. */
static const char *take_quoted(struct reader *rd, size_t *ret_len)
{
	const char *start = rd->p + 1, *close;

	if (rd->p == rd->end || (*rd->p != '"' && *rd->p != '\''))
		return NULL;
	close = memchr(start, *rd->p, (size_t)(rd->end - start));
	if (!close)
		return NULL;
	*ret_len = (size_t)(close - start);
	rd->p = close + 1;
	return start;
}

/* Up to one of @ends, without the blanks behind it. */
static const char *take_bare(struct reader *rd, const char *ends, size_t *ret_len)
{
	const char *start = rd->p;
	size_t len;

	while (rd->p < rd->end && !strchr(ends, *rd->p))
		rd->p++;
	len = (size_t)(rd->p - start);
	while (len && strchr(BLANKS, start[len - 1]))
		len--;
	*ret_len = len;
	return start;
}

static void take_flow(struct reader *rd, size_t column, unsigned depth);

/* The value of a key between braces, or an entry between brackets. */
static void take_flow_value(struct reader *rd, struct rivals_node *n, size_t column, unsigned depth)
{
	skip_blanks(rd);
	if (rd->p < rd->end && strchr("{[", *rd->p)) {
		take_flow(rd, column + 1, depth + 1);
		return;
	}
	n->value = take_quoted(rd, &n->value_len);
	if (!n->value)
		n->value = take_bare(rd, ",}]", &n->value_len);
	/* Others of its line are other lines' matter. */
	n->line.start = n->key;
	n->line.len = (size_t)(rd->p - n->key);
}

static void take_flow_pair(struct reader *rd, size_t column, bool is_item, unsigned depth)
{
	struct rivals_node *n;
	size_t len = 0;
	const char *key = take_quoted(rd, &len);

	if (!key)
		key = take_bare(rd, ":,}]", &len);
	skip_blanks(rd);
	/* An entry of a list that is no mapping has no key. */
	if (rd->p == rd->end || *rd->p != ':')
		return;
	rd->p++;
	n = add_node(rd, column, is_item);
	if (!n)
		return;
	n->key = key;
	n->key_len = len;
	take_flow_value(rd, n, column, depth);
}

/* "{a: b, c: {d: e}}" and "[{a: b}, {a: c}]", up to what closes them or the end of the line. */
static void take_flow(struct reader *rd, size_t column, unsigned depth)
{
	bool is_item = true;

	rd->p++;
	while (rd->r == 0 && rd->p < rd->end && depth < DEPTH_MAX) {
		skip_blanks(rd);
		if (rd->p == rd->end)
			return;
		if (strchr("}]", *rd->p)) {
			rd->p++;
			return;
		}
		if (*rd->p == ',')
			rd->p++;
		else if (strchr("{[", *rd->p))
			take_flow(rd, column, depth + 1);
		else {
			const char *before = rd->p;

			take_flow_pair(rd, column, is_item, depth);
			is_item = false;
			/* A quote that nothing closes. */
			rd->p += rd->p == before;
		}
	}
}

/* The ':' that ends a bare key is followed by a blank or by nothing. */
static const char *take_key(struct reader *rd, size_t *ret_len)
{
	const char *key = take_quoted(rd, ret_len), *start = rd->p;

	if (!key) {
		while (rd->p < rd->end &&
		       !(*rd->p == ':' && (rd->p + 1 == rd->end || strchr(BLANKS, rd->p[1]))))
			rd->p++;
		key = start;
		*ret_len = (size_t)(rd->p - start);
	}
	skip_blanks(rd);
	if (rd->p == rd->end || *rd->p != ':')
		return NULL;
	rd->p++;
	return key;
}

/* The rest of a line: up to a comment, without quotes. */
static void take_value(struct reader *rd, struct rivals_node *n)
{
	const char *p;

	n->value = take_quoted(rd, &n->value_len);
	if (n->value)
		return;
	for (p = rd->p; p < rd->end; p++)
		if (*p == '#' && p > rd->p && strchr(BLANKS, p[-1]))
			break;
	rd->end = p;
	n->value = take_bare(rd, "", &n->value_len);
}

int rivals_yaml_read_line(const struct rivals_line *l, struct rivals_yaml *ret)
{
	struct reader rd = { .line = l, .p = l->start, .end = l->start + l->len, .ret = ret };
	size_t column = l->indent, key_len = 0;
	struct rivals_node *n;
	bool is_item = false;
	const char *key;

	if (rd.p < rd.end && *rd.p == '#')
		return 0;
	while (rd.end - rd.p > 1 && rd.p[0] == '-' && strchr(BLANKS, rd.p[1])) {
		rd.p++;
		skip_blanks(&rd);
		is_item = true;
		column = l->indent + (size_t)(rd.p - l->start);
	}
	if (rd.p < rd.end && strchr("{[", *rd.p)) {
		take_flow(&rd, column, 0);
		return rd.r;
	}
	key = take_key(&rd, &key_len);
	n = key ? add_node(&rd, column, is_item) : NULL;
	if (!n)
		return rd.r;
	n->key = key;
	n->key_len = key_len;
	skip_blanks(&rd);
	if (rd.p < rd.end && strchr("{[", *rd.p))
		take_flow(&rd, column + 1, 0);
	else
		take_value(&rd, n);
	return rd.r;
}

int rivals_yaml_read(const char *text, struct rivals_yaml *ret)
{
	struct rivals_line l = { .next = text };
	int r = 0;

	while (r == 0 && rivals_lines_next(&l))
		r = rivals_yaml_read_line(&l, ret);
	return r;
}

void rivals_yaml_done(struct rivals_yaml *y)
{
	free(y->items);
	*y = (struct rivals_yaml){ 0 };
}
