/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a function to the root complex. */
#include <sriovctl/acs.h>

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pcitree.h>

#include <errno.h>
#include <stdlib.h>

static enum acs_state worse(enum acs_state a, enum acs_state b)
{
	if (a == ACS_SHARES || b == ACS_SHARES)
		return ACS_SHARES;
	return a == ACS_UNKNOWN || b == ACS_UNKNOWN ? ACS_UNKNOWN : ACS_ISOLATES;
}

static int read_ports(const struct host *h, const struct pcitree_node *n, struct acs_path *p,
		      struct error *e)
{
	size_t depth = 0;
	int r = 0;

	for (const struct pcitree_node *up = n->parent; up; up = up->parent)
		depth++;
	p->ports = calloc(depth + 1, sizeof(*p->ports));
	if (!p->ports)
		return host_nomem(h, e);
	for (; n->parent; n = n->parent) {
		struct acs_port *port = &p->ports[p->n];

		port->node = n->parent;
		r = acs_read(h, n->parent, &port->acs, e);
		if (r < 0)
			return r;
		p->n++;
		p->state = worse(p->state, port->acs.state);
	}
	p->error = n->parent_error == -ENOENT ? 0 : n->parent_error;
	if (p->error)
		p->state = worse(p->state, ACS_UNKNOWN);
	return 0;
}

int acs_path_read(const struct host *h, const char *bdf, struct acs_path *ret, struct error *e)
{
	AUTO_ACS_PATH struct acs_path p = { .state = ACS_ISOLATES };
	const struct pcitree_node *n = NULL;
	int r = pcitree_look(h, bdf, &n, e);

	if (r < 0)
		return r;
	r = read_ports(h, n, &p, e);
	if (r < 0)
		return r;
	*ret = p;
	p = (struct acs_path){ 0 };
	return 0;
}

void acs_path_done(struct acs_path *p)
{
	free(p->ports);
	*p = (struct acs_path){ 0 };
}

const struct acs_port *acs_path_blame(const struct acs_path *p)
{
	for (size_t i = p->n; i > 0; i--)
		if (p->ports[i - 1].acs.state == ACS_SHARES)
			return &p->ports[i - 1];
	return NULL;
}
