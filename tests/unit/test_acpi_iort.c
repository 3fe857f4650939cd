/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi.h>

#include "test.h"
#include "test_acpi.h"

#define ITS	0
#define ROOT	2
#define SMMU_V2 3
#define SMMU_V3 4

static void iort(struct buf *b, uint32_t nodes)
{
	table_begin(b, "IORT");
	put(b, 4, nodes);
	put(b, 4, 48);
	put(b, 4, 0);
}

/* @len: of the whole node, 16 at least. */
static void node(struct buf *b, uint8_t type, uint16_t len)
{
	put(b, 1, type);
	put(b, 2, len);
	zeros(b, len - 3U);
}

static size_t count(struct buf *b)
{
	size_t smmus = 0;

	table_end(b);
	EXPECT(acpi_iort_parse(bytes(b), b->len, &smmus, NULL) == 0);
	return smmus;
}

TEST(smmus_among_other_nodes)
{
	AUTO_BUF struct buf some = { 0 }, none = { 0 };

	iort(&some, 4);
	node(&some, ITS, 24);
	node(&some, SMMU_V3, 68);
	node(&some, ROOT, 56);
	node(&some, SMMU_V2, 76);
	EXPECT(count(&some) == 2);
	iort(&none, 2);
	node(&none, ITS, 24);
	node(&none, ROOT, 56);
	EXPECT(count(&none) == 0);
}

TEST(nodes_beyond_the_count)
{
	AUTO_BUF struct buf b = { 0 };

	iort(&b, 1);
	node(&b, SMMU_V3, 68);
	node(&b, SMMU_V3, 68);
	EXPECT(count(&b) == 1);
}

TEST(damaged_nodes)
{
	static const uint16_t lengths[] = { 0, 15, 0xffff };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		AUTO_BUF struct buf b = { 0 };

		iort(&b, 2);
		node(&b, SMMU_V3, 68);
		node(&b, SMMU_V3, 68);
		set(&b, 48 + 68 + 1, 2, lengths[i]);
		EXPECT(count(&b) == 1);
	}
}

TEST(nodes_too_short_or_too_few)
{
	AUTO_BUF struct buf brief = { 0 }, few = { 0 };

	iort(&brief, 1);
	node(&brief, SMMU_V3, 16);
	EXPECT(count(&brief) == 0);
	iort(&few, 2);
	node(&few, SMMU_V3, 68);
	EXPECT(count(&few) == 1);
}

TEST(nodes_must_lie_in_the_table)
{
	AUTO_BUF struct buf b = { 0 };
	size_t smmus;

	iort(&b, 1);
	node(&b, SMMU_V3, 68);
	table_end(&b);
	EXPECT(acpi_iort_parse(bytes(&b), b.len - 1, &smmus, NULL) == -ENODATA);
	set(&b, 40, 4, 47);
	EXPECT(acpi_iort_parse(bytes(&b), b.len, &smmus, NULL) == -EINVAL);
	set(&b, 40, 4, 0xffffffff);
	EXPECT(acpi_iort_parse(bytes(&b), b.len, &smmus, NULL) == -EINVAL);
}
