/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that firmware has the IOMMU map one to one for the functions of a group: an RMRR of
 * Intel's DMAR, an IVMD of AMD's IVRS, an RMR of Arm's IORT.  Of the regions that a group
 * lists (Linux Documentation/ABI/testing/sysfs-kernel-iommu_groups, reserved_regions) these
 * are the type "direct"; "direct-relaxable", "msi" and "reserved" keep nobody from a device.
 */
#ifndef SRIOVCTL_RESERVED_H
#define SRIOVCTL_RESERVED_H

#include <sriovctl/base.h>

struct error;
struct host;

struct reserved_region {
	uint64_t start, end; /* of its first and last byte */
};

struct reserved {
	struct reserved_region *direct;
	size_t n;
};

/* -EINVAL for a text that is no such list; -ENOMEM. */
int reserved_parse(const char *text, struct reserved *ret) MUST_USE;
/* Of the group with this name; errors as in sriovctl/host.h. */
int reserved_read(const struct host *h, const char *group, struct reserved *ret,
		  struct error *e) MUST_USE;
void reserved_done(struct reserved *v);
#define AUTO_RESERVED CLEANUP(reserved_done)

/* Have the two a byte in common? */
bool reserved_overlap(const struct reserved *a, const struct reserved *b);

#endif
