/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A port that does not forward ARI delivers only what is addressed to device 0 below it
 * (PCIe Base Specification, 6.13), so that a VF at another device number of the port's own
 * bus is made and never answers.  The kernel reads the header of the first for all of them:
 * when that one does not answer, it makes none (EIO).  That is not foretold, as a function may
 * put its VFs elsewhere once NumVFs is set.
 */
#include <sriovctl/capacity.h>

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS 8 /* of a device without ARI */

static void find_reach(const struct capacity_bus *b, struct capacity_ari *a)
{
	a->reached = CAPACITY_ANY;
	if (b->error < 0 || a->state != CAPACITY_ARI_OFF)
		return;
	for (uint32_t n = 1; n <= UINT16_MAX && capacity_bus_of(b, n) == b->bus; n++) {
		if (capacity_bus_devfn(b, n) < FUNCTIONS)
			continue;
		a->reached = n - 1;
		return;
	}
}

static int read_port(const struct host *h, const struct pcitree_node *port, struct capacity_ari *a,
		     bool *forwarding)
{
	const struct pciconf *c = NULL;
	struct pciconf_express x = { 0 };
	int r;

	a->port = strdup(port->name);
	if (!a->port)
		return -ENOMEM;
	r = pciconf_get(h, port->name, &c, NULL);
	if (r == 0)
		r = pciconf_express(c, &x);
	if (r == 0)
		r = x.ari_error;
	a->port_error = r == -ENOENT ? -ENODATA : r;
	/* PCIe Base Specification, 7.5.3.15: the bit means this in these two alone. */
	a->port_capable = (x.type == PCICONF_ROOT_PORT || x.type == PCICONF_DOWNSTREAM) &&
			  x.ari_forwarding_capable;
	*forwarding = x.ari_forwarding;
	return 0;
}

static int read_place(const struct host *h, const struct pf *pf, struct capacity_ari *a,
		      bool *forwarding)
{
	const struct pcitree_node *own = NULL;
	int r = pcitree_look(h, pf->dev->name, &own, NULL);

	a->port_error = r < 0 ? r : own->parent_error;
	return r == 0 && own->parent ? read_port(h, own->parent, a, forwarding) : 0;
}

/* The kernel tells a function what the port above it does. */
static int read_attribute(const struct host *h, const struct pf *pf, struct capacity_ari *a)
{
	uint64_t on = 0;
	int r = host_attr_u64(h, 10, &on, NULL, PCIDEV_PATH "/%s/ari_enabled", pf->dev->name);

	if (r == 0) {
		a->state = on ? CAPACITY_ARI_ON : CAPACITY_ARI_OFF;
		a->source = "ari_enabled";
	}
	return r;
}

/* ARI Capable Hierarchy is set in one function of a device only, the lowest that has VFs. */
static bool any_hierarchy(const struct host *h, const struct pf *pf)
{
	const struct pfs *v = NULL;

	if (pfs_get(h, &v, NULL) < 0)
		return false;
	for (size_t i = 0; i < v->n; i++) {
		const struct pf *other = &v->items[i];

		if (other->at.domain == pf->at.domain && other->at.bus == pf->at.bus &&
		    other->sriov_error == 0 && other->sriov.ari_hierarchy)
			return true;
	}
	return false;
}

static void read_registers(const struct host *h, const struct pf *pf, bool forwarding,
			   struct capacity_ari *a)
{
	a->source = "ARI Capable Hierarchy";
	if (any_hierarchy(h, pf)) {
		a->state = CAPACITY_ARI_ON;
	} else if (a->port_error == 0) {
		a->source = "ARI Forwarding Enable";
		a->state = forwarding ? CAPACITY_ARI_ON : CAPACITY_ARI_OFF;
	} else if (pf->sriov_error == 0 && pf->sriov.knows_control && pf_devfn(pf) == 0) {
		a->state = CAPACITY_ARI_OFF;
	} else {
		a->state = CAPACITY_ARI_UNKNOWN;
		a->error = pf->sriov_error < 0 ? pf->sriov_error : a->port_error;
	}
}

int capacity_ari_read(const struct host *h, const struct pf *pf, struct capacity_ari *ret,
		      struct error *e)
{
	AUTO_CAPACITY_ARI struct capacity_ari a = { .device_error = pf->ari_error };
	const struct capacity_bus *b = NULL;
	bool forwarding = false;
	int r = capacity_bus_get(h, pf, &b, e);

	if (r < 0)
		return r;
	if (read_place(h, pf, &a, &forwarding) < 0)
		return host_nomem(h, e);
	if (a.port_error == -ENOENT) {
		a.state = CAPACITY_ARI_NO_PORT;
		a.source = "place in the tree";
	} else {
		r = read_attribute(h, pf, &a);
	}
	if (r < 0)
		read_registers(h, pf, forwarding, &a);
	find_reach(b, &a);
	*ret = a;
	a = (struct capacity_ari){ 0 };
	return 0;
}

void capacity_ari_done(struct capacity_ari *a)
{
	free(a->port);
	*a = (struct capacity_ari){ 0 };
}
