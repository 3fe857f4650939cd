/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pci_space.h"
#include "tables.h"

#include <sriovctl/check.h>
#include <sriovctl/finding.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/reserved.h>

#define PORT "pci0000:00/0000:00:01.0"
#define NIC  PORT "/0000:01:00.0"
#define VF   PORT "/0000:01:10.0"

#define MSI    "0x00000000fee00000 0x00000000feefffff msi\n"
#define DIRECT "0x00000000000e0000 0x00000000000e0fff direct\n"
#define OTHER  "0x00000000000f0000 0x00000000000f0fff direct\n"

TEST(only_direct_regions_are_kept)
{
	AUTO_RESERVED struct reserved v = { 0 };

	EXPECT(reserved_parse("0x0000000000000000 0x0000000000ffffff direct-relaxable\n" DIRECT MSI
			      "0x000000fd00000000 0x000000ffffffffff reserved\n" OTHER,
			      &v) == 0);
	EXPECT(v.n == 2 && v.direct[0].start == 0xe0000 && v.direct[0].end == 0xe0fff);
	EXPECT(v.n == 2 && v.direct[1].start == 0xf0000 && v.direct[1].end == 0xf0fff);
}

TEST(a_list_may_be_empty)
{
	AUTO_RESERVED struct reserved v = { 0 };

	EXPECT(reserved_parse("", &v) == 0 && v.n == 0);
}

TEST(other_texts_are_refused)
{
	static const char *const texts[] = {
		"direct\n",
		"0xe0000\n",
		"0xe0000 0xe0fff\n",
		"0xe0000 direct\n",
		DIRECT "junk\n",
		"0xe0fff 0xe0000 direct\n",
		"0xe0000 0x1ffffffffffffffff direct\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_RESERVED struct reserved v = { 0 };

		EXPECT(reserved_parse(texts[i], &v) == -EINVAL && v.n == 0);
	}
}

TEST(overlap_is_a_byte_in_common)
{
	struct reserved_region a = { .start = 0x1000, .end = 0x1fff };
	static const struct {
		struct reserved_region b;
		bool overlap;
	} rows[] = {
		{ .b = { .start = 0x1000, .end = 0x1fff }, .overlap = true },
		{ .b = { .start = 0x1fff, .end = 0x2fff }, .overlap = true },
		{ .b = { .start = 0, .end = UINT64_MAX }, .overlap = true },
		{ .b = { .start = 0x2000, .end = 0x2fff } },
		{ .b = { .start = 0, .end = 0xfff } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct reserved_region b = rows[i].b;
		struct reserved one = { .direct = &a, .n = 1 }, other = { .direct = &b, .n = 1 };

		EXPECT(reserved_overlap(&one, &other) == rows[i].overlap);
		EXPECT(reserved_overlap(&other, &one) == rows[i].overlap);
	}
}

/* --- the check ------------------------------------------------------------------------ */

struct host_row {
	const char *port, *nic, *vf; /* the regions of the group of each; NULL: no such file */
	bool has_vf, one_group, is_amd, is_newer;
	enum verdict verdict;
	const char *says;
};

static void plant_regions(struct tree *t, const char *group, const char *text)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, "/sys/kernel/iommu_groups/%s/reserved_regions", group);
	if (text)
		tree_put(t, buf_text(&path), text);
}

static void plant(struct tree *t, const struct host_row *row)
{
	struct space port = space_bridge(4, 0, 1, 1), nic = space_express(0, 0x15b3, 0x101d);

	tree_new(t);
	tree_put(t, "/proc/cmdline", "quiet");
	tree_put(t, "/proc/sys/kernel/osrelease", row->is_newer ? "6.12.9" : "6.1.9");
	tree_put_dir(t, row->is_amd ? "/sys/class/iommu/ivhd0" : "/sys/class/iommu/dmar0");
	tree_put_function(t, PORT, &port);
	tree_put_function(t, NIC, &nic);
	tree_put_attr(t, NIC, "sriov_totalvfs", "8");
	tree_put_group(t, PORT, "1");
	tree_put_group(t, NIC, row->one_group ? "1" : "2");
	plant_regions(t, "1", row->port);
	plant_regions(t, "2", row->nic);
	if (!row->has_vf)
		return;
	tree_put_function(t, VF, &nic);
	tree_put_link(t, "/sys/devices/" VF "/physfn", "../0000:01:00.0");
	tree_put_link(t, "/sys/devices/" NIC "/virtfn0", "../0000:01:10.0");
	tree_put_group(t, VF, "3");
	plant_regions(t, "3", row->vf);
}

static void expect_verdict(const struct tree *t, const struct host_row *row)
{
	const struct check *c = check_find("pf.reserved_memory");
	const struct pcidevs *v = NULL;
	struct finding f = { 0 };
	enum verdict verdict;

	EXPECT(c && pcidevs_get(t->h, &v, NULL) == 0);
	if (!c || !v)
		return;
	verdict = c->run(
		&(struct check_input){ .host = t->h, .pf = pcidevs_find(v, "0000:01:00.0") }, &f);
	EXPECT(verdict == row->verdict && strstr(f.summary, row->says));
	if (verdict != row->verdict || !strstr(f.summary, row->says))
		printf("# %s, not %s\n", f.summary, row->says);
	EXPECT((verdict != VERDICT_FAIL && verdict != VERDICT_UNKNOWN) || f.remedy.n > 0);
	finding_done(&f);
}

static void expect_row(const struct host_row *row)
{
	AUTO_TREE struct tree t = { 0 };

	plant(&t, row);
	expect_verdict(&t, row);
}

TEST(what_is_reserved_for_whom)
{
	static const struct host_row rows[] = {
		{ .port = MSI, .nic = MSI, .verdict = VERDICT_PASS, .says = "reserves no memory" },
		{ .port = MSI,
		  .nic = MSI DIRECT,
		  .verdict = VERDICT_PASS,
		  .says = "but not of its VFs" },
		{ .port = DIRECT,
		  .nic = DIRECT MSI,
		  .verdict = VERDICT_FAIL,
		  .says = "for all below port 0000:00:01.0" },
		/* The port's is another. */
		{ .port = OTHER, .nic = DIRECT, .verdict = VERDICT_PASS, .says = "not of its VFs" },
		{ .one_group = true,
		  .port = DIRECT,
		  .verdict = VERDICT_FAIL,
		  .says = "for all below port 0000:00:01.0" },
		{ .port = MSI, .verdict = VERDICT_UNKNOWN, .says = "is not known" },
		{ .nic = DIRECT, .verdict = VERDICT_UNKNOWN, .says = "whether of its VFs" },
		{ .port = MSI, .nic = "junk", .verdict = VERDICT_UNKNOWN, .says = "is not known" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect_row(&rows[i]);
}

TEST(vfs_that_exist_are_proof)
{
	static const struct host_row rows[] = {
		{ .port = MSI,
		  .nic = MSI,
		  .vf = DIRECT,
		  .verdict = VERDICT_FAIL,
		  .says = "for 0000:01:10.0" },
		{ .port = DIRECT,
		  .nic = DIRECT,
		  .vf = MSI,
		  .verdict = VERDICT_PASS,
		  .says = "not of its VFs" },
		{ .port = MSI, .nic = DIRECT, .verdict = VERDICT_UNKNOWN, .says = "for the VFs" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host_row row = rows[i];

		row.has_vf = true;
		expect_row(&row);
		/* So they are on AMD, to a kernel that refuses there as well. */
		row.is_amd = row.is_newer = true;
		expect_row(&row);
	}
}

/* A capture without the lists, or a kernel that has none. */
TEST(the_table_tells_where_the_list_is_not_there)
{
	const struct host_row row = { .verdict = VERDICT_PASS, .says = "for any function" };
	AUTO_TREE struct tree t = { 0 };

	plant(&t, &row);
	table_put_facp(&t, 0);
	table_put_dmar(&t, 1, 2, 3);
	expect_verdict(&t, &row);
}

TEST(amd)
{
	static const struct host_row rows[] = {
		{ .nic = DIRECT, .verdict = VERDICT_PASS, .says = "all the same" },
		{ .nic = DIRECT,
		  .port = MSI,
		  .is_newer = true,
		  .verdict = VERDICT_UNKNOWN,
		  .says = "whether of its VFs" },
		{ .nic = DIRECT,
		  .port = DIRECT,
		  .is_newer = true,
		  .verdict = VERDICT_FAIL,
		  .says = "for all below" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct host_row row = rows[i];

		row.is_amd = true;
		expect_row(&row);
	}
}
