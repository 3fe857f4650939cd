/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi_ivrs.h>

#include <sriovctl/acpi_madt.h>

#include "test.h"
#include "test_acpi.h"

#define IOMMU	    0x0002
#define SOUTHBRIDGE 0x00a0

static void ivrs(struct buf *b, uint32_t info)
{
	table_begin(b, "IVRS");
	put(b, 4, info);
	zeros(b, 8);
}

/* @entries: the bytes of the entries that follow. */
static void ivhd(struct buf *b, uint8_t type, uint16_t devid, uint64_t efr, unsigned entries)
{
	put(b, 2, type);
	put(b, 2, (type == 0x10 ? 24 : 40) + entries);
	put(b, 2, devid);
	put(b, 2, 0x40);
	put(b, 8, 0xfd200000 + ((uint64_t)devid << 12));
	put(b, 2, 0);
	put(b, 2, 0);
	put(b, 4, 0x80048f6e);
	if (type != 0x10) {
		put(b, 8, efr);
		put(b, 8, 0x20);
	}
}

static void ivmd(struct buf *b, uint8_t type, uint16_t devid)
{
	put(b, 2, type);
	put(b, 2, 32);
	put(b, 2, devid);
	zeros(b, 26);
}

static void special(struct buf *b, uint8_t variety, uint8_t handle, uint16_t devid)
{
	put(b, 4, 0x48);
	put(b, 1, handle);
	put(b, 2, devid);
	put(b, 1, variety);
}

static int parse(struct buf *b, struct acpi_ivrs *v)
{
	table_end(b);
	return acpi_ivrs_parse(bytes(b), b->len, v, NULL);
}

TEST(old_block)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x10, IOMMU, 0, 8);
	special(&b, 1, 33, SOUTHBRIDGE);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(!v.refused && !v.damage);
	EXPECT(v.ivhd_type == 0x10 && v.n_units == 1 && v.units[0].type == 0x10);
	EXPECT(v.units[0].efr == 0);
	EXPECT(v.n_ioapics == 1 && v.ioapics[0].handle == 33);
	EXPECT(v.ioapics[0].devid == SOUTHBRIDGE);
}

TEST(the_last_type_for_the_first_iommu_counts)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 1);
	ivhd(&b, 0x10, IOMMU, 0, 8);
	special(&b, 1, 1, 0);
	ivhd(&b, 0x10, 0x2002, 0, 0);
	ivhd(&b, 0x11, IOMMU, 0x4000000000000084, 8);
	special(&b, 1, 2, 0);
	ivhd(&b, 0x11, 0x2002, 0, 8);
	special(&b, 2, 3, 0);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(v.ivhd_type == 0x11 && v.n_units == 2 && !v.refused);
	EXPECT((v.units[0].efr & ACPI_IVRS_EFR_XT) && (v.units[0].efr & ACPI_IVRS_EFR_GA));
	EXPECT(!(v.units[0].efr & ACPI_IVRS_EFR_MSICAP_MMIO));
	EXPECT(v.n_ioapics == 1 && v.ioapics[0].handle == 2);
}

/* A type 0x40 for the second IOMMU only does not make it the one to use. */
TEST(types_of_other_iommus_do_not_count)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x10, IOMMU, 0, 0);
	ivhd(&b, 0x40, 0x2002, 0, 0);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(v.ivhd_type == 0x10 && v.n_units == 1 && !v.refused);
}

TEST(types_above_0x40_end_the_search)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x10, IOMMU, 0, 0);
	put(&b, 2, 0x41);
	put(&b, 2, 8);
	put(&b, 4, IOMMU);
	ivhd(&b, 0x11, IOMMU, 0, 0);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(v.ivhd_type == 0x10 && v.n_units == 1 && !v.damage);
}

TEST(memory_blocks_are_no_iommus)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x11, IOMMU, 0, 0);
	ivmd(&b, 0x20, 0);
	ivmd(&b, 0x21, 0x300);
	ivmd(&b, 0x22, 0x400);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(!v.damage && v.ivhd_type == 0x11 && v.n_units == 1);
	EXPECT(v.n_reserved == 3);
}

TEST(entries_of_all_lengths)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x40, IOMMU, 0, 4 + 4 + 4 + 8 + 22 + 26 + 8);
	put(&b, 4, 0x02);
	put(&b, 4, 0x03);
	put(&b, 4, 0x04);
	put(&b, 8, 0x43);
	put(&b, 1, 0xf0);
	zeros(&b, 21);
	put(&b, 1, 0xf0);
	zeros(&b, 20);
	put(&b, 1, 4);
	put(&b, 4, 0x48484848); /* a uid that looks like entries */
	special(&b, 1, 7, SOUTHBRIDGE);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(!v.damage && v.n_ioapics == 1 && v.ioapics[0].handle == 7);
}

TEST(refused_checksum)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x11, IOMMU, 0, 0);
	table_end(&b);
	set(&b, 10, 1, 1);
	EXPECT(acpi_ivrs_parse(bytes(&b), b.len, &v, NULL) == 0);
	EXPECT(v.n_units == 1);
	EXPECT(v.refused && strstr(v.refused, "checksum"));
}

TEST(refused_no_block)
{
	AUTO_BUF struct buf empty = { 0 }, memory = { 0 }, unknown = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs a = { 0 }, b = { 0 }, c = { 0 };

	ivrs(&empty, 0);
	EXPECT(parse(&empty, &a) == 0 && a.refused && a.ivhd_type == 0);
	ivrs(&memory, 0);
	ivmd(&memory, 0x20, 0);
	ivhd(&memory, 0x11, IOMMU, 0, 0);
	EXPECT(parse(&memory, &b) == 0 && b.refused && b.n_units == 0);
	ivrs(&unknown, 0);
	ivhd(&unknown, 0x12, IOMMU, 0, 0);
	EXPECT(parse(&unknown, &c) == 0 && c.refused);
}

/* Not the block that "no type" would seem to ask for. */
TEST(refused_block_of_type_0)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	put(&b, 4, 4 << 16);
	EXPECT(parse(&b, &v) == 0 && v.refused && v.n_units == 0);
}

TEST(refused_special_device)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x11, IOMMU, 0, 8);
	special(&b, 3, 0, 0);
	EXPECT(parse(&b, &v) == 0 && v.refused && strstr(v.refused, "special"));
}

TEST(damage_blocks)
{
	static const uint16_t lengths[] = { 0, 3, 41, 0xffff };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

		ivrs(&b, 0);
		ivhd(&b, 0x11, IOMMU, 0, 0);
		ivhd(&b, 0x11, 0x2002, 0, 0);
		set(&b, 48 + 40 + 2, 2, lengths[i]);
		EXPECT(parse(&b, &v) == 0);
		EXPECT(v.n_units == 1 && !v.refused && v.damage);
	}
}

TEST(damage_block_shorter_than_its_type)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	ivhd(&b, 0x11, IOMMU, 0, 0);
	put(&b, 2, 0x11);
	put(&b, 2, 24);
	zeros(&b, 20);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(v.n_units == 1 && v.damage && strstr(v.damage, "shorter"));
}

/* Nothing can be said of a table whose only block is broken. */
TEST(damage_is_no_refusal)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };

	ivrs(&b, 0);
	put(&b, 4, 0x11 | 4 << 16);
	EXPECT(parse(&b, &v) == 0);
	EXPECT(v.ivhd_type == 0x11 && v.n_units == 0 && v.damage && !v.refused);
}

TEST(damage_entries)
{
	AUTO_BUF struct buf unknown = { 0 }, past = { 0 }, hid = { 0 };
	AUTO_ACPI_IVRS struct acpi_ivrs a = { 0 }, b = { 0 }, c = { 0 };

	ivrs(&unknown, 0);
	ivhd(&unknown, 0x40, IOMMU, 0, 12);
	put(&unknown, 4, 0x81);
	special(&unknown, 1, 1, 0);
	EXPECT(parse(&unknown, &a) == 0 && a.damage && a.n_ioapics == 0);
	ivrs(&past, 0);
	ivhd(&past, 0x11, IOMMU, 0, 4);
	put(&past, 4, 0x48);
	EXPECT(parse(&past, &b) == 0 && b.damage && b.n_units == 1);
	ivrs(&hid, 0);
	ivhd(&hid, 0x40, IOMMU, 0, 22);
	put(&hid, 1, 0xf0);
	zeros(&hid, 20);
	put(&hid, 1, 1);
	EXPECT(parse(&hid, &c) == 0 && c.damage);
}

static enum acpi_ivrs_ioapics check(const struct acpi_ivrs_ioapic *listed, size_t n,
				    const uint8_t *ids, size_t n_ids)
{
	struct acpi_madt_ioapic apics[4] = { 0 };
	struct acpi_ivrs_ioapic copy[4] = { 0 };
	const struct acpi_ivrs v = { .ioapics = copy, .n_ioapics = n };
	const struct acpi_madt m = { .ioapics = apics, .n_ioapics = n_ids };

	for (size_t i = 0; i < n; i++)
		copy[i] = listed[i];
	for (size_t i = 0; i < n_ids; i++)
		apics[i].id = ids[i];
	return acpi_ivrs_check_ioapics(&v, &m);
}

TEST(ioapics_against_the_madt)
{
	static const struct acpi_ivrs_ioapic both[] = { { .handle = 1, .devid = 0x0001 },
							{ .handle = 2, .devid = SOUTHBRIDGE } };
	static const struct acpi_ivrs_ioapic other[] = {
		{ .handle = 2, .devid = SOUTHBRIDGE, .segment = 1 }
	};
	static const struct acpi_ivrs_ioapic twice[] = { { .handle = 2, .devid = 0x0001 },
							 { .handle = 2, .devid = SOUTHBRIDGE } };
	static const uint8_t ids[] = { 1, 2 }, reversed[] = { 2, 1 };

	EXPECT(check(both, 2, ids, 2) == ACPI_IVRS_IOAPICS_LISTED);
	EXPECT(check(both, 2, reversed, 2) == ACPI_IVRS_IOAPICS_LISTED);
	/* Only the south bridge's: its place in the MADT decides for newer kernels. */
	EXPECT(check(both + 1, 1, ids, 2) == ACPI_IVRS_IOAPICS_DEPENDS);
	EXPECT(check(both + 1, 1, reversed, 2) == ACPI_IVRS_IOAPICS_MISSING);
	EXPECT(check(both, 1, ids, 1) == ACPI_IVRS_IOAPICS_MISSING);
	EXPECT(check(both, 0, ids, 2) == ACPI_IVRS_IOAPICS_MISSING);
	EXPECT(check(both, 2, ids, 0) == ACPI_IVRS_IOAPICS_MISSING);
	EXPECT(check(other, 1, reversed, 1) == ACPI_IVRS_IOAPICS_MISSING);
	/* Of two entries with one handle the first counts. */
	EXPECT(check(twice, 2, reversed, 1) == ACPI_IVRS_IOAPICS_MISSING);
}

TEST(cut_and_short_tables)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_ivrs v;

	ivrs(&b, 0);
	ivhd(&b, 0x11, IOMMU, 0, 0);
	table_end(&b);
	EXPECT(acpi_ivrs_parse(bytes(&b), b.len - 1, &v, NULL) == -ENODATA);
	set(&b, 4, 4, 47);
	EXPECT(acpi_ivrs_parse(bytes(&b), b.len, &v, NULL) == -EINVAL);
}
