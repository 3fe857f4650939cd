/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a setting is called in the firmware setup of this machine, by its vendor's name
 * for it (data/platforms.json).  The table knows some products of some vendors; for
 * the rest the answer is in general words and says so.  No fact is judged here.
 */
#ifndef SRIOVCTL_PLATFORM_H
#define SRIOVCTL_PLATFORM_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct json;

enum platform_item {
	PLATFORM_IOMMU,	    /* VT-d, AMD-Vi, SMMU */
	PLATFORM_VTX,	    /* VMX, SVM */
	PLATFORM_SRIOV,	    /* the switch for SR-IOV of the whole machine */
	PLATFORM_INTREMAP,  /* interrupt remapping */
	PLATFORM_X2APIC,    /* x2APIC, and the opt-out from it */
	PLATFORM_ACS,	    /* access control services of the ports */
	PLATFORM_ARI,	    /* alternative routing-ID interpretation */
	PLATFORM_ABOVE4G,   /* address space above 4 GB for devices */
	PLATFORM_LINKSPEED, /* speed limit of PCI Express links */
	PLATFORM_NIC,	    /* SR-IOV in the setup pages of the network adapter */
	PLATFORM_ITEM_MAX
};

enum platform_cpu {
	PLATFORM_CPU_UNKNOWN,
	PLATFORM_CPU_INTEL,
	PLATFORM_CPU_AMD,
	PLATFORM_CPU_ARM,
};

/* As SMBIOS and CPUID give it; NULL for what is not known. */
struct platform {
	const char *vendor;  /* SMBIOS system manufacturer: "Dell Inc." */
	const char *product; /* SMBIOS system product name: "PowerEdge R750" */
	enum platform_cpu cpu;
};

/* The table, read once and kept with the host. */
struct platforms {
	struct json *table;
};
int platforms_get(const struct host *h, const struct platforms **ret, struct error *e) MUST_USE;
void platforms_done(struct platforms *t);

/* No remedy is longer. */
#define PLATFORM_REMEDY_MAX 200

/*
 * Appends one imperative sentence that switches @item on:
 * In firmware setup, set "x2APIC Mode" to Enabled (System BIOS > Processor Settings; ...).
 * -ENOMEM, or -EINVAL when the table is damaged, which a test excludes.
 */
int platform_remedy(const struct platforms *t, const struct platform *p, enum platform_item item,
		    struct buf *ret, struct error *e) MUST_USE;

#endif
