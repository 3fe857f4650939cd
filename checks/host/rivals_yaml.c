/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of netplan, nmstate, os-net-config and the operator.  What a key is below of follows
 * from the columns of keys alone, so a list of keys in their order is all that is needed.
 */
#include "rivals_yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The index of the key that @i is below of; -1: none. */
static ptrdiff_t parent_of(const struct rivals_yaml *y, size_t i)
{
	ptrdiff_t at = (ptrdiff_t)i;

	while (--at >= 0)
		if (y->items[at].column < y->items[i].column)
			return at;
	return -1;
}

static bool is_key(const struct rivals_node *n, const char *key)
{
	return strlen(key) == n->key_len && strncasecmp(n->key, key, n->key_len) == 0;
}

static bool is_below(const struct rivals_yaml *y, size_t i, const char *key)
{
	ptrdiff_t parent = parent_of(y, i);

	return parent >= 0 && is_key(&y->items[parent], key);
}

/* Of what is below @head at any depth, the first of this key; NULL: none. */
static const struct rivals_node *find_below(const struct rivals_yaml *y, size_t head,
					    const char *key)
{
	for (size_t i = head + 1; i < y->n && y->items[i].column > y->items[head].column; i++)
		if (is_key(&y->items[i], key))
			return &y->items[i];
	return NULL;
}

static void add_value(struct rivals_file *f, const struct rivals_node *at,
		      const struct rivals_node *value)
{
	rivals_lines_add(f, &at->line, value ? value->value : NULL, value ? value->value_len : 0);
}

/* --- netplan -------------------------------------------------------------------------------- */

/*
 * The interface that an entry is of: what its "match" says in any of the files, which netplan
 * merges by the names of entries, else that name (netplan's reference, "Properties for physical
 * device types").
 */
static void add_entry(struct rivals_file *f, const struct rivals_yaml *y, const char *id,
		      size_t id_len, const struct rivals_node *at)
{
	const struct rivals_node *by = NULL;
	bool is_matched = false;

	for (size_t i = 0; i < y->n; i++) {
		ptrdiff_t entry = is_key(&y->items[i], "match") ? parent_of(y, i) : -1;
		const struct rivals_node *e = entry >= 0 ? &y->items[entry] : NULL;

		if (!e || e->key_len != id_len || (id_len && memcmp(e->key, id, id_len) != 0) ||
		    !is_below(y, (size_t)entry, "ethernets"))
			continue;
		is_matched = true;
		by = find_below(y, i, "macaddress") ?: find_below(y, i, "name");
	}
	if (is_matched)
		add_value(f, at, by);
	else
		rivals_lines_add(f, &at->line, id, id_len);
}

/* Was the same function named by an entry before? */
static bool was_linked(const struct rivals_yaml *y, size_t i)
{
	const struct rivals_node *n = &y->items[i];

	for (size_t k = 0; k < i; k++) {
		const struct rivals_node *o = &y->items[k];
		ptrdiff_t entry;

		if (!is_key(o, "link") || o->value_len != n->value_len ||
		    (n->value_len && memcmp(o->value, n->value, n->value_len) != 0))
			continue;
		entry = parent_of(y, k);
		if (entry >= 0 && is_below(y, (size_t)entry, "ethernets"))
			return true;
	}
	return false;
}

void rivals_yaml_netplan(struct rivals_file *f)
{
	AUTO_RIVALS_YAML struct rivals_yaml y = { 0 };

	f->r = rivals_yaml_read(f->text, &y);
	for (size_t i = 0; f->r == 0 && i < y.n; i++) {
		const struct rivals_node *n = &y.items[i];
		ptrdiff_t entry = parent_of(&y, i);

		if (is_key(n, "virtual-function-count") || is_key(n, "embedded-switch-mode")) {
			if (entry < 0)
				rivals_lines_add(f, &n->line, NULL, 0);
			else
				add_entry(f, &y, y.items[entry].key, y.items[entry].key_len, n);
		}
		/* Of others than "ethernets" it is another thing: a VLAN's interface. */
		if (is_key(n, "link") && entry >= 0 && is_below(&y, (size_t)entry, "ethernets") &&
		    !was_linked(&y, i))
			add_entry(f, &y, n->value, n->value_len, n);
	}
}

/* --- lists of entries ----------------------------------------------------------------------- */

/* The first key of the entry that @i is of, in the list whose keys have this column. */
static size_t entry_start(const struct rivals_yaml *y, size_t i, size_t column)
{
	while (i > 0 && !(y->items[i].is_item && y->items[i].column == column))
		i--;
	return i;
}

static const struct rivals_node *find_in_entry(const struct rivals_yaml *y, size_t start,
					       size_t column, const char *key)
{
	for (size_t i = start; i < y->n && y->items[i].column >= column; i++) {
		if (i > start && y->items[i].is_item && y->items[i].column == column)
			break;
		if (y->items[i].column == column && is_key(&y->items[i], key))
			return &y->items[i];
	}
	return NULL;
}

/* Of the top's entries those with "numvfs" make VFs. */
void rivals_yaml_os_net(struct rivals_file *f)
{
	AUTO_RIVALS_YAML struct rivals_yaml y = { 0 };

	f->r = rivals_yaml_read(f->text, &y);
	for (size_t i = 0; f->r == 0 && i < y.n; i++) {
		size_t column = y.items[i].column;

		if (is_key(&y.items[i], "numvfs") && parent_of(&y, i) < 0)
			add_value(f, &y.items[i],
				  find_in_entry(&y, entry_start(&y, i, column), column, "name"));
	}
}

/* "interfaces", and in each "ethernet", "sr-iov", "total-vfs" (nmstate.io, the YAML API). */
void rivals_yaml_nmstate(struct rivals_file *f)
{
	AUTO_RIVALS_YAML struct rivals_yaml y = { 0 };

	f->r = rivals_yaml_read(f->text, &y);
	for (size_t i = 0; f->r == 0 && i < y.n; i++) {
		const struct rivals_node *by;
		ptrdiff_t top = (ptrdiff_t)i;
		size_t start, column;

		if (!is_key(&y.items[i], "total-vfs"))
			continue;
		while (top >= 0 && !is_below(&y, (size_t)top, "interfaces"))
			top = parent_of(&y, (size_t)top);
		column = top >= 0 ? y.items[top].column : y.items[i].column;
		start = entry_start(&y, top >= 0 ? (size_t)top : i, column);
		by = find_in_entry(&y, start, column, "identifier");
		if (by && by->value_len == strlen("mac-address"))
			by = find_in_entry(&y, start, column, "mac-address");
		else
			by = find_in_entry(&y, start, column, "name");
		add_value(f, &y.items[i], by);
	}
}

void rivals_yaml_operator(struct rivals_file *f)
{
	AUTO_RIVALS_YAML struct rivals_yaml y = { 0 };

	f->r = rivals_yaml_read(f->text, &y);
	for (size_t i = 0; f->r == 0 && i < y.n; i++)
		if (is_key(&y.items[i], "pciaddress"))
			add_value(f, &y.items[i], &y.items[i]);
}
