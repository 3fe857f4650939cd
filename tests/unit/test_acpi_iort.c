/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi_iort.h>

#include "test.h"
#include "test_acpi.h"

static void iort(struct buf *b, uint32_t nodes)
{
	table_begin(b, "IORT");
	put(b, 4, nodes);
	put(b, 4, 48);
	put(b, 4, 0);
}

static uint32_t node(struct buf *b, uint8_t type, uint16_t body, uint32_t maps)
{
	uint32_t offset = (uint32_t)b->len;

	put(b, 1, type);
	put(b, 2, 16 + body + maps * 20);
	put(b, 1, 0);
	put(b, 4, 0);
	put(b, 4, maps);
	put(b, 4, maps ? 16U + body : 0);
	return offset;
}

static uint32_t its(struct buf *b)
{
	uint32_t offset = node(b, 0, 8, 0);

	put(b, 4, 1);
	put(b, 4, 0);
	return offset;
}

static uint32_t smmu(struct buf *b, uint8_t type, uint64_t base)
{
	uint32_t offset = node(b, type, 52, 0);

	put(b, 8, base);
	zeros(b, 44);
	return offset;
}

static void root(struct buf *b, uint32_t segment, uint32_t ats, uint32_t maps)
{
	node(b, 2, 20, maps);
	put(b, 8, 0);
	put(b, 4, ats);
	put(b, 4, segment);
	put(b, 4, 0);
}

/* @more: the ids besides the first. */
static void map(struct buf *b, uint32_t first, uint32_t more, uint32_t reference, uint32_t flags)
{
	put(b, 4, first);
	put(b, 4, more);
	put(b, 4, 0);
	put(b, 4, reference);
	put(b, 4, flags);
}

static int parse(struct buf *b, struct acpi_iort *t)
{
	table_end(b);
	return acpi_iort_parse(bytes(b), b->len, t, NULL);
}

static enum acpi_iort_target find(const struct acpi_iort *t, uint32_t segment, uint32_t rid)
{
	enum acpi_iort_target target = ACPI_IORT_NOWHERE;

	EXPECT(acpi_iort_find(t, segment, rid, &target) == 0);
	return target;
}

TEST(smmus)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };

	iort(&b, 3);
	its(&b);
	smmu(&b, 4, 0x400000000);
	smmu(&b, 3, 0x2b600000);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(t.checksum_ok && !t.damage && t.n_smmus == 2 && t.n_roots == 0);
	EXPECT(t.smmus[0].version == 3 && t.smmus[0].base == 0x400000000);
	EXPECT(t.smmus[0].offset == 72);
	EXPECT(t.smmus[1].version == 2 && t.smmus[1].base == 0x2b600000);
}

TEST(root_behind_an_smmu)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };
	enum acpi_iort_target target;
	uint32_t where;

	iort(&b, 2);
	where = smmu(&b, 4, 0x400000000);
	root(&b, 5, 1, 1);
	map(&b, 0, 0xffff, where, 0);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(!t.damage && t.n_roots == 1 && t.roots[0].segment == 5 && t.roots[0].ats);
	EXPECT(t.roots[0].n_maps == 1 && t.roots[0].maps[0].reference == where);
	EXPECT(find(&t, 5, 0) == ACPI_IORT_SMMU && find(&t, 5, 0xffff) == ACPI_IORT_SMMU);
	EXPECT(find(&t, 5, 0x10000) == ACPI_IORT_NOWHERE);
	EXPECT(acpi_iort_find(&t, 0, 0, &target) == -ENOENT);
}

TEST(root_straight_to_the_its)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };
	uint32_t where;

	iort(&b, 2);
	where = its(&b);
	root(&b, 0, 0, 1);
	map(&b, 0, 0xffff, where, 0);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(find(&t, 0, 0x100) == ACPI_IORT_ITS && !t.roots[0].ats);
}

TEST(root_before_what_it_leads_to)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };

	iort(&b, 2);
	root(&b, 0, 0, 1);
	map(&b, 0, 0xffff, 48 + 56, 0);
	EXPECT(smmu(&b, 3, 0x1000) == 48 + 56);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(!t.damage && find(&t, 0, 0x100) == ACPI_IORT_SMMU);
}

TEST(each_id_has_its_own_way)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };
	uint32_t to_its, to_smmu;

	iort(&b, 3);
	to_its = its(&b);
	to_smmu = smmu(&b, 4, 0x1000);
	root(&b, 0, 0, 2);
	map(&b, 0x000, 0xff, to_its, 0);
	map(&b, 0x100, 0xff, to_smmu, 0);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(find(&t, 0, 0x0ff) == ACPI_IORT_ITS && find(&t, 0, 0x100) == ACPI_IORT_SMMU);
	EXPECT(find(&t, 0, 0x1ff) == ACPI_IORT_SMMU && find(&t, 0, 0x200) == ACPI_IORT_NOWHERE);
}

/* Firmware that takes the count for the number of ids: the later mapping is right. */
TEST(mappings_that_meet_at_their_ends)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };
	uint32_t to_its, to_smmu;

	iort(&b, 3);
	to_its = its(&b);
	to_smmu = smmu(&b, 4, 0x1000);
	root(&b, 0, 0, 2);
	map(&b, 0x000, 0x100, to_smmu, 0);
	map(&b, 0x100, 0x100, to_its, 0);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(find(&t, 0, 0x0ff) == ACPI_IORT_SMMU && find(&t, 0, 0x100) == ACPI_IORT_ITS);
}

TEST(single_mapping_takes_all)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };
	uint32_t where;

	iort(&b, 2);
	where = smmu(&b, 4, 0x1000);
	root(&b, 0, 0, 1);
	map(&b, 0, 0, where, 1);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(find(&t, 0, 0x1234) == ACPI_IORT_SMMU);
}

TEST(root_without_mappings)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };

	iort(&b, 1);
	root(&b, 0, 0, 0);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(!t.damage && t.n_roots == 1 && find(&t, 0, 0) == ACPI_IORT_NOWHERE);
}

TEST(damage_mapping_that_wraps)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_IORT struct acpi_iort t = { 0 };
	uint32_t where;

	iort(&b, 2);
	where = smmu(&b, 4, 0x1000);
	root(&b, 0, 0, 1);
	map(&b, 0x100, 0xffffffff, where, 0);
	EXPECT(parse(&b, &t) == 0);
	EXPECT(t.damage && find(&t, 0, 0x100) == ACPI_IORT_NOWHERE);
}

/* Into the middle of a node, to the table's header, past its end, to the root itself. */
TEST(damage_references)
{
	static const uint32_t references[] = { 0, 52, 0x10000, 124 };

	for (size_t i = 0; i < ARRAY_SIZE(references); i++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_ACPI_IORT struct acpi_iort t = { 0 };

		iort(&b, 2);
		smmu(&b, 4, 0x0404040404040404);
		root(&b, 0, 0, 1);
		map(&b, 0, 0xffff, references[i], 0);
		EXPECT(parse(&b, &t) == 0);
		EXPECT(t.damage && find(&t, 0, 0x100) == ACPI_IORT_NOWHERE);
	}
}

TEST(damage_mappings_outside_the_node)
{
	static const struct {
		uint32_t count, offset;
	} cases[] = { { 2, 36 }, { 1, 40 }, { 1, 0 }, { 0xffffffff, 36 }, { 1, 0xffffffff } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_ACPI_IORT struct acpi_iort t = { 0 };

		iort(&b, 2);
		root(&b, 0, 0, 1);
		map(&b, 0, 0xffff, 104, 0);
		smmu(&b, 4, 0x1000);
		set(&b, 48 + 8, 4, cases[i].count);
		set(&b, 48 + 12, 4, cases[i].offset);
		EXPECT(parse(&b, &t) == 0);
		EXPECT(t.damage && t.n_roots == 1 && t.roots[0].n_maps == 0);
		EXPECT(find(&t, 0, 0x100) == ACPI_IORT_NOWHERE);
	}
}

TEST(damage_nodes)
{
	static const uint16_t lengths[] = { 0, 15, 0xffff };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		AUTO_BUF struct buf b = { 0 };
		AUTO_ACPI_IORT struct acpi_iort t = { 0 };

		iort(&b, 2);
		smmu(&b, 4, 0x1000);
		smmu(&b, 4, 0x2000);
		set(&b, 48 + 68 + 1, 2, lengths[i]);
		EXPECT(parse(&b, &t) == 0 && t.damage && t.n_smmus == 1);
	}
}

TEST(damage_nodes_too_short_or_too_few)
{
	AUTO_BUF struct buf brief = { 0 }, few = { 0 };
	AUTO_ACPI_IORT struct acpi_iort a = { 0 }, b = { 0 };

	iort(&brief, 2);
	node(&brief, 4, 0, 0);
	node(&brief, 2, 0, 0);
	EXPECT(parse(&brief, &a) == 0 && a.damage && a.n_smmus == 0 && a.n_roots == 0);
	iort(&few, 2);
	smmu(&few, 4, 0x1000);
	EXPECT(parse(&few, &b) == 0 && b.damage && b.n_smmus == 1);
}

TEST(nodes_must_lie_in_the_table)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_iort t;

	iort(&b, 1);
	smmu(&b, 4, 0x1000);
	set(&b, 40, 4, 47);
	EXPECT(parse(&b, &t) == -EINVAL);
	set(&b, 40, 4, 0xffffffff);
	EXPECT(parse(&b, &t) == -EINVAL);
	EXPECT(acpi_iort_parse(bytes(&b), b.len - 1, &t, NULL) == -ENODATA);
}
