/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/routes.h>

#include "host_answer.h"
#include "host_live.h"
#include "links_attr.h"
#include <sriovctl/netlink_ask.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* A route to anywhere that leads somewhere: no "unreachable", no copy in a cache. */
static bool is_default(const struct rtmsg *m)
{
	return (m->rtm_family == AF_INET || m->rtm_family == AF_INET6) && m->rtm_dst_len == 0 &&
	       m->rtm_type == RTN_UNICAST && !(m->rtm_flags & RTM_F_CLONED);
}

/* A router has a million others; they are not kept. */
static bool is_wanted(const struct nlmsghdr *header)
{
	/* Not by NLMSG_DATA(), which takes the const away. */
	const struct rtmsg *m = (const void *)((const char *)header + NLMSG_HDRLEN);

	return header->nlmsg_len < NLMSG_LENGTH(sizeof(*m)) || is_default(m);
}

static int add(struct routes *r, int family, int index)
{
	struct routes_item *items = base_room(r->items, r->n, sizeof(*items));

	if (!items)
		return -ENOMEM;
	r->items = items;
	r->items[r->n++] = (struct routes_item){ .family = family, .index = index };
	return 0;
}

/* Several ways: struct rtnexthop after struct rtnexthop, each with its length. */
static int load_ways(struct links_span s, int family, struct routes *ret)
{
	struct rtnexthop way;
	int r = 0;

	while (r == 0 && s.left >= sizeof(way)) {
		memcpy(&way, s.at, sizeof(way));
		if (way.rtnh_len < sizeof(way) || way.rtnh_len > s.left)
			return -EBADMSG;
		r = add(ret, family, way.rtnh_ifindex);
		links_attr_skip(&s, way.rtnh_len);
	}
	return r == 0 && s.left > 0 ? -EBADMSG : r;
}

static int load_route(struct links_span s, int family, struct routes *ret)
{
	size_t before = ret->n;
	struct links_attr a;
	int index = 0, r = 0;

	while (r == 0 && links_attr_next(&s, &a)) {
		if (a.type == RTA_OIF)
			r = links_attr_load(&a, &index, sizeof(index));
		else if (a.type == RTA_MULTIPATH)
			r = load_ways(a.payload, family, ret);
	}
	if (r == 0 && s.left > 0)
		r = -EBADMSG;
	/* Neither told: net.ipv4.nexthop_compat_mode is off, and the route names an object. */
	if (r == 0 && (index > 0 || ret->n == before))
		r = add(ret, family, index);
	return r;
}

static int load_message(struct links_span s, struct routes *ret)
{
	struct rtmsg m;

	if (s.left < sizeof(m))
		return -EBADMSG;
	memcpy(&m, s.at, sizeof(m));
	links_attr_skip(&s, sizeof(m));
	return is_default(&m) ? load_route(s, m.rtm_family, ret) : 0;
}

int routes_parse(const void *data, size_t len, struct routes *ret, struct error *e)
{
	struct links_span s = { .at = data, .left = len }, payload;
	struct routes v = { 0 };
	uint16_t type;
	int r = 0;

	while (r == 0 && links_attr_message(&s, &type, &payload))
		r = type == RTM_NEWROUTE ? load_message(payload, &v) : -EBADMSG;
	if (r == 0 && s.left > 0)
		r = -EBADMSG;
	if (r < 0) {
		routes_done(&v);
		return r == -ENOMEM
			       ? error_nomem(e)
			       : error_set(e, r, "rtnetlink: the answer about routes is damaged");
	}
	*ret = v;
	return 0;
}

void routes_done(struct routes *r)
{
	free(r->items);
	*r = (struct routes){ 0 };
}

int routes_answer(const char *which, struct buf *ret)
{
	(void)which;
	return netlink_ask_all(RTM_GETROUTE, is_wanted, ret, NULL);
}

static int read_routes(const struct host *h, struct routes *ret, struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "routes", "all", &answer, e);

	return r < 0 ? error_prefix(e, r, "rtnetlink")
		     : routes_parse(answer.data, answer.len, ret, e);
}
HOST_FACT_DEFINE(routes, read_routes)
