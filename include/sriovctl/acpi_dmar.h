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

struct acpi_dmar_unit {
	uint64_t base; /* of its registers */
	uint16_t segment;
};

struct acpi_dmar {
	bool checksum_ok;	/* Linux only warns of a wrong one */
	unsigned address_width; /* of the host, in bits */
	bool intr_remap;	/* firmware offers interrupt remapping */
	bool x2apic_opt_out;	/* firmware asks not to use x2APIC */
	struct acpi_dmar_unit *units;
	size_t n_units;
	size_t n_reserved;   /* RMRR: memory kept for some function */
	bool ioapics[256];   /* by the id of the MADT: behind some unit */
	const char *refused; /* NULL: Linux uses the table */
	const char *damage;  /* NULL: nothing wrong besides */
};

int acpi_dmar_parse(const uint8_t *data, size_t len, struct acpi_dmar *ret,
		    struct error *e) MUST_USE;
void acpi_dmar_done(struct acpi_dmar *d);
#define AUTO_ACPI_DMAR CLEANUP(acpi_dmar_done)

/* Linux remaps no interrupt unless each I/O APIC is (drivers/iommu/intel/irq_remapping.c). */
bool acpi_dmar_covers_ioapic(const struct acpi_dmar *d, uint8_t id);

#endif
