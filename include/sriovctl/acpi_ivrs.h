/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The IVRS table: what firmware says of AMD's IOMMUs.  AMD I/O Virtualization
 * Technology specification (48882), chapter 5; what Linux makes of it is in
 * drivers/iommu/amd/init.c.  Errors, @refused and @damage as in acpi_dmar.h.
 *
 * Firmware describes the same IOMMU in several blocks of different types for old
 * and new systems.  Linux reads the blocks of one type only, and so do the lists.
 */
#ifndef SRIOVCTL_ACPI_IVRS_H
#define SRIOVCTL_ACPI_IVRS_H

#include <sriovctl/base.h>

struct acpi_madt;
struct error;

/* Bits of the extended feature register. */
#define ACPI_IVRS_EFR_XT	  (UINT64_C(1) << 2)  /* x2APIC destinations */
#define ACPI_IVRS_EFR_GA	  (UINT64_C(1) << 7)  /* 128-bit entries, which XT needs */
#define ACPI_IVRS_EFR_GAM_VAPIC	  (UINT64_C(1) << 21) /* virtual APIC in guest mode */
#define ACPI_IVRS_EFR_MSICAP_MMIO (UINT64_C(1) << 46) /* kernels to 5.10 want it too */

struct acpi_ivrs_unit {
	uint8_t type; /* 0x10, 0x11 or 0x40 */
	uint64_t efr; /* a copy of the register; 0 in type 0x10 */
};

struct acpi_ivrs_ioapic {
	uint8_t handle; /* its id in the MADT */
	uint16_t devid; /* that its requests carry: bus << 8 | device << 3 | function */
	uint16_t segment;
};

struct acpi_ivrs {
	uint8_t ivhd_type; /* the one Linux reads; 0: none it knows */
	struct acpi_ivrs_unit *units;
	size_t n_units;
	struct acpi_ivrs_ioapic *ioapics;
	size_t n_ioapics;
	size_t n_reserved; /* IVMD: memory kept for some function */
	const char *refused;
	const char *damage;
};

int acpi_ivrs_parse(const uint8_t *data, size_t len, struct acpi_ivrs *ret,
		    struct error *e) MUST_USE;
void acpi_ivrs_done(struct acpi_ivrs *v);
#define AUTO_ACPI_IVRS CLEANUP(acpi_ivrs_done)

enum acpi_ivrs_ioapics {
	ACPI_IVRS_IOAPICS_LISTED,  /* all, and that of the south bridge among them */
	ACPI_IVRS_IOAPICS_MISSING, /* so that Linux does not remap interrupts */
	ACPI_IVRS_IOAPICS_DEPENDS, /* newer kernels forgive what is missing, older do not */
};

/*
 * What Linux concludes from the I/O APICs of the MADT, unless the command line
 * (ivrs_ioapic=) or a quirk for the model adds entries.
 */
enum acpi_ivrs_ioapics acpi_ivrs_check_ioapics(const struct acpi_ivrs *v,
					       const struct acpi_madt *m);

#endif
