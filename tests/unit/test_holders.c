/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "netlink.h"
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/holders.h>
#include <sriovctl/strv.h>

#include <linux/if_addr.h>

#define PCI	     "/sys/bus/pci/devices"
#define PF	     "0000:01:00.0"
#define VF0	     "0000:01:10.0"
#define VF1	     "0000:01:10.2"
#define ANSWERS	     "/.sriovctl"
#define DRIVER(name) "../../../bus/pci/drivers/" name
#define GROUP(n)     "../../../kernel/iommu_groups/" n
#define VFIO_BOUND(vf, group)                                                           \
	{ .path = PCI "/" vf "/driver", .link = DRIVER("vfio-pci") },                   \
		{ .path = PCI "/" vf "/iommu_group", .link = GROUP(group) },            \
		{ .path = "/sys/class/vfio/" group "/dev", .text = "239:" group "\n" }, \
	{                                                                               \
		.path = "/sys/kernel/iommu_groups/" group "/devices/" vf, .text = ""    \
	}

/* A host with two VFs on vfio-pci, of which processes hold what @passes notes. */
static const struct tree_row on_vfio[] = {
	{ .path = PCI "/" PF "/driver", .link = DRIVER("igb") },
	VFIO_BOUND(VF0, "5"),
	VFIO_BOUND(VF1, "6"),
};

/* The users of a function, parted by "; "; @blind likewise. */
static void users_of(const struct tree *t, const char *bdf, struct buf *ret, struct buf *blind)
{
	AUTO_STRV struct strv bdfs = { 0 };
	AUTO_HOLDERS struct holders v = { 0 };

	EXPECT(strv_add(&bdfs, bdf) == 0 && holders_read(t->h, &bdfs, &v, NULL) == 0 && v.n == 1);
	buf_clear(ret);
	for (size_t i = 0; v.n == 1 && i < v.items[0].users.n; i++)
		buf_printf(ret, "%s%s", i ? "; " : "", v.items[0].users.items[i]);
	if (blind) {
		buf_clear(blind);
		buf_puts(blind, v.blind ? v.blind : "");
	}
}

static bool used(const struct tree *t, const char *bdf, const char *expected)
{
	AUTO_BUF struct buf text = { 0 };

	users_of(t, bdf, &text, NULL);
	if (!same(buf_text(&text), expected))
		printf("# %s: %s\n", bdf, buf_text(&text));
	return same(buf_text(&text), expected);
}

/* Answers about a network with nothing in it, and about processes. */
static void put_answers(const struct tree *t, const char *pass, const struct buf *links)
{
	tree_put(t, ANSWERS "/procs/all", pass);
	tree_put(t, ANSWERS "/addresses/all", "");
	tree_put(t, ANSWERS "/routes/all", "");
	tree_put_bytes(t, ANSWERS "/links/0.9", links ? links->data : "", links ? links->len : 0);
}

static void build(struct tree *t, const char *pass)
{
	tree_build(t, on_vfio, ARRAY_SIZE(on_vfio));
	put_answers(t, pass, NULL);
}

TEST(a_guest_that_has_a_group_and_its_device)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 }, blind = { 0 };

	build(&t, "process\t7\tqemu-system-x86\tvm1\n"
		  "handle\t0\t239\t5\t5\n"
		  "handle\t2\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n");
	users_of(&t, VF0, &text, &blind);
	EXPECT(same(buf_text(&text),
		    "process qemu-system-x86 (7), guest vm1, has it open by VFIO"));
	EXPECT(blind.len == 0);
}

/* Its memory is mapped more than once, and goes with its descriptor. */
TEST(the_other_one_is_free)
{
	AUTO_TREE struct tree t = { 0 };

	build(&t, "process\t7\tqemu-system-x86\tvm1\n"
		  "handle\t0\t239\t5\t5\n"
		  "handle\t2\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n"
		  "handle\t3\t0\t0\t\n");
	EXPECT(used(&t, VF1, ""));
}

TEST(a_newer_kernel_tells_the_function)
{
	AUTO_TREE struct tree t = { 0 };

	build(&t, "process\t7\tdpdk\t\nhandle\t2\t0\t0\t" VF1 "\n");
	EXPECT(used(&t, VF0, ""));
	EXPECT(used(&t, VF1, "process dpdk (7) has it open by VFIO"));
}

TEST(a_device_that_matches_none)
{
	static const char *const passes[] = {
		"process\t7\tdpdk\t\nhandle\t2\t0\t0\t\n",
		/* Its group is another one's, too many devices for one group, or memory alone. */
		"process\t6\tx\t\nhandle\t0\t239\t9\t9\nprocess\t7\tdpdk\t\nhandle\t2\t0\t0\t\n",
		"process\t7\tdpdk\t\nhandle\t0\t239\t9\t9\nhandle\t2\t0\t0\t\n",
		"process\t7\tdpdk\t\nhandle\t3\t0\t0\t\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(passes); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf text = { 0 };

		build(&t, passes[i]);
		users_of(&t, VF0, &text, NULL);
		EXPECT(strstr(buf_text(&text), "process dpdk (7) has a VFIO device open"));
		users_of(&t, VF1, &text, NULL);
		EXPECT(strstr(buf_text(&text), "process dpdk (7) has a VFIO device open"));
		/* The PF has a driver of the kernel. */
		EXPECT(used(&t, PF, ""));
	}
}

TEST(two_devices_of_one_group_twice_open)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };

	build(&t, "process\t7\tdpdk\t\nhandle\t0\t239\t5\t5\nhandle\t0\t239\t5\t5\n"
		  "handle\t2\t0\t0\t\nhandle\t2\t0\t0\t\n");
	users_of(&t, VF1, &text, NULL);
	EXPECT(strstr(buf_text(&text), "that may be this one"));
}

TEST(a_look_that_is_not_complete)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 }, blind = { 0 };

	build(&t, "process\t7\tdpdk\t\nhandle\t0\t239\t5\t5\nblind\tno right to look\n");
	users_of(&t, VF0, &text, &blind);
	EXPECT(same(buf_text(&blind), "no right to look"));
	EXPECT(same(buf_text(&text), "process dpdk (7) has it open by VFIO"));
	users_of(&t, VF1, &text, &blind);
	EXPECT(strstr(buf_text(&text), "bound to vfio-pci, and who has it open cannot be seen"));
	EXPECT(used(&t, PF, ""));
}

/* One group of two functions is one user's. */
TEST(a_group_of_two)
{
	static const struct tree_row rows[] = {
		VFIO_BOUND(VF0, "5"),
		{ .path = PCI "/" VF0 "/vfio-dev/vfio3/x", .text = "" },
		{ .path = "/sys/class/vfio-dev/vfio3/dev", .text = "511:3\n" },
		{ .path = PCI "/" VF1 "/driver", .link = DRIVER("vfio-pci") },
		{ .path = PCI "/" VF1 "/iommu_group", .link = GROUP("5") },
		{ .path = "/sys/kernel/iommu_groups/5/devices/" VF1, .text = "" },
	};
	static const char *const passes[] = {
		"process\t7\tdpdk\t\nhandle\t0\t511\t3\tvfio3\n",
		"process\t7\tdpdk\t\nhandle\t2\t0\t0\t" VF0 "\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(passes); i++) {
		AUTO_TREE struct tree t = { 0 };

		tree_build(&t, rows, ARRAY_SIZE(rows));
		put_answers(&t, passes[i], NULL);
		EXPECT(used(&t, VF0, "process dpdk (7) has it open by VFIO"));
		EXPECT(used(&t, VF1,
			    "process dpdk (7) has " VF0
			    ", which is in its IOMMU group, open by VFIO"));
	}
}

/* Without an IOMMU the group's device has another name than the group (drivers/vfio/group.c). */
TEST(a_group_without_an_iommu)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("vfio-pci") },
	     { .path = PCI "/" VF0 "/iommu_group", .link = GROUP("5") },
	     { .path = "/sys/class/vfio/noiommu-5/dev", .text = "239:5\n" },
	     { .path = "/sys/kernel/iommu_groups/5/devices/" VF0, .text = "" });
	put_answers(&t, "process\t7\tdpdk\t\nhandle\t0\t239\t5\tnoiommu-5\nhandle\t2\t0\t0\t\n",
		    NULL);
	EXPECT(used(&t, VF0, "process dpdk (7) has it open by VFIO"));
}

/* Not only VFIO is held by processes that cannot be seen. */
TEST(doors_that_cannot_be_looked_through)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("mlx5_core") },
	     { .path = PCI "/" VF0 "/infiniband_verbs/uverbs2/x", .text = "x\n" },
	     { .path = PCI "/" VF1 "/driver", .link = DRIVER("nvme") },
	     { .path = PCI "/" VF1 "/nvme/nvme1/nvme1n1/x", .text = "" });
	put_answers(&t, "blind\tno right to look\n", NULL);
	users_of(&t, VF0, &text, NULL);
	EXPECT(strstr(buf_text(&text), "who has it open cannot be seen"));
	users_of(&t, VF1, &text, NULL);
	EXPECT(strstr(buf_text(&text), "who has it open cannot be seen"));
}

TEST(a_copy_of_a_host)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 }, blind = { 0 };

	tree_build(&t, on_vfio, ARRAY_SIZE(on_vfio));
	users_of(&t, VF0, &text, &blind);
	EXPECT(strstr(buf_text(&blind), "run it on the host itself"));
	EXPECT(strstr(buf_text(&text), "cannot be seen from here"));
}

TEST(other_doors)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("uio_pci_generic") },
	     { .path = PCI "/" VF0 "/uio/uio0/name", .text = "x\n" },
	     { .path = "/sys/class/uio/uio0/dev", .text = "240:0\n" },
	     { .path = PCI "/" VF1 "/driver", .link = DRIVER("mlx5_core") },
	     { .path = PCI "/" VF1 "/infiniband_verbs/uverbs2/x", .text = "x\n" },
	     { .path = "/sys/class/infiniband_verbs/uverbs2/dev", .text = "231:194\n" },
	     { .path = "/sys/bus/vdpa/devices/vdpa0",
	       .link = "../../../devices/pci0000:00/" VF1 "/mlx5_core.sf.2/vdpa0" });
	put_answers(&t,
		    "process\t7\ttestpmd\t\nhandle\t0\t0\t0\tuio0\n"
		    "handle\t4\t0\t0\t" VF0 "\n"
		    "process\t8\tib_write_bw\t\nhandle\t0\t231\t194\tuverbs2\n"
		    "process\t9\tother\t\nhandle\t0\t231\t195\tuverbs3\n",
		    NULL);
	EXPECT(used(&t, VF0,
		    "process testpmd (7) has its memory mapped; "
		    "process testpmd (7) has it open by UIO"));
	EXPECT(used(&t, VF1,
		    "process ib_write_bw (8) has it open by RDMA; "
		    "vDPA device vdpa0 stands on it"));
}

/* Whatever sysfs has below a function. */
TEST(devices_below_a_function)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("iavf") },
	     { .path = PCI "/" VF1 "/driver", .link = DRIVER("amdgpu") },
	     { .path = "/sys/dev/char/245:3",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF0 "/ptp/ptp3" },
	     { .path = "/sys/dev/char/226:1",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF1 "/drm/card1" },
	     { .path = "/sys/dev/char/10:50",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF1 "/misc/gate" },
	     { .path = "/sys/dev/block/254:0",
	       .link = "../../devices/pci0000:00/0000:00:01.0/" VF1 "/virtio3/block/vda" },
	     { .path = "/sys/dev/char/10:232", .link = "../../devices/virtual/misc/kvm" });
	put_answers(&t,
		    "process\t7\tptp4l\t\nhandle\t0\t245\t3\tptp3\nhandle\t0\t10\t232\tkvm\n"
		    "process\t8\tXorg\t\nhandle\t0\t226\t1\tcard1\nhandle\t0\t10\t50\tgate\n"
		    "process\t9\tdd\t\nhandle\t1\t254\t0\tvda\nhandle\t0\t254\t0\tother\n",
		    NULL);
	EXPECT(used(&t, VF0, "process ptp4l (7) has its device ptp3 open"));
	EXPECT(used(&t, VF1,
		    "process Xorg (8) has its device card1 open; process Xorg (8) has its device "
		    "gate open; process dd (9) has its device vda open"));
	EXPECT(used(&t, PF, ""));
}

/* --- interfaces ------------------------------------------------------------------------------ */

struct item {
	int index;
	const char *name, *kind;
	uint32_t master, lower;
	bool xdp;
};

static void put_item(struct buf *b, const struct item *item)
{
	static const uint8_t attached = XDP_ATTACHED_DRV;
	size_t at = start_link(b, item->index, item->name), nest;

	if (item->master)
		put_u32(b, IFLA_MASTER, item->master);
	if (item->lower)
		put_u32(b, IFLA_LINK, item->lower);
	if (item->kind) {
		nest = start(b, IFLA_LINKINFO);
		put(b, IFLA_INFO_KIND, item->kind, strlen(item->kind) + 1);
		finish(b, nest);
	}
	if (item->xdp) {
		nest = start(b, IFLA_XDP);
		put(b, IFLA_XDP_ATTACHED, &attached, 1);
		finish(b, nest);
	}
	finish_link(b, at);
}

static void build_net(struct tree *t, const struct item *items, size_t n)
{
	AUTO_BUF struct buf links = { 0 };

	for (size_t i = 0; i < n; i++)
		put_item(&links, &items[i]);
	TREE(t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("iavf") },
	     { .path = PCI "/" VF0 "/net/eth1/x", .text = "" });
	put_answers(t, "", &links);
}

static void put_address(struct tree *t, uint32_t index)
{
	static const uint8_t address[4] = { 192, 0, 2, 1 };
	const struct nlmsghdr header = { .nlmsg_type = RTM_NEWADDR };
	const struct ifaddrmsg m = { .ifa_family = 2, .ifa_prefixlen = 24, .ifa_index = index };
	AUTO_BUF struct buf b = { 0 };

	buf_append(&b, &header, sizeof(header));
	buf_append(&b, &m, sizeof(m));
	put(&b, IFA_LOCAL, address, sizeof(address));
	finish_link(&b, 0);
	tree_put_bytes(t, ANSWERS "/addresses/all", b.data, b.len);
}

static void put_default_route(struct tree *t, uint32_t index)
{
	const struct nlmsghdr header = { .nlmsg_type = RTM_NEWROUTE };
	const struct rtmsg m = { .rtm_family = 2, .rtm_type = RTN_UNICAST };
	AUTO_BUF struct buf b = { 0 };

	buf_append(&b, &header, sizeof(header));
	buf_append(&b, &m, sizeof(m));
	put_u32(&b, RTA_OIF, index);
	finish_link(&b, 0);
	tree_put_bytes(t, ANSWERS "/routes/all", b.data, b.len);
}

TEST(a_member_and_what_stands_on_an_interface)
{
	static const struct item items[] = {
		{ .index = 3, .name = "eth1", .master = 9, .xdp = true },
		{ .index = 9, .name = "br0", .kind = "bridge" },
		{ .index = 10, .name = "eth1.5", .kind = "vlan", .lower = 3 },
		/* The other end of a pair, which may have any index in its namespace. */
		{ .index = 11, .name = "veth0", .kind = "veth", .lower = 3 },
	};
	AUTO_TREE struct tree t = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	EXPECT(used(&t, VF0,
		    "its interface eth1 is a member of bridge br0; "
		    "vlan eth1.5 stands on its interface eth1; "
		    "an XDP program is attached to its interface eth1"));
}

TEST(an_interface_that_is_up_alone)
{
	static const struct item items[] = { { .index = 3, .name = "eth1" } };
	AUTO_TREE struct tree t = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	EXPECT(used(&t, VF0, ""));
}

TEST(an_interface_with_an_address)
{
	static const struct item items[] = { { .index = 3, .name = "eth1" } };
	AUTO_TREE struct tree t = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	put_address(&t, 3);
	EXPECT(used(&t, VF0, "its interface eth1 is up with the address 192.0.2.1/24"));
}

TEST(a_packet_socket)
{
	static const struct item items[] = { { .index = 3, .name = "eth1" } };
	static const char sockets[] = "sk       RefCnt Type Proto  Iface R Rmem   User   Inode\n"
				      "0000 3 3 0003 0 1 0 0 100\n"
				      "0000 3 3 0003 3 1 0 0 101\n"
				      "0000 3 3 0003 3 1 0 0 102\n"
				      "0000 3 3 0003 4 1 0 0 103\n";
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf links = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	put_item(&links, &items[0]);
	put_answers(&t, "process\t7\ttestpmd\t\nhandle\t5\t0\t0\t101\n", &links);
	tree_put(&t, "/proc/net/packet", sockets);
	EXPECT(used(&t, VF0,
		    "process testpmd (7) has a packet socket on its interface eth1; "
		    "somebody has a packet socket on its interface eth1"));
}

TEST(an_address_of_another)
{
	static const struct item items[] = { { .index = 3, .name = "eth1" } };
	AUTO_TREE struct tree t = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	put_address(&t, 4);
	put_default_route(&t, 4);
	EXPECT(used(&t, VF0, ""));
}

static bool pf_used(const struct tree *t, const char *expected)
{
	AUTO_STRV struct strv users = { 0 };
	AUTO_BUF struct buf text = { 0 };

	EXPECT(holders_of_pf(t->h, VF0, "eth1", &users, NULL) == 0);
	for (size_t i = 0; i < users.n; i++)
		buf_printf(&text, "%s%s", i ? "; " : "", users.items[i]);
	if (!same(buf_text(&text), expected))
		printf("# %s\n", buf_text(&text));
	return same(buf_text(&text), expected);
}

/* eth1 is in bond0, on which a VLAN has the default route. */
TEST(a_route_that_leads_through)
{
	static const struct item items[] = {
		{ .index = 3, .name = "eth1", .master = 9 },
		{ .index = 9, .name = "bond0", .kind = "bond" },
		{ .index = 10, .name = "bond0.5", .kind = "vlan", .lower = 9 },
		{ .index = 12, .name = "eth9" },
	};
	AUTO_TREE struct tree t = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	put_default_route(&t, 10);
	EXPECT(pf_used(&t, "its interface eth1 is a member of bond bond0; a default route (IPv4) "
			   "leads through bond0.5, which stands on its interface eth1"));
}

/* Interfaces that stand on each other in a circle, which no kernel would make. */
TEST(a_circle_ends)
{
	static const struct item items[] = {
		{ .index = 3, .name = "eth1", .master = 9 },
		{ .index = 9, .name = "br0", .kind = "bridge", .master = 3 },
	};
	AUTO_TREE struct tree t = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	put_default_route(&t, 4);
	EXPECT(pf_used(&t, "its interface eth1 is a member of bridge br0"));
}

TEST(an_interface_elsewhere)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/driver", .link = DRIVER("iavf") },
	     { .path = PCI "/" VF0 "/net" }, { .path = PCI "/" VF1 "/net" },
	     { .path = "/run/netns/red", .text = "" }, { .path = "/run/netns/blue", .text = "" },
	     { .path = ANSWERS "/netns/name.red", .text = "77\neth0 0000:05:00.0\n" },
	     { .path = ANSWERS "/netns/name.blue", .text = "78\neth7 " VF0 "\n" },
	     { .path = ANSWERS "/netns/process.12", .text = "79\neth8 " VF1 "\n" });
	put_answers(&t, "net\t79\t12\tsleep\tin\n", NULL);
	EXPECT(used(&t, VF0, "its interface eth7 is in network namespace blue"));
	EXPECT(used(&t, VF1,
		    "its interface eth8 is in the network namespace of process sleep (12)"));
	tree_put(&t, ANSWERS "/netns/name.blue", "78\n");
	EXPECT(used(&t, VF0, "its interface is in another network namespace, which was not found"));
}

/* What a container has on it is seen from in there alone. */
TEST(what_stands_on_an_interface_from_elsewhere)
{
	static const struct item items[] = { { .index = 3, .name = "eth1" } };
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf links = { 0 };

	build_net(&t, items, ARRAY_SIZE(items));
	put_item(&links, &items[0]);
	tree_put(&t, "/run/netns/red", "");
	tree_put(&t, ANSWERS "/netns/name.red", "77\nmv0 4 macvlan\neth0 0000:05:00.0\n");
	tree_put(&t, ANSWERS "/netns/process.12", "79\neth0 3 ipvlan\nmv1 3 macvlan\n");
	tree_put(&t, ANSWERS "/netns/descriptor.13.7", "80\nv0 3 vlan\n");
	tree_put(&t, ANSWERS "/netns/mounted.14.81", "81\nv1 3 vlan\n");
	put_answers(&t,
		    "net\t77\t11\tsh\tin\nnet\t79\t12\tsleep\tin\nnet\t79\t13\tsh\tin\n"
		    "net\t80\t13\tsh\t7\nnet\t81\t14\tpodman\tmounted\n",
		    &links);
	EXPECT(used(&t, VF0,
		    "ipvlan eth0 in the network namespace of process sleep (12) stands on its "
		    "interface eth1; macvlan mv1 in the network namespace of process sleep (12) "
		    "stands on its interface eth1; vlan v0 in a network namespace that process sh "
		    "(13) has open stands on its interface eth1; vlan v1 in a network namespace "
		    "that process podman (14) sees mounted stands on its interface eth1"));
	/* The first of two in there has ended. */
	tree_put(&t, ANSWERS "/netns/process.12", "");
	tree_put(&t, ANSWERS "/netns/process.13", "79\neth0 3 ipvlan\n");
	tree_put(&t, ANSWERS "/netns/descriptor.13.7", "80\n");
	tree_put(&t, ANSWERS "/netns/mounted.14.81", "81\n");
	EXPECT(used(&t, VF0,
		    "ipvlan eth0 in the network namespace of process sh (13) stands on its "
		    "interface eth1"));
}

/* --- block devices --------------------------------------------------------------------------- */

#define BLOCK "/sys/class/block"

TEST(block_devices)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PCI "/" VF0 "/nvme/nvme1/nvme1c2n1/x", .text = "" },
	     { .path = PCI "/" VF0 "/nvme/nvme1/queue_count", .text = "2\n" },
	     { .path = BLOCK "/nvme1n1/dev", .text = "259:0\n" },
	     { .path = BLOCK "/nvme1n1/holders" },
	     { .path = BLOCK "/nvme1n1/nvme1n1p1/x", .text = "" },
	     { .path = BLOCK "/nvme1n1/nvme1n1p2/x", .text = "" },
	     { .path = BLOCK "/nvme1n1p1/dev", .text = "259:1\n" },
	     { .path = BLOCK "/nvme1n1p1/holders/dm-0/x", .text = "" },
	     { .path = BLOCK "/nvme1n1p2/dev", .text = "259:2\n" },
	     { .path = "/proc/swaps", .text = "Filename\tType\n/dev/nvme1n1p1 partition 1 0\n" },
	     { .path = "/proc/3/mountinfo",
	       .text = "20 1 259:2 / /mnt rw - ext4 /dev/mapper/x rw\n" });
	put_answers(&t,
		    "mount\t5\t3\tinit\tin\nprocess\t7\tdd\t\nhandle\t1\t259\t0\tnvme1n1\n"
		    "process\t8\tcat\t\nhandle\t0\t259\t0\tnvme1n1\n",
		    NULL);
	EXPECT(used(&t, VF0,
		    "process dd (7) has its block device nvme1n1 open; "
		    "dm-0 stands on its block device nvme1n1p1; "
		    "its block device nvme1n1p1 is swap space; "
		    "its block device nvme1n1p2 is mounted at /mnt"));
}

static bool is_mounted(const char *line, const char *where)
{
	AUTO_BUF struct buf b = { 0 };

	holders_parse_mounts(line, "/dev/nvme1n1", "259:3", &b);
	return same(buf_text(&b), where);
}

TEST(mounts)
{
	EXPECT(is_mounted("36 35 259:3 / /mnt/a\\040b rw,noatime master:1 - ext3 /dev/root rw",
			  "/mnt/a\\040b"));
	/* btrfs has a number of its own. */
	EXPECT(is_mounted(
		"1 1 0:5 / / rw - proc x rw\n36 35 0:42 / /mnt rw - btrfs /dev/nvme1n1 rw",
		"/mnt"));
	EXPECT(is_mounted("36 35 259:30 / /mnt rw - ext3 /dev/nvme1n10 rw", ""));
	EXPECT(is_mounted("36 35 0:42 / /mnt rw - btrfs", "") && is_mounted("36 35", ""));
	EXPECT(is_mounted("36 35 0:4 / /dev/nvme1n1 rw - x y rw", "") && is_mounted("", ""));
}

TEST(swaps)
{
	EXPECT(holders_parse_swaps("Filename\n/dev/sda1 file\n/dev/nvme1n1p2 x\n", "/dev/sda1"));
	EXPECT(!holders_parse_swaps("Filename\n/dev/sda11 file\n", "/dev/sda1"));
	EXPECT(!holders_parse_swaps("", "/dev/sda1"));
}
