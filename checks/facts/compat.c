/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/compat.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *compat_text(const struct compat_table *t, uint32_t at)
{
	return t->strings + at;
}

const char *compat_next(const char *text)
{
	return text + strlen(text) + 1;
}

bool compat_lists(const struct compat_table *t, uint32_t list, const char *text)
{
	COMPAT_EACH(it, t, list)
	{
		if (strcmp(it, text) == 0)
			return true;
	}
	return false;
}

void compat_hits_done(struct compat_hits *v)
{
	free(v->items);
	*v = (struct compat_hits){ 0 };
}

static int add_hit(struct compat_hits *v, const struct compat_table *t,
		   const struct compat_row *row)
{
	size_t size = v->size ? v->size * 2 : 16;
	struct compat_hit *items = v->items;

	if (v->n == v->size) {
		items = reallocarray(items, size, sizeof(*items));
		if (!items)
			return -ENOMEM;
		v->items = items;
		v->size = size;
	}
	items[v->n++] = (struct compat_hit){ .table = t, .row = row };
	return 0;
}

int compat_hits_add(struct compat_hits *v, const struct compat_hit *hit)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].row == hit->row)
			return 0;
	return add_hit(v, hit->table, hit->row);
}

/* The first key that is not before @name. */
static size_t first_key(const struct compat_table *t, const char *name)
{
	size_t low = 0, high = t->n_keys;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(compat_text(t, t->keys[middle].name), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_row(const struct compat_table *t, const char *id)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (strcmp(compat_text(t, t->rows[i].id), id) == 0)
			return true;
	return false;
}

/* Has a table over the @i-th a row of this id? */
static bool is_replaced(const struct compat *c, size_t i, const char *id)
{
	for (size_t k = i + 1; k < c->n; k++)
		if (has_row(c->tables[k], id))
			return true;
	return false;
}

static int find_in(const struct compat *c, size_t i, enum compat_judges judges, const char *name,
		   struct compat_hits *ret)
{
	const struct compat_table *t = c->tables[i];

	for (size_t k = first_key(t, name); k < t->n_keys; k++) {
		const struct compat_row *row = &t->rows[t->keys[k].row];

		if (strcmp(compat_text(t, t->keys[k].name), name) != 0)
			break;
		if (row->judges != judges || is_replaced(c, i, compat_text(t, row->id)))
			continue;
		if (add_hit(ret, t, row) < 0)
			return -ENOMEM;
	}
	return 0;
}

int compat_find(const struct compat *c, enum compat_judges judges, const char *name,
		struct compat_hits *ret)
{
	for (size_t i = 0; i < c->n; i++)
		if (find_in(c, i, judges, name, ret) < 0)
			return -ENOMEM;
	return 0;
}

int compat_all(const struct compat *c, struct compat_hits *ret)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct compat_table *t = c->tables[i];

		for (size_t k = 0; k < t->n_rows; k++)
			if (!is_replaced(c, i, compat_text(t, t->rows[k].id)) &&
			    add_hit(ret, t, &t->rows[k]) < 0)
				return -ENOMEM;
	}
	return 0;
}

/* Ids whose last digits may be any stand before all that they are for. */
static const struct compat_id *find_id(const struct compat_table *t, uint16_t vendor,
				       uint16_t device)
{
	uint32_t wanted = (uint32_t)vendor << 16 | device;
	size_t low = 0, high = t->n_ids;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct compat_id *id = &t->ids[middle];

		if (((uint32_t)id->vendor << 16 | id->device) <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || t->ids[low - 1].vendor != vendor ||
	    t->ids[low - 1].device != (device & t->ids[low - 1].mask))
		return NULL;
	return &t->ids[low - 1];
}

bool compat_family_of(const struct compat *c, uint16_t vendor, uint16_t device,
		      const struct compat_table **ret_table, const struct compat_family **ret)
{
	for (size_t i = c->n; i > 0; i--) {
		const struct compat_id *id = find_id(c->tables[i - 1], vendor, device);

		if (!id)
			continue;
		*ret_table = c->tables[i - 1];
		*ret = &c->tables[i - 1]->families[id->family];
		return true;
	}
	return false;
}
