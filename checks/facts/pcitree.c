/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pcitree.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CLASS_HOST_BRIDGE 0x0600 /* PCI Code and ID Assignment Specification, 1.7 */

/* A bridge by its bus numbers (PCI-to-PCI Bridge Architecture, 3.2.5.3 and 3.2.5.4). */
struct range {
	const struct pcitree_node *bridge;
	unsigned secondary, subordinate;
};
struct ranges {
	struct range *items;
	size_t n;
	bool read;
	/* Of the bus that was asked about last, as functions of one stand together. */
	const struct pcitree_node *asked;
	bool is_root;
};

static int compare(const void *a, const void *b)
{
	const struct bdf *x = &((const struct pcitree_node *)a)->at;
	const struct bdf *y = &((const struct pcitree_node *)b)->at;

	if (x->domain != y->domain)
		return x->domain < y->domain ? -1 : 1;
	if (x->bus != y->bus)
		return x->bus < y->bus ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
}

const struct pcitree_node *pcitree_find(const struct pcitree *t, const char *bdf)
{
	struct pcitree_node key = { 0 };

	if (!t || t->n == 0 || parse_bdf(bdf, &key.at) < 0)
		return NULL;
	return bsearch(&key, t->nodes, t->n, sizeof(*t->nodes), compare);
}

/* --- by nesting ------------------------------------------------------------------- */

/* Cut the last component off @path: it, or NULL where there is none. */
static char *cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return NULL;
	*slash = '\0';
	return slash + 1;
}

/*
 * ../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0: the folder that the function's is in
 * is the bridge above it, or the host bridge, which is no PCI function.  -ENODATA: neither.
 */
static int find_by_nesting(const struct host *h, const struct pcitree *t, struct pcitree_node *n)
{
	AUTO_BUF struct buf target = { 0 };
	const char *own, *above;
	char *path;
	int r = host_link(h, &target, NULL, PCIDEV_PATH "/%s", n->name);

	if (r < 0)
		return r;
	path = target.data;
	own = cut_last(path);
	above = own ? cut_last(path) : NULL;
	if (!above || strcmp(own, n->name) != 0)
		return -ENODATA;
	n->parent = pcitree_find(t, above);
	if (n->parent)
		return n->parent == n ? -EBADMSG : 0;
	return parse_has_prefix(above, "pci") ? -ENOENT : -ENODATA;
}

/* --- by bus numbers --------------------------------------------------------------- */

static int read_range(const struct host *h, const struct pcitree_node *n, struct range *ret)
{
	const struct pciconf *c = NULL;
	uint64_t secondary, subordinate;
	int r;

	if (host_attr_u64(h, 10, &secondary, NULL, PCIDEV_PATH "/%s/secondary_bus_number",
			  n->name) == 0 &&
	    host_attr_u64(h, 10, &subordinate, NULL, PCIDEV_PATH "/%s/subordinate_bus_number",
			  n->name) == 0 &&
	    secondary <= UINT8_MAX && subordinate <= UINT8_MAX) {
		*ret = (struct range){ .bridge = n,
				       .secondary = (unsigned)secondary,
				       .subordinate = (unsigned)subordinate };
		return 0;
	}
	r = pciconf_get(h, n->name, &c, NULL);
	if (r < 0)
		return r;
	if (pciconf_u32(c, 0) == UINT32_MAX || !pciconf_is_bridge(c))
		return -ENOENT;
	*ret = (struct range){ .bridge = n,
			       .secondary = pciconf_secondary_bus(c),
			       .subordinate = pciconf_subordinate_bus(c) };
	return 0;
}

/* A bridge that was given no bus yet, or one that is not above its own, tells nothing. */
static bool is_sound(const struct range *r)
{
	return r->secondary > r->bridge->at.bus && r->subordinate >= r->secondary;
}

static void read_ranges(const struct host *h, const struct pcitree *t, struct ranges *ret)
{
	if (ret->read)
		return;
	ret->read = true;
	ret->items = calloc(t->n, sizeof(*ret->items));
	if (!ret->items) {
		(void)host_nomem(h, NULL);
		return;
	}
	for (size_t i = 0; i < t->n; i++)
		if (read_range(h, &t->nodes[i], &ret->items[ret->n]) == 0 &&
		    is_sound(&ret->items[ret->n]))
			ret->n++;
}

/*
 * A host bridge, a root port or an integrated function is on a root bus and nowhere else
 * (PCI Express Base Specification, 1.3).
 */
static bool marks_root_bus(const struct host *h, const struct pcitree_node *n)
{
	struct pciconf_express x;
	const struct pciconf *c = NULL;
	uint64_t class;

	if (host_attr_u64(h, 16, &class, NULL, PCIDEV_PATH "/%s/class", n->name) == 0 &&
	    class >> 8 == CLASS_HOST_BRIDGE)
		return true;
	return pciconf_get(h, n->name, &c, NULL) == 0 && pciconf_express(c, &x) == 0 &&
	       (x.type == PCICONF_ROOT_PORT || x.type == PCICONF_INTEGRATED_ENDPOINT ||
		x.type == PCICONF_EVENT_COLLECTOR);
}

static bool has_root_mark(const struct host *h, const struct pcitree *t, const struct bdf *at)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->nodes[i].at.domain == at->domain && t->nodes[i].at.bus == at->bus &&
		    marks_root_bus(h, &t->nodes[i]))
			return true;
	return false;
}

static bool is_root_bus(const struct host *h, const struct pcitree *t, const struct pcitree_node *n,
			struct ranges *v)
{
	if (n->at.bus == 0)
		return true;
	if (!v->asked || v->asked->at.domain != n->at.domain || v->asked->at.bus != n->at.bus) {
		v->asked = n;
		v->is_root = has_root_mark(h, t, &n->at);
	}
	return v->is_root;
}

/* VFs answer all ones for their ids and nothing else (9.3.4.1.1 of the same). */
static bool looks_like_vf(const struct host *h, const struct pcitree_node *n)
{
	const struct pciconf *c = NULL;

	return n->is_vf || (pciconf_get(h, n->name, &c, NULL) == 0 &&
			    pciconf_u32(c, 0) == UINT32_MAX && pciconf_u32(c, 8) != UINT32_MAX);
}

/* The bridge that leads to @at's bus, or, for a VF, the nearest that reaches it. */
static const struct pcitree_node *find_range(const struct ranges *v, const struct bdf *at,
					     bool reach)
{
	const struct range *best = NULL;

	for (size_t i = 0; i < v->n; i++) {
		const struct range *r = &v->items[i];

		if (r->bridge->at.domain != at->domain)
			continue;
		if (r->secondary == at->bus)
			return r->bridge;
		if (reach && r->secondary < at->bus && at->bus <= r->subordinate &&
		    (!best || r->secondary > best->secondary))
			best = r;
	}
	return best ? best->bridge : NULL;
}

static int find_by_numbers(const struct host *h, const struct pcitree *t, struct pcitree_node *n,
			   struct ranges *ranges)
{
	read_ranges(h, t, ranges);
	n->parent = find_range(ranges, &n->at, looks_like_vf(h, n));
	if (n->parent)
		return 0;
	return is_root_bus(h, t, n, ranges) ? -ENOENT : -ENODATA;
}

/* --- the whole --------------------------------------------------------------------- */

static void find_parent(const struct host *h, const struct pcitree *t, struct pcitree_node *n,
			struct ranges *ranges)
{
	int r;

	if (n->pf) {
		n->parent = n->pf->parent;
		n->parent_error = n->pf->parent_error;
		return;
	}
	r = find_by_nesting(h, t, n);
	if (r < 0 && r != -ENOENT)
		r = find_by_numbers(h, t, n, ranges);
	n->parent_error = r;
}

static void find_pf(const struct host *h, const struct pcitree *t, struct pcitree_node *n)
{
	AUTO_BUF struct buf pf = { 0 };

	n->is_vf = host_link_name(h, &pf, NULL, PCIDEV_PATH "/%s/physfn", n->name) == 0;
	if (n->is_vf)
		n->pf = pcitree_find(t, buf_text(&pf));
	if (n->pf == n)
		n->pf = NULL;
}

/* Links in a damaged capture may lead in a circle: its last node becomes an end. */
static void cut_circles(struct pcitree *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct pcitree_node *up = t->nodes[i].parent;
		size_t steps = 0;

		while (up && steps++ < t->n)
			up = up->parent;
		if (!up)
			continue;
		t->nodes[i].parent = NULL;
		t->nodes[i].parent_error = -EBADMSG;
	}
}

static void connect(const struct host *h, struct pcitree *t)
{
	struct ranges ranges = { 0 };

	for (size_t i = 0; i < t->n; i++)
		find_pf(h, t, &t->nodes[i]);
	/* PFs first: their VFs are where they are. */
	for (size_t i = 0; i < t->n; i++)
		if (!t->nodes[i].pf)
			find_parent(h, t, &t->nodes[i], &ranges);
	cut_circles(t);
	for (size_t i = 0; i < t->n; i++)
		if (t->nodes[i].pf)
			find_parent(h, t, &t->nodes[i], &ranges);
	free(ranges.items);
}

static int add_node(struct pcitree *t, const char *name)
{
	struct pcitree_node n = { 0 };

	if (parse_bdf(name, &n.at) < 0)
		return 0;
	n.name = strdup(name);
	if (!n.name)
		return -ENOMEM;
	t->nodes[t->n++] = n;
	return 0;
}

static int read_pcitree(const struct host *h, struct pcitree *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_list(h, &names, e, PCIDEV_PATH);

	if (r < 0)
		return r;
	ret->nodes = calloc(names.n + 1, sizeof(*ret->nodes));
	if (!ret->nodes)
		return error_nomem(e);
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = add_node(ret, names.items[i]);
	if (r < 0)
		return error_nomem(e);
	qsort(ret->nodes, ret->n, sizeof(*ret->nodes), compare);
	connect(h, ret);
	return 0;
}
HOST_FACT_DEFINE(pcitree, read_pcitree)

void pcitree_done(struct pcitree *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->nodes[i].name);
	free(t->nodes);
	*t = (struct pcitree){ 0 };
}

int pcitree_look(const struct host *h, const char *bdf, const struct pcitree_node **ret,
		 struct error *e)
{
	const struct pcitree *t = NULL;
	int r = pcitree_get(h, &t, e);

	if (r < 0)
		return r;
	*ret = pcitree_find(t, bdf);
	return *ret ? 0 : error_set(e, -ENODATA, "%s: no such PCI function", bdf);
}

int pcitree_parent(const struct host *h, const char *bdf, struct buf *ret, struct error *e)
{
	const struct pcitree_node *n = NULL;
	int r = pcitree_look(h, bdf, &n, e);

	buf_clear(ret);
	if (!n)
		return r;
	if (n->parent_error < 0)
		return error_set(e, n->parent_error, "%s: %s", bdf,
				 n->parent_error == -ENOENT ? "on a root bus"
							    : "the port above is not known");
	buf_puts(ret, n->parent->name);
	return buf_error(ret) < 0 ? host_nomem(h, e) : 0;
}
