/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/ports.h>

#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_UP 0x1 /* IFF_UP (include/uapi/linux/if.h) */

/* Is there an interface of this name here, and is it of this function? */
static const struct links_item *find_link(const struct host *h, const char *bdf, const char *name)
{
	const struct links *links = NULL;
	const struct links_item *item =
		links_get(h, &links, NULL) == 0 ? links_find(links, name) : NULL;

	return item && (!item->device || strcmp(item->device, bdf) == 0) ? item : NULL;
}

/* --- state ---------------------------------------------------------------------------------- */

static enum ports_state state_of_link(const struct links_item *item)
{
	if (!item->is_up)
		return PORTS_DOWN;
	return item->has_carrier ? PORTS_CARRIER : PORTS_NO_CARRIER;
}

/* Of an interface that is up, where "carrier" was not copied. */
static enum ports_state state_of_word(const char *operstate)
{
	if (strcmp(operstate, "up") == 0 || strcmp(operstate, "dormant") == 0)
		return PORTS_CARRIER;
	return strcmp(operstate, "down") == 0 ? PORTS_NO_CARRIER : PORTS_UNKNOWN;
}

static enum ports_state state_of_files(const struct host *h, const char *bdf, const char *name)
{
	AUTO_BUF struct buf word = { 0 };
	uint64_t flags, carrier;
	int r = host_attr_u64(h, 16, &flags, NULL, PCIDEV_PATH "/%s/net/%s/flags", bdf, name);

	if (r == 0 && !(flags & FLAG_UP))
		return PORTS_DOWN;
	/* It cannot be read of an interface that is down (net/core/net-sysfs.c). */
	if (host_attr_u64(h, 10, &carrier, NULL, PCIDEV_PATH "/%s/net/%s/carrier", bdf, name) == 0)
		return carrier ? PORTS_CARRIER : PORTS_NO_CARRIER;
	if (r < 0)
		return PORTS_UNKNOWN;
	if (host_attr(h, &word, NULL, PCIDEV_PATH "/%s/net/%s/operstate", bdf, name) < 0)
		return PORTS_UNKNOWN;
	return state_of_word(buf_text(&word));
}

/* --- speed ---------------------------------------------------------------------------------- */

/* The file says -1, and older kernels 2^32 - 1, where there is no carrier. */
static uint32_t file_speed(const struct host *h, const char *bdf, const char *name)
{
	uint64_t speed;

	if (host_attr_u64(h, 10, &speed, NULL, PCIDEV_PATH "/%s/net/%s/speed", bdf, name) < 0)
		return 0;
	return speed <= INT32_MAX ? (uint32_t)speed : 0;
}

static void read_modes(const struct host *h, const char *bdf, struct ports_item *item)
{
	item->modes_error = linkmodes_read(h, item->name, &item->modes, NULL);
	if (item->modes_error < 0)
		item->modes.speed = file_speed(h, bdf, item->name);
}

uint32_t ports_least(const struct ports_item *item)
{
	return item->modes.supported > item->modes.speed ? item->modes.supported
							 : item->modes.speed;
}

uint32_t ports_most(const struct ports_item *item)
{
	if (item->modes_error < 0 || item->modes.has_unknown || !item->modes.supported)
		return UINT32_MAX;
	return ports_least(item);
}

/* --- the ports of a function --------------------------------------------------------------- */

/* Functions of a partitioned card name the port that they share (net/core/net-sysfs.c). */
static bool is_shared(const struct host *h, struct strv *seen, const char *bdf, const char *name)
{
	AUTO_BUF struct buf id = { 0 };

	if (host_attr(h, &id, NULL, PCIDEV_PATH "/%s/net/%s/phys_port_id", bdf, name) < 0 ||
	    id.len == 0)
		return false;
	if (strv_has(seen, buf_text(&id)))
		return true;
	if (strv_add(seen, buf_text(&id)) < 0)
		(void)host_nomem(h, NULL);
	return false;
}

static int add_item(const struct host *h, struct strv *seen, struct ports_function *f,
		    const char *name)
{
	struct ports_item *item = &f->items[f->n];
	const struct links_item *link = find_link(h, f->bdf, name);

	item->name = strdup(name);
	if (!item->name)
		return -ENOMEM;
	f->n++;
	if (!link && !host_is_partial(h)) {
		item->modes_error = -EREMOTE;
		return 0;
	}
	item->state = link ? state_of_link(link) : state_of_files(h, f->bdf, name);
	read_modes(h, f->bdf, item);
	item->is_shared = is_shared(h, seen, f->bdf, name);
	return 0;
}

static int read_function(const struct host *h, struct strv *seen, struct ports_function *f)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf folder = { 0 };
	int r = 0;

	f->error = pcidev_list_netdevs(h, f->bdf, &names, NULL);
	if (f->error < 0)
		return f->error == -ENOMEM ? -ENOMEM : 0;
	buf_printf(&folder, PCIDEV_PATH "/%s", f->bdf);
	f->items = calloc(names.n + 1, sizeof(*f->items));
	if (!f->items || buf_error(&folder) < 0)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < names.n; i++)
		if (names.n == 1 ||
		    !inventory_net_is_representor(h, buf_text(&folder), names.items[i]))
			r = add_item(h, seen, f, names.items[i]);
	/* A driver leaves the folder as long as it has the interface, wherever that is. */
	if (f->n == 0)
		f->error = -EREMOTE;
	return r;
}

/* Of one whose class is not known, how many ports it has is not known either. */
static bool may_be_network(const struct pcidev *d)
{
	return d->class_error < 0 || pcidev_is_network(d);
}

static int read_ports(const struct host *h, struct ports *ret, struct error *e)
{
	AUTO_STRV struct strv seen = { 0 };
	const struct pfs *v = NULL;
	int r = pfs_get(h, &v, e);

	if (r < 0)
		return r;
	ret->functions = calloc(v->n + 1, sizeof(*ret->functions));
	if (!ret->functions)
		return error_nomem(e);
	for (size_t i = 0; r == 0 && i < v->n; i++) {
		struct ports_function *f = &ret->functions[ret->n];

		if (v->items[i].is_vf || !may_be_network(v->items[i].dev))
			continue;
		f->bdf = strdup(v->items[i].dev->name);
		if (!f->bdf)
			return error_nomem(e);
		ret->n++;
		f->error = v->items[i].dev->class_error;
		if (f->error == 0)
			r = read_function(h, &seen, f);
	}
	return r < 0 ? error_nomem(e) : 0;
}
HOST_FACT_DEFINE(ports, read_ports)

void ports_done(struct ports *p)
{
	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->functions[i].n; k++)
			free(p->functions[i].items[k].name);
		free(p->functions[i].items);
		free(p->functions[i].bdf);
	}
	free(p->functions);
	*p = (struct ports){ 0 };
}

const struct ports_function *ports_find(const struct ports *p, const char *bdf)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->functions[i].bdf, bdf) == 0)
			return &p->functions[i];
	return NULL;
}
