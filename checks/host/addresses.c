/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/addresses.h>

#include "host_answer.h"
#include "host_live.h"
#include "links_attr.h"
#include <sriovctl/netlink_ask.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

static size_t length_of(int family)
{
	return family == AF_INET ? 4 : 16;
}

/* The address at the other end of a point-to-point link is IFA_ADDRESS, its own IFA_LOCAL. */
static int load_address(struct links_span s, struct addresses_item *item)
{
	bool has_local = false;
	struct links_attr a;
	int r = 0;

	while (r == 0 && links_attr_next(&s, &a)) {
		if (a.type != IFA_LOCAL && (a.type != IFA_ADDRESS || has_local))
			continue;
		r = links_attr_load(&a, item->bytes, length_of(item->family));
		has_local |= a.type == IFA_LOCAL;
	}
	return r == 0 && s.left == 0 ? 0 : -EBADMSG;
}

/* 0: no IP address, or one that was loaded. */
static int load_message(struct links_span s, struct addresses *ret)
{
	struct addresses_item item = { 0 };
	struct ifaddrmsg m;
	int r;

	if (s.left < sizeof(m))
		return -EBADMSG;
	memcpy(&m, s.at, sizeof(m));
	links_attr_skip(&s, sizeof(m));
	if (m.ifa_family != AF_INET && m.ifa_family != AF_INET6)
		return 0;
	item.index = (int)m.ifa_index;
	item.family = m.ifa_family;
	item.prefix = m.ifa_prefixlen;
	r = load_address(s, &item);
	item.is_link_local =
		item.family == AF_INET6 && item.bytes[0] == 0xfe && (item.bytes[1] & 0xc0) == 0x80;
	if (r == 0)
		ret->items[ret->n++] = item;
	return r;
}

int addresses_parse(const void *data, size_t len, struct addresses *ret, struct error *e)
{
	struct links_span s = { .at = data, .left = len }, payload;
	struct addresses a = { 0 };
	uint16_t type;
	size_t n = 0;
	int r = 0;

	for (struct links_span all = s; links_attr_message(&all, &type, &payload);)
		n++;
	a.items = calloc(n + 1, sizeof(*a.items));
	if (!a.items)
		return error_nomem(e);
	while (r == 0 && links_attr_message(&s, &type, &payload))
		r = type == RTM_NEWADDR ? load_message(payload, &a) : -EBADMSG;
	if (r < 0 || s.left > 0) {
		addresses_done(&a);
		return error_set(e, -EBADMSG, "rtnetlink: the answer about addresses is damaged");
	}
	*ret = a;
	return 0;
}

void addresses_done(struct addresses *a)
{
	free(a->items);
	*a = (struct addresses){ 0 };
}

void addresses_text(const struct addresses_item *a, struct buf *ret)
{
	char text[INET6_ADDRSTRLEN];

	if (inet_ntop(a->family, a->bytes, text, sizeof(text)))
		buf_printf(ret, "%s/%u", text, a->prefix);
}

int addresses_answer(const char *which, struct buf *ret)
{
	(void)which;
	return netlink_ask_all(RTM_GETADDR, NULL, ret, NULL);
}

static int read_addresses(const struct host *h, struct addresses *ret, struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "addresses", "all", &answer, e);

	return r < 0 ? error_prefix(e, r, "rtnetlink")
		     : addresses_parse(answer.data, answer.len, ret, e);
}
HOST_FACT_DEFINE(addresses, read_addresses)
