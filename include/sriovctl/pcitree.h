/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which bridge is above which PCI function: by the nesting of sysfs, else by the bus
 * numbers of the bridges (a capture that has lost the nesting).  A VF is where its PF
 * is, as the buses that only VFs are on have no bridge of their own.  A path is a walk
 * along @parent, nearest first, and never comes back to where it was.
 */
#ifndef SRIOVCTL_PCITREE_H
#define SRIOVCTL_PCITREE_H

#include <sriovctl/base.h>
#include <sriovctl/parse.h>

struct buf;
struct error;
struct host;

struct pcitree_node {
	char *name; /* the BDF */
	struct bdf at;
	const struct pcitree_node *parent; /* NULL unless @parent_error is 0 */
	const struct pcitree_node *pf;	   /* of a VF; NULL of any other, or not known */
	/* 0; -ENOENT: on a root bus; -ENODATA: the bridge is not in the tree; or not known. */
	int parent_error;
	bool is_vf;
};

struct pcitree {
	struct pcitree_node *nodes; /* sorted by address */
	size_t n;
};
int pcitree_get(const struct host *h, const struct pcitree **ret, struct error *e) MUST_USE;
void pcitree_done(struct pcitree *t);

/* NULL: there is no such function. */
const struct pcitree_node *pcitree_find(const struct pcitree *t, const char *bdf);

/* The same in the host's own tree; -ENODATA: there is no such function. */
int pcitree_look(const struct host *h, const char *bdf, const struct pcitree_node **ret,
		 struct error *e) MUST_USE;

/* The port above @bdf, for one who needs no more: 0, -ENOENT on a root bus, or not known. */
int pcitree_parent(const struct host *h, const char *bdf, struct buf *ret,
		   struct error *e) MUST_USE;

#endif
