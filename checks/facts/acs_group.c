/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is in a function's IOMMU group, and what each is to it. */
#include <sriovctl/acs.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* PCI Code and ID Assignment Specification, 1.7: base class and subclass. */
#define CLASS_PCI_BRIDGE     0x0604
#define CLASS_CARDBUS_BRIDGE 0x0607

/* Whether the header is a bridge's is what counts; the class tells as well, to everybody. */
static bool is_bridge(const struct host *h, const char *name)
{
	const struct pcidevs *v = NULL;
	const struct pcidev *d = pcidevs_get(h, &v, NULL) == 0 ? pcidevs_find(v, name) : NULL;
	const struct pciconf *c = NULL;

	if (d && d->class_error == 0)
		return d->class >> 8 == CLASS_PCI_BRIDGE || d->class >> 8 == CLASS_CARDBUS_BRIDGE;
	return pciconf_get(h, name, &c, NULL) == 0 && pciconf_is_bridge(c);
}

/* The functions of one slot are one card, which one owner has. */
static bool is_sibling(const struct pcitree_node *a, const struct pcitree_node *b)
{
	return a->at.domain == b->at.domain && a->at.bus == b->at.bus &&
	       a->at.device == b->at.device;
}

/* A VF of @self or of a function beside it; where its physical function is not known, by place. */
static bool is_vf_of_slot(const struct pcitree_node *n, const struct pcitree_node *self)
{
	return n->pf ? is_sibling(n->pf, self) : n->is_vf && is_sibling(n, self);
}

static int sort_in(const struct host *h, const struct pcitree *t, const struct pcitree_node *self,
		   const char *name, struct acs_group *g)
{
	const struct pcitree_node *n = pcitree_find(t, name);

	if (strcmp(name, self->name) == 0)
		return 0;
	if (self->parent && n == self->parent)
		g->port_above = true;
	if (is_bridge(h, name))
		return strv_add(&g->bridges, name);
	if (n && is_vf_of_slot(n, self))
		return strv_add(&g->vfs, name);
	if (n && is_sibling(n, self))
		return strv_add(&g->siblings, name);
	return strv_add(&g->others, name);
}

/* The members by their own links, which a capture may hold of some functions only. */
static int collect_members(const struct host *h, const char *group, struct strv *ret)
{
	const struct pcidevs *v = NULL;
	int r = pcidevs_get(h, &v, NULL);

	for (size_t i = 0; r == 0 && i < v->n; i++)
		if (v->items[i].group && strcmp(v->items[i].group, group) == 0)
			r = strv_add(ret, v->items[i].name);
	return r;
}

static int sort_members(const struct host *h, const struct pcitree *t,
			const struct pcitree_node *self, struct acs_group *g)
{
	AUTO_STRV struct strv names = { 0 };
	/* As the group lists them they are all. */
	int r = host_list(h, &names, NULL, IOMMU_GROUPS "/%s/devices", g->name);

	g->complete = r == 0 && strv_has(&names, self->name);
	if (r < 0 && r != -ENOMEM)
		r = collect_members(h, g->name, &names);
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = sort_in(h, t, self, names.items[i], g);
	return r;
}

int acs_group_read(const struct host *h, const char *bdf, struct acs_group *ret, struct error *e)
{
	AUTO_ACS_GROUP struct acs_group g = { 0 };
	AUTO_BUF struct buf name = { 0 };
	const struct pcitree *t = NULL;
	const struct pcitree_node *self;
	int r = pcitree_get(h, &t, e);

	if (r < 0)
		return r;
	self = pcitree_find(t, bdf);
	if (!self)
		return error_set(e, -ENODATA, "%s: no such PCI function", bdf);
	r = host_link_name(h, &name, e, PCIDEV_PATH "/%s/iommu_group", bdf);
	/* A tree made of files alone has lost the link. */
	if (r == -ENOENT && host_is_partial(h))
		return error_set(e, -ENODATA, "%s: its group is not known", bdf);
	if (r < 0)
		return r;
	g.name = buf_take(&name);
	if (!g.name)
		return host_nomem(h, e);
	g.port_known = self->parent || self->parent_error == -ENOENT;
	r = sort_members(h, t, self, &g);
	if (r == -ENOMEM)
		return host_nomem(h, e);
	if (r < 0)
		return error_set(e, r, "%s: the members of its group are not known", bdf);
	*ret = g;
	g = (struct acs_group){ 0 };
	return 0;
}

void acs_group_done(struct acs_group *g)
{
	free(g->name);
	strv_done(&g->bridges);
	strv_done(&g->vfs);
	strv_done(&g->siblings);
	strv_done(&g->others);
	*g = (struct acs_group){ 0 };
}
