/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/cmdline.h>

#include "tree.h"

static const struct {
	const char *text, *key, *value;
} values[] = {
	{ .text = "quiet intel_iommu=on\n", .key = "intel_iommu", .value = "on" },
	{ .text = "quiet", .key = "quiet", .value = "" },
	{ .text = "quiet", .key = "noapic", .value = NULL },
	{ .text = "", .key = "quiet", .value = NULL },
	{ .text = "iommu=", .key = "iommu", .value = "" },
	{ .text = "root=UUID=1=2", .key = "root", .value = "UUID=1=2" },
	/* A key is whole, to both sides. */
	{ .text = "iommu.passthrough=1", .key = "iommu", .value = NULL },
	{ .text = "intel_iommu=on", .key = "iommu", .value = NULL },
	{ .text = "nointremap", .key = "intremap", .value = NULL },
	{ .text = "iomm", .key = "iommu", .value = NULL },
	/* '-' is '_' in a name, on both sides, and not in a value. */
	{ .text = "intel-iommu=on", .key = "intel_iommu", .value = "on" },
	{ .text = "arm_smmu.disable_bypass=0", .key = "arm-smmu.disable-bypass", .value = "0" },
	{ .text = "a=b-c_d", .key = "a", .value = "b-c_d" },
	{ .text = "Quiet", .key = "quiet", .value = NULL },
	/* The last one counts, also one without a value. */
	{ .text = "iommu=off iommu=pt", .key = "iommu", .value = "pt" },
	{ .text = "iommu=off iommu", .key = "iommu", .value = "" },
	/* Blanks of any kind and number part words, and quotes protect them. */
	{ .text = " \t a=1 \n\r b=2  ", .key = "b", .value = "2" },
	{ .text = "dyndbg=\"file a +p\" iommu=pt", .key = "dyndbg", .value = "file a +p" },
	{ .text = "dyndbg=\"file iommu=off +p\"", .key = "iommu", .value = NULL },
	{ .text = "\"iommu=pt\"", .key = "iommu", .value = "pt" },
	{ .text = "a=\"\" b", .key = "a", .value = "" },
	{ .text = "a=\"1 iommu=pt", .key = "iommu", .value = NULL },
	/* Behind "--" are arguments for init. */
	{ .text = "quiet -- iommu=off", .key = "iommu", .value = NULL },
	{ .text = "quiet -- iommu=off", .key = "quiet", .value = "" },
	{ .text = "a=-- iommu=off", .key = "iommu", .value = "off" },
	{ .text = "--iommu=off quiet", .key = "quiet", .value = "" },
};

TEST(values_of_keys)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		AUTO_CMDLINE struct cmdline c = { 0 };
		const char *value;

		EXPECT(cmdline_parse(values[i].text, &c) == 0);
		value = cmdline_value(&c, values[i].key);
		EXPECT(same(value, values[i].value));
		if (!same(value, values[i].value))
			printf("# %s: %s\n", values[i].text, value ? value : "(none)");
	}
}

TEST(items_of_lists)
{
	static const struct {
		const char *text, *item;
		bool has;
	} rows[] = {
		{ .text = "pci=nomsi", .item = "nomsi", .has = true },
		{ .text = "pci=noaer,nomsi,,noats", .item = "nomsi", .has = true },
		{ .text = "pci=noaer,nomsi,,noats", .item = "noats", .has = true },
		/* Every word counts, as the kernel reads each. */
		{ .text = "pci=nomsi pci=noaer", .item = "nomsi", .has = true },
		/* An item is whole. */
		{ .text = "pci=nomsix", .item = "nomsi", .has = false },
		{ .text = "pci=nomsi", .item = "nomsix", .has = false },
		{ .text = "pci=xnomsi", .item = "nomsi", .has = false },
		{ .text = "pci", .item = "nomsi", .has = false },
		{ .text = "pci=,", .item = "nomsi", .has = false },
		{ .text = "pcie=nomsi", .item = "nomsi", .has = false },
		{ .text = "-- pci=nomsi", .item = "nomsi", .has = false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_CMDLINE struct cmdline c = { 0 };

		EXPECT(cmdline_parse(rows[i].text, &c) == 0);
		EXPECT(cmdline_has_item(&c, "pci", rows[i].item) == rows[i].has);
	}
}

TEST(last_of_items_that_contradict_each_other)
{
	static const char *const on_off[] = { "on", "off" };
	static const struct {
		const char *text;
		int last;
	} rows[] = {
		{ .text = "quiet", .last = -1 },
		{ .text = "intel_iommu", .last = -1 },
		{ .text = "intel_iommu=on", .last = 0 },
		{ .text = "intel_iommu=off", .last = 1 },
		{ .text = "intel_iommu=on,off", .last = 1 },
		{ .text = "intel_iommu=off,sm_on,on", .last = 0 },
		{ .text = "intel_iommu=off intel_iommu=on", .last = 0 },
		{ .text = "intel_iommu=on intel_iommu=igfx_off", .last = 0 },
		/* drivers/iommu/intel/iommu.c compares only the beginning. */
		{ .text = "intel_iommu=onfoo", .last = 0 },
		{ .text = "intel_iommu=offline", .last = 1 },
		{ .text = "intel_iommu=igfx_off", .last = -1 },
		{ .text = "intel_iommu=o", .last = -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_CMDLINE struct cmdline c = { 0 };

		EXPECT(cmdline_parse(rows[i].text, &c) == 0);
		EXPECT(cmdline_last_item(&c, "intel_iommu", on_off, 2) == rows[i].last);
	}
}

TEST(of_a_host)
{
	AUTO_TREE struct tree t = { 0 };
	const struct cmdline *c = NULL;

	TREE(&t, { .path = "/proc/cmdline", .text = "BOOT_IMAGE=/vmlinuz quiet\n" });
	EXPECT(cmdline_get(t.h, &c, NULL) == 0);
	EXPECT(c && c->words.n == 2 && cmdline_value(c, "quiet"));
}

TEST(not_captured_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct cmdline *c = NULL;

	tree_make(&t);
	tree_put_dir(&t, "/sys");
	tree_open(&t);
	EXPECT(cmdline_get(t.h, &c, NULL) == -ENODATA);
}

TEST(bytes_that_are_no_text_are_refused)
{
	AUTO_TREE struct tree t = { 0 };
	const struct cmdline *c = NULL;

	tree_new(&t);
	tree_put_bytes(&t, "/proc/cmdline", "quiet\0iommu=off", 15);
	EXPECT(cmdline_get(t.h, &c, NULL) == -EINVAL);
}
