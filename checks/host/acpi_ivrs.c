/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi_ivrs.h>

#include "acpi_bytes.h"

#include <errno.h>
#include <stdlib.h>

#include <sriovctl/acpi.h>
#include <sriovctl/acpi_madt.h>
#include <sriovctl/error.h>

/* AMD specification 48882, revision 3.08, section 5.2. */
#define IVRS_FIXED  48
#define BLOCK_FIXED 4

enum {
	IVHD_10 = 0x10,
	IVHD_11 = 0x11,
	IVHD_40 = 0x40,
	IVMD_ALL = 0x20,
	IVMD_RANGE = 0x22,
};

enum {
	ENTRY_SPECIAL = 0x48,
	ENTRY_ACPI_HID = 0xf0,
	VARIETY_IOAPIC = 1,
	VARIETY_HPET = 2,
};

/* The I/O APIC of the south bridge is 00:14.0 on every AMD system (IOAPIC_SB_DEVID). */
#define SOUTHBRIDGE 0xa0

static void refuse(struct acpi_ivrs *v, const char *why)
{
	if (!v->refused)
		v->refused = why;
}

static void damage(struct acpi_ivrs *v, const char *what)
{
	if (!v->damage)
		v->damage = what;
}

/* get_ivhd_header_size(): 0 for what Linux takes no entries from. */
static size_t ivhd_fixed(uint8_t type)
{
	if (type == IVHD_10)
		return 24;
	return type == IVHD_11 || type == IVHD_40 ? 40 : 0;
}

/* The length of the entry at the front of @run; 0: it does not say, or there is less. */
static size_t entry_len(const struct acpi_bytes *run)
{
	size_t len = 0;

	if (run->data[0] < 0x80)
		len = (size_t)4 << (run->data[0] >> 6);
	else if (run->data[0] == ENTRY_ACPI_HID && run->len >= 22)
		len = run->data[21] + (size_t)22;
	return len <= run->len ? len : 0;
}

static int add_ioapic(struct acpi_ivrs *v, const uint8_t *p, uint16_t segment)
{
	void *more = base_room(v->ioapics, v->n_ioapics, sizeof(*v->ioapics));

	if (!more)
		return -ENOMEM;
	v->ioapics = more;
	v->ioapics[v->n_ioapics++] = (struct acpi_ivrs_ioapic){ .handle = p[4],
								.devid = acpi_bytes_u16(p + 5),
								.segment = segment };
	return 0;
}

static int take_special(struct acpi_ivrs *v, const uint8_t *p, uint16_t segment)
{
	if (p[7] == VARIETY_IOAPIC)
		return add_ioapic(v, p, segment);
	/* add_special_device() */
	if (p[7] != VARIETY_HPET)
		refuse(v, "a special device is neither I/O APIC nor HPET");
	return 0;
}

static int take_entries(struct acpi_ivrs *v, struct acpi_bytes run, uint16_t segment)
{
	while (run.len > 0) {
		size_t len = entry_len(&run);

		if (len == 0) {
			damage(v, "a device entry has no sensible length");
			return 0;
		}
		if (run.data[0] == ENTRY_SPECIAL && take_special(v, run.data, segment) < 0)
			return -ENOMEM;
		run.data += len;
		run.len -= len;
	}
	return 0;
}

static int take_unit(struct acpi_ivrs *v, const struct acpi_bytes *b)
{
	const uint8_t *p = b->data;
	size_t fixed = ivhd_fixed(p[0]);
	struct acpi_ivrs_unit u = { .type = p[0] };
	void *more;

	if (b->len < fixed) {
		damage(v, "an IOMMU block is shorter than its type");
		return 0;
	}
	more = base_room(v->units, v->n_units, sizeof(*v->units));
	if (!more)
		return -ENOMEM;
	v->units = more;
	if (fixed == 40)
		u.efr = acpi_bytes_u64(p + 24);
	v->units[v->n_units++] = u;
	return take_entries(v, (struct acpi_bytes){ .data = p + fixed, .len = b->len - fixed },
			    acpi_bytes_u16(p + 16));
}

/*
 * get_highest_supported_ivhd_type(): of the blocks before the first with a type above
 * 0x40, the last that has the device id of the very first.  Memory blocks take part,
 * which is harmless only because none is about the IOMMU itself.
 */
static uint8_t choose_type(struct acpi_bytes run)
{
	struct acpi_bytes b;
	uint8_t type = run.len >= 1 ? run.data[0] : 0;
	uint16_t devid = run.len >= 6 ? acpi_bytes_u16(run.data + 4) : 0;

	while (acpi_bytes_next(&run, 2, 2, BLOCK_FIXED, &b) > 0 && b.data[0] <= IVHD_40) {
		if (b.len >= 6 && acpi_bytes_u16(b.data + 4) == devid)
			type = b.data[0];
	}
	return type;
}

static int walk(struct acpi_ivrs *v, struct acpi_bytes run)
{
	struct acpi_bytes b;
	int r;

	while ((r = acpi_bytes_next(&run, 2, 2, BLOCK_FIXED, &b)) > 0) {
		if (b.data[0] >= IVMD_ALL && b.data[0] <= IVMD_RANGE)
			v->n_reserved++;
		if (v->ivhd_type && b.data[0] == v->ivhd_type && take_unit(v, &b) < 0)
			return -ENOMEM;
	}
	if (r < 0)
		damage(v, "a block has no sensible length");
	return 0;
}

static int parse(struct acpi_ivrs *v, const struct acpi_table *t)
{
	struct acpi_bytes run = { .data = t->data + IVRS_FIXED, .len = t->len - IVRS_FIXED };
	uint8_t type = choose_type(run);

	v->ivhd_type = ivhd_fixed(type) ? type : 0;
	/* check_ivrs_checksum() */
	if (!t->checksum_ok)
		refuse(v, "its checksum is wrong");
	if (walk(v, run) < 0)
		return -ENOMEM;
	if (v->ivhd_type == 0 && !v->damage)
		refuse(v, "it begins with no IOMMU block of a type Linux knows");
	return 0;
}

int acpi_ivrs_parse(const uint8_t *data, size_t len, struct acpi_ivrs *ret, struct error *e)
{
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };
	struct acpi_table t;
	int r = acpi_table_open(data, len, "IVRS", IVRS_FIXED, &t, e);

	if (r < 0)
		return r;
	if (parse(&v, &t) < 0)
		return error_nomem(e);
	*ret = v;
	v = (struct acpi_ivrs){ 0 };
	return 0;
}

void acpi_ivrs_done(struct acpi_ivrs *v)
{
	free(v->units);
	free(v->ioapics);
	*v = (struct acpi_ivrs){ 0 };
}

/* get_ioapic_devid() takes the first. */
static const struct acpi_ivrs_ioapic *find_ioapic(const struct acpi_ivrs *v, uint8_t id)
{
	for (size_t i = 0; i < v->n_ioapics; i++) {
		if (v->ioapics[i].handle == id)
			return &v->ioapics[i];
	}
	return NULL;
}

/*
 * check_ioapic_information().  In 5.10 one missing I/O APIC is enough; since some
 * kernel before 6.3 that of the south bridge, when its turn comes, makes up for any
 * that was missing before it in the MADT.
 */
enum acpi_ivrs_ioapics acpi_ivrs_check_ioapics(const struct acpi_ivrs *v, const struct acpi_madt *m)
{
	bool missing = false, southbridge = false, forgiven = false;

	for (size_t i = 0; i < m->n_ioapics; i++) {
		const struct acpi_ivrs_ioapic *s = find_ioapic(v, m->ioapics[i].id);

		if (!s) {
			missing = true;
			forgiven = false;
		} else if (s->segment == 0 && s->devid == SOUTHBRIDGE) {
			southbridge = true;
			forgiven = true;
		}
	}
	if (southbridge && !missing)
		return ACPI_IVRS_IOAPICS_LISTED;
	return forgiven ? ACPI_IVRS_IOAPICS_DEPENDS : ACPI_IVRS_IOAPICS_MISSING;
}
