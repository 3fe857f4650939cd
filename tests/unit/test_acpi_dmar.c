/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi_dmar.h>

#include "test.h"
#include "test_acpi.h"

enum {
	SCOPE_BRIDGE = 2,
	SCOPE_IOAPIC = 3,
	SCOPE_HPET = 4,
};

static void dmar(struct buf *b, uint8_t width, uint8_t flags)
{
	table_begin(b, "DMAR");
	put(b, 1, width - 1U);
	put(b, 1, flags);
	zeros(b, 10);
}

/* @scopes: the bytes that follow. */
static void drhd(struct buf *b, uint64_t base, uint16_t segment, uint8_t flags, unsigned scopes)
{
	put(b, 2, 0);
	put(b, 2, 16 + scopes);
	put(b, 1, flags);
	put(b, 1, 0);
	put(b, 2, segment);
	put(b, 8, base);
}

static void scope(struct buf *b, uint8_t type, uint8_t id, uint8_t bus, unsigned hops)
{
	put(b, 1, type);
	put(b, 1, 6 + 2 * hops);
	zeros(b, 2);
	put(b, 1, id);
	put(b, 1, bus);
	for (unsigned i = 0; i < hops; i++) {
		put(b, 1, 0x1c + i);
		put(b, 1, i);
	}
}

static int parse(struct buf *b, struct acpi_dmar *d)
{
	table_end(b);
	return acpi_dmar_parse(bytes(b), b->len, d, NULL);
}

TEST(units_and_their_scopes)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 46, 1);
	drhd(&b, 0xfed90000, 0, 0, 10);
	scope(&b, SCOPE_BRIDGE, 0, 0x80, 2);
	drhd(&b, 0xfed91000, 1, 1, 16);
	scope(&b, SCOPE_IOAPIC, 2, 0xf0, 1);
	scope(&b, SCOPE_HPET, 3, 0xf0, 1);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(!d.refused && !d.damage && d.checksum_ok && d.address_width == 46);
	EXPECT(d.n_units == 2 && d.units[0].base == 0xfed90000 && d.units[1].segment == 1);
	EXPECT(acpi_dmar_covers_ioapic(&d, 2));
	EXPECT(!acpi_dmar_covers_ioapic(&d, 0) && !acpi_dmar_covers_ioapic(&d, 3));
}

TEST(flags)
{
	for (uint8_t flags = 0; flags < 4; flags++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

		dmar(&b, 39, flags);
		drhd(&b, 0xfed90000, 0, 1, 0);
		EXPECT(parse(&b, &d) == 0);
		EXPECT(d.intr_remap == !!(flags & 1));
		EXPECT(d.x2apic_opt_out == !!(flags & 2));
	}
}

TEST(ioapic_coverage)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 46, 1);
	drhd(&b, 0xfed90000, 0, 0, 16);
	scope(&b, SCOPE_HPET, 1, 0, 1);
	scope(&b, SCOPE_IOAPIC, 8, 0, 1);
	drhd(&b, 0xfed91000, 0, 1, 8);
	scope(&b, SCOPE_IOAPIC, 9, 0, 1);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(acpi_dmar_covers_ioapic(&d, 8) && acpi_dmar_covers_ioapic(&d, 9));
	EXPECT(!acpi_dmar_covers_ioapic(&d, 1) && !acpi_dmar_covers_ioapic(&d, 0));
}

/* The I/O APIC of a memory region is behind no unit. */
TEST(reserved_memory_is_no_unit)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 46, 1);
	drhd(&b, 0xfed90000, 0, 1, 0);
	put(&b, 4, 1 | 32 << 16);
	zeros(&b, 20);
	scope(&b, SCOPE_IOAPIC, 7, 0, 1);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 1 && !d.damage && !acpi_dmar_covers_ioapic(&d, 7));
	EXPECT(d.n_reserved == 1);
	acpi_dmar_done(&d);
	set(&b, 48 + 16 + 24 + 1, 1, 9);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.damage && strstr(d.damage, "scope"));
}

/* ATSR, RHSA, SATC, SIDP and what is yet to come. */
TEST(other_structures_are_passed_over)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };
	static const uint16_t types[] = { 2, 3, 5, 6, 7, 0xffff };

	dmar(&b, 46, 1);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		put(&b, 2, types[i]);
		put(&b, 2, 20 + i);
		zeros(&b, (unsigned)(16 + i));
	}
	drhd(&b, 0xfed90000, 0, 1, 0);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 1 && !d.refused && !d.damage);
}

TEST(wrong_checksum_is_no_refusal)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 46, 1);
	drhd(&b, 0xfed90000, 0, 1, 0);
	table_end(&b);
	set(&b, 10, 1, 1);
	EXPECT(acpi_dmar_parse(bytes(&b), b.len, &d, NULL) == 0);
	EXPECT(!d.checksum_ok && !d.refused);
}

TEST(refused_unit_at_address_0)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 39, 1);
	drhd(&b, 0xfed90000, 0, 0, 0);
	drhd(&b, 0, 0, 1, 0);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 2 && d.refused && strstr(d.refused, "address 0"));
}

TEST(refused_no_unit)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 39, 1);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.refused && strstr(d.refused, "no remapping unit"));
}

TEST(refused_address_width)
{
	AUTO_BUF struct buf least = { 0 }, less = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar a = { 0 }, b = { 0 };

	dmar(&least, 12, 1);
	drhd(&least, 0xfed90000, 0, 1, 0);
	EXPECT(parse(&least, &a) == 0 && !a.refused);
	dmar(&less, 11, 1);
	drhd(&less, 0xfed90000, 0, 1, 0);
	EXPECT(parse(&less, &b) == 0);
	EXPECT(b.refused && strstr(b.refused, "width"));
}

TEST(refused_structure_past_the_end)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 39, 1);
	drhd(&b, 0xfed90000, 0, 1, 0);
	put(&b, 2, 2);
	put(&b, 2, 5);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 1 && d.refused && strstr(d.refused, "past the end"));
}

static void andd(struct buf *b, const char *name, unsigned len)
{
	put(b, 2, 4);
	put(b, 2, 8 + len);
	zeros(b, 4);
	buf_append(b, name, len);
}

TEST(refused_name_without_end)
{
	AUTO_BUF struct buf good = { 0 }, bad = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar a = { 0 }, b = { 0 };

	dmar(&good, 39, 1);
	drhd(&good, 0xfed90000, 0, 1, 0);
	andd(&good, "\\_SB.I2C", 9);
	EXPECT(parse(&good, &a) == 0 && !a.refused);
	dmar(&bad, 39, 1);
	drhd(&bad, 0xfed90000, 0, 1, 0);
	andd(&bad, "\\_SB.I2C", 8);
	EXPECT(parse(&bad, &b) == 0);
	EXPECT(b.refused && strstr(b.refused, "does not end"));
}

TEST(refused_too_many_units)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 39, 1);
	for (unsigned i = 1; i <= 1025; i++)
		drhd(&b, i << 12, 0, 0, 0);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 1024 && d.refused && strstr(d.refused, "more"));
}

TEST(damage_length_0)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 39, 1);
	drhd(&b, 0xfed90000, 0, 1, 0);
	put(&b, 4, 2);
	drhd(&b, 0, 0, 1, 0);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 1 && !d.refused && d.damage && strstr(d.damage, "length 0"));
}

TEST(damage_short_structures)
{
	static const struct {
		uint16_t type, len;
	} cases[] = { { 0, 12 }, { 1, 20 }, { 4, 6 }, { 2, 3 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

		dmar(&b, 39, 1);
		drhd(&b, 0xfed90000, 0, 1, 0);
		put(&b, 2, cases[i].type);
		put(&b, 2, cases[i].len);
		zeros(&b, 20);
		/* What is left is an ATSR, unless the walk ends here. */
		if (cases[i].len >= 4)
			set(&b, 48 + 16 + cases[i].len, 4, 2 | (24U - cases[i].len) << 16);
		EXPECT(parse(&b, &d) == 0);
		EXPECT(d.n_units == 1 && d.damage);
		EXPECT(d.damage && strstr(d.damage, "shorter"));
	}
}

/* Nothing can be said of a table whose only unit is broken. */
TEST(damage_is_no_refusal)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 39, 1);
	put(&b, 4, 8 << 16);
	put(&b, 4, 1);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 0 && d.damage && !d.refused);
}

TEST(damage_scope)
{
	static const uint8_t lengths[] = { 0, 5, 9, 255 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

		dmar(&b, 39, 1);
		drhd(&b, 0xfed90000, 0, 1, 16);
		scope(&b, SCOPE_IOAPIC, 1, 0, 1);
		scope(&b, SCOPE_IOAPIC, 2, 0, 1);
		set(&b, 48 + 16 + 8 + 1, 1, lengths[i]);
		EXPECT(parse(&b, &d) == 0);
		EXPECT(d.damage && strstr(d.damage, "scope"));
		EXPECT(acpi_dmar_covers_ioapic(&d, 1) && !acpi_dmar_covers_ioapic(&d, 2));
	}
}

TEST(damage_unit_listed_twice)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };

	dmar(&b, 39, 1);
	drhd(&b, 0xfed90000, 0, 0, 0);
	drhd(&b, 0xfed90000, 1, 0, 0);
	drhd(&b, 0xfed90000, 0, 1, 8);
	scope(&b, SCOPE_IOAPIC, 1, 0, 1);
	EXPECT(parse(&b, &d) == 0);
	EXPECT(d.n_units == 2 && d.damage && strstr(d.damage, "twice"));
	EXPECT(!acpi_dmar_covers_ioapic(&d, 1));
}

TEST(cut_and_short_tables)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_dmar d;

	dmar(&b, 39, 1);
	drhd(&b, 0xfed90000, 0, 1, 0);
	table_end(&b);
	EXPECT(acpi_dmar_parse(bytes(&b), b.len - 1, &d, NULL) == -ENODATA);
	set(&b, 4, 4, 47);
	EXPECT(acpi_dmar_parse(bytes(&b), b.len, &d, NULL) == -EINVAL);
}
