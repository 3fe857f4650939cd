/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ACPI tables that say something about SR-IOV, read and parsed once.  Each has its
 * own answer:
 *   0         parsed (its own @refused and @damage say what else is wrong)
 *   -ENOENT   the firmware gave no such table
 *   -EACCES   it is there, and only root may read it
 *   other     not known: not captured, cut short, damaged
 * The names in /sys/firmware/acpi/tables are for everybody, the contents for root.  In a
 * foreign root absence counts only beside a FACP, which every ACPI system has (ACPI
 * specification, 5.2.9): somebody may have saved just the tables he thought of.
 */
#ifndef SRIOVCTL_FIRMWARE_H
#define SRIOVCTL_FIRMWARE_H

#include <sriovctl/acpi_dmar.h>
#include <sriovctl/acpi_ivrs.h>
#include <sriovctl/acpi_madt.h>

struct error;
struct host;

#define FIRMWARE_TABLES "/sys/firmware/acpi/tables"
#define FIRMWARE_TREE	"/sys/firmware/devicetree/base"

struct firmware {
	int dmar_error, ivrs_error, iort_error, viot_error, madt_error, fadt_error;
	struct acpi_dmar dmar;
	struct acpi_ivrs ivrs;
	struct acpi_madt madt;
	size_t iort_smmus; /* that the IORT describes */
	bool viot_iommu;   /* the VIOT names a virtio IOMMU */
	bool no_msi;	   /* the FADT forbids message signalled interrupts */
	/* 0 and the node's path; -ENOENT: no device tree, or one without IOMMU; or not known. */
	int tree_error;
	char *tree_iommu;
};

/* Fails only for want of memory. */
int firmware_get(const struct host *h, const struct firmware **ret, struct error *e) MUST_USE;
void firmware_done(struct firmware *f);

/* Does acpi=off have the kernel look at no table, and show none? */
bool firmware_is_off_by_cmdline(const struct host *h);

#endif
