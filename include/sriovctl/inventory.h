/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The physical functions of a host and their VFs, as a person would list them: from
 * sysfs, and on the running system from rtnetlink and the drivers.  A physical function
 * is one that has VFs, or that the kernel offers VFs of, or with the capability.
 */
#ifndef SRIOVCTL_INVENTORY_H
#define SRIOVCTL_INVENTORY_H

#include <sriovctl/base.h>

struct error;
struct host;
struct strv;

/* As in sriovctl/host.h: 0, -ENOENT for what there is not, or not known, and @text says why. */
struct inventory_fact {
	int error;
	int64_t number;
	char *text;
};

/* Of a name: the interface is there, in another network namespace. */
#define INVENTORY_ELSEWHERE (-EREMOTE)

enum inventory_pf_fact {
	INVENTORY_PF_BDF,
	INVENTORY_PF_NAME, /* of its network interface; of several the first, no representor */
	INVENTORY_PF_DRIVER,
	INVENTORY_PF_FIRMWARE,
	INVENTORY_PF_NODE,  /* number; NUMA */
	INVENTORY_PF_SPEED, /* GT/s */
	INVENTORY_PF_MAX_SPEED,
	INVENTORY_PF_WIDTH, /* number; lanes */
	INVENTORY_PF_MAX_WIDTH,
	INVENTORY_PF_GROUP, /* of the IOMMU */
	INVENTORY_PF_NOW,   /* number; of VFs */
	INVENTORY_PF_MAX,   /* number; what the kernel offers */
	INVENTORY_PF_USERS, /* who would notice an interruption, as holders_of_pf() tells */
	INVENTORY_PF_FACTS
};

enum inventory_vf_fact {
	INVENTORY_VF_BDF,
	INVENTORY_VF_INDEX, /* number */
	INVENTORY_VF_NAME,
	INVENTORY_VF_DRIVER,
	/* As the PF has set them, for a PF with a network interface. */
	INVENTORY_VF_MAC,
	INVENTORY_VF_VLAN,     /* number */
	INVENTORY_VF_SPOOFCHK, /* number, 0 or 1 */
	INVENTORY_VF_TRUST,    /* number, 0 or 1 */
	INVENTORY_VF_STATE,    /* auto, enable, disable */
	INVENTORY_VF_GROUP,
	INVENTORY_VF_USERS, /* as holders_read() tells; several are parted by "; " */
	INVENTORY_VF_FACTS
};

struct inventory_vf {
	struct inventory_fact facts[INVENTORY_VF_FACTS];
};

struct inventory_pf {
	struct inventory_fact facts[INVENTORY_PF_FACTS];
	struct inventory_vf *vfs; /* by index */
	size_t n_vfs;
};

struct inventory {
	struct inventory_pf *pfs; /* by address */
	size_t n;
};

/*
 * @bdfs: these alone, whether physical functions or not; none: all physical functions.
 * Errors as in sriovctl/host.h, of the list of PCI functions; no PCI at all is an empty list.
 */
int inventory_read(const struct host *h, const struct strv *bdfs, struct inventory *ret,
		   struct error *e) MUST_USE;
void inventory_done(struct inventory *v);
#define AUTO_INVENTORY CLEANUP(inventory_done)

/*
 * The functions that words of a command line name, each by its BDF (the domain 0000 may
 * be left out) or by a network interface of it; each once, in their order.  -EINVAL with
 * the candidates in @e; else errors as above.
 */
int inventory_select(const struct host *h, const struct strv *words, struct strv *ret_bdfs,
		     struct error *e) MUST_USE;

#endif
