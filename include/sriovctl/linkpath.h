/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The links from a function to the root complex, and what the network ports below each of
 * them would have it carry.  Between a switch's upstream and downstream port there is none
 * to be judged: both say what the link outside is.
 *
 * Rates are Mbit/s of one direction.  What a link carries is known as an interval, from what
 * it does now to what both of its ends could; what is asked of it from what its ports
 * are known to reach to what they are known not to exceed.
 */
#ifndef SRIOVCTL_LINKPATH_H
#define SRIOVCTL_LINKPATH_H

#include <sriovctl/pcilink.h>

#define LINKPATH_UNLIMITED UINT64_MAX

/* What is carried of the data itself, in packets of @payload bytes of it: with all that may be
 * beside it in a packet, and with no more than must be.  LINKPATH_UNLIMITED: not known. */
struct linkpath_room {
	uint64_t least, most;
};

struct linkpath_hop {
	const char *name, *port; /* its lower and its upper end; of the tree */
	const struct pcilink *link;
	unsigned payload; /* bytes; 0: not known */
	struct linkpath_room room;
};

struct linkpath {
	struct linkpath_hop *hops; /* from the function on */
	size_t n;
	/* 0: up to the root complex; -ENOENT: on a root bus; or why the next is not known. */
	int error;
};
/* -ENOMEM, or as pcitree_get(); -ENODATA: there is no such function. */
int linkpath_read(const struct host *h, const char *bdf, struct linkpath *ret,
		  struct error *e) MUST_USE;
void linkpath_done(struct linkpath *p);
#define AUTO_LINKPATH CLEANUP(linkpath_done)

struct linkpath_need {
	uint64_t least, most;
	size_t ports;
	const char *unknown; /* a function of whose ports not all is known; NULL: none */
};
/* Of all ports of functions below @port. */
int linkpath_need_read(const struct host *h, const char *port, struct linkpath_need *ret,
		       struct error *e) MUST_USE;

#endif
