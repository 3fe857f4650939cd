/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/compat.h>

#include "compat_model.h"

#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ID_LEN	  9
#define DEVICE_AT 5

int compat_draft_refuse(const struct compat_draft *d, size_t offset, const char *fmt, ...)
{
	struct json_place p = json_place(d->text, offset);
	AUTO_BUF struct buf what = { 0 };

	BUF_FORMAT(&what, fmt);
	if (buf_error(&what) < 0)
		return error_nomem(d->e);
	return error_set(d->e, -EINVAL, "%s:%u:%u: %s", d->name, p.line, p.column, buf_text(&what));
}

/* FNV-1a. */
static size_t slot_of(const unsigned char *data, size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ data[i]) * 16777619u;
	return hash % COMPAT_SLOTS;
}

uint32_t compat_draft_put(struct compat_draft *d, const void *data, size_t len)
{
	uint32_t *slot = &d->slots[slot_of(data, len)], at;

	if (*slot && d->strings.len - *slot > len &&
	    memcmp(d->strings.data + *slot, data, len) == 0 && !d->strings.data[*slot + len])
		return *slot;
	at = (uint32_t)d->strings.len;
	buf_append(&d->strings, data, len);
	buf_append(&d->strings, "", 1);
	if (buf_error(&d->strings) < 0 || d->strings.len > UINT32_MAX)
		return 0;
	*slot = at;
	return at;
}

struct compat_table compat_draft_table(const struct compat_draft *d)
{
	return (struct compat_table){
		.strings = buf_text(&d->strings),
		.len = d->strings.len,
		.families = d->families,
		.ids = d->ids,
		.rows = d->rows,
		.keys = d->keys,
		.changelogs = d->changelogs,
		.n_families = d->n_families,
		.n_ids = d->n_ids,
		.n_rows = d->n_rows,
		.n_keys = d->n_keys,
		.n_changelogs = d->n_changelogs,
	};
}

int compat_draft_id(const char *text, struct compat_id *ret)
{
	char device[5] = { 0 }, vendor[5] = { 0 };
	uint64_t v = 0, n = 0;

	if (strlen(text) != ID_LEN || text[4] != ':')
		return -EINVAL;
	memcpy(vendor, text, 4);
	memcpy(device, text + DEVICE_AT, 4);
	ret->mask = UINT16_MAX;
	for (unsigned i = 4; i > 0 && device[i - 1] == 'x'; i--) {
		ret->mask = (uint16_t)(ret->mask << 4);
		device[i - 1] = '0';
	}
	if (parse_u64(vendor, 16, UINT16_MAX, &v) < 0 || parse_u64(device, 16, UINT16_MAX, &n) < 0)
		return -EINVAL;
	ret->vendor = (uint16_t)v;
	ret->device = (uint16_t)n;
	return 0;
}

/* --- families, changelogs ------------------------------------------------------------------ */

static const struct compat_field family_fields[] = {
	{ .name = "id", .at = offsetof(struct compat_family, id), .is_wanted = true },
	{ .name = "name", .at = offsetof(struct compat_family, name), .is_wanted = true },
	{ .name = "driver", .at = offsetof(struct compat_family, driver), .is_wanted = true },
	{ .name = "scheme", .at = offsetof(struct compat_family, scheme) },
	{ .name = "line", .at = offsetof(struct compat_family, line) },
	{ .name = "update", .at = offsetof(struct compat_family, update) },
	{ .name = "pfs",
	  .kind = COMPAT_IS_LIST,
	  .at = offsetof(struct compat_family, pfs),
	  .is_wanted = true },
	{ 0 },
};

static const struct compat_field changelog_fields[] = {
	{ .name = "branch", .at = offsetof(struct compat_changelog, branch), .is_wanted = true },
	{ .name = "to", .at = offsetof(struct compat_changelog, to), .is_wanted = true },
	{ .name = "source", .at = offsetof(struct compat_changelog, source), .is_wanted = true },
	{ 0 },
};

static int add_ids(struct compat_draft *d, const struct json *j)
{
	size_t n = json_count(json_get(j, "pfs"));
	struct compat_id *ids = reallocarray(d->ids, d->n_ids + n + 1, sizeof(*d->ids));
	const struct json *it;

	if (!ids)
		return error_nomem(d->e);
	d->ids = ids;
	JSON_EACH(it, json_get(j, "pfs"))
	{
		struct compat_id *to = &d->ids[d->n_ids];

		if (compat_draft_id(json_text(it), to) < 0)
			return compat_draft_refuse(d, json_offset(it),
						   "\"%s\" is no PCI id as \"8086:1572\"",
						   json_text(it));
		to->family = (uint16_t)d->n_families;
		d->n_ids++;
	}
	return 0;
}

static int read_families(struct compat_draft *d, const struct json *list)
{
	const struct json *it;

	d->families = calloc(json_count(list) + 1, sizeof(*d->families));
	if (!d->families)
		return error_nomem(d->e);
	JSON_EACH(it, list)
	{
		struct compat_family *f = &d->families[d->n_families];
		int r = compat_field_read(d, it, family_fields, f);

		if (r == 0)
			r = add_ids(d, it);
		if (r < 0)
			return r;
		d->n_families++;
	}
	return 0;
}

static int read_changelogs(struct compat_draft *d, const struct json *list)
{
	const struct json *it;

	d->changelogs = calloc(json_count(list) + 1, sizeof(*d->changelogs));
	if (!d->changelogs)
		return error_nomem(d->e);
	JSON_EACH(it, list)
	{
		int r = compat_field_read(d, it, changelog_fields, &d->changelogs[d->n_changelogs]);

		if (r < 0)
			return r;
		d->n_changelogs++;
	}
	return 0;
}

/* --- rows ---------------------------------------------------------------------------------- */

static int read_rows(struct compat_draft *d, const struct json *list)
{
	size_t n = json_count(list);
	const struct json *it;

	d->rows = calloc(n + 1, sizeof(*d->rows));
	d->places = calloc(n + 1, sizeof(*d->places));
	if (!d->rows || !d->places)
		return error_nomem(d->e);
	JSON_EACH(it, list)
	{
		struct compat_row *row = &d->rows[d->n_rows];
		int r = compat_row_read(d, it, row);

		if (r == 0)
			r = compat_lint_row(d, row, it);
		if (r < 0)
			return r;
		d->places[d->n_rows++] = json_offset(it);
	}
	return 0;
}

static int add_key(struct compat_draft *d, uint32_t name, size_t row)
{
	struct compat_key *keys = d->keys;

	/* Powers of two alone are the moment to grow. */
	if ((d->n_keys & (d->n_keys - 1)) == 0) {
		keys = reallocarray(keys, d->n_keys ? d->n_keys * 2 : 1, sizeof(*keys));
		if (!keys)
			return error_nomem(d->e);
		d->keys = keys;
	}
	keys[d->n_keys++] = (struct compat_key){ .name = name, .row = (uint32_t)row };
	return 0;
}

/* By the narrowest that it names. */
static int index_row(struct compat_draft *d, size_t i)
{
	const struct compat_row *row = &d->rows[i];
	uint32_t list = row->pci ? row->pci : row->families ? row->families : row->drivers;
	const char *start = buf_text(&d->strings);

	if (!list)
		return add_key(d, 0, i);
	for (const char *name = start + list; *name; name = compat_next(name)) {
		int r = add_key(d, (uint32_t)(name - start), i);

		if (r < 0)
			return r;
	}
	return 0;
}

static int compare_keys(const void *a, const void *b, void *strings)
{
	const struct compat_key *ka = a, *kb = b;
	int order = strcmp((const char *)strings + ka->name, (const char *)strings + kb->name);

	if (order)
		return order;
	return ka->row < kb->row ? -1 : ka->row > kb->row;
}

static int compare_ids(const void *a, const void *b)
{
	const struct compat_id *ia = a, *ib = b;

	if (ia->vendor != ib->vendor)
		return ia->vendor < ib->vendor ? -1 : 1;
	return ia->device < ib->device ? -1 : ia->device > ib->device;
}

static int make_index(struct compat_draft *d)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < d->n_rows; i++)
		r = index_row(d, i);
	if (r == 0 && d->n_keys)
		qsort_r(d->keys, d->n_keys, sizeof(*d->keys), compare_keys, d->strings.data);
	if (r == 0 && d->n_ids)
		qsort(d->ids, d->n_ids, sizeof(*d->ids), compare_ids);
	return r;
}

/* --- the whole ----------------------------------------------------------------------------- */

static int read_member(struct compat_draft *d, const struct json *j)
{
	static const char *const lists[] = { "changelogs", "families", "rows" };
	const char *key = json_key(j);
	uint64_t schema;

	if (strcmp(key, "schema") == 0)
		return json_read_u64(j, &schema) == 0 && schema == 1
			       ? 0
			       : compat_draft_refuse(d, json_offset(j), "\"schema\" wants 1");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (strcmp(key, lists[i]) == 0)
			return json_is_array(j) ? 0
						: compat_draft_refuse(d, json_offset(j),
								      "\"%s\" wants an array", key);
	return compat_draft_refuse(d, json_offset(j),
				   "unknown key \"%s\"; a table has \"schema\", \"changelogs\", "
				   "\"families\" and \"rows\"",
				   key);
}

static int read_tree(struct compat_draft *d, const struct json *tree)
{
	const struct json *it;
	int r = 0;

	if (!json_is_object(tree) || !json_get(tree, "schema"))
		return compat_draft_refuse(d, json_offset(tree),
					   "a table is an object with \"schema\": 1 and \"rows\"");
	d->tree = tree;
	JSON_EACH(it, tree)
	{
		if (r == 0)
			r = read_member(d, it);
	}
	if (r == 0 && !json_get(tree, "rows"))
		r = compat_draft_refuse(d, json_offset(tree), "\"rows\" is missing");
	if (r == 0)
		r = read_families(d, json_get(tree, "families"));
	if (r == 0)
		r = compat_names_families(d, json_get(tree, "families"));
	if (r == 0)
		r = read_changelogs(d, json_get(tree, "changelogs"));
	if (r == 0)
		r = compat_names_changelogs(d, json_get(tree, "changelogs"));
	if (r == 0)
		r = read_rows(d, json_get(tree, "rows"));
	if (r == 0)
		r = make_index(d);
	if (r == 0)
		r = compat_clash_find(d);
	return r == 0 && buf_error(&d->strings) < 0 ? error_nomem(d->e) : r;
}

static struct compat_table *take(struct compat_draft *d)
{
	struct compat_table *t = calloc(1, sizeof(*t));
	char *name = strdup(d->name);

	if (!t || !name) {
		free(t);
		free(name);
		return NULL;
	}
	*t = compat_draft_table(d);
	t->name = name;
	free(d->places);
	free(d->slots);
	*d = (struct compat_draft){ 0 };
	return t;
}

static void draft_done(struct compat_draft *d)
{
	buf_done(&d->strings);
	free(d->slots);
	free(d->families);
	free(d->ids);
	free(d->rows);
	free(d->keys);
	free(d->changelogs);
	free(d->places);
}

int compat_parse(const char *text, size_t len, const char *name, const struct compat_table *base,
		 struct compat_table **ret, struct error *e)
{
	CLEANUP(draft_done)
	struct compat_draft d = { .text = text, .name = name, .base = base, .e = e };
	AUTO_JSON struct json *tree = NULL;
	struct error own = { 0 };
	int r = json_parse_commented(text, len, &tree, &own);

	if (r < 0)
		return r == -EINVAL ? error_set(e, r, "%s:%s", name, own.text) : error_nomem(e);
	d.slots = calloc(COMPAT_SLOTS, sizeof(*d.slots));
	if (!d.slots)
		return error_nomem(e);
	/* The empty list, which 0 is: two texts that are empty. */
	buf_append(&d.strings, "\0", 2);
	r = read_tree(&d, tree);
	if (r < 0)
		return r;
	*ret = take(&d);
	return *ret ? 0 : error_nomem(e);
}

void compat_table_free(struct compat_table *t)
{
	struct compat_draft d = { 0 };

	if (!t)
		return;
	/* The arrays of a table that was read are its own. */
	memcpy(&d.families, &t->families, sizeof(d.families));
	memcpy(&d.ids, &t->ids, sizeof(d.ids));
	memcpy(&d.rows, &t->rows, sizeof(d.rows));
	memcpy(&d.keys, &t->keys, sizeof(d.keys));
	memcpy(&d.changelogs, &t->changelogs, sizeof(d.changelogs));
	memcpy(&d.strings.data, &t->strings, sizeof(d.strings.data));
	draft_done(&d);
	free(t->name);
	free(t);
}

void compat_table_free_p(struct compat_table **t)
{
	compat_table_free(*t);
}
