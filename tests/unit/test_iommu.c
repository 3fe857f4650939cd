/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/iommu.h>

#include "tables.h"

#include <sriovctl/pcidev.h>

#define PF PCIDEV_PATH "/0000:3b:00.0"

static const struct iommu_units *units_of(const struct tree *t)
{
	const struct iommu_units *u = NULL;

	EXPECT(iommu_units_get(t->h, &u, NULL) == 0);
	return u;
}

static enum iommu_state state_of(const struct tree *t, const char *source, const char *observed)
{
	AUTO_BUF struct buf text = { 0 };
	const char *where = NULL;
	enum iommu_state s = iommu_state(t->h, &where, &text);

	EXPECT(same(where, source));
	EXPECT(same(buf_text(&text), observed));
	if (!same(where, source) || !same(buf_text(&text), observed))
		printf("# %s: %s\n", where, buf_text(&text));
	return s;
}

/* --- units ------------------------------------------------------------------------------- */

TEST(units_are_known_by_their_names)
{
	static const struct {
		const char *name;
		enum iommu_kind kind;
	} rows[] = {
		{ .name = "dmar0", .kind = IOMMU_INTEL },
		{ .name = "ivhd0", .kind = IOMMU_AMD },
		{ .name = "smmu3.0x0000000005000000", .kind = IOMMU_SMMU },
		{ .name = "smmu.0x0000000005000000", .kind = IOMMU_SMMU },
		{ .name = "virtio1", .kind = IOMMU_VIRTIO },
		{ .name = "ipmmu0", .kind = IOMMU_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf path = { 0 };
		const struct iommu_units *u;

		tree_new(&t);
		buf_printf(&path, IOMMU_CLASS "/%s", rows[i].name);
		tree_put_dir(&t, buf_text(&path));
		/* One with another name must at least belong to the class. */
		if (rows[i].kind == IOMMU_OTHER) {
			buf_puts(&path, "/subsystem");
			tree_put_link(&t, buf_text(&path), "../../../../class/iommu");
		}
		u = units_of(&t);
		EXPECT(u && u->n == 1 && same(u->items[0].name, rows[i].name));
		EXPECT(u && u->n == 1 && u->items[0].kind == rows[i].kind);
		EXPECT(iommu_kind(t.h) == rows[i].kind);
	}
}

TEST(registers_of_intel)
{
	AUTO_TREE struct tree t = { 0 };
	const struct iommu_units *u;

	TREE(&t, { .path = IOMMU_CLASS "/dmar0/intel-iommu/cap", .text = "d2008c222f0606\n" },
	     { .path = IOMMU_CLASS "/dmar0/intel-iommu/ecap", .text = "f00f5a\n" },
	     { .path = IOMMU_CLASS "/dmar1/intel-iommu/cap", .text = "d2008c222f0606\n" },
	     { .path = IOMMU_CLASS "/dmar10" });
	u = units_of(&t);
	EXPECT(u && u->n == 3 && u->items[0].registers_error == 0);
	EXPECT(u && u->items[0].cap == 0xd2008c222f0606 && u->items[0].ecap == 0xf00f5a);
	EXPECT(u && (u->items[0].ecap & IOMMU_ECAP_IR) && (u->items[0].ecap & IOMMU_ECAP_EIM));
	EXPECT(u && u->items[1].registers_error == -ENOENT);
	EXPECT(u && u->items[2].registers_error == -ENODATA);
}

/* The order of the two numbers changed on the way from 6.1 to 6.12. */
TEST(features_of_amd)
{
	static const struct {
		const char *text;
		uint64_t table; /* EFR of the IVRS; 0: no table */
		int error;
		uint64_t efr;
	} rows[] = {
		{ .text = "f77ef22294ada\n", .efr = 0xf77ef22294ada },
		{ .text = "0:29d7\n", .efr = 0x29d7 },
		{ .text = "29d7:0\n", .efr = 0x29d7 },
		{ .text = "0:0\n", .efr = 0 },
		{ .text = "20:29d7\n", .table = 0x29d7, .efr = 0x29d7 },
		{ .text = "29d7:20\n", .table = 0x29d7, .efr = 0x29d7 },
		/* Both say something, and nobody says which is which. */
		{ .text = "29d7:20\n", .error = -ENODATA },
		{ .text = "29d7:20\n", .table = 0x84, .error = -ENODATA },
		{ .text = "29d7:29d7\n", .table = 0x29d7, .error = -ENODATA },
		{ .text = "\n", .error = -EINVAL },
		{ .text = "29d7:\n", .error = -EINVAL },
		{ .text = ":29d7\n", .error = -EINVAL },
		{ .text = "29d7 20\n", .error = -EINVAL },
		{ .text = "29d7:20:1\n", .error = -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct iommu_units *u;

		TREE(&t, { .path = IOMMU_CLASS "/ivhd0/amd-iommu/features", .text = rows[i].text });
		if (rows[i].table)
			table_put_ivrs(&t, rows[i].table, 2, 3);
		u = units_of(&t);
		EXPECT(u && u->n == 1 && u->items[0].registers_error == rows[i].error);
		EXPECT(u && u->items[0].efr == rows[i].efr);
		if (u && u->items[0].registers_error != rows[i].error)
			printf("# %s: %d\n", rows[i].text, u->items[0].registers_error);
	}
}

TEST(no_unit_is_known_and_no_folder_is_not)
{
	AUTO_TREE struct tree some = { 0 }, none = { 0 };
	const struct iommu_units *u = NULL;

	TREE(&some, { .path = IOMMU_CLASS });
	EXPECT(iommu_units_get(some.h, &u, NULL) == 0 && u->n == 0);
	/* A tree made of files alone has lost the folder when it was empty. */
	TREE(&none, { .path = "/sys/class" });
	EXPECT(iommu_units_get(none.h, &u, NULL) == -ENODATA);
}

/* --- groups -------------------------------------------------------------------------------- */

TEST(groups_with_their_types)
{
	AUTO_TREE struct tree t = { 0 };
	const struct iommu_groups *g = NULL;

	TREE(&t, { .path = IOMMU_GROUPS "/0/devices/0000:00:00.0", .link = "x" },
	     { .path = IOMMU_GROUPS "/0/type", .text = "DMA-FQ\n" },
	     { .path = IOMMU_GROUPS "/1/devices/0000:00:01.0", .link = "x" },
	     { .path = IOMMU_GROUPS "/1/devices/0000:01:00.0", .link = "x" },
	     { .path = IOMMU_GROUPS "/1/type", .text = "DMA-FQ\n" },
	     { .path = IOMMU_GROUPS "/2/devices/0000:02:00.0", .link = "x" },
	     { .path = IOMMU_GROUPS "/2/type", .text = "identity\n" });
	EXPECT(iommu_groups_get(t.h, &g, NULL) == 0);
	EXPECT(g && g->n_groups == 3 && g->n_devices == 4 && g->n_noiommu == 0);
	EXPECT(g && g->n_types == 2 && same(g->types[0].name, "DMA-FQ") && g->types[0].n == 2);
	EXPECT(g && g->n_types == 2 && same(g->types[1].name, "identity"));
	EXPECT(state_of(&t, IOMMU_GROUPS, "4 PCI functions in 3 groups") == IOMMU_ON);
}

TEST(groups_of_no_iommu_mode_do_not_count)
{
	AUTO_TREE struct tree t = { 0 };
	const struct iommu_groups *g = NULL;

	TREE(&t, { .path = IOMMU_GROUPS "/0/devices/0000:3b:00.0", .link = "x" },
	     { .path = IOMMU_GROUPS "/0/name", .text = "vfio-noiommu\n" });
	EXPECT(iommu_groups_get(t.h, &g, NULL) == 0);
	EXPECT(g && g->n_groups == 0 && g->n_noiommu == 1);
	EXPECT(state_of(&t, IOMMU_GROUPS, "no PCI function in a group") == IOMMU_OFF);
}

/* Platform devices may have an IOMMU where PCI has none. */
TEST(groups_without_pci_function_do_not_count)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = IOMMU_GROUPS "/0/devices/5000000.gpu", .link = "x" });
	EXPECT(state_of(&t, IOMMU_GROUPS, "no PCI function in a group") == IOMMU_OFF);
}

TEST(a_group_with_another_name_counts)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = IOMMU_GROUPS "/0/devices/0000:3b:00.0", .link = "x" },
	     { .path = IOMMU_GROUPS "/0/name", .text = "vfio\n" });
	EXPECT(state_of(&t, IOMMU_GROUPS, "1 PCI functions in 1 groups") == IOMMU_ON);
}

TEST(a_group_captured_without_its_devices_is_not_an_empty_one)
{
	AUTO_TREE struct tree t = { 0 };
	const struct iommu_groups *g = NULL;

	TREE(&t, { .path = IOMMU_GROUPS "/0/type", .text = "DMA\n" });
	EXPECT(iommu_groups_get(t.h, &g, NULL) == -ENODATA);
}

/* --- state ----------------------------------------------------------------------------------- */

TEST(no_groups_is_off_and_no_folder_is_not_known)
{
	AUTO_TREE struct tree some = { 0 }, none = { 0 };

	TREE(&some, { .path = IOMMU_GROUPS });
	EXPECT(state_of(&some, IOMMU_GROUPS, "no PCI function in a group") == IOMMU_OFF);
	TREE(&none, { .path = "/sys/kernel" });
	EXPECT(state_of(&none, "kernel log", "") == IOMMU_UNKNOWN);
}

TEST(without_groups_the_links_of_a_function_tell)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PF "/iommu_group", .link = "../../../kernel/iommu_groups/7" },
	     { .path = PF "/iommu", .link = "../../virtual/iommu/dmar0" });
	EXPECT(state_of(&t, PCIDEV_PATH, "0000:3b:00.0 is in group 7") == IOMMU_ON);
}

/* Of VFIO's own groups the link is all there is, and the kernel's name for them is missing here. */
TEST(a_link_to_a_group_alone_does_not)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PF "/iommu_group", .link = "../../../kernel/iommu_groups/7" });
	EXPECT(state_of(&t, "kernel log", "") == IOMMU_UNKNOWN);
}

TEST(then_the_units_tell)
{
	AUTO_TREE struct tree on = { 0 }, off = { 0 };

	TREE(&on, { .path = IOMMU_CLASS "/dmar0" }, { .path = IOMMU_CLASS "/dmar1" });
	EXPECT(state_of(&on, IOMMU_CLASS, "dmar0 dmar1") == IOMMU_ON);
	TREE(&off, { .path = IOMMU_CLASS });
	EXPECT(state_of(&off, IOMMU_CLASS, "empty") == IOMMU_OFF);
}

TEST(then_the_log_tells_by_lines_that_only_a_driver_at_work_prints)
{
	static const struct {
		const char *line;
		enum iommu_state state;
	} rows[] = {
		{ .line = "DMAR: Intel(R) Virtualization Technology for Directed I/O",
		  .state = IOMMU_ON },
		{ .line = "pci 0000:00:00.0: Adding to iommu group 0", .state = IOMMU_ON },
		{ .line = "DMAR: Parse DMAR table failure.", .state = IOMMU_OFF },
		/* These are there without any IOMMU. */
		{ .line = "DMAR: IOMMU enabled", .state = IOMMU_UNKNOWN },
		{ .line = "DMAR: IOMMU disabled", .state = IOMMU_UNKNOWN },
		{ .line = "iommu: Default domain type: Translated", .state = IOMMU_UNKNOWN },
		{ .line = "AMD-Vi: AMD IOMMUv2 functionality not available on this system",
		  .state = IOMMU_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf log = { 0 };

		buf_printf(&log, "[    0.1] Linux version 6.1\n[    1.2] %s\n", rows[i].line);
		TREE(&t, { .path = "/var/log/dmesg", .text = buf_text(&log) });
		EXPECT(state_of(&t, "kernel log",
				rows[i].state == IOMMU_UNKNOWN ? "" : rows[i].line) ==
		       rows[i].state);
	}
}

/* --- platform --- */

TEST(without_units_firmware_tells_the_platform)
{
	AUTO_TREE struct tree intel = { 0 }, amd = { 0 }, none = { 0 };

	tree_new(&intel);
	table_put_dmar(&intel, 1, 2, 3);
	EXPECT(iommu_kind(intel.h) == IOMMU_INTEL);
	tree_new(&amd);
	table_put_ivrs(&amd, 0, 2, 3);
	EXPECT(iommu_kind(amd.h) == IOMMU_AMD);
	tree_new(&none);
	table_put_facp(&none, 0);
	EXPECT(iommu_kind(none.h) == IOMMU_NONE);
}

/* As an emulated host shows it: VT-d beside an AMD processor. */
TEST(the_unit_that_runs_is_the_platform_not_the_processor)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = IOMMU_CLASS "/dmar0" },
	     { .path = "/proc/cpuinfo",
	       .text = "processor\t: 0\nvendor_id\t: AuthenticAMD\nflags\t\t: svm\n" });
	table_put_ivrs(&t, 0, 2, 3);
	EXPECT(iommu_kind(t.h) == IOMMU_INTEL);
}

TEST(every_kind_has_a_name)
{
	for (int k = 0; k < IOMMU_KIND_MAX; k++)
		EXPECT(iommu_kind_name((enum iommu_kind)k) != NULL);
}
