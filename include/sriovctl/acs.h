/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access Control Services as the kernel weighs them when it makes IOMMU groups
 * (drivers/pci/pci.c pci_acs_enabled() and pci_acs_path_enabled(), drivers/pci/quirks.c
 * pci_dev_acs_enabled[]; PCI Express Base Specification, 6.12 and 7.7.8).
 *
 * With an IOMMU at work the control register counts; without one, what the kernel would
 * switch on.  Bits that the capability register lacks count as wired; no capability at
 * all counts as none of them.  VFs are taken to be isolated inside their card.
 */
#ifndef SRIOVCTL_ACS_H
#define SRIOVCTL_ACS_H

#include <sriovctl/base.h>
#include <sriovctl/strv.h>

struct buf;
struct error;
struct host;
struct pcitree_node;

#define ACS_SOURCE_VALIDATION	0x01
#define ACS_REQUEST_REDIRECT	0x04
#define ACS_COMPLETION_REDIRECT 0x08
#define ACS_UPSTREAM_FORWARDING 0x10
#define ACS_NEEDED                                                                \
	(ACS_SOURCE_VALIDATION | ACS_REQUEST_REDIRECT | ACS_COMPLETION_REDIRECT | \
	 ACS_UPSTREAM_FORWARDING)

enum acs_state { ACS_ISOLATES, ACS_SHARES, ACS_UNKNOWN };

/* One function. */
struct acs {
	enum acs_state state;
	bool capable; /* it has the capability: the registers below are known */
	bool future;  /* isolates only once an IOMMU is at work: bits are off now */
	uint16_t cap, ctrl;
	uint16_t lacking; /* of a capable one: needed and not on */
	int error;	  /* ACS_UNKNOWN: why the registers could not be read; 0: it is not that */
	const char *why;  /* a phrase: "no ACS capability" */
};
int acs_read(const struct host *h, const struct pcitree_node *n, struct acs *ret,
	     struct error *e) MUST_USE;

/*
 * True where the kernel may learn of an IOMMU only when it has looked at the ports, which then
 * are not asked for ACS: on Arm unless ACPI, which is read first, is known to describe it.
 */
bool acs_is_asked_late(const struct host *h);

/* " SV RR" of the bits of @mask, with a blank before each. */
void acs_append_bits(struct buf *b, uint16_t mask);

/* The ports from above a function up to the root complex, nearest first. */
struct acs_port {
	const struct pcitree_node *node;
	struct acs acs;
};
struct acs_path {
	/* ACS_SHARES when any port does, else ACS_UNKNOWN when any is, or the path has an end
	 * that is not known. */
	enum acs_state state;
	struct acs_port *ports;
	size_t n;
	int error; /* where the path breaks off, as parent_error in sriovctl/pcitree.h; else 0 */
};
/* -ENODATA: there is no such function in the tree. */
int acs_path_read(const struct host *h, const char *bdf, struct acs_path *ret,
		  struct error *e) MUST_USE;
void acs_path_done(struct acs_path *p);
#define AUTO_ACS_PATH CLEANUP(acs_path_done)

/* The port to blame: of those that share, the one nearest the root; NULL without any. */
const struct acs_port *acs_path_blame(const struct acs_path *p);

/*
 * What shares the IOMMU group of a function, as the kernel made it.  Bridges do no harm
 * there (drivers/vfio: only a function with a normal header has to be given along), and
 * what belongs to the same card is told apart from what does not.
 */
struct acs_group {
	char *name;
	bool complete;	 /* all members are known */
	bool port_known; /* the port above the function, if there is one */
	bool port_above; /* that port is a member, and then VFs will be as well */
	struct strv bridges;
	struct strv vfs;      /* of the function, and of others in its slot */
	struct strv siblings; /* those others themselves */
	struct strv others;
};
/* -ENOENT: it is in no group; -ENODATA and others: not known. */
int acs_group_read(const struct host *h, const char *bdf, struct acs_group *ret,
		   struct error *e) MUST_USE;
void acs_group_done(struct acs_group *g);
#define AUTO_ACS_GROUP CLEANUP(acs_group_done)

#endif
