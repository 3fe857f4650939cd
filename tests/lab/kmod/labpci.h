/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A synthetic PCI hierarchy, as a text describes it: host bridges in domains of their own, or
 * what is plugged into an empty port of the machine; ports, switches and functions with VFs.
 * All of it is configuration space. The addresses of its BARs are reserved and lead nowhere, so
 * no driver may map them.
 */
#ifndef LABPCI_H
#define LABPCI_H

#include <linux/list.h>
#include <linux/pci.h>
#include <linux/types.h>

#define LABPCI_NAME   16 /* bytes of a name in the text, with the end */
#define LABPCI_VALUES 3	 /* numbers that a key has at most */
#define LABPCI_BARS   6

enum labpci_kind {
	LABPCI_ROOT_PORT,
	LABPCI_UPSTREAM,
	LABPCI_DOWNSTREAM,
	LABPCI_FUNCTION,
};

/* The configuration space of a function, and which of its bits can be written. */
struct labpci_space {
	u8 value[PCI_CFG_SPACE_EXP_SIZE];
	u8 writable[PCI_CFG_SPACE_EXP_SIZE];
};

/* What one VF has of its own; the rest is as with all VFs of its PF. */
struct labpci_vf {
	u16 command;
	u16 msix; /* Message Control */
};

/* What the text says of a port or a function. A BAR is size, 32 or 64 bits, prefetchable. */
struct labpci_keys {
	u64 at[LABPCI_VALUES]; /* device, function */
	u64 id[LABPCI_VALUES];
	u64 sub[LABPCI_VALUES];
	u64 class[LABPCI_VALUES];
	u64 speed[LABPCI_VALUES]; /* at present, at most: 1 is 2.5 GT/s, 2 is 5 GT/s ... */
	u64 width[LABPCI_VALUES];
	u64 acs[LABPCI_VALUES]; /* capability, control at first, control that can be written */
	u64 aer[LABPCI_VALUES]; /* errors that stand in the status: uncorrectable, correctable */
	u64 ari[LABPCI_VALUES];
	/* Of a port. */
	u64 bus[LABPCI_VALUES]; /* secondary, subordinate; 0: the kernel's to choose */
	u64 mem[LABPCI_VALUES]; /* size of the window that firmware has set; 0: none */
	u64 pref[LABPCI_VALUES];
	/* Of a function. */
	u64 bar[LABPCI_BARS][LABPCI_VALUES];
	u64 msix[LABPCI_VALUES];
	u64 vfs[LABPCI_VALUES]; /* TotalVFs; 0: no SR-IOV */
	u64 initial[LABPCI_VALUES];
	u64 migration[LABPCI_VALUES];
	u64 link[LABPCI_VALUES];   /* Function Dependency Link */
	u64 offset[LABPCI_VALUES]; /* with NumVFs 0, with others, with an ARI hierarchy */
	u64 stride[LABPCI_VALUES];
	u64 vfid[LABPCI_VALUES];
	u64 pages[LABPCI_VALUES];
	u64 vfbar[LABPCI_BARS][LABPCI_VALUES];
	u64 vfmsix[LABPCI_VALUES];
	/* What its driver does: see labnic.h. */
	u64 total[LABPCI_VALUES];
	u64 grant[LABPCI_VALUES];
	u64 again[LABPCI_VALUES];
	u64 fail[LABPCI_VALUES];
	u64 block[LABPCI_VALUES];
	u64 pool[LABPCI_VALUES];
	u64 netdev[LABPCI_VALUES];
	u64 port[LABPCI_VALUES];
};

struct labpci_root;

struct labpci_fn {
	struct list_head entry;
	struct labpci_root *root;
	struct labpci_fn *parent; /* NULL on the first bus */
	enum labpci_kind kind;
	char name[LABPCI_NAME];
	struct labpci_keys keys;
	u8 devfn;
	/* Where in the space; 0: not there. */
	u16 express, sriov, mailbox, vf_msix;
	u64 mem_next, pref_next; /* of a port: where its next child's window begins */
	struct labpci_space *space;
	struct labpci_space *vf_space;
	struct labpci_vf *vfs;
};

struct labpci_root_keys {
	u64 domain[LABPCI_VALUES];
	u64 node[LABPCI_VALUES];
	u64 bus[LABPCI_VALUES];
	u64 mem[LABPCI_VALUES];
	u64 pref[LABPCI_VALUES];
	u64 below[LABPCI_VALUES]; /* bus, device, function of a port in domain 0 */
};

struct labpci_root {
	struct list_head entry;
	char name[LABPCI_NAME];
	bool is_below;
	struct labpci_root_keys keys;
	struct list_head fns;
	unsigned int index;
	struct pci_sysdata sysdata;
	struct resource mem, pref, busn;
	u64 mem_next, pref_next; /* on the bus, not the CPU's */
	struct pci_bus *bus;
	struct pci_dev *port; /* with @is_below */
	struct pci_ops *port_ops;
};

/* labpci_parse.c: 0 and the roots, or an errno and a message that names the line. */
int labpci_parse(char *text, struct list_head *roots);
struct labpci_root *labpci_root_alloc(void);
struct labpci_fn *labpci_fn_alloc(enum labpci_kind kind);
void labpci_free(struct list_head *roots);

/* labpci_space.c */
int labpci_space_build(struct labpci_fn *fn);
void labpci_space_renew(struct labpci_fn *fn); /* what depends on what was written */
u16 labpci_get16(const struct labpci_space *s, unsigned int at);
void labpci_put16(struct labpci_space *s, unsigned int at, u16 value, u16 writable);
u32 labpci_get32(const struct labpci_space *s, unsigned int at);
void labpci_put32(struct labpci_space *s, unsigned int at, u32 value, u32 writable);

/* labpci_access.c */
extern struct pci_ops labpci_ops;
bool labpci_has_vfs(const struct labpci_fn *fn);

/* labpci_root.c */
int labpci_root_add(struct labpci_root *root);
void labpci_root_remove(struct labpci_root *root);
extern struct list_head labpci_roots;			 /* those that are there */
struct labpci_root *labpci_root_of(struct pci_bus *bus); /* lives while the bus does */

static inline bool labpci_is_port(const struct labpci_fn *fn)
{
	return fn->kind != LABPCI_FUNCTION;
}

#endif
