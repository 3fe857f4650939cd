/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/inventory.h>

#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/pcilink.h>
#include <sriovctl/links.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A driver or a group: the name of what a link of the function leads to. */
static void read_link(struct inventory_reader *rd, const char *bdf, const char *link,
		      struct inventory_fact *ret)
{
	AUTO_BUF struct buf name = { 0 };
	struct error e = { 0 };
	int r = host_link_name(rd->h, &name, &e, PCIDEV_PATH "/%s/%s", bdf, link);

	if (r == 0) {
		inventory_fact_text(rd, ret, buf_text(&name));
		return;
	}
	if (inventory_fact_absence(rd, bdf, r) == r)
		inventory_fact_error(rd, ret, r, e.text);
	else
		inventory_fact_error(rd, ret, -ENODATA, inventory_fact_why(rd, -ENODATA));
}

static void read_node(struct inventory_reader *rd, const struct pcidev *dev,
		      struct inventory_fact *ret)
{
	if (dev->node_error == 0 && dev->node >= 0)
		inventory_fact_number(ret, dev->node);
	else
		inventory_fact_error(rd, ret, dev->node_error ? dev->node_error : -ENOENT,
				     inventory_fact_why(rd, dev->node_error));
}

static void set_speed(struct inventory_reader *rd, const struct pcilink *l, unsigned index,
		      struct inventory_fact *ret)
{
	AUTO_BUF struct buf number = { 0 };
	const char *name = pcilink_speed_name(index);

	if (index == 0) {
		inventory_fact_error(rd, ret, -ENODATA, l->why ? l->why : name);
		return;
	}
	/* The unit is the column's. */
	buf_append(&number, name, strcspn(name, " "));
	inventory_fact_text(rd, ret, buf_text(&number));
}

static void set_width(struct inventory_reader *rd, const struct pcilink *l, unsigned lanes,
		      struct inventory_fact *ret)
{
	if (lanes == 0)
		inventory_fact_error(rd, ret, -ENODATA, l->why ? l->why : "an unknown width");
	else
		inventory_fact_number(ret, lanes);
}

/* What a link that rests or changes has now says nothing, and is not known. */
static void read_pci_link(struct inventory_reader *rd, const char *bdf, struct inventory_fact *f)
{
	const struct pcilink *l = NULL;
	bool now;

	if (pcilink_get(rd->h, bdf, &l, NULL) < 0)
		return;
	now = l->state == PCILINK_STEADY;
	set_speed(rd, l, now ? l->own.speed : 0, &f[INVENTORY_PF_SPEED]);
	set_width(rd, l, now ? l->own.width : 0, &f[INVENTORY_PF_WIDTH]);
	set_speed(rd, l, l->own.max_speed, &f[INVENTORY_PF_MAX_SPEED]);
	set_width(rd, l, l->own.max_width, &f[INVENTORY_PF_MAX_WIDTH]);
	for (enum inventory_pf_fact i = INVENTORY_PF_SPEED;
	     l->state == PCILINK_NONE && i <= INVENTORY_PF_MAX_WIDTH; i++)
		inventory_fact_error(rd, &f[i], -ENOENT, NULL);
}

static void read_vf(struct inventory_reader *rd, const char *pf, const char *link,
		    struct inventory_vf *ret)
{
	struct inventory_fact *f = ret->facts;

	read_link(rd, pf, link, &f[INVENTORY_VF_BDF]);
	if (f[INVENTORY_VF_BDF].error == 0 && f[INVENTORY_VF_BDF].text) {
		const char *bdf = f[INVENTORY_VF_BDF].text;

		inventory_net_name(rd, bdf, &f[INVENTORY_VF_NAME]);
		read_link(rd, bdf, "driver", &f[INVENTORY_VF_DRIVER]);
		read_link(rd, bdf, "iommu_group", &f[INVENTORY_VF_GROUP]);
	}
}

/* The links virtfn0, virtfn1 ... */
static void read_vfs(struct inventory_reader *rd, const char *bdf, struct inventory_pf *ret)
{
	AUTO_STRV struct strv names = { 0 };
	struct error e = { 0 };
	uint64_t index;
	int r = host_list(rd->h, &names, &e, PCIDEV_PATH "/%s", bdf);

	ret->vfs = calloc(names.n + 1, sizeof(*ret->vfs));
	if (!ret->vfs) {
		(void)host_nomem(rd->h, NULL);
		return;
	}
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.items[i];

		if (!parse_has_prefix(name, "virtfn") ||
		    parse_u64(name + strlen("virtfn"), 10, UINT16_MAX, &index) < 0)
			continue;
		inventory_fact_number(&ret->vfs[ret->n_vfs].facts[INVENTORY_VF_INDEX],
				      (int64_t)index);
		read_vf(rd, bdf, name, &ret->vfs[ret->n_vfs++]);
	}
	if (r == 0)
		inventory_fact_number(&ret->facts[INVENTORY_PF_NOW], (int64_t)ret->n_vfs);
	else
		inventory_fact_error(rd, &ret->facts[INVENTORY_PF_NOW], r, e.text);
}

static void read_pf(struct inventory_reader *rd, const struct pcidev *dev, struct inventory_pf *ret)
{
	struct inventory_fact *f = ret->facts;

	inventory_fact_text(rd, &f[INVENTORY_PF_BDF], dev->name);
	inventory_net_name(rd, dev->name, &f[INVENTORY_PF_NAME]);
	read_link(rd, dev->name, "driver", &f[INVENTORY_PF_DRIVER]);
	read_link(rd, dev->name, "iommu_group", &f[INVENTORY_PF_GROUP]);
	read_node(rd, dev, &f[INVENTORY_PF_NODE]);
	read_pci_link(rd, dev->name, f);
	if (dev->totalvfs_error == 0)
		inventory_fact_number(&f[INVENTORY_PF_MAX], dev->totalvfs);
	else
		inventory_fact_error(rd, &f[INVENTORY_PF_MAX], dev->totalvfs_error,
				     inventory_fact_why(rd, dev->totalvfs_error));
	read_vfs(rd, dev->name, ret);
	inventory_net_fill(rd, dev, ret);
}

static bool is_pf(const struct host *h, const struct pcidev *dev)
{
	const struct pf *pf = pf_of(h, dev);

	if (dev->is_vf || (pf && pf->is_vf))
		return false;
	return (dev->totalvfs_error != -ENOENT && dev->totalvfs_error != -ENODATA) ||
	       (pf && pf->sriov_error == 0) ||
	       host_exists(h, PCIDEV_PATH "/%s/virtfn0", dev->name) == 0;
}

static bool is_wanted(const struct host *h, const struct strv *bdfs, const struct pcidev *dev)
{
	return bdfs->n > 0 ? strv_has(bdfs, dev->name) : is_pf(h, dev);
}

int inventory_read(const struct host *h, const struct strv *bdfs, struct inventory *ret,
		   struct error *e)
{
	AUTO_INVENTORY struct inventory v = { 0 };
	struct inventory_reader rd = { .h = h };
	const struct pcidevs *devices = NULL;
	int r = pcidevs_get(h, &devices, e);

	if (r < 0 && r != -ENOENT)
		return r;
	v.pfs = calloc(devices ? devices->n + 1 : 1, sizeof(*v.pfs));
	if (!v.pfs || links_get(h, &rd.links, &rd.links_error) == -ENOMEM)
		return host_nomem(h, e);
	rd.devices = devices;
	for (size_t i = 0; devices && i < devices->n; i++)
		if (is_wanted(h, bdfs, &devices->items[i]))
			read_pf(&rd, &devices->items[i], &v.pfs[v.n++]);
	if (host_ran_out(h))
		return error_nomem(e);
	r = inventory_users_fill(&rd, &v, e);
	if (r < 0 || host_ran_out(h))
		return host_nomem(h, e);
	*ret = v;
	v = (struct inventory){ 0 };
	return 0;
}

static void free_facts(struct inventory_fact *f, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(f[i].text);
}

void inventory_done(struct inventory *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free_facts(v->pfs[i].facts, INVENTORY_PF_FACTS);
		for (size_t k = 0; k < v->pfs[i].n_vfs; k++)
			free_facts(v->pfs[i].vfs[k].facts, INVENTORY_VF_FACTS);
		free(v->pfs[i].vfs);
	}
	free(v->pfs);
	*v = (struct inventory){ 0 };
}
