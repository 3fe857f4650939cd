/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The MADT ("APIC"): I/O APICs and processors.  ACPI specification 6.5, section
 * 5.2.12.  Errors as in acpi.h.  Ids that mean "no processor" do not count, nor do
 * processors that can never be used.
 */
#ifndef SRIOVCTL_ACPI_MADT_H
#define SRIOVCTL_ACPI_MADT_H

#include <sriovctl/base.h>

struct error;

struct acpi_madt_ioapic {
	uint8_t id;
};

struct acpi_madt {
	struct acpi_madt_ioapic *ioapics; /* in the table's order; none at address 0 */
	size_t n_ioapics;
	/* Of the processors, also those that can be added later; above 254 takes x2APIC. */
	uint32_t max_apic_id;
	const char *damage; /* NULL, or what is wrong: what is missing here proves nothing then */
};

int acpi_madt_parse(const uint8_t *data, size_t len, struct acpi_madt *ret,
		    struct error *e) MUST_USE;
void acpi_madt_done(struct acpi_madt *m);
#define AUTO_ACPI_MADT CLEANUP(acpi_madt_done)

#endif
