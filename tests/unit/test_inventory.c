/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/inventory.h>
#include <sriovctl/strv.h>

#include <errno.h>

#define DEVICES "/sys/bus/pci/devices"
#define PORT	"/sys/devices/pci0000:3a/0000:3a:00.0"
#define CARD	PORT "/0000:3b:00.0"
#define PF	DEVICES "/0000:3b:00.0"
#define VF0	DEVICES "/0000:3b:02.0"
#define VF2	DEVICES "/0000:3b:02.2"
#define VF10	DEVICES "/0000:3b:03.2"

/* A card with three VFs: one bound, one elsewhere, one without driver. */
static const struct tree_row card[] = {
	{ .path = DEVICES "/0000:3a:00.0", .link = "../../../devices/pci0000:3a/0000:3a:00.0" },
	{ .path = DEVICES "/0000:3b:00.0",
	  .link = "../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0" },
	{ .path = PORT "/class", .text = "0x060400\n" },
	{ .path = PORT "/resource", .text = "\n" },
	{ .path = CARD "/resource", .text = "\n" },
	{ .path = CARD "/class", .text = "0x020000\n" },
	{ .path = CARD "/vendor", .text = "0x8086\n" },
	{ .path = CARD "/device", .text = "0x1592\n" },
	{ .path = CARD "/numa_node", .text = "1\n" },
	{ .path = CARD "/driver", .link = "../../../bus/pci/drivers/ice" },
	{ .path = CARD "/iommu_group", .link = "../../../kernel/iommu_groups/7" },
	{ .path = CARD "/sriov_totalvfs", .text = "64\n" },
	{ .path = CARD "/net/ens1f0" },
	{ .path = CARD "/current_link_speed", .text = "8.0 GT/s PCIe\n" },
	{ .path = CARD "/max_link_speed", .text = "16.0 GT/s PCIe\n" },
	{ .path = CARD "/current_link_width", .text = "8\n" },
	{ .path = CARD "/max_link_width", .text = "16\n" },
	/* By number, and not as text sorts them. */
	{ .path = CARD "/virtfn10", .link = "../0000:3b:03.2" },
	{ .path = CARD "/virtfn2", .link = "../0000:3b:02.2" },
	{ .path = CARD "/virtfn0", .link = "../0000:3b:02.0" },
	{ .path = CARD "/virtfnx", .link = "../0000:3b:02.7" },
	{ .path = VF0 "/resource", .text = "\n" },
	{ .path = VF0 "/physfn", .link = "../0000:3b:00.0" },
	{ .path = VF0 "/driver", .link = "../../../bus/pci/drivers/iavf" },
	{ .path = VF0 "/net/ens1f0v0" },
	{ .path = VF0 "/iommu_group", .link = "../../../kernel/iommu_groups/70" },
	{ .path = VF2 "/resource", .text = "\n" },
	{ .path = VF2 "/physfn", .link = "../0000:3b:00.0" },
	{ .path = VF2 "/driver", .link = "../../../bus/pci/drivers/iavf" },
	{ .path = VF2 "/net" },
	{ .path = VF10 "/resource", .text = "\n" },
	{ .path = VF10 "/physfn", .link = "../0000:3b:00.0" },
	{ .path = DEVICES "/0000:00:1f.0/class", .text = "0x060100\n" },
	{ .path = DEVICES "/0000:00:1f.0/resource", .text = "\n" },
};

static bool text_is(const struct inventory_fact *f, const char *text)
{
	return f->error == 0 && same(f->text, text);
}

static bool number_is(const struct inventory_fact *f, int64_t number)
{
	return f->error == 0 && !f->text && f->number == number;
}

static bool is_unknown(const struct inventory_fact *f, const char *why)
{
	return f->error < 0 && f->error != -ENOENT && f->text && strstr(f->text, why);
}

static int read_all(const struct tree *t, struct inventory *ret)
{
	static const struct strv none = { 0 };

	return inventory_read(t->h, &none, ret, NULL);
}

/* What an ordinary user gets: a header, and capabilities that begin behind it. */
static const uint8_t config[64] = { 0x86, 0x80, 0x92, 0x15, [0x06] = 0x10, [0x34] = 0x40 };

TEST(a_pf_of_a_capture)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };
	const struct inventory_fact *f;

	tree_build(&t, card, ARRAY_SIZE(card));
	tree_put_bytes(&t, CARD "/config", config, sizeof(config));
	EXPECT(read_all(&t, &v) == 0);
	EXPECT(v.n == 1);
	if (v.n != 1)
		return;
	f = v.pfs[0].facts;
	EXPECT(text_is(&f[INVENTORY_PF_BDF], "0000:3b:00.0"));
	EXPECT(text_is(&f[INVENTORY_PF_NAME], "ens1f0"));
	EXPECT(text_is(&f[INVENTORY_PF_DRIVER], "ice"));
	EXPECT(is_unknown(&f[INVENTORY_PF_FIRMWARE], "not captured"));
	EXPECT(number_is(&f[INVENTORY_PF_NODE], 1));
	EXPECT(text_is(&f[INVENTORY_PF_SPEED], "8") && text_is(&f[INVENTORY_PF_MAX_SPEED], "16"));
	EXPECT(number_is(&f[INVENTORY_PF_WIDTH], 8) && number_is(&f[INVENTORY_PF_MAX_WIDTH], 16));
	EXPECT(text_is(&f[INVENTORY_PF_GROUP], "7"));
	EXPECT(number_is(&f[INVENTORY_PF_NOW], 3) && number_is(&f[INVENTORY_PF_MAX], 64));
}

TEST(its_vfs_in_their_order)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };
	static const int64_t index[] = { 0, 2, 10 };
	static const char *const bdf[] = { "0000:3b:02.0", "0000:3b:02.2", "0000:3b:03.2" };

	tree_build(&t, card, ARRAY_SIZE(card));
	EXPECT(read_all(&t, &v) == 0 && v.n == 1 && v.pfs[0].n_vfs == 3);
	for (size_t i = 0; v.n == 1 && i < v.pfs[0].n_vfs; i++) {
		const struct inventory_fact *f = v.pfs[0].vfs[i].facts;

		EXPECT(number_is(&f[INVENTORY_VF_INDEX], index[i]));
		EXPECT(text_is(&f[INVENTORY_VF_BDF], bdf[i]));
		for (enum inventory_vf_fact k = INVENTORY_VF_MAC; k <= INVENTORY_VF_STATE; k++)
			EXPECT(is_unknown(&f[k], "not captured"));
	}
}

TEST(what_a_vf_has_and_where)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };
	const struct inventory_vf *vf;

	tree_build(&t, card, ARRAY_SIZE(card));
	EXPECT(read_all(&t, &v) == 0 && v.n == 1 && v.pfs[0].n_vfs == 3);
	if (v.n != 1 || v.pfs[0].n_vfs != 3)
		return;
	vf = v.pfs[0].vfs;
	EXPECT(text_is(&vf[0].facts[INVENTORY_VF_NAME], "ens1f0v0"));
	EXPECT(text_is(&vf[0].facts[INVENTORY_VF_DRIVER], "iavf"));
	EXPECT(text_is(&vf[0].facts[INVENTORY_VF_GROUP], "70"));
	EXPECT(vf[1].facts[INVENTORY_VF_NAME].error == INVENTORY_ELSEWHERE);
	EXPECT(vf[1].facts[INVENTORY_VF_GROUP].error == -ENOENT);
	EXPECT(vf[2].facts[INVENTORY_VF_NAME].error == -ENOENT);
	EXPECT(vf[2].facts[INVENTORY_VF_DRIVER].error == -ENOENT);
}

TEST(a_storage_controller)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };
	const struct inventory_fact *f;

	TREE(&t, { .path = PF "/resource", .text = "\n" },
	     { .path = PF "/class", .text = "0x010802\n" },
	     { .path = PF "/sriov_totalvfs", .text = "8\n" },
	     { .path = PF "/numa_node", .text = "-1\n" },
	     { .path = PF "/nvme/nvme0/firmware_rev", .text = "GDC5302Q  \n" },
	     { .path = PF "/virtfn0", .link = "../0000:3b:02.0" },
	     { .path = VF0 "/physfn", .link = "../0000:3b:00.0" });
	EXPECT(read_all(&t, &v) == 0 && v.n == 1 && v.pfs[0].n_vfs == 1);
	if (v.n != 1 || v.pfs[0].n_vfs != 1)
		return;
	f = v.pfs[0].facts;
	EXPECT(text_is(&f[INVENTORY_PF_FIRMWARE], "GDC5302Q"));
	EXPECT(f[INVENTORY_PF_NODE].error == -ENOENT && f[INVENTORY_PF_NAME].error == -ENOENT);
	EXPECT(f[INVENTORY_PF_GROUP].error == -ENOENT);
	EXPECT(v.pfs[0].vfs[0].facts[INVENTORY_VF_MAC].error == -ENOENT);
}

/* A network card without an interface may have set what nobody can tell. */
TEST(a_network_card_without_interface)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };

	TREE(&t, { .path = PF "/resource", .text = "\n" },
	     { .path = PF "/class", .text = "0x020000\n" },
	     { .path = PF "/sriov_totalvfs", .text = "8\n" },
	     { .path = PF "/virtfn0", .link = "../0000:3b:02.0" },
	     { .path = VF0 "/physfn", .link = "../0000:3b:00.0" });
	EXPECT(read_all(&t, &v) == 0 && v.n == 1 && v.pfs[0].n_vfs == 1);
	if (v.n == 1 && v.pfs[0].n_vfs == 1) {
		EXPECT(is_unknown(&v.pfs[0].facts[INVENTORY_PF_FIRMWARE], "no driver"));
		EXPECT(is_unknown(&v.pfs[0].vfs[0].facts[INVENTORY_VF_TRUST],
				  "no network interface"));
	}
}

TEST(the_interface_that_is_no_representor)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };

	TREE(&t, { .path = PF "/sriov_totalvfs", .text = "8\n" },
	     { .path = PF "/net/ens1f0_0/phys_port_name", .text = "pf0vf0\n" },
	     { .path = PF "/net/ens1f0_1/phys_port_name", .text = "c1pf0vf1\n" },
	     { .path = PF "/net/ens1f0np0/phys_port_name", .text = "p0\n" });
	EXPECT(read_all(&t, &v) == 0 && v.n == 1);
	EXPECT(v.n == 1 && text_is(&v.pfs[0].facts[INVENTORY_PF_NAME], "ens1f0np0"));
}

TEST(a_virtio_function)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };

	TREE(&t, { .path = PF "/sriov_totalvfs", .text = "8\n" },
	     { .path = PF "/virtio3/net/eth0" });
	EXPECT(read_all(&t, &v) == 0 && v.n == 1);
	EXPECT(v.n == 1 && text_is(&v.pfs[0].facts[INVENTORY_PF_NAME], "eth0"));
}

TEST(no_function_and_no_answer)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };

	tree_new(&t);
	EXPECT(read_all(&t, &v) == -ENODATA && v.n == 0);
}

/* Config spaces made into a tree: that no driver is seen does not mean that none is there. */
TEST(a_function_of_which_little_was_kept)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };

	TREE(&t, { .path = PF "/virtfn0", .link = "../0000:3b:02.0" });
	EXPECT(read_all(&t, &v) == 0 && v.n == 1 && v.pfs[0].n_vfs == 1);
	if (v.n != 1 || v.pfs[0].n_vfs != 1)
		return;
	EXPECT(is_unknown(&v.pfs[0].facts[INVENTORY_PF_DRIVER], "not captured"));
	EXPECT(is_unknown(&v.pfs[0].facts[INVENTORY_PF_NAME], "not captured"));
	EXPECT(is_unknown(&v.pfs[0].facts[INVENTORY_PF_MAX], "not captured"));
	EXPECT(is_unknown(&v.pfs[0].facts[INVENTORY_PF_FIRMWARE], "not captured"));
	EXPECT(is_unknown(&v.pfs[0].vfs[0].facts[INVENTORY_VF_DRIVER], "not captured"));
	EXPECT(is_unknown(&v.pfs[0].vfs[0].facts[INVENTORY_VF_MAC], "not captured"));
}

TEST(functions_without_vfs_are_none)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };

	TREE(&t, { .path = DEVICES "/0000:00:1f.0/class", .text = "0x060100\n" });
	EXPECT(read_all(&t, &v) == 0 && v.n == 0);
}

/* --- words ------------------------------------------------------------------------------- */

static int choose(const struct tree *t, const char *word, const char *other, struct strv *ret,
		  struct error *e)
{
	AUTO_STRV struct strv words = { 0 };

	EXPECT(strv_add(&words, word) == 0);
	if (other)
		EXPECT(strv_add(&words, other) == 0);
	strv_done(ret);
	return inventory_select(t->h, &words, ret, e);
}

TEST(words_that_name_a_function)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv bdfs = { 0 };
	static const char *const words[] = { "0000:3b:00.0", "3b:00.0", "3B:00.0", "ens1f0" };

	tree_build(&t, card, ARRAY_SIZE(card));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		EXPECT(choose(&t, words[i], "ens1f0", &bdfs, NULL) == 0);
		EXPECT(bdfs.n == 1 && same(bdfs.items[0], "0000:3b:00.0"));
	}
	/* Named, it need not be one that has VFs. */
	EXPECT(choose(&t, "00:1f.0", "ens1f0", &bdfs, NULL) == 0 && bdfs.n == 2);
}

TEST(words_that_name_none)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv bdfs = { 0 };
	struct error e = { 0 };

	tree_build(&t, card, ARRAY_SIZE(card));
	EXPECT(choose(&t, "ens1f1", NULL, &bdfs, &e) == -EINVAL && bdfs.n == 0);
	EXPECT(strstr(e.text, "\"ens1f1\"") && strstr(e.text, "0000:3b:00.0 (ens1f0)"));
	EXPECT(choose(&t, "ens1f0", "ens1f0v0", &bdfs, &e) == -EINVAL && bdfs.n == 0);
	EXPECT(strstr(e.text, "VF"));
}

TEST(only_what_was_named_is_read)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv bdfs = { 0 };
	AUTO_INVENTORY struct inventory v = { 0 };

	tree_build(&t, card, ARRAY_SIZE(card));
	EXPECT(choose(&t, "00:1f.0", NULL, &bdfs, NULL) == 0);
	EXPECT(inventory_read(t.h, &bdfs, &v, NULL) == 0 && v.n == 1);
	EXPECT(v.n == 1 && v.pfs[0].facts[INVENTORY_PF_MAX].error == -ENOENT);
}
