/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As much of YAML as the files of netplan, os-net-config and the operator are made of: keys and
 * values of one line each, held together by indentation.
 */
#include "rivals_lines.h"

#include <string.h>

/* "key:" or "key: {...}" at the start of a line: the length of the key; 0: none. */
static size_t key_len(const struct rivals_line *l)
{
	size_t n = 0;

	while (n < l->len && l->start[n] != ':')
		n++;
	return n < l->len ? n : 0;
}

/* The line above @l that it is below of; false: none. */
static bool find_parent(const char *text, const struct rivals_line *l, struct rivals_line *ret)
{
	struct rivals_line it = { .next = text };
	bool found = false;

	while (rivals_lines_next(&it) && it.start < l->start) {
		if (it.indent >= l->indent)
			continue;
		*ret = it;
		found = true;
	}
	return found;
}

/* Of the block of @head: the value of @key at any depth; false: none. */
static bool find_below(const struct rivals_line *head, const char *key, const char **ret,
		       size_t *ret_len)
{
	struct rivals_line it = *head;

	while (rivals_lines_next(&it) && it.indent > head->indent)
		if (rivals_lines_value(&it, key, ret, ret_len))
			return true;
	return false;
}

/*
 * The interface that an entry of netplan is of: what "match" says, else its own name
 * (netplan's reference, "Properties for physical device types").
 */
static void add_entry(struct rivals_file *f, const struct rivals_line *head,
		      const struct rivals_line *l)
{
	const char *value;
	size_t len;

	if (find_below(head, "macaddress", &value, &len) || find_below(head, "name", &value, &len))
		rivals_lines_add(f, l, value, len);
	else if (find_below(head, "match", &value, &len))
		rivals_lines_add(f, l, NULL, 0);
	else
		rivals_lines_add(f, l, head->start, key_len(head));
}

void rivals_yaml_netplan(struct rivals_file *f)
{
	static const char *const keys[] = { "virtual-function-count", "embedded-switch-mode" };
	struct rivals_line l = { .next = f->text }, head = { 0 };
	const char *value;
	size_t len, i;

	while (rivals_lines_next(&l)) {
		for (i = 0; i < ARRAY_SIZE(keys); i++) {
			if (!memmem(l.start, l.len, keys[i], strlen(keys[i])))
				continue;
			/* "ens1f0: {virtual-function-count: 8}" has it all in one line. */
			if (!rivals_lines_value(&l, keys[i], &value, &len))
				rivals_lines_add(f, &l, l.start, key_len(&l));
			else if (find_parent(f->text, &l, &head))
				add_entry(f, &head, &l);
			else
				rivals_lines_add(f, &l, NULL, 0);
			break;
		}
	}
}

/* The column of the keys of an entry: behind the "- " of its first. */
static size_t key_column(const struct rivals_line *l)
{
	return l->indent + (l->start[0] == '-' ? 1 + strspn(l->start + 1, " ") : 0);
}

/* A list of entries, each with its keys in one column: those with "numvfs" make VFs. */
void rivals_yaml_os_net(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text }, at = { 0 };
	const char *value, *name = NULL;
	size_t len, name_len = 0, column = 0;

	while (rivals_lines_next(&l)) {
		if (l.start[0] == '-' && (column == 0 || key_column(&l) <= column)) {
			if (at.number > 0)
				rivals_lines_add(f, &at, name, name_len);
			at = (struct rivals_line){ 0 };
			name = NULL;
			name_len = 0;
			column = key_column(&l);
		}
		if (key_column(&l) != column)
			continue;
		if (rivals_lines_value(&l, "name", &value, &len)) {
			name = value;
			name_len = len;
		}
		if (rivals_lines_value(&l, "numvfs", &value, &len))
			at = l;
	}
	if (at.number > 0)
		rivals_lines_add(f, &at, name, name_len);
}

void rivals_yaml_operator(struct rivals_file *f)
{
	struct rivals_line l = { .next = f->text };
	const char *value;
	size_t len;

	while (rivals_lines_next(&l))
		if (rivals_lines_value(&l, "pciaddress", &value, &len))
			rivals_lines_add(f, &l, value, len);
}
