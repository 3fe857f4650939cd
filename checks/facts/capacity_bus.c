/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capacity.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/klog.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUS_MAX 0xffu

/* Routing IDs count devices and functions in the lower byte, buses above it. */
static uint64_t routing_id(const struct capacity_bus *b, uint32_t n)
{
	return (uint64_t)b->first + b->first_offset + (uint64_t)b->stride * (n > 0 ? n - 1 : 0);
}

uint64_t capacity_bus_of(const struct capacity_bus *b, uint32_t n)
{
	return b->bus + (routing_id(b, n) >> 8);
}

uint32_t capacity_bus_devfn(const struct capacity_bus *b, uint32_t n)
{
	return routing_id(b, n) & 0xff;
}

/* --- where VFs go ------------------------------------------------------------------ */

/*
 * What the kernel checks with, as it shows it since 4.13: while no VF is on, what the function
 * says for NumVFs 0, whatever the count.  A function may then put its VFs elsewhere, and what
 * the kernel has allowed may not be reached; nothing tells before it is tried.
 */
static int read_attributes(const struct host *h, const struct pf *pf, struct capacity_bus *b)
{
	uint64_t offset = 0, stride = 0;
	int r = host_attr_u64(h, 10, &offset, NULL, PCIDEV_PATH "/%s/sriov_offset", pf->dev->name);

	if (r == 0)
		r = host_attr_u64(h, 10, &stride, NULL, PCIDEV_PATH "/%s/sriov_stride",
				  pf->dev->name);
	if (r < 0)
		return r;
	if (offset > UINT16_MAX || stride > UINT16_MAX)
		return -EINVAL;
	b->first_offset = (uint32_t)offset;
	b->stride = (uint32_t)stride;
	b->source = "sriov_offset";
	return 0;
}

static void read_places(const struct host *h, const struct pf *pf, struct capacity_bus *b)
{
	int r = read_attributes(h, pf, b);

	if (r < 0 && pf->sriov_error == 0 && pf->sriov.knows_places) {
		b->first_offset = pf->sriov.first_offset;
		b->stride = pf->sriov.stride;
		b->source = "configuration space";
		r = 0;
	} else if (r < 0)
		r = pf->sriov_error < 0 ? pf->sriov_error : -ENODATA;
	/* Without VFs enabled a function may leave both undefined. */
	if (r == 0 && b->first_offset == 0)
		r = -EBADMSG;
	b->error = r;
}

/* --- how far the bus numbers reach -------------------------------------------------- */

static int read_bridge(const struct host *h, const struct pcitree_node *bridge,
		       struct capacity_bus *b)
{
	const struct pciconf *c = NULL;
	uint64_t end = 0;
	int r = host_attr_u64(h, 10, &end, NULL, PCIDEV_PATH "/%s/subordinate_bus_number",
			      bridge->name);

	b->bridge = strdup(bridge->name);
	if (!b->bridge)
		return -ENOMEM;
	if (r < 0) {
		r = pciconf_get(h, bridge->name, &c, NULL);
		if (r == 0 && pciconf_is_bridge(c))
			end = pciconf_subordinate_bus(c);
	}
	/* A bridge whose numbers do not hold its own secondary bus was not read right. */
	if (r == 0 && end >= b->bus && end <= BUS_MAX) {
		b->end = (uint32_t)end;
		b->is_end_known = true;
	}
	return 0;
}

/* "pci_bus 0000:00: root bus resource [bus 00-7f]": only the log tells where a root bus ends. */
static bool find_logged_end(const struct host *h, const struct pf *pf, uint32_t bus, uint32_t *ret)
{
	AUTO_BUF struct buf line = { 0 }, digits = { 0 };
	const char *range, *dash;
	uint64_t end = 0;

	if (!klog_find(h, &line, "pci_bus %04x:%02x: root bus resource [bus ", pf->at.domain, bus))
		return false;
	range = strstr(buf_text(&line), "[bus ");
	dash = range ? strchr(range, '-') : NULL;
	if (!dash || strcspn(dash, "]") != 3)
		return false;
	buf_append(&digits, dash + 1, 2);
	if (buf_error(&digits) < 0)
		(void)host_nomem(h, NULL);
	if (parse_u64(buf_text(&digits), 16, BUS_MAX, &end) < 0 || end < bus)
		return false;
	*ret = (uint32_t)end;
	return true;
}

/* A root bus ends before the next one begins at the latest. */
static uint32_t before_next_root(const struct pcitree *t, const struct pcitree_node *own)
{
	uint32_t end = BUS_MAX;

	for (size_t i = 0; i < t->n; i++) {
		const struct pcitree_node *n = &t->nodes[i];

		if (n->parent_error != -ENOENT || n->is_vf || n->at.domain != own->at.domain)
			continue;
		if (n->at.bus > own->at.bus && n->at.bus - 1u < end)
			end = n->at.bus - 1u;
	}
	return end;
}

/*
 * For VFs the kernel takes bus numbers beyond what the root bus has, writes them into the bridge
 * and says that its own limit "end can not be updated" (drivers/pci/probe.c); it then goes by
 * its own.
 */
static void cut_at_root(const struct host *h, const struct pf *pf, const struct pcitree_node *own,
			struct capacity_bus *b)
{
	const struct pcitree_node *top = own;
	uint32_t end = BUS_MAX;

	while (top->parent)
		top = top->parent;
	if (find_logged_end(h, pf, top->at.bus, &end) && end >= b->bus && end < b->end)
		b->end = end;
}

static int read_end(const struct host *h, const struct pf *pf, struct capacity_bus *b)
{
	const struct pcitree_node *own;
	const struct pcitree *t = NULL;
	int r;

	b->end = BUS_MAX;
	if (pcitree_get(h, &t, NULL) < 0)
		return 0;
	own = pcitree_find(t, pf->dev->name);
	if (!own)
		return 0;
	if (own->parent_error == 0) {
		r = read_bridge(h, own->parent, b);
		cut_at_root(h, pf, own, b);
		return r;
	}
	if (own->parent_error != -ENOENT)
		return 0;
	b->on_root_bus = true;
	b->is_end_known = find_logged_end(h, pf, b->bus, &b->end);
	if (!b->is_end_known)
		b->end = before_next_root(t, own);
	return 0;
}

/* --- how many that makes ------------------------------------------------------------- */

/* The VFs whose bus is @end at most: the kernel refuses the count when the last one's is not. */
static uint32_t fitting(const struct capacity_bus *b, uint32_t end)
{
	uint64_t room = ((uint64_t)(end - b->bus) + 1) << 8, first = routing_id(b, 1), n;

	if (first >= room)
		return 0;
	if (b->stride == 0)
		return 1;
	n = (room - 1 - first) / b->stride + 1;
	return n > UINT16_MAX ? UINT16_MAX : (uint32_t)n;
}

static int read_bus(const struct host *h, const char *bdf, struct capacity_bus *ret,
		    struct error *e)
{
	const struct pf *pf;
	const struct pfs *all = NULL;
	int r = pfs_get(h, &all, e);

	if (r < 0)
		return r;
	pf = pfs_find(all, bdf);
	if (!pf)
		return error_set(e, -ENODEV, "%s: no PCI function", bdf);
	ret->first = pf_devfn(pf);
	ret->bus = pf->at.bus;
	ret->at_most = CAPACITY_ANY;
	ret->is_estimate = pf->dev->numvfs > 0;
	read_places(h, pf, ret);
	if (read_end(h, pf, ret) < 0)
		return host_nomem(h, e);
	if (ret->error == 0) {
		ret->at_most = fitting(ret, ret->end);
		ret->at_least = ret->is_end_known ? ret->at_most : fitting(ret, ret->bus);
	}
	if (ret->at_least < pf->dev->numvfs && ret->at_most >= pf->dev->numvfs)
		ret->at_least = pf->dev->numvfs;
	return 0;
}

static void capacity_bus_done(struct capacity_bus *b)
{
	free(b->bridge);
}
HOST_FACT_ABOUT(bus_about, capacity_bus, read_bus)

int capacity_bus_get(const struct host *h, const struct pf *pf, const struct capacity_bus **ret,
		     struct error *e)
{
	return bus_about(h, pf->dev->name, ret, e);
}
