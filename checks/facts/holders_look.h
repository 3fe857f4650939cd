/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One look for users: what is read once for all functions, and how users are noted.  Memory
 * that runs out is noted with the host, and told once at the end.
 */
#ifndef CHECKS_FACTS_HOLDERS_LOOK_H
#define CHECKS_FACTS_HOLDERS_LOOK_H

#include <sriovctl/base.h>
#include <sriovctl/buf.h>

struct addresses;
struct holders_space;
struct host;
struct links;
struct links_item;
struct procs;
struct routes;
struct strv;

struct holders_look {
	const struct host *h;
	/* NULL: not known, and @blind says why. */
	const struct procs *procs;
	const struct links *links;
	const struct addresses *addresses;
	const struct routes *routes;
	struct buf blind; /* the first reason */
	bool unmatched;	  /* a function is held by VFIO, and nobody can tell which */
	struct buf unmatched_by;
	struct buf closed; /* a network namespace that could not be entered */
	char **paths;	   /* of the handles, from when they are asked for: holders_device.c */
	/* Network namespaces, from when the first is asked for. */
	bool has_spaces;
	struct holders_space *spaces;
	size_t n_spaces;
};

void holders_look_start(struct holders_look *l, const struct host *h);
void holders_look_done(struct holders_look *l);
#define AUTO_LOOK CLEANUP(holders_look_done)

void holders_look_add(struct holders_look *l, struct strv *users, const char *fmt, ...)
	PRINTF(3, 4);
/* "process qemu-system-x86 (1234), guest vm1" */
void holders_look_process(const struct holders_look *l, size_t process, struct buf *ret);

/* Of the network interfaces of a function, here and in other namespaces. */
void holders_net(struct holders_look *l, const char *bdf, struct strv *users);
/* What stands in other network namespaces on an interface that is here. */
void holders_netns_above(struct holders_look *l, const struct links_item *item, struct strv *users);
/* Where an interface is that is in another network namespace. */
void holders_netns(struct holders_look *l, const char *bdf, struct strv *users);
void holders_netns_done(struct holders_look *l);
/* The bond, bridge ... that the interface is a member of. */
void holders_net_master(struct holders_look *l, const struct links_item *item, struct strv *users);
/* The default routes through the interface, or through what stands on it. */
void holders_net_routes(struct holders_look *l, const struct links_item *item, struct strv *users);

/* By any device of a function that sysfs has below it: a clock, a GPU, a vhost device ... */
void holders_device(struct holders_look *l, const char *bdf, struct strv *users);
void holders_device_done(struct holders_look *l);
/* By packet sockets (man 7 packet) that are bound to an interface. */
void holders_device_packets(struct holders_look *l, int index, const char *name,
			    struct strv *users);

/* Of the block devices of an NVMe function. */
void holders_block(struct holders_look *l, const char *bdf, struct strv *users);
/* What of the kernel has one of them; @path: "/dev/NAME". */
void holders_export(struct holders_look *l, const char *name, const char *path, const char *number,
		    struct strv *users);

#endif
