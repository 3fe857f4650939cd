/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The IORT: which SMMU the requests of a PCI root complex pass through on Arm.
 * Arm DEN 0049 (IO Remapping Table); drivers/acpi/arm64/iort.c.  Errors as in
 * acpi.h.  With @damage set, what is missing from the lists proves nothing.
 */
#ifndef SRIOVCTL_ACPI_IORT_H
#define SRIOVCTL_ACPI_IORT_H

#include <sriovctl/base.h>

struct error;

/* Where requester ids go; the numbers are ours. */
enum acpi_iort_target {
	ACPI_IORT_NOWHERE, /* no mapping, or one to no such node */
	ACPI_IORT_ITS,	   /* to the interrupt controller with no SMMU between */
	ACPI_IORT_SMMU,
};

struct acpi_iort_smmu {
	uint32_t offset; /* of its node in the table */
	uint64_t base;
	uint8_t version; /* 3, or 2 for version 1 and 2 */
};

struct acpi_iort_map {
	uint32_t first, last; /* requester ids, both included */
	enum acpi_iort_target target;
	uint32_t reference; /* offset of the node it leads to */
	bool single;	    /* firmware maps every id to one */
};

struct acpi_iort_root {
	uint32_t segment;
	bool ats;
	struct acpi_iort_map *maps; /* in the table's order */
	size_t n_maps;
};

struct acpi_iort {
	bool checksum_ok;
	struct acpi_iort_smmu *smmus;
	size_t n_smmus;
	struct acpi_iort_root *roots;
	size_t n_roots;
	const char *damage; /* NULL: nothing is wrong */
};

int acpi_iort_parse(const uint8_t *data, size_t len, struct acpi_iort *ret,
		    struct error *e) MUST_USE;
void acpi_iort_done(struct acpi_iort *t);
#define AUTO_ACPI_IORT CLEANUP(acpi_iort_done)

/*
 * Where requests of one function go; @rid is bus << 8 | device << 3 | function.
 * -ENOENT: the table has no root complex for the segment.
 */
int acpi_iort_find(const struct acpi_iort *t, uint32_t segment, uint32_t rid,
		   enum acpi_iort_target *ret) MUST_USE;

#endif
