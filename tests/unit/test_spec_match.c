/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>

#define DEVICES "/sys/bus/pci/devices"
#define PORT3	"/sys/devices/pci0000:3a/0000:3a:00.0"
#define CARD3	PORT3 "/0000:3b:00.0"
#define CARD31	PORT3 "/0000:3b:00.1"
#define PORT7	"/sys/devices/pci0000:5b/0000:5b:00.0"
#define SWITCH	PORT7 "/0000:5c:00.0/0000:5d:00.0"
#define CARD7	SWITCH "/0000:5e:00.0"
#define DISK	"/sys/devices/pci0000:3a/0000:3a:02.0"
#define VF	PORT3 "/0000:3b:02.0"
#define PLAIN	"/sys/devices/pci0000:00/0000:00:1f.6"
#define NETS	"/sys/class/net"

#define FUNCTION(dir, bdf, ids, node, vfs)                       \
	{ .path = DEVICES "/" bdf, .link = "../../../.." dir },  \
		{ .path = dir "/vendor", .text = "0x8086\n" },   \
		{ .path = dir "/device", .text = ids "\n" },     \
		{ .path = dir "/class", .text = "0x020000\n" },  \
		{ .path = dir "/resource", .text = "\n" },       \
		{ .path = dir "/numa_node", .text = node "\n" }, \
	{                                                        \
		.path = dir "/sriov_totalvfs", .text = vfs "\n"  \
	}
#define BRIDGE(dir, bdf)                                        \
	{ .path = DEVICES "/" bdf, .link = "../../../.." dir }, \
		{ .path = dir "/class", .text = "0x060400\n" }, \
	{                                                       \
		.path = dir "/resource", .text = "\n"           \
	}
#define NETDEV(dir, name, type, mac)                                              \
	{ .path = dir "/net/" name },                                             \
		{ .path = NETS "/" name "/addr_assign_type", .text = type "\n" }, \
	{                                                                         \
		.path = NETS "/" name "/address", .text = mac "\n"                \
	}

/*
 * A card with two ports in slot 3, one with a switch of its own in slot 7, a function that
 * firmware calls "NIC 1" and that has no interface, and one without VFs.
 */
static const struct tree_row rows[] = {
	BRIDGE(PORT3, "0000:3a:00.0"),
	FUNCTION(CARD3, "0000:3b:00.0", "0x1592", "0", "64"),
	NETDEV(CARD3, "ens3f0", "0", "00:1b:21:00:00:01"),
	FUNCTION(CARD31, "0000:3b:00.1", "0x1592", "0", "64"),
	NETDEV(CARD31, "ens3f1", "3", "00:1b:21:00:00:01"),
	BRIDGE(PORT7, "0000:5b:00.0"),
	BRIDGE(PORT7 "/0000:5c:00.0", "0000:5c:00.0"),
	BRIDGE(SWITCH, "0000:5d:00.0"),
	FUNCTION(CARD7, "0000:5e:00.0", "0x1592", "1", "64"),
	NETDEV(CARD7, "ens7", "0", "00:1b:21:00:00:07"),
	FUNCTION(DISK, "0000:3a:02.0", "0x0a54", "0", "8"),
	{ .path = DISK "/label", .text = "NIC 1\n" },
	{ .path = DEVICES "/0000:00:1f.6", .link = "../../../.." PLAIN },
	{ .path = PLAIN "/vendor", .text = "0x8086\n" },
	{ .path = PLAIN "/device", .text = "0x15fa\n" },
	{ .path = PLAIN "/class", .text = "0x020000\n" },
	{ .path = PLAIN "/resource", .text = "\n" },
	NETDEV(PLAIN, "eno1", "0", "00:1b:21:00:00:09"),
	{ .path = DEVICES "/0000:3b:02.0", .link = "../../../.." VF },
	{ .path = VF "/resource", .text = "\n" },
	{ .path = VF "/physfn", .link = "../0000:3b:00.0" },
	{ .path = VF "/net/ens3f0v0" },
	{ .path = "/sys/bus/pci/slots/3/address", .text = "0000:3b:00\n" },
	{ .path = "/sys/bus/pci/slots/7/address", .text = "0000:5c:00\n" },
	{ .path = "/sys/bus/pci/slots/9/address", .text = "0000:99:00\n" },
	/* netdevsim: a device that is on no bus of hardware, and has VFs. */
	{ .path = "/sys/devices/netdevsim1/sriov_numvfs", .text = "0\n" },
	{ .path = NETS "/eth9/device", .link = "../../../devices/netdevsim1" },
	{ .path = "/sys/devices/other", .text = "" },
	{ .path = NETS "/lo/address", .text = "00:00:00:00:00:00\n" },
};

static int match(const struct tree *t, const char *members, struct strv *ret, struct error *e)
{
	AUTO_SPEC struct spec *s = NULL;
	AUTO_BUF struct buf text = { 0 };

	buf_printf(&text, "{\"schema\": 1, \"pfs\": [%s]}", members);
	EXPECT(spec_parse(buf_text(&text), text.len, "f", &s, e) == 0);
	return s ? spec_match(s, t->h, ret, e) : -EINVAL;
}

static bool finds(const struct tree *t, const char *members, const char *bdf)
{
	AUTO_BUF struct buf text = { 0 };
	AUTO_STRV struct strv found = { 0 };
	struct error e = { 0 };
	int r;

	buf_printf(&text, "{\"match\": {%s}}", members);
	r = match(t, buf_text(&text), &found, &e);
	if (r == 0 && found.n == 1 && same(found.items[0], bdf))
		return true;
	printf("# %s: %d %s %s\n", members, r, e.text, found.n ? found.items[0] : "-");
	return false;
}

TEST(what_is_stable_finds_its_function)
{
	AUTO_TREE struct tree t = { 0 };

	tree_build(&t, rows, ARRAY_SIZE(rows));
	EXPECT(finds(&t, "\"pci\": \"0000:3b:00.0\"", "0000:3b:00.0"));
	EXPECT(finds(&t, "\"pci\": \"3B:00.1\"", "0000:3b:00.1"));
	EXPECT(finds(&t, "\"pci\": \"00:1f.6\"", "0000:00:1f.6"));
	EXPECT(finds(&t, "\"netdev\": \"ens3f1\"", "0000:3b:00.1"));
	EXPECT(finds(&t, "\"netdev\": \"eno1\"", "0000:00:1f.6"));
	EXPECT(finds(&t, "\"netdev\": \"eth9\"", "netdevsim1"));
	EXPECT(finds(&t, "\"permanent_mac\": \"00:1B:21:00:00:07\"", "0000:5e:00.0"));
	/* ens3f1 shows the same address, which is not its own. */
	EXPECT(finds(&t, "\"permanent_mac\": \"00:1b:21:00:00:01\"", "0000:3b:00.0"));
	EXPECT(finds(&t, "\"slot\": \"3\", \"port\": 1", "0000:3b:00.1"));
	EXPECT(finds(&t, "\"slot\": \"7\"", "0000:5e:00.0"));
	EXPECT(finds(&t, "\"slot\": \"NIC 1\"", "0000:3a:02.0"));
	EXPECT(finds(&t, "\"id\": \"8086:1592\", \"numa_node\": 1", "0000:5e:00.0"));
	EXPECT(finds(&t, "\"id\": \"8086:1592\", \"port\": 1", "0000:3b:00.1"));
	EXPECT(finds(&t, "\"id\": \"8086:1592\", \"port\": 0, \"numa_node\": 0", "0000:3b:00.0"));
	EXPECT(finds(&t, "\"id\": \"8086:0A54\"", "0000:3a:02.0"));
}

static const struct {
	const char *pfs, *error;
} mistakes[] = {
	{ .pfs = "{\"match\": {\"pci\": \"3b:00.2\"}}",
	  .error = "f:1:24: match: no function has the address \"0000:3b:00.2\"; there are: "
		   "0000:3a:02.0, 0000:3b:00.0 (ens3f0), 0000:3b:00.1 (ens3f1), 0000:5e:00.0 "
		   "(ens7)" },
	{ .pfs = "{\"match\": {\"netdev\": \"lo\"}}",
	  .error = "f:1:24: match: no function has the network interface \"lo\"; there are: "
		   "0000:3a:02.0, 0000:3b:00.0 (ens3f0), 0000:3b:00.1 (ens3f1), 0000:5e:00.0 "
		   "(ens7)" },
	{ .pfs = "{\"match\": {\"permanent_mac\": \"00:1b:21:00:00:02\"}}",
	  .error = "f:1:24: match: no function has the permanent address 00:1b:21:00:00:02; "
		   "there are: 0000:3a:02.0 (address not known), 0000:3b:00.0 (ens3f0, "
		   "00:1b:21:00:00:01), 0000:3b:00.1 (ens3f1, address not known), 0000:5e:00.0 "
		   "(ens7, 00:1b:21:00:00:07)" },
	/* It is there, and cannot have VFs. */
	{ .pfs = "{\"match\": {\"permanent_mac\": \"00:1b:21:00:00:09\"}}",
	  .error = "f:1:24: match: no function has the permanent address 00:1b:21:00:00:09; "
		   "there are: 0000:3a:02.0 (address not known), 0000:3b:00.0 (ens3f0, "
		   "00:1b:21:00:00:01), 0000:3b:00.1 (ens3f1, address not known), 0000:5e:00.0 "
		   "(ens7, 00:1b:21:00:00:07)" },
	{ .pfs = "{\"match\": {\"slot\": \"9\"}}",
	  .error = "f:1:24: match: no function has the slot \"9\"; there are: 0000:3a:02.0, "
		   "0000:3b:00.0 (ens3f0), 0000:3b:00.1 (ens3f1), 0000:5e:00.0 (ens7)" },
	{ .pfs = "{\"match\": {\"slot\": \"3\"}}",
	  .error = "f:1:24: match: 2 functions have the slot \"3\": 0000:3b:00.0 (ens3f0), "
		   "0000:3b:00.1 (ens3f1)" },
	{ .pfs = "{\"match\": {\"id\": \"8086:1592\", \"port\": 0}}",
	  .error = "f:1:24: match: 2 functions have the id 8086:1592 as port 0: 0000:3b:00.0 "
		   "(ens3f0, 8086:1592, node 0), 0000:5e:00.0 (ens7, 8086:1592, node 1)" },
	{ .pfs = "{\"match\": {\"id\": \"8086:0a54\", \"numa_node\": 1}}",
	  .error = "f:1:24: match: no function has the id 8086:0a54 on NUMA node 1; there are: "
		   "0000:3a:02.0 (8086:0a54, node 0), 0000:3b:00.0 (ens3f0, 8086:1592, node 0), "
		   "0000:3b:00.1 (ens3f1, 8086:1592, node 0), 0000:5e:00.0 (ens7, 8086:1592, "
		   "node 1)" },
	{ .pfs = "{\"match\": {\"netdev\": \"ens3f0v0\"}}",
	  .error = "f:1:24: match: 0000:3b:02.0 is a VF: the function that it is of has to be "
		   "named" },
	{ .pfs = "{\"match\": {\"pci\": \"3b:02.0\"}}",
	  .error = "f:1:24: match: 0000:3b:02.0 is a VF: the function that it is of has to be "
		   "named" },
	{ .pfs = "{\"match\": {\"pci\": \"3a:00.0\"}}",
	  .error = "f:1:24: match: no function has the address \"0000:3a:00.0\"; there are: "
		   "0000:3a:02.0, 0000:3b:00.0 (ens3f0), 0000:3b:00.1 (ens3f1), 0000:5e:00.0 "
		   "(ens7)" },
	{ .pfs = "{\"match\": {\"netdev\": \"ens7\"}}, {\"match\": {\"slot\": \"7\"}}",
	  .error = "f:1:55: match: 0000:5e:00.0 is meant at 1:24 already" },
};

TEST(none_and_many_are_refused_with_the_candidates)
{
	AUTO_TREE struct tree t = { 0 };

	tree_build(&t, rows, ARRAY_SIZE(rows));
	for (size_t i = 0; i < ARRAY_SIZE(mistakes); i++) {
		AUTO_STRV struct strv found = { 0 };
		struct error e = { 0 };

		EXPECT(match(&t, mistakes[i].pfs, &found, &e) == -EINVAL && found.n == 0);
		EXPECT(same(e.text, mistakes[i].error));
		if (!same(e.text, mistakes[i].error))
			printf("# %s\n# %s\n", mistakes[i].error, e.text);
	}
}

TEST(functions_are_found_in_the_order_of_the_spec)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv found = { 0 };

	tree_build(&t, rows, ARRAY_SIZE(rows));
	EXPECT(match(&t, "{\"match\": {\"slot\": \"7\"}}, {\"match\": {\"pci\": \"3b:00.0\"}}",
		     &found, NULL) == 0);
	EXPECT(found.n == 2 && same(found.items[0], "0000:5e:00.0") &&
	       same(found.items[1], "0000:3b:00.0"));
}

TEST(a_host_without_functions_says_so)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv found = { 0 };
	struct error e = { 0 };

	TREE(&t, { .path = DEVICES });
	EXPECT(match(&t, "{\"match\": {\"netdev\": \"e0\"}}", &found, &e) == -EINVAL);
	EXPECT(same(e.text, "f:1:24: match: no function has the network interface \"e0\"; none "
			    "here can have VFs"));
}

TEST(an_option_is_named_where_it_finds_nothing)
{
	static const struct spec_line line = { .pf = "e0", .vfs = "4" };
	AUTO_TREE struct tree t = { 0 };
	AUTO_SPEC struct spec *s = NULL;
	AUTO_STRV struct strv found = { 0 };
	struct error e = { 0 };

	TREE(&t, { .path = DEVICES });
	EXPECT(spec_from_line(&line, &s, &e) == 0);
	EXPECT(s && spec_match(s, t.h, &found, &e) == -EINVAL);
	EXPECT(same(e.text, "--pf: no function has the network interface \"e0\"; none here can "
			    "have VFs"));
}
