/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi_dmar.h>

#include "acpi_bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sriovctl/acpi.h>
#include <sriovctl/error.h>

/* VT-d specification 4.1, sections 8.1 to 8.8. */
#define DMAR_FIXED	48
#define DMAR_WIDTH	36
#define DMAR_FLAGS	37
#define FLAG_INTR_REMAP (1U << 0)
#define FLAG_X2APIC_OPT (1U << 1)

enum {
	TYPE_DRHD = 0,
	TYPE_RMRR = 1,
	TYPE_ANDD = 4,
};

#define DRHD_FIXED   16
#define RMRR_FIXED   24
#define ANDD_FIXED   8
#define STRUCT_FIXED 4
#define SCOPE_FIXED  6
#define SCOPE_IOAPIC 3

/* parse_dmar_table(): the field is one less than the width. */
#define WIDTH_FIELD_MIN 11

/* DMAR_UNITS_SUPPORTED of the kernels that have most (include/linux/dmar.h). */
#define UNITS_MAX 1024

/* Linux stops at the first thing it refuses, so the first is the one to name. */
static void refuse(struct acpi_dmar *d, const char *why)
{
	if (!d->refused)
		d->refused = why;
}

static void damage(struct acpi_dmar *d, const char *what)
{
	if (!d->damage)
		d->damage = what;
}

/* The device scopes from @at on; @is_unit: what they name is behind a unit. */
static void take_scopes(struct acpi_dmar *d, const struct acpi_bytes *p, size_t at, bool is_unit)
{
	struct acpi_bytes run = { .data = p->data + at, .len = p->len - at };
	struct acpi_bytes part;
	int r;

	while ((r = acpi_bytes_next(&run, 1, 1, SCOPE_FIXED, &part)) > 0)
		if (is_unit && part.data[0] == SCOPE_IOAPIC)
			d->ioapics[part.data[4]] = true;
	if (r < 0)
		damage(d, "a device scope has no sensible length");
}

/* dmar_parse_one_drhd(): the same unit a second time is passed over, scopes and all. */
static bool is_known(const struct acpi_dmar *d, uint64_t base, uint16_t segment)
{
	for (size_t i = 0; i < d->n_units; i++) {
		if (d->units[i].base == base && d->units[i].segment == segment)
			return true;
	}
	return false;
}

static int take_unit(struct acpi_dmar *d, const struct acpi_bytes *p)
{
	uint64_t base = acpi_bytes_u64(p->data + 8);
	uint16_t segment = acpi_bytes_u16(p->data + 6);
	void *more;

	/* dmar_validate_one_drhd(): one such unit, and no unit is used. */
	if (base == 0)
		refuse(d, "a remapping unit has its registers at address 0");
	if (is_known(d, base, segment)) {
		damage(d, "a remapping unit is listed twice");
		return 0;
	}
	if (d->n_units == UNITS_MAX) {
		refuse(d, "it lists more remapping units than Linux can use");
		return 0;
	}
	more = base_room(d->units, d->n_units, sizeof(*d->units));
	if (!more)
		return -ENOMEM;
	d->units = more;
	d->units[d->n_units++] = (struct acpi_dmar_unit){ .base = base, .segment = segment };
	take_scopes(d, p, DRHD_FIXED, true);
	return 0;
}

/* dmar_parse_one_andd(). */
static void check_name(struct acpi_dmar *d, const uint8_t *p, size_t len)
{
	if (!memchr(p + ANDD_FIXED, '\0', len - ANDD_FIXED))
		refuse(d, "the name of an ACPI device does not end");
}

static size_t fixed_len(uint16_t type)
{
	switch (type) {
	case TYPE_DRHD:
		return DRHD_FIXED;
	case TYPE_RMRR:
		return RMRR_FIXED;
	case TYPE_ANDD:
		return ANDD_FIXED;
	default:
		return STRUCT_FIXED;
	}
}

static int take(struct acpi_dmar *d, const struct acpi_bytes *p)
{
	uint16_t type = acpi_bytes_u16(p->data);

	if (p->len < fixed_len(type)) {
		damage(d, "a structure is shorter than its type");
		return 0;
	}
	if (type == TYPE_DRHD)
		return take_unit(d, p);
	if (type == TYPE_RMRR) {
		d->n_reserved++;
		take_scopes(d, p, RMRR_FIXED, false);
	}
	if (type == TYPE_ANDD)
		check_name(d, p->data, p->len);
	return 0;
}

/* dmar_walk_remapping_entries(). */
static int walk(struct acpi_dmar *d, struct acpi_bytes run)
{
	struct acpi_bytes part = { 0 };
	int r;

	while ((r = acpi_bytes_next(&run, 2, 2, STRUCT_FIXED, &part)) > 0) {
		if (take(d, &part) < 0)
			return -ENOMEM;
	}
	if (r == 0)
		return 0;
	if (part.len > run.len)
		refuse(d, "a structure reaches past the end of the table");
	else if (part.len == 0)
		damage(d, "a structure has length 0, where Linux stops reading");
	else
		damage(d, "a structure is shorter than its type");
	return 0;
}

static int parse(struct acpi_dmar *d, const struct acpi_table *t)
{
	struct acpi_bytes run = { .data = t->data + DMAR_FIXED, .len = t->len - DMAR_FIXED };
	uint8_t flags = t->data[DMAR_FLAGS];

	d->checksum_ok = t->checksum_ok;
	d->address_width = t->data[DMAR_WIDTH] + 1U;
	d->intr_remap = flags & FLAG_INTR_REMAP;
	d->x2apic_opt_out = flags & FLAG_X2APIC_OPT;
	if (walk(d, run) < 0)
		return -ENOMEM;
	if (t->data[DMAR_WIDTH] < WIDTH_FIELD_MIN)
		refuse(d, "the host address width is less than 12 bits");
	if (d->n_units == 0 && !d->damage)
		refuse(d, "it lists no remapping unit");
	return 0;
}

int acpi_dmar_parse(const uint8_t *data, size_t len, struct acpi_dmar *ret, struct error *e)
{
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };
	struct acpi_table t;
	int r = acpi_table_open(data, len, "DMAR", DMAR_FIXED, &t, e);

	if (r < 0)
		return r;
	if (parse(&d, &t) < 0)
		return error_nomem(e);
	*ret = d;
	d = (struct acpi_dmar){ 0 };
	return 0;
}

void acpi_dmar_done(struct acpi_dmar *d)
{
	free(d->units);
	*d = (struct acpi_dmar){ 0 };
}

bool acpi_dmar_covers_ioapic(const struct acpi_dmar *d, uint8_t id)
{
	return d->ioapics[id];
}
