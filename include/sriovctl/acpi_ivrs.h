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
#define ACPI_IVRS_EFR_MSICAP_MMIO (UINT64_C(1) << 46) /* kernels to 5.10 want it too */

struct acpi_ivrs_unit {
	uint8_t type;	/* 0x10, 0x11 or 0x40 */
	uint16_t devid; /* of the IOMMU itself: bus << 8 | device << 3 | function */
	uint16_t segment;
	uint64_t mmio;
	uint32_t features;  /* type 0x10: feature reporting; else attributes */
	uint64_t efr, efr2; /* copies of the registers; 0 in type 0x10 */
};

struct acpi_ivrs_special {
	uint8_t handle; /* I/O APIC: its id in the MADT */
	uint16_t devid; /* that its requests carry */
	uint16_t segment;
};

struct acpi_ivrs {
	bool checksum_ok;
	bool efr_supported; /* the units' efr is to be believed before the register is read */
	uint8_t ivhd_type;  /* the one Linux reads; 0: none it knows */
	struct acpi_ivrs_unit *units;
	size_t n_units;
	struct acpi_ivrs_special *ioapics, *hpets;
	size_t n_ioapics, n_hpets;
	size_t n_memory; /* IVMD blocks: memory with a rule of its own */
	const char *refused;
	const char *damage;
};

int acpi_ivrs_parse(const uint8_t *data, size_t len, struct acpi_ivrs *ret,
		    struct error *e) MUST_USE;
void acpi_ivrs_done(struct acpi_ivrs *v);
#define AUTO_ACPI_IVRS CLEANUP(acpi_ivrs_done)

/* The entry Linux uses for this I/O APIC, or NULL. */
const struct acpi_ivrs_special *acpi_ivrs_find_ioapic(const struct acpi_ivrs *v, uint8_t id);
bool acpi_ivrs_covers_ioapic(const struct acpi_ivrs *v, uint8_t id);

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
