/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The network ports of all PCI functions of a host that have some, read once: an interface
 * is a port, unless it stands for a VF (a representor), or has a port in common with one
 * before it.  By ethtool and rtnetlink, else from the files in /sys/class/net.
 */
#ifndef SRIOVCTL_PORTS_H
#define SRIOVCTL_PORTS_H

#include <sriovctl/linkmodes.h>

struct error;
struct host;

enum ports_state {
	PORTS_UNKNOWN,
	PORTS_DOWN, /* it was not switched on, and says nothing of its carrier */
	PORTS_NO_CARRIER,
	PORTS_CARRIER,
};

struct ports_item {
	char *name;
	enum ports_state state;
	/* Of a plain tree only the speed is known, from the file of that name. */
	struct linkmodes modes;
	int modes_error; /* 0: all of @modes is what the driver says */
	bool is_shared;	 /* with an interface that was named before: counted there */
};

/* A function of the network class that is neither VF nor bridge. */
struct ports_function {
	char *bdf;
	/*
	 * 0, with one item at least; -ENOENT: it has no interface; -EREMOTE: it is in another
	 * network namespace; or not known.
	 */
	int error;
	struct ports_item *items;
	size_t n;
};

struct ports {
	struct ports_function *functions; /* in the order of the host's functions */
	size_t n;
};
int ports_get(const struct host *h, const struct ports **ret, struct error *e) MUST_USE;
void ports_done(struct ports *p);
/* NULL: no such function. */
const struct ports_function *ports_find(const struct ports *p, const char *bdf);

/* Mbit/s that the port is known to reach, and that it is known not to exceed: 0 and UINT32_MAX
 * where nothing is. */
uint32_t ports_least(const struct ports_item *item);
uint32_t ports_most(const struct ports_item *item);

#endif
