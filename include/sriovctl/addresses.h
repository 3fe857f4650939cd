/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The network addresses of the interfaces of this network namespace, by rtnetlink (Linux
 * include/uapi/linux/if_addr.h).  Only the running system has them: -ENODATA on another root.
 */
#ifndef SRIOVCTL_ADDRESSES_H
#define SRIOVCTL_ADDRESSES_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

struct addresses_item {
	int index;  /* of the interface */
	int family; /* AF_INET, AF_INET6 */
	uint8_t bytes[16];
	uint8_t prefix;
	/*
	 * fe80::/64, which the kernel gives each interface that comes up: it does not show that
	 * anybody uses it.
	 */
	bool is_link_local;
};

struct addresses {
	struct addresses_item *items;
	size_t n;
};
int addresses_get(const struct host *h, const struct addresses **ret, struct error *e) MUST_USE;
void addresses_done(struct addresses *a);

/* "192.0.2.1/24" */
void addresses_text(const struct addresses_item *a, struct buf *ret);

/* What the kernel answers to RTM_GETADDR; -EBADMSG: this is no such answer. */
int addresses_parse(const void *data, size_t len, struct addresses *ret, struct error *e) MUST_USE;

#endif
