/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/rivals_match.h>

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/macs.h>
#include <sriovctl/parse.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <string.h>
#include <strings.h>

#define NETS "/sys/class/net"

static bool has_altname(const struct host *h, const char *netdev, const char *name)
{
	const struct links *links = NULL;
	const struct links_item *link;

	if (links_get(h, &links, NULL) < 0)
		return false;
	link = links_find(links, netdev);
	return link && strv_has(&link->altnames, name);
}

static bool is_address(const struct links_address *a, const char *text)
{
	AUTO_BUF struct buf own = { 0 };

	links_address_text(a, &own);
	return a->len > 0 && strcasecmp(buf_text(&own), text) == 0;
}

/*
 * By the address that it has, or has by itself.  Without rtnetlink's answer the latter is known
 * where it is the one in use (include/uapi/linux/netdevice.h, NET_ADDR_PERM).
 */
static enum rivals_match match_mac(const struct host *h, const char *netdev, const char *mac)
{
	AUTO_BUF struct buf text = { 0 };
	const struct links *links = NULL;
	const struct links_item *link =
		links_get(h, &links, NULL) == 0 ? links_find(links, netdev) : NULL;
	uint64_t assigned = 0;

	if (link && (is_address(&link->address, mac) || is_address(&link->permanent, mac)))
		return RIVALS_YES;
	if (host_attr(h, &text, NULL, NETS "/%s/address", netdev) < 0)
		return link ? RIVALS_NO : RIVALS_UNSURE;
	if (strcasecmp(buf_text(&text), mac) == 0)
		return RIVALS_YES;
	if (link)
		return RIVALS_NO;
	return host_attr_u64(h, 10, &assigned, NULL, NETS "/%s/addr_assign_type", netdev) == 0 &&
			       assigned == 0
		       ? RIVALS_NO
		       : RIVALS_UNSURE;
}

static enum rivals_match match_name(const struct host *h, const char *netdev, const char *name)
{
	return strcmp(netdev, name) == 0 || has_altname(h, netdev, name) ? RIVALS_YES : RIVALS_NO;
}

static bool is_same_place(const char *a, const char *b)
{
	struct bdf x, y;

	return parse_bdf(a, &x) == 0 && parse_bdf(b, &y) == 0 && x.domain == y.domain &&
	       x.bus == y.bus && x.device == y.device && x.function == y.function;
}

/* Does @target mean this function?  One whose interface is not seen may be any. */
enum rivals_match rivals_match(const struct host *h, const struct pf *pf, const char *target)
{
	AUTO_STRV struct strv netdevs = { 0 };
	bool is_unsure = false;
	struct bdf at;
	uint64_t mac;
	int r;

	if (parse_bdf(target, &at) == 0)
		return is_same_place(target, pf->dev->name) ? RIVALS_YES : RIVALS_NO;
	r = pcidev_list_netdevs(h, pf->dev->name, &netdevs, NULL);
	for (size_t i = 0; r == 0 && i < netdevs.n; i++) {
		const char *name = netdevs.items[i];
		enum rivals_match m = macs_parse(target, &mac) == 0 ? match_mac(h, name, target)
								    : match_name(h, name, target);

		if (m == RIVALS_YES)
			return m;
		is_unsure |= m == RIVALS_UNSURE;
	}
	if (is_unsure)
		return RIVALS_UNSURE;
	if (!pcidev_is_network(pf->dev) || (r == 0 && netdevs.n > 0))
		return RIVALS_NO;
	/* Somebody else's interface is not this one's. */
	return host_exists(h, NETS "/%s", target) == 0 ? RIVALS_NO : RIVALS_UNSURE;
}
