/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "netlink.h"
#include "pci_space.h"
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/links.h>
#include <sriovctl/pfstate.h>

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#define PCI	     "/sys/bus/pci/devices"
#define PF	     "0000:3b:00.0"
#define VF0	     "0000:3b:02.0"
#define VF1	     "0000:3b:02.1"
#define ANSWERS	     "/.sriovctl"
#define DRIVER(name) "../../../bus/pci/drivers/" name

/* A PF, by the name that put_pf() gives it, with two VFs: igbvf and vfio-pci. */
#define CARD(driver_name)                                                         \
	{ .path = PCI "/" PF "/resource", .text = "\n" },                         \
		{ .path = PCI "/" PF "/class", .text = "0x020000\n" },            \
		{ .path = PCI "/" PF "/driver", .link = DRIVER(driver_name) },    \
		{ .path = PCI "/" PF "/sriov_totalvfs", .text = "7\n" },          \
		{ .path = PCI "/" PF "/sriov_drivers_autoprobe", .text = "1\n" }, \
		{ .path = PCI "/" PF "/net/ens1f0/x", .text = "" },               \
		{ .path = PCI "/" PF "/virtfn0", .link = "../" VF0 },             \
		{ .path = PCI "/" PF "/virtfn1", .link = "../" VF1 },             \
		{ .path = PCI "/" VF0 "/resource", .text = "\n" },                \
		{ .path = PCI "/" VF0 "/physfn", .link = "../" PF },              \
		{ .path = PCI "/" VF0 "/driver", .link = DRIVER("igbvf") },       \
		{ .path = PCI "/" VF0 "/driver_override", .text = "(null)\n" },   \
		{ .path = PCI "/" VF0 "/net/eth3/x", .text = "" },                \
		{ .path = PCI "/" VF1 "/resource", .text = "\n" },                \
		{ .path = PCI "/" VF1 "/physfn", .link = "../" PF },              \
	{                                                                         \
		.path = PCI "/" VF1 "/driver_override", .text = "vfio-pci\n"      \
	}

static const struct tree_row card[] = { CARD("igb") };

static int read_one(const struct tree *t, const char *name, struct pfstates *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };

	EXPECT(strv_add(&names, name) == 0);
	return pfstates_read(t->h, &names, ret, e);
}

/* What the kernel tells of the PF and of the interface of its VF 0. */
static void put_links(const struct tree *t, uint32_t count, uint32_t told)
{
	static const uint8_t permanent[6] = { 0xa0, 0x36, 0x9f, 1, 2, 3 }, carrier = 1;
	AUTO_BUF struct buf b = { 0 };
	uint32_t len;
	size_t at;

	put_pf(&b, 2, count, told);
	put(&b, IFLA_PERM_ADDRESS, permanent, sizeof(permanent));
	put(&b, IFLA_CARRIER, &carrier, 1);
	put_u32(&b, IFLA_MTU, 9000);
	len = (uint32_t)b.len;
	memcpy(b.data, &len, sizeof(len));
	at = start_link(&b, 3, "eth3");
	put_u32(&b, IFLA_MTU, 1500);
	finish_link(&b, at);
	tree_put_bytes(t, ANSWERS "/links/0.9", b.data, b.len);
}

static bool is(const struct setting_value *v, uint64_t number)
{
	return v->state == SETTING_KNOWN && v->number == number && !*v->name;
}

static bool is_name(const struct setting_value *v, const char *name)
{
	return v->state == SETTING_KNOWN && same(v->name, name);
}

static bool is_unknown(const struct setting_value *v, int error)
{
	return v->state == SETTING_UNKNOWN && v->error == error;
}

TEST(a_pf)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };
	const struct pfstate *p;

	tree_build(&t, card, ARRAY_SIZE(card));
	put_links(&t, 2, 2);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1);
	p = pfstates_find(&v, PF);
	EXPECT(p && !pfstates_find(&v, VF0));
	if (!p)
		return;
	EXPECT(same(p->sysfs, PCI "/" PF) && same(p->netdev, "ens1f0") && same(p->driver, "igb"));
	EXPECT(p->is_network && p->total == 7 && p->n_vfs == 2 && p->carrier);
	EXPECT(p->mac_error == 0 && p->permanent_mac == 0xa0369f010203);
	EXPECT(is(&p->set[SETTING_VFS], 2) && is(&p->set[SETTING_AUTOPROBE], 1));
	EXPECT(is(&p->set[SETTING_UP], 1) && is(&p->set[SETTING_MTU], 9000));
	EXPECT(is_unknown(&p->set[SETTING_ESWITCH], -ENODATA));
	EXPECT(p->queues == PFSTATE_QUEUES_FIXED && p->queues_fixed == 1);
	EXPECT(p->blind && strstr(p->blind, "run it on the host itself"));
}

TEST(its_vfs)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };
	const struct pfstate_vf *vf;

	tree_build(&t, card, ARRAY_SIZE(card));
	put_links(&t, 2, 2);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
	if (v.n != 1 || v.items[0].n_vfs != 2)
		return;
	vf = v.items[0].vfs;
	EXPECT(same(vf[0].bdf, VF0) && same(vf[1].bdf, VF1));
	EXPECT(same(vf[0].netdev, "eth3") && !vf[1].netdev);
	EXPECT(is_name(&vf[0].set[SETTING_DRIVER], "igbvf"));
	EXPECT(is_name(&vf[0].set[SETTING_OVERRIDE], ""));
	EXPECT(is_name(&vf[1].set[SETTING_DRIVER], ""));
	EXPECT(is_name(&vf[1].set[SETTING_OVERRIDE], "vfio-pci"));
	EXPECT(is(&vf[0].set[SETTING_VF_MTU], 1500));
	EXPECT(is_unknown(&vf[1].set[SETTING_VF_MTU], -ENODEV));
	EXPECT(is(&vf[0].set[SETTING_QUEUES], 1));
}

TEST(what_the_pf_has_set)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };
	const struct setting_value *set;

	tree_build(&t, card, ARRAY_SIZE(card));
	put_links(&t, 2, 2);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
	if (v.n != 1 || v.items[0].n_vfs != 2)
		return;
	set = v.items[0].vfs[1].set;
	EXPECT(is(&set[SETTING_MAC], 0x020000000001));
	EXPECT(is(&set[SETTING_VLAN], SETTING_VLAN_OF(100, 3, 0x88a8)));
	EXPECT(is(&set[SETTING_SPOOFCHK], 1) && is(&set[SETTING_TRUST], 0));
	EXPECT(is(&set[SETTING_RATE], SETTING_RATE_OF(10, 1000)));
	EXPECT(is(&set[SETTING_LINK_STATE], 1));
	/* The driver says that it does not say. */
	EXPECT(set[SETTING_RSS_QUERY].state == SETTING_UNSUPPORTED);
}

/* Not a value of a list that is not about all VFs, each once. */
TEST(lists_that_are_not_whole)
{
	static const struct {
		uint32_t count, told;
		int error;
	} cases[] = {
		{ 2, 1, -EAGAIN },
		{ 3, 3, -EBUSY },
		{ 1, 1, -EBUSY },
		{ 0, 0, -EBUSY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_PFSTATES struct pfstates v = { 0 };

		tree_build(&t, card, ARRAY_SIZE(card));
		put_links(&t, cases[i].count, cases[i].told);
		EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
		for (int s = SETTING_MAC; v.n == 1 && s <= SETTING_RSS_QUERY; s++)
			EXPECT(is_unknown(&v.items[0].vfs[0].set[s], cases[i].error));
	}
}

TEST(a_driver_without_settings)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };

	tree_build(&t, card, ARRAY_SIZE(card));
	put_links(&t, 2, 0);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
	for (int s = SETTING_MAC; v.n == 1 && s <= SETTING_RSS_QUERY; s++)
		EXPECT(v.items[0].vfs[1].set[s].state == SETTING_UNSUPPORTED);
}

/* 335 VFs and more make the length of the list wrap. */
TEST(more_vfs_than_the_length_of_a_list_can_tell)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };

	TREE(&t, { .path = PCI "/" PF "/resource", .text = "\n" },
	     { .path = PCI "/" PF "/class", .text = "0x020000\n" },
	     { .path = PCI "/" PF "/net/ens1f0/x", .text = "" });
	for (unsigned i = 0; i < 340; i++) {
		AUTO_BUF struct buf path = { 0 };

		buf_printf(&path, PCI "/" PF "/virtfn%u", i);
		tree_put_link(&t, buf_text(&path), "../" VF0);
	}
	put_links(&t, 340, 340);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 340);
	if (v.n == 1 && v.items[0].n_vfs == 340) {
		EXPECT(is(&v.items[0].set[SETTING_VFS], 340));
		EXPECT(v.items[0].vfs[339].set[SETTING_MAC].state == SETTING_KNOWN);
	}
}

TEST(vfs_that_are_being_removed)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };

	TREE(&t, { .path = PCI "/" PF "/resource", .text = "\n" },
	     { .path = PCI "/" PF "/class", .text = "0x020000\n" },
	     { .path = PCI "/" PF "/virtfn1", .link = "../" VF1 });
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
	if (v.n == 1 && v.items[0].n_vfs == 2) {
		EXPECT(is_unknown(&v.items[0].set[SETTING_VFS], -EBUSY));
		EXPECT(!v.items[0].vfs[0].bdf && same(v.items[0].vfs[1].bdf, VF1));
		EXPECT(v.items[0].vfs[0].set[SETTING_DRIVER].state == SETTING_UNKNOWN);
		/* Who has one that is not known cannot be told: it does not count as free. */
		EXPECT(v.items[0].vfs[0].holders.n == 1);
	}
}

TEST(a_virtio_card)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };

	TREE(&t, { .path = PCI "/" PF "/resource", .text = "\n" },
	     { .path = PCI "/" PF "/class", .text = "0x020000\n" },
	     { .path = PCI "/" PF "/driver", .link = DRIVER("virtio-pci") },
	     { .path = PCI "/" PF "/virtio3/net/eth0/x", .text = "" },
	     { .path = PCI "/" PF "/virtfn0", .link = "../" VF0 },
	     { .path = PCI "/" VF0 "/driver_override", .text = "\n" },
	     { .path = PCI "/" VF0 "/virtio4/net/eth3/x", .text = "" });
	put_links(&t, 0, 0);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 1);
	if (v.n != 1 || v.items[0].n_vfs != 1)
		return;
	EXPECT(same(v.items[0].netdev, "eth0") && !v.items[0].is_network);
	EXPECT(same(v.items[0].vfs[0].netdev, "eth3"));
	EXPECT(v.items[0].vfs[0].set[SETTING_MAC].state == SETTING_UNSUPPORTED);
	EXPECT(is(&v.items[0].vfs[0].set[SETTING_VF_MTU], 1500));
	EXPECT(v.items[0].queues == PFSTATE_QUEUES_CHANNELS);
}

TEST(a_storage_controller)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };

	TREE(&t, { .path = PCI "/" PF "/resource", .text = "\n" },
	     { .path = PCI "/" PF "/class", .text = "0x010802\n" },
	     { .path = PCI "/" PF "/driver", .link = DRIVER("nvme") },
	     { .path = PCI "/" PF "/virtfn0", .link = "../" VF0 },
	     { .path = PCI "/" VF0 "/driver_override", .text = "nvme\n" });
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 1);
	if (v.n != 1 || v.items[0].n_vfs != 1)
		return;
	EXPECT(!v.items[0].is_network && v.items[0].queues == PFSTATE_QUEUES_NVME);
	EXPECT(v.items[0].set[SETTING_MTU].state == SETTING_UNSUPPORTED);
	EXPECT(v.items[0].vfs[0].set[SETTING_VF_MTU].state == SETTING_UNSUPPORTED);
	EXPECT(v.items[0].vfs[0].set[SETTING_TRUST].state == SETTING_UNSUPPORTED);
	EXPECT(v.items[0].set[SETTING_AUTOPROBE].state == SETTING_UNSUPPORTED);
}

TEST(queues_by_driver)
{
	static const struct {
		const char *driver, *total_msix;
		enum pfstate_queues how;
		uint64_t fixed;
	} cases[] = {
		{ "igb", "0\n", PFSTATE_QUEUES_FIXED, 1 },
		{ "ixgbe", NULL, PFSTATE_QUEUES_TOTAL, 4 },
		{ "ice", "0\n", PFSTATE_QUEUES_TOTAL, 0 },
		{ "ice", "512\n", PFSTATE_QUEUES_MSIX, 0 },
		{ "mlx5_core", "512\n", PFSTATE_QUEUES_MSIX, 0 },
		{ "mlx5_core", "0\n", PFSTATE_QUEUES_CHANNELS, 0 },
		{ "i40e", NULL, PFSTATE_QUEUES_CHANNELS, 0 },
		{ "something", "9\n", PFSTATE_QUEUES_UNKNOWN, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_PFSTATES struct pfstates v = { 0 };
		AUTO_BUF struct buf link = { 0 };

		TREE(&t, { .path = PCI "/" PF "/resource", .text = "\n" },
		     { .path = PCI "/" PF "/class", .text = "0x020000\n" },
		     { .path = PCI "/" PF "/virtfn0", .link = "../" VF0 });
		buf_printf(&link, DRIVER("%s"), cases[i].driver);
		tree_put_link(&t, PCI "/" PF "/driver", buf_text(&link));
		if (cases[i].total_msix)
			tree_put(&t, PCI "/" PF "/sriov_vf_total_msix", cases[i].total_msix);
		EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1);
		EXPECT(v.n == 1 && v.items[0].queues == cases[i].how);
		EXPECT(v.n == 1 && v.items[0].queues_fixed == cases[i].fixed);
	}
}

TEST(channels_of_a_vf)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };
	const struct nlmsghdr header = { .nlmsg_type = 0x20 };
	const struct genlmsghdr head = { .cmd = ETHTOOL_MSG_CHANNELS_GET_REPLY };
	static const struct tree_row other[] = { CARD("bnxt_en") };
	AUTO_BUF struct buf b = { 0 };

	tree_build(&t, other, ARRAY_SIZE(other));
	put_links(&t, 2, 2);
	buf_append(&b, &header, sizeof(header));
	buf_append(&b, &head, sizeof(head));
	put_u32(&b, ETHTOOL_A_CHANNELS_COMBINED_MAX, 8);
	put_u32(&b, ETHTOOL_A_CHANNELS_COMBINED_COUNT, 6);
	finish_link(&b, 0);
	tree_put_bytes(&t, ANSWERS "/channels/eth3", b.data, b.len);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
	if (v.n != 1 || v.items[0].n_vfs != 2)
		return;
	EXPECT(v.items[0].queues == PFSTATE_QUEUES_CHANNELS);
	EXPECT(is(&v.items[0].vfs[0].set[SETTING_QUEUES], 6));
	EXPECT(is_unknown(&v.items[0].vfs[1].set[SETTING_QUEUES], -ENODEV));
}

/* Which card it is, of one without an address of its own. */
TEST(an_identity)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };
	static const struct tree_row nvme[] = { CARD("nvme") };
	struct space s = space_express(0, 0x1b36, 0x0010);
	const struct pfstate_identity *id;

	put32(&s, SPACE_EXT, 0x00010003);
	put32(&s, SPACE_EXT + 4, 0x89abcdef);
	put32(&s, SPACE_EXT + 8, 0x01234567);
	tree_build(&t, nvme, ARRAY_SIZE(nvme));
	tree_put_bytes(&t, PCI "/" PF "/config", s.data, s.len);
	tree_put(&t, PCI "/" PF "/vendor", "0x1b36\n");
	tree_put(&t, PCI "/" PF "/device", "0x0010\n");
	tree_put(&t, PCI "/" PF "/subsystem_vendor", "0x1af4\n");
	tree_put(&t, PCI "/" PF "/subsystem_device", "0x1100\n");
	tree_put(&t, PCI "/" PF "/nvme/nvme0/serial", "S5Y1 A1            \n");
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1);
	id = &v.items[0].identity;
	EXPECT(same(id->ids, "1b36:0010:1af4:1100") && same(id->serial, "S5Y1_A1"));
	EXPECT(id->dsn == 0x0123456789abcdef);
}

TEST(queues_of_an_nvme)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };
	static const struct tree_row nvme[] = { CARD("nvme") };
	uint8_t list[4096] = {
		2, [32] = 1, [36] = 1, [40] = 1, [42] = 3, [44] = 3, [64] = 2, [72] = 2, [74] = 3
	};

	tree_build(&t, nvme, ARRAY_SIZE(nvme));
	tree_put_bytes(&t, ANSWERS "/secondaries/" PF, list, sizeof(list));
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
	if (v.n != 1 || v.items[0].n_vfs != 2)
		return;
	EXPECT(v.items[0].queues == PFSTATE_QUEUES_NVME);
	EXPECT(is(&v.items[0].vfs[0].set[SETTING_QUEUES], 3));
	EXPECT(is_unknown(&v.items[0].vfs[1].set[SETTING_QUEUES], -ERANGE));
}

TEST(an_interface_elsewhere)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };

	TREE(&t, { .path = PCI "/" PF "/resource", .text = "\n" },
	     { .path = PCI "/" PF "/class", .text = "0x020000\n" }, { .path = PCI "/" PF "/net" },
	     { .path = PCI "/" PF "/virtfn0", .link = "../" VF0 }, { .path = PCI "/" VF0 "/net" },
	     { .path = PCI "/" VF0 "/resource", .text = "\n" });
	put_links(&t, 1, 1);
	EXPECT(read_one(&t, PF, &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 1);
	if (v.n != 1 || v.items[0].n_vfs != 1)
		return;
	EXPECT(!v.items[0].netdev && v.items[0].mac_error == -EREMOTE);
	EXPECT(is_unknown(&v.items[0].set[SETTING_UP], -EREMOTE));
	EXPECT(is_unknown(&v.items[0].vfs[0].set[SETTING_MAC], -EREMOTE));
	EXPECT(is_unknown(&v.items[0].vfs[0].set[SETTING_VF_MTU], -EREMOTE));
	EXPECT(v.items[0].vfs[0].holders.n == 1);
}

#define SIM "/sys/bus/netdevsim/devices/netdevsim1"

TEST(a_netdevsim)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };

	TREE(&t, { .path = PCI "/" PF "/class", .text = "0x020000\n" },
	     { .path = SIM "/sriov_numvfs", .text = "2\n" },
	     { .path = SIM "/net/eni1np0/phys_port_name", .text = "pf0vf0\n" },
	     { .path = SIM "/net/ens1f0/phys_port_name", .text = "p1\n" },
	     { .path = "/sys/kernel/debug/netdevsim/netdevsim1/max_vfs", .text = "4\n" });
	put_links(&t, 2, 2);
	EXPECT(read_one(&t, "netdevsim1", &v, NULL) == 0 && v.n == 1 && v.items[0].n_vfs == 2);
	if (v.n != 1 || v.items[0].n_vfs != 2)
		return;
	EXPECT(same(v.items[0].bdf, "netdevsim1") && same(v.items[0].sysfs, SIM));
	EXPECT(same(v.items[0].netdev, "ens1f0") && v.items[0].total == 4);
	EXPECT(!v.items[0].vfs[0].bdf && !v.items[0].vfs[0].netdev);
	EXPECT(is(&v.items[0].vfs[1].set[SETTING_MAC], 0x020000000001));
	EXPECT(v.items[0].vfs[1].set[SETTING_DRIVER].state == SETTING_UNSUPPORTED);
	EXPECT(is(&v.items[0].set[SETTING_VFS], 2) && is(&v.items[0].set[SETTING_MTU], 9000));
}

TEST(no_such_function)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_PFSTATES struct pfstates v = { 0 };
	struct error e = { 0 };

	tree_build(&t, card, ARRAY_SIZE(card));
	tree_put_dir(&t, "/sys/bus/netdevsim/devices");
	EXPECT(read_one(&t, "0000:99:00.0", &v, &e) == -ENODEV && strstr(e.text, "0000:99:00.0"));
	EXPECT(read_one(&t, "netdevsim7", &v, &e) == -ENODEV && strstr(e.text, "netdevsim7"));
	EXPECT(v.n == 0);
}

TEST(room_for_vfs)
{
	struct pfstate p = { 0 };
	struct pfstates v = { .items = calloc(1, sizeof(p)), .n = 1 };

	EXPECT(pfstate_set_vfs(&v.items[0], 3) == 0 && v.items[0].n_vfs == 3);
	v.items[0].vfs[1].set[SETTING_TRUST].state = SETTING_KNOWN;
	EXPECT(pfstate_set_vfs(&v.items[0], 200) == 0 && v.items[0].n_vfs == 200);
	EXPECT(v.items[0].vfs[1].set[SETTING_TRUST].state == SETTING_KNOWN);
	EXPECT(v.items[0].vfs[199].set[SETTING_TRUST].state == SETTING_UNSET);
	pfstates_done(&v);
}
