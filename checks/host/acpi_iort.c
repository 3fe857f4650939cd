/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi_iort.h>

#include "acpi_bytes.h"

#include <errno.h>
#include <stdlib.h>

#include <sriovctl/acpi.h>
#include <sriovctl/error.h>

/* Arm DEN 0049E.e, section 3. */
#define IORT_FIXED 48
#define NODE_FIXED 16
#define SMMU_FIXED 24
#define ROOT_FIXED 32
#define MAP_LEN	   20
#define MAP_SINGLE (1U << 0)
#define ROOT_ATS   (1U << 0)

enum {
	NODE_ITS = 0,
	NODE_ROOT = 2,
	NODE_SMMU_V1_V2 = 3,
	NODE_SMMU_V3 = 4,
};

struct node {
	uint32_t offset;
	uint8_t type;
};

/* Every node by its offset, rising, to tell what a reference leads to. */
struct nodes {
	struct node *items;
	size_t n;
};

static void nodes_done(struct nodes *n)
{
	free(n->items);
}

static void damage(struct acpi_iort *t, const char *what)
{
	if (!t->damage)
		t->damage = what;
}

static int add_node(struct nodes *all, uint32_t offset, uint8_t type)
{
	void *more = acpi_bytes_grow(all->items, all->n, sizeof(*all->items));

	if (!more)
		return -ENOMEM;
	all->items = more;
	all->items[all->n++] = (struct node){ .offset = offset, .type = type };
	return 0;
}

static int add_smmu(struct acpi_iort *t, uint32_t offset, const struct acpi_bytes *p)
{
	void *more;

	if (p->len < SMMU_FIXED) {
		damage(t, "an SMMU node is too short");
		return 0;
	}
	more = acpi_bytes_grow(t->smmus, t->n_smmus, sizeof(*t->smmus));
	if (!more)
		return -ENOMEM;
	t->smmus = more;
	t->smmus[t->n_smmus++] = (struct acpi_iort_smmu){
		.offset = offset,
		.base = acpi_bytes_u64(p->data + NODE_FIXED),
		.version = p->data[0] == NODE_SMMU_V3 ? 3 : 2,
	};
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static enum acpi_iort_target target_of(const struct nodes *all, uint32_t reference)
{
	const struct node want = { .offset = reference }, *node = NULL;

	if (all->n > 0)
		node = bsearch(&want, all->items, all->n, sizeof(want), by_offset);
	if (!node)
		return ACPI_IORT_NOWHERE;
	if (node->type == NODE_SMMU_V1_V2 || node->type == NODE_SMMU_V3)
		return ACPI_IORT_SMMU;
	return node->type == NODE_ITS ? ACPI_IORT_ITS : ACPI_IORT_NOWHERE;
}

/*
 * Section 3.1: the count is one less than the number of ids.  Where the sum wraps, the
 * last id is below the first and the mapping takes none, here as in Linux.
 */
static void take_map(struct acpi_iort *t, struct acpi_iort_map *m, const struct nodes *all,
		     const uint8_t *p)
{
	uint32_t first = acpi_bytes_u32(p), more = acpi_bytes_u32(p + 4);

	m->first = first;
	if (__builtin_add_overflow(first, more, &m->last))
		damage(t, "an id mapping is larger than there are ids");
	m->reference = acpi_bytes_u32(p + 12);
	m->single = acpi_bytes_u32(p + 16) & MAP_SINGLE;
	m->target = target_of(all, m->reference);
	if (m->target == ACPI_IORT_NOWHERE)
		damage(t, "an id mapping leads to no SMMU and no ITS group");
}

static int take_maps(struct acpi_iort *t, struct acpi_iort_root *root, const struct nodes *all,
		     const struct acpi_bytes *p)
{
	AUTO_FREE struct acpi_iort_map *maps = NULL;
	uint32_t n = acpi_bytes_u32(p->data + 8), at = acpi_bytes_u32(p->data + 12);

	if (n == 0)
		return 0;
	if (at < ROOT_FIXED || at > p->len || n > (p->len - at) / MAP_LEN) {
		damage(t, "the id mappings of a root complex lie outside its node");
		return 0;
	}
	maps = calloc(n, sizeof(*maps));
	if (!maps)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		take_map(t, &maps[i], all, p->data + at + (size_t)i * MAP_LEN);
	root->maps = TAKE(maps);
	root->n_maps = n;
	return 0;
}

static int add_root(struct acpi_iort *t, const struct nodes *all, const struct acpi_bytes *p)
{
	struct acpi_iort_root *root;
	void *more;

	if (p->len < ROOT_FIXED) {
		damage(t, "a root complex node is too short");
		return 0;
	}
	more = acpi_bytes_grow(t->roots, t->n_roots, sizeof(*t->roots));
	if (!more)
		return -ENOMEM;
	t->roots = more;
	root = &t->roots[t->n_roots++];
	*root = (struct acpi_iort_root){
		.segment = acpi_bytes_u32(p->data + 28),
		.ats = acpi_bytes_u32(p->data + 24) & ROOT_ATS,
	};
	return take_maps(t, root, all, p);
}

/* First all nodes, for a root complex may come before the SMMU it leads to. */
static int list_nodes(struct acpi_iort *t, const struct acpi_table *table, struct acpi_bytes run,
		      struct nodes *all)
{
	struct acpi_bytes p;
	int r = 0;

	for (uint32_t n = acpi_bytes_u32(table->data + 36); n > 0; n--) {
		uint32_t offset;

		r = acpi_bytes_next(&run, 1, 2, NODE_FIXED, &p);
		if (r <= 0)
			break;
		offset = (uint32_t)(p.data - table->data);
		if (add_node(all, offset, p.data[0]) < 0)
			return -ENOMEM;
		if ((p.data[0] == NODE_SMMU_V1_V2 || p.data[0] == NODE_SMMU_V3) &&
		    add_smmu(t, offset, &p) < 0)
			return -ENOMEM;
	}
	if (r < 0)
		damage(t, "a node has no sensible length");
	else if (r == 0 && all->n < acpi_bytes_u32(table->data + 36))
		damage(t, "it has fewer nodes than it says");
	return 0;
}

static int list_roots(struct acpi_iort *t, struct acpi_bytes run, const struct nodes *all)
{
	struct acpi_bytes p;

	for (size_t i = 0; i < all->n && acpi_bytes_next(&run, 1, 2, NODE_FIXED, &p) > 0; i++) {
		if (p.data[0] == NODE_ROOT && add_root(t, all, &p) < 0)
			return -ENOMEM;
	}
	return 0;
}

int acpi_iort_parse(const uint8_t *data, size_t len, struct acpi_iort *ret, struct error *e)
{
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };
	CLEANUP(nodes_done) struct nodes all = { 0 };
	struct acpi_bytes run;
	struct acpi_table table;
	uint32_t offset;
	int r = acpi_table_open(data, len, "IORT", IORT_FIXED, &table, e);

	if (r < 0)
		return r;
	offset = acpi_bytes_u32(table.data + 40);
	if (offset < IORT_FIXED || offset > table.len)
		return error_set(e, -EINVAL, "IORT: its nodes begin at byte %u of %zu", offset,
				 table.len);
	t.checksum_ok = table.checksum_ok;
	run = (struct acpi_bytes){ .data = table.data + offset, .len = table.len - offset };
	if (list_nodes(&t, &table, run, &all) < 0 || list_roots(&t, run, &all) < 0)
		return error_nomem(e);
	*ret = t;
	t = (struct acpi_iort){ 0 };
	return 0;
}

void acpi_iort_done(struct acpi_iort *t)
{
	for (size_t i = 0; i < t->n_roots; i++)
		free(t->roots[i].maps);
	free(t->smmus);
	free(t->roots);
	*t = (struct acpi_iort){ 0 };
}

/*
 * iort_id_map() and iort_node_map_id(): firmware that counts one id too many makes two
 * mappings meet at their ends, and the one that begins there is right.
 */
static enum acpi_iort_target target_of_id(const struct acpi_iort_root *root, uint32_t rid)
{
	enum acpi_iort_target end = ACPI_IORT_NOWHERE;

	for (size_t i = 0; i < root->n_maps; i++) {
		const struct acpi_iort_map *m = &root->maps[i];

		if (m->single)
			return m->target;
		if (rid < m->first || rid > m->last)
			continue;
		if (m->first == m->last || rid < m->last)
			return m->target;
		end = m->target;
	}
	return end;
}

int acpi_iort_find(const struct acpi_iort *t, uint32_t segment, uint32_t rid,
		   enum acpi_iort_target *ret)
{
	for (size_t i = 0; i < t->n_roots; i++) {
		if (t->roots[i].segment == segment) {
			*ret = target_of_id(&t->roots[i], rid);
			return 0;
		}
	}
	return -ENOENT;
}
