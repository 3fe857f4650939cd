/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/linkpath.h>

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pciconf_path.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/ports.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * What one packet has beside its data: start and sequence number, a header with an address of
 * 32 or 64 bits, perhaps a digest, a checksum (PCI Express Base Specification, 2.2 and 4.2).
 */
#define OVERHEAD_LEAST 20u
#define OVERHEAD_MOST  28u
#define PAYLOAD_LEAST  128u /* what every function can */

/* A lane, less its encoding (Linux drivers/pci/pci.h, PCIE_SPEED2MBS_ENC). */
static uint64_t lane_rate(unsigned speed)
{
	static const uint32_t rates[] = { 0, 2000, 4000, 7876, 15753, 31507, 64000, 128000 };

	return speed < ARRAY_SIZE(rates) ? rates[speed] : 0;
}

static uint64_t data_rate(uint64_t rate, unsigned payload, unsigned overhead)
{
	return rate * payload / (payload + overhead);
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* What both ends can; 0: not known of both. */
static uint64_t best_rate(const struct pcilink *l)
{
	unsigned speed = smaller(l->own.max_speed, l->port.max_speed);
	unsigned width = smaller(l->own.max_width, l->port.max_width);

	return lane_rate(speed) * width;
}

/* A link that rests is no slower than it is, and no faster than it could be. */
static bool may_speed_up(const struct pcilink *l)
{
	return l->state != PCILINK_STEADY || pcilink_judge(l, PCILINK_SPEED) == PCILINK_SLOWED ||
	       pcilink_judge(l, PCILINK_WIDTH) == PCILINK_SLOWED;
}

static struct linkpath_room room_of(const struct pcilink *l, unsigned payload)
{
	uint64_t now = lane_rate(l->own.speed) * l->own.width, best = best_rate(l);
	struct linkpath_room room = { .most = LINKPATH_UNLIMITED };

	room.least = data_rate(now, payload ? payload : PAYLOAD_LEAST, OVERHEAD_MOST);
	if (may_speed_up(l))
		now = best;
	/* Without the payload nothing is known of what goes beside the data. */
	if (now)
		room.most = payload ? data_rate(now, payload, OVERHEAD_LEAST) : now;
	return room;
}

/* --- the path ------------------------------------------------------------------------------- */

static enum pciconf_type type_of(const struct host *h, const char *bdf, int *error)
{
	const struct pciconf *c = NULL;
	struct pciconf_express x = { .type = PCICONF_ENDPOINT };

	*error = pciconf_get(h, bdf, &c, NULL);
	if (*error == 0)
		*error = pciconf_express(c, &x);
	return x.type;
}

/* From a port to what has the next link: the upstream port of a switch, or the port itself. */
static const struct pcitree_node *step_over(const struct host *h, const struct pcitree_node *port)
{
	int error;
	enum pciconf_type type = type_of(h, port->name, &error);

	if (error == 0 && type == PCICONF_ROOT_PORT)
		return NULL;
	/* Of what is above a port and is not on a root bus, a switch is the rule. */
	if ((error == 0 && type == PCICONF_DOWNSTREAM) || (error < 0 && port->parent))
		return port->parent;
	return port;
}

static unsigned payload_of(const struct host *h, const char *bdf)
{
	const struct pciconf *c = NULL;
	struct pciconf_payload payload;

	return pciconf_get(h, bdf, &c, NULL) == 0 && pciconf_payload(c, &payload) == 0 ? payload.set
										       : 0;
}

static int add_hop(const struct host *h, struct linkpath *p, const struct pcitree_node *lower)
{
	struct linkpath_hop *hops = base_room(p->hops, p->n, sizeof(*hops));
	struct linkpath_hop *hop;
	int r;

	if (!hops)
		return -ENOMEM;
	p->hops = hops;
	hop = &hops[p->n];
	*hop = (struct linkpath_hop){ .name = lower->name, .port = lower->parent->name };
	r = pcilink_get(h, lower->name, &hop->link, NULL);
	if (r < 0)
		return r;
	p->n++;
	hop->payload = payload_of(h, lower->name);
	hop->room = room_of(hop->link, hop->payload);
	return 0;
}

int linkpath_read(const struct host *h, const char *bdf, struct linkpath *ret, struct error *e)
{
	AUTO_LINKPATH struct linkpath p = { 0 };
	const struct pcitree_node *n = NULL;
	int r = pcitree_look(h, bdf, &n, e);

	if (r < 0)
		return r;
	while (n && n->parent) {
		if (add_hop(h, &p, n) < 0)
			return host_nomem(h, e);
		n = step_over(h, n->parent);
	}
	if (n && (p.n == 0 || n->parent_error != -ENOENT))
		p.error = n->parent_error;
	*ret = p;
	p = (struct linkpath){ 0 };
	return 0;
}

void linkpath_done(struct linkpath *p)
{
	free(p->hops);
	*p = (struct linkpath){ 0 };
}

/* --- what is asked of a link ---------------------------------------------------------------- */

static bool is_below(const struct pcitree *t, const char *bdf, const char *port)
{
	const struct pcitree_node *n = pcitree_find(t, bdf);

	while (n && strcmp(n->name, port) != 0)
		n = n->parent;
	return n != NULL;
}

static void add_port(struct linkpath_need *need, const struct ports_function *f,
		     const struct ports_item *item)
{
	if (item->is_shared)
		return;
	need->ports++;
	need->least += ports_least(item);
	if (ports_most(item) == UINT32_MAX) {
		need->most = LINKPATH_UNLIMITED;
		need->unknown = f->bdf;
	} else if (need->most != LINKPATH_UNLIMITED) {
		need->most += ports_most(item);
	}
}

int linkpath_need_read(const struct host *h, const char *port, struct linkpath_need *ret,
		       struct error *e)
{
	struct linkpath_need need = { 0 };
	const struct pcitree *t = NULL;
	const struct ports *p = NULL;
	int r = pcitree_get(h, &t, e);

	if (r == 0)
		r = ports_get(h, &p, e);
	if (r != 0)
		return r;
	for (size_t i = 0; i < p->n; i++) {
		const struct ports_function *f = &p->functions[i];

		if (!is_below(t, f->bdf, port))
			continue;
		if (f->error < 0) {
			need.most = LINKPATH_UNLIMITED;
			need.unknown = f->bdf;
		}
		for (size_t k = 0; k < f->n; k++)
			add_port(&need, f, &f->items[k]);
	}
	*ret = need;
	return 0;
}
