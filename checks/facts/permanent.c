/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/permanent.h>

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/macs.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#define NETS "/sys/class/net"

static uint64_t address_number(const struct links_address *a)
{
	uint64_t mac = 0;

	for (size_t i = 0; a->len == 6 && i < a->len; i++)
		mac = mac << 8 | a->bytes[i];
	return mac;
}

/*
 * Where rtnetlink does not tell, the interface still may: an address whose addr_assign_type is
 * NET_ADDR_PERM, 0, was not changed (Linux include/uapi/linux/netdevice.h).
 */
uint64_t permanent_of_netdev(const struct host *h, const char *netdev)
{
	const struct links *links = NULL;
	const struct links_item *link =
		links_get(h, &links, NULL) == 0 ? links_find(links, netdev) : NULL;
	AUTO_BUF struct buf text = { 0 };
	uint64_t type, mac = link ? address_number(&link->permanent) : 0;

	if (mac)
		return mac;
	if (host_attr_u64(h, 10, &type, NULL, NETS "/%s/addr_assign_type", netdev) < 0 ||
	    type != 0 || host_attr(h, &text, NULL, NETS "/%s/address", netdev) < 0 ||
	    macs_parse(buf_text(&text), &mac) < 0)
		return 0;
	return mac;
}

uint64_t permanent_of_function(const struct host *h, const char *bdf)
{
	AUTO_STRV struct strv netdevs = { 0 };
	uint64_t mac = 0;

	(void)pcidev_list_netdevs(h, bdf, &netdevs, NULL);
	for (size_t i = 0; mac == 0 && i < netdevs.n; i++)
		mac = permanent_of_netdev(h, netdevs.items[i]);
	return mac;
}
