/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spec_model.h"

#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/macs.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/permanent.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>

#define SLOTS "/sys/bus/pci/slots"
#define NETS  "/sys/class/net"

/* What is asked of every function. */
struct search {
	const struct spec *s;
	const struct spec_target *t;
	const struct host *h;
	const struct pcidevs *devices;
	const struct links *links; /* NULL: not known */
	const char *netdev;	   /* the interface that is meant, by its own name */
	struct strv slots;	   /* the addresses in the slot that is meant, without function */
};

static bool has_permanent(const struct host *h, const struct strv *netdevs, uint64_t mac)
{
	for (size_t i = 0; i < netdevs->n; i++)
		if (permanent_of_netdev(h, netdevs->items[i]) == mac)
			return true;
	return false;
}

/* --- slots -------------------------------------------------------------------------------- */

/* The slot of the platform of this name: its address is that of its functions less ".F". */
static int find_slot(struct search *q, struct error *e)
{
	AUTO_BUF struct buf address = { 0 };
	int r = host_attr(q->h, &address, NULL, SLOTS "/%s/address", q->t->slot);

	if (r == 0 && strv_add(&q->slots, buf_text(&address)) < 0)
		r = error_nomem(e);
	return r == -ENOMEM ? r : 0;
}

static bool is_at(const char *bdf, const struct strv *slots)
{
	for (size_t i = 0; i < slots->n; i++) {
		size_t len = strlen(slots->items[i]);

		if (len > 0 && strncasecmp(bdf, slots->items[i], len) == 0 && bdf[len] == '.')
			return true;
	}
	return false;
}

/* It or a port above it, as on a card with a switch of its own, is in the slot. */
static bool is_in_slot(const struct search *q, const struct pcidev *d)
{
	const struct pcitree *tree = NULL;
	const struct pcitree_node *node;
	AUTO_BUF struct buf label = { 0 };

	if (is_at(d->name, &q->slots))
		return true;
	if (pcitree_get(q->h, &tree, NULL) == 0)
		for (node = pcitree_find(tree, d->name); node; node = node->parent)
			if (is_at(node->name, &q->slots))
				return true;
	/* What firmware calls a function: SMBIOS type 41, or _DSM of ACPI. */
	return host_attr(q->h, &label, NULL, PCIDEV_PATH "/%s/label", d->name) == 0 &&
	       strcmp(buf_text(&label), q->t->slot) == 0;
}

/* --- one function ---------------------------------------------------------------------------- */

static bool can_have_vfs(const struct host *h, const struct pcidev *d)
{
	const struct pf *pf = pf_of(h, d);

	return (d->totalvfs_error == 0 && d->totalvfs > 0) || (pf && pf_is_subject(pf));
}

static bool is_same_place(const char *a, const char *b)
{
	struct bdf x, y;

	return parse_bdf(a, &x) == 0 && parse_bdf(b, &y) == 0 && x.domain == y.domain &&
	       x.bus == y.bus && x.device == y.device && x.function == y.function;
}

static bool is_port(const struct spec_target *t, const struct pcidev *d)
{
	struct bdf at;

	return !t->port.is_set || (parse_bdf(d->name, &at) == 0 && at.function == t->port.number);
}

static bool is_id(const struct spec_target *t, const struct pcidev *d)
{
	return d->id_error == 0 && d->vendor == t->vendor && d->device == t->device &&
	       (!t->node.is_set ||
		(d->node_error == 0 && d->node >= 0 && (uint64_t)d->node == t->node.number));
}

static bool is_meant(const struct search *q, const struct pcidev *d)
{
	const struct spec_target *t = q->t;
	AUTO_STRV struct strv netdevs = { 0 };

	if (t->pci)
		return is_same_place(d->name, t->pci);
	(void)pcidev_list_netdevs(q->h, d->name, &netdevs, NULL);
	if (t->netdev)
		return strv_has(&netdevs, q->netdev);
	if (d->is_vf || !can_have_vfs(q->h, d))
		return false;
	if (t->by_mac)
		return has_permanent(q->h, &netdevs, t->mac);
	return is_port(t, d) && (t->slot ? is_in_slot(q, d) : is_id(t, d));
}

/* --- what is said of one that is not found -----------------------------------------------------
 */

static void print_target(const struct spec_target *t, struct buf *ret)
{
	if (t->by_mac) {
		buf_puts(ret, "the permanent address ");
		macs_print(t->mac, ret);
	} else if (t->by_id) {
		buf_printf(ret, "the id %04x:%04x", t->vendor, t->device);
	} else {
		buf_printf(ret, "the %s \"%s\"",
			   t->pci    ? "address"
			   : t->slot ? "slot"
				     : "network interface",
			   t->pci    ? t->pci
			   : t->slot ? t->slot
				     : t->netdev);
	}
	if (t->node.is_set)
		buf_printf(ret, " on NUMA node %u", (unsigned)t->node.number);
	if (t->port.is_set)
		buf_printf(ret, " as port %u", (unsigned)t->port.number);
}

/* "0000:3b:00.0 (ens1f0, 8086:1592, node 1)", or with the address where that is asked for. */
static void print_candidate(const struct search *q, const struct pcidev *d, struct buf *ret)
{
	AUTO_STRV struct strv netdevs = { 0 };
	const char *separator = " (";
	uint64_t mac = 0;

	(void)pcidev_list_netdevs(q->h, d->name, &netdevs, NULL);
	buf_printf(ret, "%s%s", ret->len ? ", " : "", d->name);
	if (netdevs.n > 0) {
		buf_printf(ret, "%s%s", separator, netdevs.items[0]);
		separator = ", ";
		mac = permanent_of_netdev(q->h, netdevs.items[0]);
	}
	if (q->t->by_mac) {
		buf_puts(ret, separator);
		separator = ", ";
		if (mac)
			macs_print(mac, ret);
		else
			buf_puts(ret, "address not known");
	}
	if (q->t->by_id && d->id_error == 0) {
		buf_printf(ret, "%s%04x:%04x", separator, d->vendor, d->device);
		separator = ", ";
		if (d->node_error == 0 && d->node >= 0)
			buf_printf(ret, ", node %d", d->node);
	}
	buf_puts(ret, strcmp(separator, ", ") == 0 ? ")" : "");
}

static int refuse_none(const struct search *q, struct error *e)
{
	AUTO_BUF struct buf all = { 0 }, target = { 0 };

	print_target(q->t, &target);
	for (size_t i = 0; i < q->devices->n; i++) {
		const struct pcidev *d = &q->devices->items[i];

		if (!d->is_vf && !pcidev_is_bridge(d) && can_have_vfs(q->h, d))
			print_candidate(q, d, &all);
	}
	if (buf_error(&all) < 0 || buf_error(&target) < 0 || host_ran_out(q->h))
		return error_nomem(e);
	if (all.len == 0)
		return spec_refuse(q->s, &q->t->at, e, "no function has %s; none here can have VFs",
				   buf_text(&target));
	return spec_refuse(q->s, &q->t->at, e, "no function has %s; there are: %s",
			   buf_text(&target), buf_text(&all));
}

static int refuse_many(const struct search *q, const struct strv *found, struct error *e)
{
	AUTO_BUF struct buf all = { 0 }, target = { 0 };

	print_target(q->t, &target);
	for (size_t i = 0; i < found->n; i++)
		print_candidate(q, pcidevs_find(q->devices, found->items[i]), &all);
	if (buf_error(&all) < 0 || buf_error(&target) < 0 || host_ran_out(q->h))
		return error_nomem(e);
	return spec_refuse(q->s, &q->t->at, e, "%zu functions have %s: %s", found->n,
			   buf_text(&target), buf_text(&all));
}

/* --- the search ------------------------------------------------------------------------------ */

/* A device that is not on PCI and has VFs all the same, as those of netdevsim. */
static int find_elsewhere(const struct search *q, struct strv *ret, struct error *e)
{
	AUTO_BUF struct buf name = { 0 };

	if (!q->t->netdev || host_exists(q->h, NETS "/%s/device/sriov_numvfs", q->netdev) < 0 ||
	    host_link_name(q->h, &name, NULL, NETS "/%s/device", q->netdev) < 0)
		return 0;
	return strv_add(ret, buf_text(&name)) < 0 ? error_nomem(e) : 0;
}

/* An interface may be called by a name of its own and by others (ip link property). */
static const char *own_name(const struct links *links, const char *netdev)
{
	if (links && !links_find(links, netdev))
		for (size_t i = 0; i < links->n; i++)
			if (strv_has(&links->items[i].altnames, netdev))
				return links->items[i].name;
	return netdev;
}

static int find(const struct search *q, struct strv *ret, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < q->devices->n; i++) {
		const struct pcidev *d = &q->devices->items[i];

		if (!pcidev_is_bridge(d) && is_meant(q, d))
			r = strv_add(ret, d->name);
	}
	if (r < 0)
		return error_nomem(e);
	return ret->n > 0 ? 0 : find_elsewhere(q, ret, e);
}

static int match_one(struct search *q, struct strv *ret, struct error *e)
{
	AUTO_STRV struct strv found = { 0 };
	const struct pcidev *d;
	int r = q->t->slot ? find_slot(q, e) : 0;

	if (r == 0)
		r = find(q, &found, e);
	/* What a search that ran out of memory did not find may be there. */
	if (r == 0 && host_ran_out(q->h))
		r = error_nomem(e);
	if (r < 0)
		return r;
	if (found.n == 0)
		return refuse_none(q, e);
	if (found.n > 1)
		return refuse_many(q, &found, e);
	d = pcidevs_find(q->devices, found.items[0]);
	if (d && d->is_vf)
		return spec_refuse(q->s, &q->t->at, e,
				   "%s is a VF: the function that it is of has to be named",
				   d->name);
	return strv_add(ret, found.items[0]) < 0 ? error_nomem(e) : 0;
}

static int refuse_twice(const struct spec *s, const struct strv *bdfs, struct error *e)
{
	for (size_t i = 0; i < bdfs->n; i++)
		for (size_t k = 0; k < i; k++) {
			AUTO_BUF struct buf where = { 0 };

			if (strcmp(bdfs->items[i], bdfs->items[k]) != 0)
				continue;
			spec_where(s, &s->pfs[k].target.at, &where);
			if (buf_error(&where) < 0)
				return error_nomem(e);
			return spec_refuse(s, &s->pfs[i].target.at, e, "%s is meant at %s already",
					   bdfs->items[i], buf_text(&where));
		}
	return 0;
}

int spec_match(const struct spec *s, const struct host *h, struct strv *ret_bdfs, struct error *e)
{
	static const struct pcidevs none = { 0 };
	AUTO_STRV struct strv bdfs = { 0 };
	struct search q = { .s = s, .h = h, .devices = &none };
	int r = pcidevs_get(h, &q.devices, e);

	if (r < 0 && r != -ENOENT)
		return r;
	/* Without them there are no other names, and fewer permanent addresses. */
	r = links_get(h, &q.links, NULL);
	r = r == -ENOMEM ? error_nomem(e) : 0;
	for (size_t i = 0; r == 0 && i < s->n; i++) {
		q.t = &s->pfs[i].target;
		q.netdev = q.t->netdev ? own_name(q.links, q.t->netdev) : NULL;
		r = match_one(&q, &bdfs, e);
		strv_done(&q.slots);
	}
	if (r == 0)
		r = refuse_twice(s, &bdfs, e);
	if (r < 0)
		return r;
	*ret_bdfs = bdfs;
	bdfs = (struct strv){ 0 };
	return 0;
}
