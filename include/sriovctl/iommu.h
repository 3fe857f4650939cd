/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The IOMMU as the kernel runs it.  The platform is the IOMMU that is there, never the
 * CPU's vendor: an emulated host shows an AMD CPU beside VT-d.
 */
#ifndef SRIOVCTL_IOMMU_H
#define SRIOVCTL_IOMMU_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct strv;

#define IOMMU_CLASS  "/sys/class/iommu"
#define IOMMU_GROUPS "/sys/kernel/iommu_groups"

/* The names in one of the two; as host_list(), and in a foreign root -ENODATA for -ENOENT: a
 * tree made of files alone has lost a folder that was empty. */
int iommu_list(const struct host *h, const char *folder, struct strv *ret,
	       struct error *e) MUST_USE;

enum iommu_kind {
	IOMMU_NONE,
	IOMMU_INTEL,
	IOMMU_AMD,
	IOMMU_SMMU,
	IOMMU_VIRTIO,
	IOMMU_OTHER,
	IOMMU_KIND_MAX
};

/* A unit that a driver registered, so one that translates. */
struct iommu_unit {
	char *name; /* "dmar0", "ivhd0", "smmu3.0x..." */
	enum iommu_kind kind;
	/* 0: the registers below are known.  Intel and AMD only. */
	int registers_error;
	uint64_t cap, ecap; /* Intel: VT-d specification, 11.4.2 and 11.4.3 */
	uint64_t efr;	    /* AMD: extended feature register */
};
#define IOMMU_CAP_PI   (UINT64_C(1) << 59) /* posted interrupts */
#define IOMMU_ECAP_IR  (UINT64_C(1) << 3)  /* interrupt remapping */
#define IOMMU_ECAP_EIM (UINT64_C(1) << 4)  /* x2APIC destinations */

struct iommu_units {
	struct iommu_unit *items;
	size_t n;
};
/*
 * 0, also for none; -ENOENT: the kernel has no such class, as it was built without IOMMU
 * support.  The class is empty while DMA remapping is off, even with interrupts remapped.
 */
int iommu_units_get(const struct host *h, const struct iommu_units **ret, struct error *e) MUST_USE;
void iommu_units_done(struct iommu_units *v);

struct iommu_group_type {
	char *name; /* as in the group's "type": DMA, DMA-FQ, identity ... */
	size_t n;
};
struct iommu_groups {
	size_t n_groups;  /* with a PCI function in them, made by an IOMMU */
	size_t n_devices; /* PCI functions in those */
	size_t n_noiommu; /* made by VFIO's no-IOMMU mode */
	struct iommu_group_type *types;
	size_t n_types;
};
/* 0, also for none; -ENOENT: the kernel has no IOMMU support. */
int iommu_groups_get(const struct host *h, const struct iommu_groups **ret,
		     struct error *e) MUST_USE;
void iommu_groups_done(struct iommu_groups *g);

enum iommu_state { IOMMU_OFF, IOMMU_ON, IOMMU_UNKNOWN };

/* Is DMA of PCI functions translated?  Into @observed and @ret_source what shows it. */
enum iommu_state iommu_state(const struct host *h, const char **ret_source, struct buf *observed);

/* Which platform this is, by the units that run, else by the tables of the firmware. */
enum iommu_kind iommu_kind(const struct host *h);
const char *iommu_kind_name(enum iommu_kind k);

/*
 * The function for whose sake AMD's driver leaves the IOMMU and its interrupt remapping off,
 * unless it was forced; NULL: none.
 */
const char *iommu_left_off_by(const struct host *h);

#endif
