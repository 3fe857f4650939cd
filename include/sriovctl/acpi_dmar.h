/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DMAR table: what firmware says of Intel's DMA and interrupt remapping.
 * Intel VT-d specification, chapter 8; what Linux makes of it is in
 * drivers/iommu/intel/dmar.c, the same from 4.18 to 7.2.  Errors as in acpi.h.
 *
 * A table can be read here and still be of no use: @refused says why Linux drops
 * it.  @damage says what is wrong although Linux goes on; what is missing from the
 * lists then proves nothing.
 */
#ifndef SRIOVCTL_ACPI_DMAR_H
#define SRIOVCTL_ACPI_DMAR_H

#include <sriovctl/base.h>

struct error;

enum acpi_dmar_scope_type {
	ACPI_DMAR_SCOPE_ENDPOINT = 1,
	ACPI_DMAR_SCOPE_BRIDGE = 2, /* and all that is below it */
	ACPI_DMAR_SCOPE_IOAPIC = 3,
	ACPI_DMAR_SCOPE_HPET = 4,
	ACPI_DMAR_SCOPE_NAMESPACE = 5,
};

struct acpi_dmar_hop {
	uint8_t device, function;
};

struct acpi_dmar_scope {
	uint8_t type; /* enum acpi_dmar_scope_type, or what else the table says */
	uint8_t id;   /* I/O APIC, HPET: the enumeration id */
	uint8_t bus;  /* where the path starts */
	uint8_t n_path;
	const struct acpi_dmar_hop *path; /* each further hop is behind the bridge before it */
};

struct acpi_dmar_unit {
	uint64_t base;
	uint16_t segment;
	bool include_all; /* also every PCI device of the segment that no other unit names */
	struct acpi_dmar_scope *scopes;
	size_t n_scopes;
};

/* RMRR: memory that a device goes on using; VFIO refuses such a device. */
struct acpi_dmar_region {
	uint64_t base, limit; /* both included */
	uint16_t segment;
	struct acpi_dmar_scope *scopes;
	size_t n_scopes;
};

struct acpi_dmar {
	bool checksum_ok; /* Linux only warns of a wrong one */
	uint8_t revision;
	unsigned address_width; /* of the host, in bits */
	bool intr_remap;	/* firmware offers interrupt remapping */
	bool x2apic_opt_out;	/* firmware asks not to use x2APIC */
	bool dma_opt_in;	/* firmware asks for protection from external devices */
	struct acpi_dmar_unit *units;
	size_t n_units;
	struct acpi_dmar_region *regions;
	size_t n_regions;
	const char *refused; /* NULL: Linux uses the table */
	const char *damage;  /* NULL: nothing wrong besides */
	uint8_t *bytes;	     /* what the paths point into */
};

int acpi_dmar_parse(const uint8_t *data, size_t len, struct acpi_dmar *ret,
		    struct error *e) MUST_USE;
void acpi_dmar_done(struct acpi_dmar *d);
#define AUTO_ACPI_DMAR CLEANUP(acpi_dmar_done)

/*
 * Is the I/O APIC with this id of the MADT behind some unit?  Linux remaps no
 * interrupt at all unless each is (drivers/iommu/intel/irq_remapping.c).
 */
bool acpi_dmar_covers_ioapic(const struct acpi_dmar *d, uint8_t id);

#endif
