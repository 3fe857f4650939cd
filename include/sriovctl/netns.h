/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The network interfaces of devices in another network namespace, which a process of its own
 * enters to ask.  -ENODATA: not captured; -EPERM: without CAP_SYS_ADMIN.
 */
#ifndef SRIOVCTL_NETNS_H
#define SRIOVCTL_NETNS_H

#include <sriovctl/base.h>

struct error;
struct host;

struct netns_link {
	char *name, *device; /* "eth0", and the BDF */
};

struct netns {
	uint64_t inode; /* which one it is */
	struct netns_link *links;
	size_t n;
};

/* @which: "name.NAME", as "ip netns" has it in /run/netns; "process.PID": that of a process. */
int netns_read(const struct host *h, const char *which, struct netns *ret,
	       struct error *e) MUST_USE;
void netns_done(struct netns *n);
#define AUTO_NETNS CLEANUP(netns_done)

/* The interface of a device; NULL: it is not in there. */
const char *netns_find(const struct netns *n, const char *bdf);

#endif
