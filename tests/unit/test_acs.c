/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pci_space.h"

#include "../../checks/facts/acs_quirks.h"

#include <sriovctl/acs.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcitree.h>

#define PORT  "pci0000:00/0000:00:01.0"
#define NIC   PORT "/0000:01:00.0"
#define NIC1  PORT "/0000:01:00.1"
#define OTHER PORT "/0000:01:01.0"
#define ALL   0x1f

enum { ENDPOINT = 0, ROOT = 4, UP = 5, DOWN = 6, TO_PCI = 7, INTEGRATED = 9 };

/* A root port and a NIC below it, on a host whose IOMMU runs. */
static void plant(struct tree *t, const struct space *port, bool iommu)
{
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	tree_new(t);
	tree_put(t, "/proc/cmdline", "quiet");
	tree_put(t, "/proc/version", "Linux version 6.1.0-18-amd64 (x)");
	tree_put_dir(t, "/sys/kernel/iommu_groups");
	tree_put_function(t, PORT, port);
	tree_put_function(t, NIC, &nic);
	if (iommu) {
		tree_put_dir(t, "/sys/devices/pci0000:00/0000:00:00.0");
		tree_put_group(t, "pci0000:00/0000:00:00.0", "0");
	}
}

static struct acs read_acs(const struct tree *t, const char *bdf)
{
	const struct pcitree *tree = NULL;
	const struct pcitree_node *n;
	struct acs a = { .state = ACS_UNKNOWN };

	EXPECT(pcitree_get(t->h, &tree, NULL) == 0);
	n = tree ? pcitree_find(tree, bdf) : NULL;
	EXPECT(n && acs_read(t->h, n, &a, NULL) == 0);
	return a;
}

static struct acs judge_port(const struct space *port, bool iommu)
{
	AUTO_TREE struct tree t = { 0 };

	plant(&t, port, iommu);
	return read_acs(&t, "0000:00:01.0");
}

TEST(ports_need_their_bits_on)
{
	struct space s = space_bridge(ROOT, 0, 1, 1);
	struct acs a = judge_port(&s, true);

	EXPECT(a.state == ACS_SHARES && !a.capable);
	space_add_acs(&s, ALL, 0x1d);
	a = judge_port(&s, true);
	EXPECT(a.state == ACS_ISOLATES && a.capable && !a.future);
	space_add_acs(&s, ALL, 0x11);
	a = judge_port(&s, true);
	EXPECT(a.state == ACS_SHARES &&
	       a.lacking == (ACS_REQUEST_REDIRECT | ACS_COMPLETION_REDIRECT));
	/* What the capability lacks counts as wired. */
	space_add_acs(&s, 0x01, 0x01);
	EXPECT(judge_port(&s, true).state == ACS_ISOLATES);
	space_add_acs(&s, 0x00, 0x00);
	EXPECT(judge_port(&s, true).state == ACS_ISOLATES);
}

TEST(without_an_iommu_the_capability_counts)
{
	struct space s = space_bridge(DOWN, 0, 1, 1);
	struct acs a;

	EXPECT(judge_port(&s, false).state == ACS_SHARES);
	space_add_acs(&s, ALL, 0);
	a = judge_port(&s, false);
	EXPECT(a.state == ACS_ISOLATES && a.future);
}

/* drivers/iommu/of_iommu.c asks for ACS when the ports have been looked at. */
TEST(on_arm_the_kernel_asks_in_time_with_acpi_only)
{
	AUTO_TREE struct tree acpi = { 0 }, tree = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);
	struct acs a;

	space_add_acs(&s, ALL, 0);
	plant(&acpi, &s, false);
	tree_put(&acpi, "/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n");
	tree_put_dir(&acpi, "/sys/firmware/acpi/tables");
	a = read_acs(&acpi, "0000:00:01.0");
	EXPECT(a.state == ACS_ISOLATES && a.future);
	plant(&tree, &s, false);
	tree_put(&tree, "/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n");
	a = read_acs(&tree, "0000:00:01.0");
	EXPECT(a.state == ACS_UNKNOWN && !a.future);
}

TEST(words_that_keep_bits_off)
{
	AUTO_TREE struct tree t = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	space_add_acs(&s, ALL, 0);
	plant(&t, &s, false);
	tree_put(&t, "/proc/cmdline", "pci=noaer,disable_acs_redir=pci:0:0");
	EXPECT(read_acs(&t, "0000:00:01.0").state == ACS_UNKNOWN);
}

TEST(types)
{
	struct space s = space_bridge(UP, 0, 1, 1);

	EXPECT(judge_port(&s, true).state == ACS_ISOLATES);
	s.data[0x0e] |= 0x80;
	EXPECT(judge_port(&s, true).state == ACS_SHARES);
	s = space_bridge(TO_PCI, 0, 1, 1);
	space_add_acs(&s, ALL, ALL);
	EXPECT(judge_port(&s, true).state == ACS_SHARES);
	s = space_conventional();
	EXPECT(judge_port(&s, true).state == ACS_SHARES);
	s = space_bridge(3, 0, 1, 1);
	EXPECT(judge_port(&s, true).state == ACS_UNKNOWN);
}

TEST(what_cannot_be_read_is_unknown)
{
	struct space s = space_bridge(ROOT, 0, 1, 1);
	struct acs a;

	space_add_acs(&s, ALL, ALL);
	s.len = 64;
	a = judge_port(&s, true);
	EXPECT(a.state == ACS_UNKNOWN && a.error < 0 && a.error != -ENOENT);
	s.len = 256;
	a = judge_port(&s, true);
	EXPECT(a.state == ACS_UNKNOWN && a.error == -ENODATA);
}

TEST(vfs_are_taken_to_be_isolated)
{
	AUTO_TREE struct tree t = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	plant(&t, &s, true);
	tree_put_function(&t, OTHER, NULL);
	tree_put_attr_link(&t, OTHER, "physfn", "../0000:01:00.0");
	EXPECT(read_acs(&t, "0000:01:01.0").state == ACS_ISOLATES);
}

TEST(registers_of_sunrise_point_take_dwords)
{
	struct space s = space_bridge(ROOT, 0, 1, 1);

	put32(&s, 0, 0xa1108086);
	/* Where others have control, this one has zeros. */
	space_add_acs(&s, ALL, 0);
	EXPECT(judge_port(&s, true).state == ACS_SHARES);
	put32(&s, SPACE_EXT2 + 8, ALL);
	EXPECT(judge_port(&s, true).state == ACS_ISOLATES);
	put32(&s, SPACE_EXT2 + 8, 0x01);
	EXPECT(judge_port(&s, true).lacking == 0x1c);
}

TEST(chipset_ports_are_up_to_the_kernel)
{
	AUTO_TREE struct tree t = { 0 }, logged = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	put32(&s, 0, 0x1d108086);
	EXPECT(judge_port(&s, true).state == ACS_UNKNOWN);
	plant(&logged, &s, true);
	tree_put(&logged, "/var/log/dmesg",
		 "[    0.5] pci 0000:00:01.0: Intel PCH root port ACS workaround enabled\n");
	EXPECT(read_acs(&logged, "0000:00:01.0").state == ACS_ISOLATES);
	plant(&t, &s, true);
	tree_put_group(&t, PORT, "1");
	tree_put_group(&t, NIC, "2");
	EXPECT(read_acs(&t, "0000:00:01.0").state == ACS_ISOLATES);
}

TEST(a_rule_of_a_later_kernel_is_no_fault)
{
	AUTO_TREE struct tree t = { 0 }, patched = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	plant(&t, &s, true);
	tree_put_group(&t, PORT, "1");
	tree_put_group(&t, NIC, "2");
	EXPECT(read_acs(&t, "0000:00:01.0").state == ACS_UNKNOWN);
	/* The override makes such groups as well. */
	plant(&patched, &s, true);
	tree_put(&patched, "/proc/cmdline", "pcie_acs_override=downstream");
	tree_put_group(&patched, PORT, "1");
	tree_put_group(&patched, NIC, "2");
	EXPECT(read_acs(&patched, "0000:00:01.0").state == ACS_SHARES);
}

TEST(quirks_depend_on_the_kernel)
{
	AUTO_TREE struct tree t = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	put32(&s, 0, 0xe0051def);
	EXPECT(judge_port(&s, true).state == ACS_ISOLATES);
	plant(&t, &s, true);
	tree_put(&t, "/proc/version", "Linux version 4.19.0 (x)");
	EXPECT(read_acs(&t, "0000:00:01.0").state == ACS_UNKNOWN);
}

static enum acs_quirk_kind kind(uint16_t vendor, uint16_t device, enum pciconf_type type)
{
	return acs_quirks_find(&(struct acs_subject){
				       .vendor = vendor,
				       .device = device,
				       .express = true,
				       .type = type,
			       })
		.kind;
}

TEST(rules)
{
	struct acs_subject south = { .vendor = 0x1022,
				     .device = 0x780f,
				     .multifunction = true,
				     .on_root_bus = true,
				     .ivrs = true };

	EXPECT(kind(0x8086, 0x1521, PCICONF_ENDPOINT) == ACS_QUIRK_ISOLATES);
	EXPECT(kind(0x8086, 0x1572, PCICONF_ENDPOINT) == ACS_QUIRK_NONE);
	EXPECT(kind(0x8086, 0x37d2, PCICONF_INTEGRATED_ENDPOINT) == ACS_QUIRK_ISOLATES);
	EXPECT(kind(0x8086, 0x1d11, PCICONF_ROOT_PORT) == ACS_QUIRK_NONE);
	EXPECT(kind(0x8086, 0x1d10, PCICONF_ENDPOINT) == ACS_QUIRK_NONE);
	EXPECT(kind(0x1d17, 0x0720, PCICONF_ROOT_PORT) == ACS_QUIRK_SHARES);
	EXPECT(kind(0x1d17, 0x0721, PCICONF_ROOT_PORT) == ACS_QUIRK_ISOLATES);
	EXPECT(kind(0x177d, 0xa05a, PCICONF_ENDPOINT) == ACS_QUIRK_NONE);
	EXPECT(acs_quirks_find(&south).kind == ACS_QUIRK_ISOLATES);
	south.ivrs = false;
	EXPECT(acs_quirks_find(&south).kind == ACS_QUIRK_NONE);
}

/* --- paths and groups ------------------------------------------------------------------ */

#define SW_UP	PORT "/0000:01:00.0"
#define SW_DOWN SW_UP "/0000:02:00.0"
#define DEEP	SW_DOWN "/0000:03:00.0"

/* Root port, switch, NIC; the switch's downstream port with or without ACS. */
static void plant_switch(struct tree *t, bool acs)
{
	struct space root = space_bridge(ROOT, 0, 1, 3), up = space_bridge(UP, 1, 2, 3);
	struct space down = space_bridge(DOWN, 2, 3, 3);
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	space_add_acs(&root, ALL, 0x1d);
	if (acs)
		space_add_acs(&down, ALL, 0x1d);
	plant(t, &root, true);
	tree_put_bytes(t, "/sys/devices/" SW_UP "/config", up.data, up.len);
	tree_put_function(t, SW_DOWN, &down);
	tree_put_function(t, DEEP, &nic);
}

TEST(a_path_is_as_good_as_its_worst_port)
{
	AUTO_TREE struct tree good = { 0 }, bad = { 0 };
	AUTO_ACS_PATH struct acs_path p = { 0 }, q = { 0 };

	plant_switch(&good, true);
	EXPECT(acs_path_read(good.h, "0000:03:00.0", &p, NULL) == 0);
	EXPECT(p.state == ACS_ISOLATES && p.n == 3 && !acs_path_blame(&p));
	plant_switch(&bad, false);
	EXPECT(acs_path_read(bad.h, "0000:03:00.0", &q, NULL) == 0);
	EXPECT(q.state == ACS_SHARES && q.n == 3);
	EXPECT(acs_path_blame(&q) && same(acs_path_blame(&q)->node->name, "0000:02:00.0"));
	EXPECT(acs_path_read(bad.h, "0000:09:00.0", &q, NULL) == -ENODATA);
}

TEST(a_root_bus_has_no_ports_and_a_broken_path_is_unknown)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ACS_PATH struct acs_path p = { 0 }, q = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	plant(&t, &s, true);
	tree_put(&t, "/sys/bus/pci/devices/0000:40:00.0/class", "0x020000");
	EXPECT(acs_path_read(t.h, "0000:00:01.0", &p, NULL) == 0);
	EXPECT(p.state == ACS_ISOLATES && p.n == 0 && p.error == 0);
	EXPECT(acs_path_read(t.h, "0000:40:00.0", &q, NULL) == 0);
	EXPECT(q.state == ACS_UNKNOWN && q.error == -ENODATA);
}

TEST(members_of_a_group)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ACS_GROUP struct acs_group g = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	plant(&t, &s, true);
	tree_put_function(&t, NIC1, NULL);
	tree_put_function(&t, OTHER, NULL);
	tree_put_function(&t, PORT "/0000:01:10.0", NULL);
	tree_put_attr_link(&t, PORT "/0000:01:10.0", "physfn", "../0000:01:00.0");
	tree_put_group(&t, PORT, "7");
	tree_put_group(&t, NIC, "7");
	tree_put_group(&t, NIC1, "7");
	tree_put_group(&t, OTHER, "7");
	tree_put_group(&t, PORT "/0000:01:10.0", "7");
	EXPECT(acs_group_read(t.h, "0000:01:00.0", &g, NULL) == 0);
	EXPECT(same(g.name, "7") && g.complete && g.port_known && g.port_above);
	EXPECT(g.bridges.n == 1 && g.vfs.n == 1 && g.siblings.n == 1 && g.others.n == 1);
	EXPECT(g.others.n == 1 && same(g.others.items[0], "0000:01:01.0"));
}

TEST(a_link_alone_is_no_list)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ACS_GROUP struct acs_group g = { 0 };
	struct space s = space_bridge(ROOT, 0, 1, 1);

	plant(&t, &s, true);
	tree_put_attr_link(&t, NIC, "iommu_group", "/sys/kernel/iommu_groups/7");
	EXPECT(acs_group_read(t.h, "0000:01:00.0", &g, NULL) == 0);
	EXPECT(!g.complete && g.others.n == 0 && !g.port_above);
	EXPECT(acs_group_read(t.h, "0000:00:01.0", &g, NULL) == -ENODATA);
}
