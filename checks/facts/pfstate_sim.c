/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfstate_read.h"

#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/eswitch.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

/*
 * netdevsim (Linux drivers/net/netdevsim) has VFs without PCI functions and without network
 * interfaces: all that there is to them is what their PF has set.
 */
#define SIM_PATH "/sys/bus/netdevsim/devices"

bool pfstate_sim_is_name(const char *name)
{
	return parse_has_prefix(name, "netdevsim") && !strchr(name, '/');
}

static void read_interface(const struct host *h, struct pfstate *p)
{
	AUTO_STRV struct strv names = { 0 };
	const struct links *links = NULL;
	const struct links_item *link = NULL;
	int r = host_list(h, &names, NULL, "%s/net", p->sysfs);

	for (size_t i = 0; r == 0 && !p->netdev && i < names.n; i++)
		if (!inventory_net_is_representor(h, p->sysfs, names.items[i]))
			p->netdev = pfstate_copy(h, names.items[i]);
	if (r == 0)
		r = p->netdev ? links_get(h, &links, NULL) : -EREMOTE;
	if (r == 0) {
		link = links_find(links, p->netdev);
		r = link ? 0 : -EREMOTE;
	}
	pfstate_link_pf(link, r, p);
	pfstate_link_vfs(link, r, p);
}

static void read_vf(struct pfstate_vf *vf)
{
	for (int s = SETTING_QUEUES; s < SETTING_END; s++)
		pfstate_set_number(&vf->set[s], -EOPNOTSUPP, 0);
}

int pfstate_sim_read(const struct host *h, const char *name, struct pfstate *p, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	uint64_t n = 0, total = 0;
	uint16_t mode = 0;
	int r;

	buf_printf(&path, SIM_PATH "/%s", name);
	if (host_exists(h, "%s", buf_text(&path)) == -ENOENT)
		return error_set(e, -ENODEV, "%s: there is no such device", name);
	p->bdf = pfstate_copy(h, name);
	p->sysfs = pfstate_copy(h, buf_text(&path));
	p->driver = pfstate_copy(h, "netdevsim");
	if (!p->bdf || !p->sysfs || !p->driver)
		return host_nomem(h, e);
	p->is_network = true;
	p->queues = PFSTATE_QUEUES_FIXED;
	r = host_attr_u64(h, 10, &n, NULL, "%s/sriov_numvfs", p->sysfs);
	pfstate_set_number(&p->set[SETTING_VFS], r, n);
	if (r == 0 && (n > UINT16_MAX || pfstate_set_vfs(p, n) < 0))
		return n > UINT16_MAX
			       ? error_set(e, -EINVAL, "%s: %llu VFs", name, (unsigned long long)n)
			       : host_nomem(h, e);
	if (host_attr_u64(h, 10, &total, NULL, "/sys/kernel/debug/netdevsim/%s/max_vfs", name) ==
		    0 &&
	    total <= UINT32_MAX)
		p->total = (uint32_t)total;
	pfstate_set_number(&p->set[SETTING_AUTOPROBE], -EOPNOTSUPP, 0);
	r = eswitch_read(h, "netdevsim", name, &mode, NULL);
	pfstate_set_number(&p->set[SETTING_ESWITCH], r, mode);
	for (size_t i = 0; i < p->n_vfs; i++)
		read_vf(&p->vfs[i]);
	read_interface(h, p);
	return 0;
}
