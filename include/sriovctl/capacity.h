/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many VFs a physical function can have, asked before any is made, as the kernel will
 * answer the write of sriov_numvfs (drivers/pci/iov.c, sriov_enable) and the driver behind
 * it.  Every limit is a pair of counts: up to @at_least VFs are known to be allowed, more
 * than @at_most are known not to be.  A limit that is known has both the same; one that
 * sets no bound has both CAPACITY_ANY; one of which nothing is known 0 and CAPACITY_ANY.
 */
#ifndef SRIOVCTL_CAPACITY_H
#define SRIOVCTL_CAPACITY_H

#include <sriovctl/base.h>

struct error;
struct host;
struct pf;

#define CAPACITY_ANY UINT32_MAX

/* --- address space --- */
enum capacity_mmio_state {
	CAPACITY_MMIO_ASSIGNED,
	CAPACITY_MMIO_NONE,	 /* no VF BAR has address space */
	CAPACITY_MMIO_PARTLY,	 /* one has none, another has: no VF works either */
	CAPACITY_MMIO_ALLOCATED, /* Enhanced Allocation: the addresses are built in */
	CAPACITY_MMIO_UNSEEN,	 /* firmware's addresses are there, the kernel's view is not */
	CAPACITY_MMIO_NO_IOV,	 /* a kernel without PCI_IOV does not look at VF BARs */
	CAPACITY_MMIO_UNKNOWN,	 /* @error says why */
};

#define CAPACITY_MMIO_BARS 6
struct capacity_mmio {
	enum capacity_mmio_state state;
	int error;
	bool by_kernel; /* seen in "resource", not in the capability */
	bool by_log;	/* only the kernel's log shows that one is without */
	bool may_hide;	/* all that show have: not known, as another may lack it without trace */
	unsigned bar;	/* the first without; CAPACITY_MMIO_BARS: the log does not name it */
	/* What one VF takes of each VF BAR; 0: nothing, or not known. */
	uint64_t vf_size[CAPACITY_MMIO_BARS];
	bool above_4g; /* a VF BAR without address space could be above 4 GB */
	uint32_t vfs;  /* CAPACITY_ANY, or what resized VF BARs leave room for */
};
void capacity_mmio_read(const struct host *h, const struct pf *pf, struct capacity_mmio *ret);

/* --- bus numbers --- */
struct capacity_bus {
	/* Of the numbers below, 0 or why they are not known. */
	int error;
	uint32_t first_offset, stride;
	const char *source;  /* "sriov_offset" or "configuration space" */
	uint32_t first, bus; /* the PF's device and function number, and its bus */
	/* The last bus below the upstream port; without @is_end_known the last there can be. */
	uint32_t end;
	bool is_end_known;
	char *bridge;	  /* the upstream port; NULL on a root bus, or where it is not known */
	bool on_root_bus; /* known to be */
	/* Offset and stride may be others for another count (PCIe 9.3.3.9, 9.3.3.10). */
	bool is_estimate;
	uint32_t at_least, at_most;
};
/* Read once, and kept with the host.  0 or -ENOMEM. */
int capacity_bus_get(const struct host *h, const struct pf *pf, const struct capacity_bus **ret,
		     struct error *e) MUST_USE;

/* Bus, and device and function number, of VF @n, counted from 1. */
uint64_t capacity_bus_of(const struct capacity_bus *b, uint32_t n);
uint32_t capacity_bus_devfn(const struct capacity_bus *b, uint32_t n);

/* --- ARI --- */
enum capacity_ari_state {
	CAPACITY_ARI_ON,
	CAPACITY_ARI_OFF,
	CAPACITY_ARI_NO_PORT, /* on a root bus there is no port that could forward it */
	CAPACITY_ARI_UNKNOWN, /* @error says why */
};

struct capacity_ari {
	enum capacity_ari_state state;
	int error;
	const char *source; /* the file, or the register, that told */
	/* As the decoders of pciconf.h; of the port as the look-up above it. */
	int device_error, port_error;
	bool port_capable;
	char *port;
	/* VFs before the first that takes ARI to reach; CAPACITY_ANY: all, or not known. */
	uint32_t reached;
};
/* 0 or -ENOMEM. */
int capacity_ari_read(const struct host *h, const struct pf *pf, struct capacity_ari *ret,
		      struct error *e) MUST_USE;
void capacity_ari_done(struct capacity_ari *a);
#define AUTO_CAPACITY_ARI CLEANUP(capacity_ari_done)

/* --- vectors of the VFs --- */
struct capacity_msix {
	uint32_t seen;	/* VFs whose capability was read */
	unsigned least; /* vectors of the poorest of them, 0: it has no MSI-X */
	char *vf;	/* that one */
	int error;	/* 0, or why another could not be read; -EAGAIN: it sleeps */
};
/* 0 or -ENOMEM. */
int capacity_msix_read(const struct host *h, const struct pf *pf, struct capacity_msix *ret,
		       struct error *e) MUST_USE;
void capacity_msix_done(struct capacity_msix *m);
#define AUTO_CAPACITY_MSIX CLEANUP(capacity_msix_done)

/* --- all of them --- */
enum capacity_limit {
	CAPACITY_DRIVER,  /* what the bound driver offers */
	CAPACITY_TOTAL,	  /* TotalVFs */
	CAPACITY_INITIAL, /* InitialVFs */
	CAPACITY_LINK,	  /* the function that this one depends on */
	CAPACITY_MMIO,
	CAPACITY_BUS,
	CAPACITY_ARI, /* VFs that are not reached are made, or refused by the first: no @at_most */
	CAPACITY_MSIX,
	CAPACITY_MAX
};

struct capacity_bound {
	uint32_t at_least, at_most;
	int error;    /* why it is not known; 0 where no error is behind that */
	char *source; /* path or register */
	char *detail; /* what was seen there, in a few words */
};

struct capacity {
	int wanted_error; /* as capacity_wanted() */
	uint32_t wanted;
	struct capacity_bound bounds[CAPACITY_MAX];
	/* Over all bounds, and the bound that makes each what it is. */
	uint32_t at_least, at_most;
	enum capacity_limit unsure, bounded_by;
};

/* 0 and the count that is meant by @vfs, or why it is not known what the function offers. */
int capacity_wanted(const struct pf *pf, uint32_t vfs, uint32_t *ret) MUST_USE;

/* 0 or -ENOMEM.  @vfs wanted, 0: as it offers; @queues: vectors wanted of each VF, 0: any. */
int capacity_read(const struct host *h, const struct pf *pf, uint32_t vfs, uint32_t queues,
		  struct capacity *ret, struct error *e) MUST_USE;
void capacity_done(struct capacity *c);
#define AUTO_CAPACITY CLEANUP(capacity_done)

const char *capacity_limit_name(enum capacity_limit l);

#endif
