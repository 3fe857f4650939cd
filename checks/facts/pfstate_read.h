/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the parts of a pfstate are read.  Memory that runs out is noted with the host, and
 * told once at the end.
 */
#ifndef CHECKS_FACTS_PFSTATE_READ_H
#define CHECKS_FACTS_PFSTATE_READ_H

#include <sriovctl/pfstate.h>

struct links;
struct links_item;

/* 0: the number; -EOPNOTSUPP: unsupported; else not known. */
void pfstate_set_number(struct setting_value *v, int error, uint64_t number);
/* The same of a name; -ENOENT: none. */
void pfstate_set_name(struct setting_value *v, int error, const char *name);
/* A copy; NULL when there is no memory, which is noted. */
char *pfstate_copy(const struct host *h, const char *text);

/* What rtnetlink tells of the PF itself.  @link: NULL: not known for this reason. */
void pfstate_link_pf(const struct links_item *link, int error, struct pfstate *p);
/* What the PF has set for its VFs. */
void pfstate_link_vfs(const struct links_item *link, int error, struct pfstate *p);
/* The MTU of a VF's own interface. */
void pfstate_link_mtu(const struct links *links, int error, struct pfstate_vf *vf);

void pfstate_identity_read(const struct host *h, const char *bdf, struct pfstate_identity *ret);

/* How the queues of its VFs are set, and how many each has. */
void pfstate_queues_read(const struct host *h, struct pfstate *p);

/* A device of netdevsim, which has no PCI function; -ENOENT: no such device. */
int pfstate_sim_read(const struct host *h, const char *name, struct pfstate *p,
		     struct error *e) MUST_USE;
bool pfstate_sim_is_name(const char *name);

#endif
