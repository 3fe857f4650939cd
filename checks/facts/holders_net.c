/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_look.h"

#include "inventory_fact.h"

#include <sriovctl/addresses.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/routes.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Interfaces on interfaces: more of them than anybody stacks. */
#define DEPTH_MAX 8

static const char *kind_of(const struct links_item *item)
{
	return item->kind ? item->kind : "interface";
}

/* A pair names the other end as what it stands on. */
static bool stands_on(const struct links_item *item, const struct links_item *below)
{
	static const char *const pairs[] = { "veth", "netkit", "vxcan" };

	if (item->lower != below->index || item->lower_elsewhere || item == below || !item->kind)
		return false;
	return !PARSE_IS_ONE_OF(item->kind, pairs);
}

void holders_net_master(struct holders_look *l, const struct links_item *item, struct strv *users)
{
	const struct links_item *master =
		item->master ? links_find_index(l->links, item->master) : NULL;

	if (master)
		holders_look_add(l, users, "its interface %s is a member of %s %s", item->name,
				 kind_of(master), master->name);
	else if (item->master)
		holders_look_add(l, users, "its interface %s is a member of another one",
				 item->name);
}

/* --- default routes ------------------------------------------------------------------------ */

static const char *family_name(int family)
{
	return family == AF_INET ? "IPv4" : "IPv6";
}

static void add_routes(struct holders_look *l, const struct links_item *below,
		       const struct links_item *item, struct strv *users)
{
	for (size_t i = 0; l->routes && i < l->routes->n; i++) {
		const struct routes_item *route = &l->routes->items[i];
		const char *family = family_name(route->family);

		if (route->index == 0)
			holders_look_add(l, users,
					 "a default route (%s) whose interface the kernel does not "
					 "tell may lead through its interface %s",
					 family, below->name);
		else if (route->index == item->index && item == below)
			holders_look_add(l, users,
					 "a default route (%s) leads through its interface %s",
					 family, below->name);
		else if (route->index == item->index)
			holders_look_add(l, users,
					 "a default route (%s) leads through %s, which stands on "
					 "its interface %s",
					 family, item->name, below->name);
	}
}

/* Through @item and all that stands on it or has it as a member. */
static void walk_routes(struct holders_look *l, const struct links_item *below,
			const struct links_item *item, unsigned depth, struct strv *users)
{
	add_routes(l, below, item, users);
	for (size_t i = 0; depth < DEPTH_MAX && i < l->links->n; i++) {
		const struct links_item *above = &l->links->items[i];

		if (stands_on(above, item) || (item->master && item->master == above->index))
			walk_routes(l, below, above, depth + 1, users);
	}
}

void holders_net_routes(struct holders_look *l, const struct links_item *item, struct strv *users)
{
	walk_routes(l, item, item, 0, users);
}

/* --- an interface that is here ------------------------------------------------------------- */

static void look_at_addresses(struct holders_look *l, const struct links_item *item,
			      struct strv *users)
{
	for (size_t i = 0; item->is_up && l->addresses && i < l->addresses->n; i++) {
		const struct addresses_item *a = &l->addresses->items[i];
		AUTO_BUF struct buf text = { 0 };

		if (a->index != item->index || a->is_link_local)
			continue;
		addresses_text(a, &text);
		holders_look_add(l, users, "its interface %s is up with the address %s", item->name,
				 buf_text(&text));
	}
}

/* Of one that is here: members, addresses, what stands on it, routes. */
static void look_at_interface(struct holders_look *l, const struct links_item *item,
			      struct strv *users)
{
	holders_net_master(l, item, users);
	for (size_t i = 0; i < l->links->n; i++)
		if (stands_on(&l->links->items[i], item))
			holders_look_add(l, users, "%s %s stands on its interface %s",
					 kind_of(&l->links->items[i]), l->links->items[i].name,
					 item->name);
	if (item->has_xdp)
		holders_look_add(l, users, "an XDP program is attached to its interface %s",
				 item->name);
	look_at_addresses(l, item, users);
	holders_net_routes(l, item, users);
	holders_device_packets(l, item->index, item->name, users);
	holders_netns_above(l, item, users);
}

/* --- the interfaces of a function --------------------------------------------------------- */

static void look_at_name(struct holders_look *l, const char *name, struct strv *users)
{
	const struct links_item *item = l->links ? links_find(l->links, name) : NULL;

	if (item)
		look_at_interface(l, item, users);
	else if (!host_is_partial(l->h))
		holders_look_add(
			l, users, "whether its interface %s is used could not be told: %s", name,
			l->links ? "it is not in this network namespace" : buf_text(&l->blind));
}

void holders_net(struct holders_look *l, const char *bdf, struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };
	int r = pcidev_list_netdevs(l->h, bdf, &names, NULL);

	/* A driver leaves the folder as long as it has the interface, wherever that is. */
	if (r == 0 && names.n == 0)
		holders_netns(l, bdf, users);
	for (size_t i = 0; r == 0 && i < names.n; i++)
		look_at_name(l, names.items[i], users);
}
