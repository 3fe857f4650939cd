/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfstate_read.h"

#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/eswitch.h>
#include <sriovctl/holders.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>
#include <sriovctl/links.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const struct host *h;
	struct inventory_reader names;
};

/* --- VFs ----------------------------------------------------------------------------------- */

static bool is_vf_link(const char *name, uint64_t *ret_index)
{
	static const char prefix[] = "virtfn";

	return parse_has_prefix(name, prefix) &&
	       parse_u64(name + sizeof(prefix) - 1, 10, UINT16_MAX, ret_index) == 0;
}

/* How many: 0 or why the links do not tell, as while VFs are made or removed. */
static int count_vfs(const struct reader *rd, const struct pcidev *d, size_t *ret)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf text = { 0 };
	const struct pf *pf = pf_of(rd->h, d);
	size_t n = 0, end = 0;
	uint64_t index;
	int r = host_list(rd->h, &names, NULL, PCIDEV_PATH "/%s", d->name);

	/* Some may be known where the whole folder is not. */
	if (r < 0 && host_is_partial(rd->h) && d->numvfs > 0) {
		n = end = d->numvfs;
		r = 0;
	}
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		if (!is_vf_link(names.items[i], &index))
			continue;
		n++;
		end = index >= end ? index + 1 : end;
	}
	*ret = end;
	/* Who cannot get its lock finds somebody at work on the function. */
	if (r == 0 &&
	    host_attr(rd->h, &text, NULL, PCIDEV_PATH "/%s/sriov_numvfs", d->name) == -ETIMEDOUT)
		r = -ETIMEDOUT;
	if (r == 0 && n != end)
		r = -EBUSY;
	/* The links go first when VFs are removed, and NumVFs last. */
	if (r == 0 && pf && pf->sriov_error == 0 &&
	    (pf->sriov.vf_enable ? pf->sriov.num_vfs : 0) != n)
		r = -EBUSY;
	return r;
}

static void read_vf_interface(const struct reader *rd, const struct pfstate *p,
			      struct pfstate_vf *vf)
{
	AUTO_STRV struct strv names = { 0 };
	int r = pcidev_list_netdevs(rd->h, vf->bdf, &names, NULL);

	if (r == 0 && names.n > 0)
		vf->netdev = pfstate_copy(rd->h, names.items[0]);
	else if (r == 0)
		r = -EREMOTE;
	/* A function without an interface may get one with another driver. */
	if (r == -ENOENT)
		r = p->is_network ? -ENODEV : -EOPNOTSUPP;
	if (r == 0 && !rd->names.links)
		r = rd->names.links_error.code;
	pfstate_link_mtu(rd->names.links, r, vf);
}

static void read_driver(const struct reader *rd, struct pfstate_vf *vf)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_link_name(rd->h, &text, NULL, PCIDEV_PATH "/%s/driver", vf->bdf);

	pfstate_set_name(&vf->set[SETTING_DRIVER], inventory_fact_absence(&rd->names, vf->bdf, r),
			 buf_text(&text));
	r = host_attr(rd->h, &text, NULL, PCIDEV_PATH "/%s/driver_override", vf->bdf);
	if (r == -ENOENT)
		r = -EOPNOTSUPP;
	/* What the kernel prints of no name (drivers/pci/pci-sysfs.c, driver_override_show). */
	if (r == 0 && strcmp(buf_text(&text), "(null)") == 0)
		buf_clear(&text);
	pfstate_set_name(&vf->set[SETTING_OVERRIDE], r, buf_text(&text));
}

/* One that cannot be asked for counts as used. */
static void note_unknown(const struct reader *rd, struct pfstate_vf *vf, int r)
{
	AUTO_BUF struct buf text = { 0 };

	buf_printf(&text, "which function it is, and who uses it, could not be told: %s",
		   host_why(rd->h, r));
	if (strv_take(&vf->holders, buf_take(&text)) < 0)
		(void)host_nomem(rd->h, NULL);
}

static void read_vf(const struct reader *rd, const struct pfstate *p, size_t index,
		    struct pfstate_vf *vf)
{
	AUTO_BUF struct buf name = { 0 };
	int r = host_link_name(rd->h, &name, NULL, PCIDEV_PATH "/%s/virtfn%zu", p->bdf, index);

	if (r == 0)
		vf->bdf = pfstate_copy(rd->h, buf_text(&name));
	if (vf->bdf) {
		read_driver(rd, vf);
		read_vf_interface(rd, p, vf);
		return;
	}
	r = r < 0 ? r : -ENOMEM;
	note_unknown(rd, vf, r);
	for (int s = SETTING_QUEUES; s < SETTING_END; s++)
		pfstate_set_number(&vf->set[s], r, 0);
}

/* --- the PF -------------------------------------------------------------------------------- */

/* The interface as rtnetlink has it; NULL: why not. */
static const struct links_item *find_link(const struct reader *rd, const struct pfstate *p,
					  int *error)
{
	const struct links_item *item = NULL;

	if (!p->netdev)
		return NULL;
	*error = rd->names.links ? -EREMOTE : rd->names.links_error.code;
	if (rd->names.links)
		item = links_find(rd->names.links, p->netdev);
	/* /sys may show another namespace than this process is in. */
	return item && item->device && strcmp(item->device, p->bdf) != 0 ? NULL : item;
}

static void read_interface(const struct reader *rd, const struct pcidev *d, struct pfstate *p)
{
	struct inventory_reader names = rd->names;
	struct inventory_fact name = { 0 };
	const struct links_item *link;
	int error;

	inventory_net_name(&names, p->bdf, &name);
	error = name.error;
	if (error == 0 && name.text)
		p->netdev = pfstate_copy(rd->h, name.text);
	else if (error == 0)
		error = host_nomem(rd->h, NULL);
	free(name.text);
	/* Below a virtio device: its VFs are set by nobody. */
	p->is_network =
		pcidev_is_network(d) && (!p->netdev || host_exists(rd->h, "%s/net", p->sysfs) == 0);
	if (error == -ENOENT)
		error = pcidev_is_network(d) ? -ENODEV : -EOPNOTSUPP;
	link = find_link(rd, p, &error);
	pfstate_link_pf(link, error, p);
	pfstate_link_vfs(p->is_network ? link : NULL, p->is_network ? error : -EOPNOTSUPP, p);
}

static void read_switches(const struct reader *rd, struct pfstate *p)
{
	uint64_t on = 0;
	uint16_t mode = 0;
	int r = host_attr_u64(rd->h, 10, &on, NULL, "%s/sriov_drivers_autoprobe", p->sysfs);

	r = inventory_fact_absence(&rd->names, p->bdf, r);
	pfstate_set_number(&p->set[SETTING_AUTOPROBE], r == -ENOENT ? -EOPNOTSUPP : r, on);
	r = eswitch_read(rd->h, "pci", p->bdf, &mode, NULL);
	/* A later kernel has modes that are neither. */
	if (r == 0 && mode > ESWITCH_SWITCHDEV)
		r = -ERANGE;
	pfstate_set_number(&p->set[SETTING_ESWITCH], r, mode);
}

static int read_pf(const struct reader *rd, const struct pcidev *d, struct pfstate *p,
		   struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	size_t n = 0;
	int r;

	buf_printf(&path, PCIDEV_PATH "/%s", d->name);
	p->bdf = pfstate_copy(rd->h, d->name);
	p->sysfs = pfstate_copy(rd->h, buf_text(&path));
	if (d->driver_error == 0)
		p->driver = pfstate_copy(rd->h, d->driver);
	p->total = d->totalvfs_error == 0 ? d->totalvfs : 0;
	r = count_vfs(rd, d, &n);
	pfstate_set_number(&p->set[SETTING_VFS], r, n);
	if (pfstate_set_vfs(p, n) < 0 || host_ran_out(rd->h))
		return host_nomem(rd->h, e);
	pfstate_identity_read(rd->h, p->bdf, &p->identity);
	read_interface(rd, d, p);
	read_switches(rd, p);
	for (size_t i = 0; i < n; i++)
		read_vf(rd, p, i, &p->vfs[i]);
	pfstate_queues_read(rd->h, p);
	return 0;
}

/* --- users --------------------------------------------------------------------------------- */

static void move_users(struct strv *from, struct strv *to)
{
	strv_done(to);
	*to = *from;
	*from = (struct strv){ 0 };
}

static int read_users(const struct host *h, struct pfstate *p, struct error *e)
{
	AUTO_STRV struct strv bdfs = { 0 };
	AUTO_HOLDERS struct holders v = { 0 };
	size_t k = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < p->n_vfs; i++)
		if (p->vfs[i].bdf)
			r = strv_add(&bdfs, p->vfs[i].bdf);
	if (r == 0)
		r = holders_read(h, &bdfs, &v, e);
	if (r == 0)
		r = holders_of_pf(h, p->bdf, p->netdev, &p->users, e);
	if (r < 0)
		return host_nomem(h, e);
	for (size_t i = 0; i < p->n_vfs; i++)
		if (p->vfs[i].bdf)
			move_users(&v.items[k++].users, &p->vfs[i].holders);
	p->blind = v.blind;
	v.blind = NULL;
	return 0;
}

/* --- altogether ---------------------------------------------------------------------------- */

static int read_one(const struct reader *rd, const char *name, struct pfstate *p, struct error *e)
{
	const struct pcidev *d = rd->names.devices ? pcidevs_find(rd->names.devices, name) : NULL;
	int r;

	if (d)
		r = read_pf(rd, d, p, e);
	else if (pfstate_sim_is_name(name))
		r = pfstate_sim_read(rd->h, name, p, e);
	else
		r = error_set(e, -ENODEV, "%s: there is no such PCI function", name);
	return r < 0 ? r : read_users(rd->h, p, e);
}

int pfstates_read(const struct host *h, const struct strv *bdfs, struct pfstates *ret,
		  struct error *e)
{
	AUTO_PFSTATES struct pfstates v = { 0 };
	struct reader rd = { .h = h, .names = { .h = h } };
	int r = pcidevs_get(h, &rd.names.devices, e);

	/* A host of netdevsim alone need not have PCI. */
	if (r < 0 && r != -ENOENT)
		return r;
	v.items = calloc(bdfs->n + 1, sizeof(*v.items));
	if (!v.items || links_get(h, &rd.names.links, &rd.names.links_error) == -ENOMEM)
		return host_nomem(h, e);
	r = 0;
	for (size_t i = 0; r == 0 && i < bdfs->n; i++)
		r = read_one(&rd, bdfs->items[i], &v.items[v.n++], e);
	if (r < 0)
		return r;
	if (host_ran_out(h))
		return error_nomem(e);
	*ret = v;
	v = (struct pfstates){ 0 };
	return 0;
}
