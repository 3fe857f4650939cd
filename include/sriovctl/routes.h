/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The default routes of this network namespace, of IPv4 and IPv6 and of every table, by
 * rtnetlink (Linux include/uapi/linux/rtnetlink.h): one item for each interface of each.
 * Only the running system has them: -ENODATA on another root.
 */
#ifndef SRIOVCTL_ROUTES_H
#define SRIOVCTL_ROUTES_H

#include <sriovctl/base.h>

struct error;
struct host;

struct routes_item {
	int family; /* AF_INET, AF_INET6 */
	/* Of the interface.  0: by an object of next hops, whose interfaces are not told. */
	int index;
};

struct routes {
	struct routes_item *items;
	size_t n;
};
int routes_get(const struct host *h, const struct routes **ret, struct error *e) MUST_USE;
void routes_done(struct routes *r);

/* What the kernel answers to RTM_GETROUTE; -EBADMSG: this is no such answer. */
int routes_parse(const void *data, size_t len, struct routes *ret, struct error *e) MUST_USE;

#endif
