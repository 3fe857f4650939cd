/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/links.h>

#include "links_attr.h"

#include <errno.h>
#include <linux/if_link.h>
#include <string.h>

static int load_address(const struct links_attr *a, struct links_address *ret)
{
	if (a->payload.left > sizeof(ret->bytes))
		return -EBADMSG;
	ret->len = a->payload.left;
	return links_attr_load(a, ret->bytes, ret->len);
}

static int load_carrier(const struct links_attr *a, struct links_item *item)
{
	uint8_t carrier = 0;
	int r = links_attr_load(a, &carrier, sizeof(carrier));

	item->has_carrier = carrier == 1;
	return r;
}

/* Of an interface that lies in no other: a VLAN is made by "vlan", a bond by "bond". */
static int load_kind(const struct links_attr *a, struct links_item *item)
{
	struct links_span s = a->payload;
	struct links_attr info;
	int r = 0;

	while (r == 0 && links_attr_next(&s, &info))
		if (info.type == IFLA_INFO_KIND)
			r = links_attr_text(&info, &item->kind);
	return r == 0 && s.left > 0 ? -EBADMSG : r;
}

static int load_xdp(const struct links_attr *a, struct links_item *item)
{
	struct links_span s = a->payload;
	struct links_attr info;
	uint8_t how = XDP_ATTACHED_NONE;
	int r = 0;

	while (r == 0 && links_attr_next(&s, &info))
		if (info.type == IFLA_XDP_ATTACHED)
			r = links_attr_load(&info, &how, sizeof(how));
	item->has_xdp = how != XDP_ATTACHED_NONE;
	return r == 0 && s.left > 0 ? -EBADMSG : r;
}

static int load_altnames(const struct links_attr *a, struct links_item *item)
{
	struct links_span s = a->payload;
	struct links_attr info;
	int r = 0;

	strv_done(&item->altnames);
	while (r == 0 && links_attr_next(&s, &info)) {
		char *name = NULL;

		if (info.type != IFLA_ALT_IFNAME)
			continue;
		r = links_attr_text(&info, &name);
		if (r == 0)
			r = strv_take(&item->altnames, name);
	}
	return r == 0 && s.left > 0 ? -EBADMSG : r;
}

int links_item_load(const struct links_attr *a, struct links_item *item)
{
	switch (a->type) {
	case IFLA_ADDRESS:
		return load_address(a, &item->address);
	case IFLA_PERM_ADDRESS:
		return load_address(a, &item->permanent);
	case IFLA_MTU:
		return links_attr_load(a, &item->mtu, sizeof(item->mtu));
	case IFLA_MASTER:
		return links_attr_load(a, &item->master, sizeof(item->master));
	case IFLA_LINK:
		return links_attr_load(a, &item->lower, sizeof(item->lower));
	case IFLA_LINK_NETNSID:
		item->lower_elsewhere = true;
		return links_attr_load(a, &item->lower_space, sizeof(item->lower_space));
	case IFLA_CARRIER:
		return load_carrier(a, item);
	case IFLA_LINKINFO:
		return load_kind(a, item);
	case IFLA_XDP:
		return load_xdp(a, item);
	case IFLA_PROP_LIST:
		return load_altnames(a, item);
	default:
		return 0;
	}
}
