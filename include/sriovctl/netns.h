/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What another network namespace has to do with PCI functions: the interfaces of devices that
 * are in there, and what stands in there on interfaces of this namespace, as the macvlan of a
 * container does.  A process of its own enters it to ask.  -ENODATA: not captured; -EPERM:
 * without CAP_SYS_ADMIN.
 */
#ifndef SRIOVCTL_NETNS_H
#define SRIOVCTL_NETNS_H

#include <sriovctl/base.h>

struct error;
struct host;

struct netns_link {
	char *name;   /* "eth0" */
	char *device; /* the BDF; NULL: */
	int lower;    /* it stands on this interface of the namespace of who asks */
	char *kind;   /* "macvlan"; only with @lower */
};

struct netns {
	uint64_t inode; /* which one it is */
	struct netns_link *links;
	size_t n;
};

/*
 * @which: "name.NAME", as "ip netns" has it in /run/netns; "process.PID": that of a process;
 * "descriptor.PID.NUMBER": one that it has open; "mounted.PID.INODE": one that it sees mounted.
 */
int netns_read(const struct host *h, const char *which, struct netns *ret,
	       struct error *e) MUST_USE;
void netns_done(struct netns *n);
#define AUTO_NETNS CLEANUP(netns_done)

/* The interface of a device; NULL: it is not in there. */
const char *netns_find(const struct netns *n, const char *bdf);

#endif
