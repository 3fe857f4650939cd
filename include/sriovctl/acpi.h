/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ACPI tables as bytes: the header they share, and the tables of which one
 * fact is wanted.  The larger ones have headers of their own (acpi_dmar.h ...).
 *
 * Every parser of a table answers -ENODATA for one that was cut short (a capture
 * of it is no proof of anything), -EINVAL for bytes that are no such table, and
 * never reads beyond @len.  Bytes behind the table's own length are ignored.
 */
#ifndef SRIOVCTL_ACPI_H
#define SRIOVCTL_ACPI_H

#include <sriovctl/base.h>

struct error;

struct acpi_table {
	const uint8_t *data; /* the caller's */
	size_t len;	     /* as the table says, and not more than there is */
	bool checksum_ok;    /* a matter for the caller: Linux warns, and uses most tables anyway */
};

/* @signature: four characters; @min: the least length its fixed part needs. */
int acpi_table_open(const uint8_t *data, size_t len, const char *signature, size_t min,
		    struct acpi_table *ret, struct error *e) MUST_USE;

/* FACP (FADT): true where the firmware forbids message signalled interrupts. */
int acpi_fadt_parse(const uint8_t *data, size_t len, bool *ret_no_msi, struct error *e) MUST_USE;

/* IORT: how many SMMUs it describes, the IOMMUs of Arm. */
int acpi_iort_parse(const uint8_t *data, size_t len, size_t *ret_smmus, struct error *e) MUST_USE;

/* VIOT: true where it names a virtio IOMMU, be it a PCI function or an MMIO device. */
int acpi_viot_parse(const uint8_t *data, size_t len, bool *ret_iommu, struct error *e) MUST_USE;

#endif
