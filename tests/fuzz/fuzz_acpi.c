/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first byte chooses the parser, bit 7 whether the length and the checksum of
 * the table that follows are made right first: without that few inputs get far.
 */
#include <sriovctl/acpi.h>
#include <sriovctl/acpi_dmar.h>
#include <sriovctl/acpi_ivrs.h>
#include <sriovctl/acpi_madt.h>

#include <stdlib.h>
#include <string.h>

#include <sriovctl/error.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REPAIR 0x80

static unsigned try_dmar(const uint8_t *data, size_t size, struct error *e)
{
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };
	unsigned sum = 0;

	if (acpi_dmar_parse(data, size, &d, e) < 0)
		return 0;
	for (unsigned id = 0; id < 256; id++)
		sum += acpi_dmar_covers_ioapic(&d, (uint8_t)id);
	if (d.n_units == 0 && !d.refused && !d.damage)
		abort();
	return sum;
}

static unsigned try_ivrs(const uint8_t *data, size_t size, struct error *e)
{
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };
	struct acpi_madt_ioapic apics[3] = { { .id = 1 }, { .id = 2 }, { .id = 33 } };
	const struct acpi_madt m = { .ioapics = apics, .n_ioapics = ARRAY_SIZE(apics) };

	if (acpi_ivrs_parse(data, size, &v, e) < 0)
		return 0;
	if (v.n_units == 0 && !v.refused && !v.damage)
		abort();
	return acpi_ivrs_check_ioapics(&v, &m);
}

static unsigned try_madt(const uint8_t *data, size_t size, struct error *e)
{
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };
	unsigned sum = 0;

	if (acpi_madt_parse(data, size, &m, e) < 0)
		return 0;
	for (size_t i = 0; i < m.n_ioapics; i++)
		sum += m.ioapics[i].id;
	return sum + m.max_apic_id;
}

static unsigned try_small(bool fadt, const uint8_t *data, size_t size, struct error *e)
{
	bool answer = false;
	int r = fadt ? acpi_fadt_parse(data, size, &answer, e)
		     : acpi_viot_parse(data, size, &answer, e);

	return r == 0 && answer;
}

static unsigned try_iort(const uint8_t *data, size_t size, struct error *e)
{
	size_t smmus = 0;

	return acpi_iort_parse(data, size, &smmus, e) < 0 ? 0 : (unsigned)smmus;
}

static void repair(uint8_t *data, size_t size)
{
	uint8_t sum = 0;

	if (size < 36)
		return;
	data[4] = (uint8_t)size;
	data[5] = (uint8_t)(size >> 8);
	data[6] = (uint8_t)(size >> 16);
	data[7] = 0;
	data[9] = 0;
	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + data[i]);
	data[9] = (uint8_t)-sum;
}

static unsigned try_one(uint8_t which, const uint8_t *data, size_t size, struct error *e)
{
	switch (which & ~REPAIR) {
	case 'D':
		return try_dmar(data, size, e);
	case 'I':
		return try_ivrs(data, size, e);
	case 'A':
		return try_madt(data, size, e);
	case 'O':
		return try_iort(data, size, e);
	case 'F':
	case 'V':
		return try_small((which & ~REPAIR) == 'F', data, size, e);
	default:
		return 0;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE uint8_t *copy = NULL;
	volatile unsigned sink;
	struct error e = { 0 };

	if (size < 1)
		return 0;
	/* A copy of just this size, so that reading one byte too many shows. */
	copy = malloc(size > 1 ? size - 1 : 1);
	if (!copy)
		return 0;
	memcpy(copy, data + 1, size - 1);
	if (data[0] & REPAIR)
		repair(copy, size - 1);
	sink = try_one(data[0], copy, size - 1, &e);
	(void)sink;
	return 0;
}
