/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/firmware.h>

#include "tables.h"

#define TREE_ROOT FIRMWARE_TREE

static const struct firmware *firmware_of(const struct tree *t)
{
	const struct firmware *f = NULL;

	EXPECT(firmware_get(t->h, &f, NULL) == 0);
	return f;
}

TEST(tables_that_are_there_are_parsed)
{
	AUTO_TREE struct tree t = { 0 };
	const struct firmware *f;

	tree_new(&t);
	table_put_facp(&t, 1 << 3);
	table_put_dmar(&t, 1, 2, 3);
	table_put_ivrs(&t, 0x84, 2, 3);
	table_put_madt(&t, 2, 3);
	f = firmware_of(&t);
	EXPECT(f && f->dmar_error == 0 && f->dmar.n_units == 1 && f->dmar.intr_remap);
	EXPECT(f && f->ivrs_error == 0 && f->ivrs.n_units == 1 && f->ivrs.units[0].efr == 0x84);
	EXPECT(f && f->madt_error == 0 && f->madt.n_ioapics == 2);
	EXPECT(f && f->fadt_error == 0 && f->no_msi);
	EXPECT(f && f->iort_error == -ENOENT && f->viot_error == -ENOENT);
}

/* Somebody may have saved just the tables he thought of. */
TEST(foreign_absence_counts_beside_a_facp_only)
{
	AUTO_TREE struct tree with = { 0 }, without = { 0 };
	const struct firmware *f;

	tree_new(&with);
	table_put_facp(&with, 0);
	f = firmware_of(&with);
	EXPECT(f && f->dmar_error == -ENOENT && f->ivrs_error == -ENOENT);
	tree_new(&without);
	table_put_madt(&without, 2, 3);
	f = firmware_of(&without);
	EXPECT(f && f->madt_error == 0 && f->dmar_error == -ENODATA && f->fadt_error == -ENODATA);
}

TEST(without_the_folder_nothing_is_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct firmware *f;

	TREE(&t, { .path = "/sys/firmware/acpi" });
	f = firmware_of(&t);
	EXPECT(f && f->dmar_error == -ENODATA && f->ivrs_error == -ENODATA);
	EXPECT(f && f->tree_error == -ENODATA);
}

TEST(tables_that_are_damaged_are_not_known)
{
	static const struct {
		const char *text;
		int error;
	} rows[] = {
		/* As a copy by an ordinary user leaves it. */
		{ .text = "", .error = -ENODATA },
		{ .text = "DMAR", .error = -ENODATA },
		{ .text = "no such table at all, though long enough", .error = -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct firmware *f;

		TREE(&t, { .path = TABLES "/DMAR", .text = rows[i].text });
		table_put_facp(&t, 0);
		f = firmware_of(&t);
		EXPECT(f && f->dmar_error == rows[i].error && f->ivrs_error == -ENOENT);
	}
}

TEST(a_table_that_is_a_link_to_nothing_is_not_absent)
{
	AUTO_TREE struct tree t = { 0 };
	const struct firmware *f;

	TREE(&t, { .path = TABLES "/DMAR", .link = "gone" });
	table_put_facp(&t, 0);
	f = firmware_of(&t);
	EXPECT(f && f->dmar_error == -ENODATA);
}

/* --- device tree ------------------------------------------------------------------------ */

struct node {
	const char *path, *compatible, *status;
	size_t len; /* of @compatible, NULs included */
};

static void put_node(const struct tree *t, const struct node *n)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, TREE_ROOT "%s/compatible", n->path);
	tree_put_bytes(t, buf_text(&path), n->compatible,
		       n->len ? n->len : strlen(n->compatible) + 1);
	if (!n->status)
		return;
	buf_clear(&path);
	buf_printf(&path, TREE_ROOT "%s/status", n->path);
	tree_put_bytes(t, buf_text(&path), n->status, strlen(n->status) + 1);
}

static const struct {
	struct node node;
	int error;
} nodes[] = {
	{ .node = { .path = "/iommu@5000000", .compatible = "arm,smmu-v3" } },
	{ .node = { .path = "/soc/iommu@5000000", .compatible = "arm,mmu-500" } },
	{ .node = { .path = "/soc@0/bus@1/iommu@5000000", .compatible = "arm,smmu-v2" } },
	{ .node = { .path = "/soc@0/pcie@1/iommu@8", .compatible = "virtio,pci-iommu" } },
	{ .node = { .path = "/iommu@1", .compatible = "qcom,x-smmu\0arm,mmu-500", .len = 24 } },
	{ .node = { .path = "/iommu@1", .compatible = "arm,smmu-v3", .status = "okay" } },
	{ .node = { .path = "/iommu@1", .compatible = "arm,smmu-v3", .status = "ok" } },
	/* What is switched off drives nothing. */
	{ .node = { .path = "/iommu@1", .compatible = "arm,smmu-v3", .status = "disabled" },
	  .error = -ENOENT },
	{ .node = { .path = "/iommu@1", .compatible = "xarm,smmu-v3" }, .error = -ENOENT },
	{ .node = { .path = "/pcie@1", .compatible = "pci-host-ecam-generic" }, .error = -ENOENT },
	{ .node = { .path = "/a@1/b@2/c@3/d@4", .compatible = "arm,smmu-v3" }, .error = -ENOENT },
	{ .node = { .path = "/chosen", .compatible = "arm,smmu-v3" }, .error = -ENOENT },
};

TEST(iommus_of_a_device_tree)
{
	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct firmware *f;

		tree_new(&t);
		put_node(&t, &nodes[i].node);
		f = firmware_of(&t);
		EXPECT(f && f->tree_error == nodes[i].error);
		EXPECT(f && (f->tree_iommu != NULL) == (nodes[i].error == 0));
		if (f && f->tree_iommu)
			EXPECT(parse_has_prefix(f->tree_iommu, TREE_ROOT "/"));
		if (f && f->tree_error != nodes[i].error)
			printf("# %s\n", nodes[i].node.path);
	}
}

TEST(with_acpi_a_device_tree_does_not_count)
{
	static const struct node smmu = { .path = "/iommu@1", .compatible = "arm,smmu-v3" };
	AUTO_TREE struct tree t = { 0 };
	const struct firmware *f;

	tree_new(&t);
	put_node(&t, &smmu);
	table_put_facp(&t, 0);
	f = firmware_of(&t);
	EXPECT(f && f->tree_error == -ENOENT && !f->tree_iommu);
}

TEST(acpi_off_on_the_command_line)
{
	static const struct {
		const char *text;
		bool off;
	} rows[] = {
		{ .text = "quiet acpi=off", .off = true },
		{ .text = "acpi=force acpi=off acpi=strict", .off = true },
		{ .text = "acpi=off acpi=force" },
		{ .text = "acpi=strict" },
		{ .text = "quiet" },
		{ .text = "-- acpi=off" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };

		TREE(&t, { .path = "/proc/cmdline", .text = rows[i].text });
		EXPECT(firmware_is_off_by_cmdline(t.h) == rows[i].off);
	}
}
