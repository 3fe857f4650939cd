/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi_madt.h>

#include "acpi_bytes.h"

#include <errno.h>
#include <stdlib.h>

#include <sriovctl/acpi.h>
#include <sriovctl/error.h>

#define MADT_FIXED 44

/* ACPI specification 6.5, section 5.2.12. */
enum {
	TYPE_LOCAL_APIC = 0,
	TYPE_IO_APIC = 1,
	TYPE_X2APIC = 9,
};

/* Sections 5.2.12.2 and 5.2.12.12: usable now; can be made so while the system runs. */
#define CPU_ENABLED (1U << 0)
#define CPU_CAPABLE (1U << 1)

/* MAX_IO_APICS on 64-bit x86. */
#define IOAPICS_MAX 128

#define ID_NONE	       0xff
#define X2APIC_ID_NONE UINT32_C(0xffffffff)

struct cpus {
	bool any;
	uint32_t max;
};

static void count_cpu(struct cpus *c, uint32_t id, uint32_t flags)
{
	if (!(flags & (CPU_ENABLED | CPU_CAPABLE)))
		return;
	c->any = true;
	if (id > c->max)
		c->max = id;
}

static int add_ioapic(struct acpi_madt *m, const uint8_t *p)
{
	void *more;

	/* bad_ioapic() in arch/x86/kernel/apic/io_apic.c passes over both. */
	if (acpi_bytes_u32(p + 4) == 0)
		return 0;
	if (m->n_ioapics == IOAPICS_MAX) {
		m->damage = "it lists more I/O APICs than Linux can use";
		return 0;
	}
	more = base_room(m->ioapics, m->n_ioapics, sizeof(*m->ioapics));
	if (!more)
		return -ENOMEM;
	m->ioapics = more;
	m->ioapics[m->n_ioapics++] = (struct acpi_madt_ioapic){ .id = p[2] };
	return 0;
}

/*
 * Local APICs, x2APICs with an id that a local APIC may have, and those above.  Where
 * firmware lists both of the former it lists processors twice, and Linux takes the
 * local APICs (acpi_parse_x2apic() in arch/x86/kernel/acpi/boot.c).
 */
struct kinds {
	struct cpus local, low, high;
};

static void take_cpu(struct kinds *k, struct acpi_madt *m, const struct acpi_bytes *p)
{
	bool local = p->data[0] == TYPE_LOCAL_APIC;
	uint32_t id;

	if (p->len < (local ? 8 : 16)) {
		m->damage = "a processor entry is too short";
		return;
	}
	id = local ? p->data[3] : acpi_bytes_u32(p->data + 4);
	if (local && id != ID_NONE)
		count_cpu(&k->local, id, acpi_bytes_u32(p->data + 4));
	else if (!local && id < ID_NONE)
		count_cpu(&k->low, id, acpi_bytes_u32(p->data + 8));
	else if (!local && id != X2APIC_ID_NONE)
		count_cpu(&k->high, id, acpi_bytes_u32(p->data + 8));
}

static int take(struct kinds *k, struct acpi_madt *m, const struct acpi_bytes *p)
{
	switch (p->data[0]) {
	case TYPE_LOCAL_APIC:
	case TYPE_X2APIC:
		take_cpu(k, m, p);
		return 0;
	case TYPE_IO_APIC:
		if (p->len >= 12)
			return add_ioapic(m, p->data);
		m->damage = "an I/O APIC entry is too short";
		return 0;
	default:
		return 0;
	}
}

static void sum_up(struct acpi_madt *m, const struct kinds *k)
{
	const struct cpus *first = k->local.any ? &k->local : &k->low;

	m->max_apic_id = first->max > k->high.max ? first->max : k->high.max;
}

int acpi_madt_parse(const uint8_t *data, size_t len, struct acpi_madt *ret, struct error *e)
{
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };
	struct kinds k = { 0 };
	struct acpi_bytes part;
	struct acpi_bytes run;
	struct acpi_table t;
	int r = acpi_table_open(data, len, "APIC", MADT_FIXED, &t, e);

	if (r < 0)
		return r;
	run = (struct acpi_bytes){ .data = t.data + MADT_FIXED, .len = t.len - MADT_FIXED };
	while ((r = acpi_bytes_next(&run, 1, 1, 2, &part)) > 0) {
		if (take(&k, &m, &part) < 0)
			return error_nomem(e);
	}
	if (r < 0)
		m.damage = "an entry has no sensible length";
	sum_up(&m, &k);
	*ret = m;
	m = (struct acpi_madt){ 0 };
	return 0;
}

void acpi_madt_done(struct acpi_madt *m)
{
	free(m->ioapics);
	*m = (struct acpi_madt){ 0 };
}
