/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_tree.h"
#include "netlink.h"

#include <sriovctl/error.h>

#include <linux/if_addr.h>

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
