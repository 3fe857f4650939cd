/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pci_space.h"

#include <sriovctl/pcilink.h>

#define PORT "pci0000:00/0000:00:01.0"
#define NIC  PORT "/0000:01:00.0"
#define BDF  "0000:01:00.0"

/* speed index | lanes << 4 */
#define GEN4_X16 0x104
#define GEN3_X8	 0x083
#define GEN3_X16 0x103
#define GEN1_X1	 0x011
#define TRAINING (1 << 11)
#define RETRAIN	 (1 << 14)
#define BYITSELF (1 << 15)

enum { ENDPOINT = 0, ROOT = 4, INTEGRATED = 9 };

struct ends {
	uint32_t own_max, port_max;
	uint16_t own, port;
};

static void plant(struct tree *t, const struct ends *ends)
{
	struct space port = space_bridge(ROOT, 0, 1, 1);
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	space_add_link(&port, ends->port_max, ends->port);
	space_add_link(&nic, ends->own_max, ends->own);
	tree_new(t);
	tree_put_function(t, PORT, &port);
	tree_put_function(t, NIC, &nic);
}

static const struct pcilink *link_of(const struct tree *t)
{
	static const struct pcilink none = { .state = PCILINK_UNKNOWN };
	const struct pcilink *l = &none;

	EXPECT(pcilink_get(t->h, BDF, &l, NULL) == 0);
	return l;
}

static void expect(const struct ends *ends, enum pcilink_state state, enum pcilink_judgement speed,
		   enum pcilink_judgement width)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcilink *l;

	plant(&t, ends);
	l = link_of(&t);
	EXPECT(l->state == state);
	EXPECT(pcilink_judge(l, PCILINK_SPEED) == speed);
	EXPECT(pcilink_judge(l, PCILINK_WIDTH) == width);
}

TEST(judgements)
{
	expect(&(struct ends){ GEN4_X16, GEN4_X16, GEN4_X16, GEN4_X16 }, PCILINK_STEADY,
	       PCILINK_BEST, PCILINK_BEST);
	expect(&(struct ends){ GEN4_X16, GEN3_X8, GEN3_X8, GEN3_X8 }, PCILINK_STEADY,
	       PCILINK_PORT_BEST, PCILINK_PORT_BEST);
	expect(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X16, GEN3_X16 }, PCILINK_STEADY,
	       PCILINK_DEGRADED, PCILINK_BEST);
	expect(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 }, PCILINK_STEADY,
	       PCILINK_DEGRADED, PCILINK_DEGRADED);
	/* The port tells nothing, and the card runs as fast as it can. */
	expect(&(struct ends){ GEN1_X1, 0, GEN1_X1, 0 }, PCILINK_STEADY, PCILINK_BEST,
	       PCILINK_BEST);
	expect(&(struct ends){ GEN4_X16, 0, GEN3_X8, 0 }, PCILINK_STEADY, PCILINK_UNDECIDED,
	       PCILINK_UNDECIDED);
}

static enum pcilink_state state_of(const struct ends *ends)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcilink *l;

	plant(&t, ends);
	l = link_of(&t);
	return l->state;
}

TEST(links_that_change_rest)
{
	EXPECT(state_of(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 | TRAINING }) ==
	       PCILINK_RESTING);
	EXPECT(state_of(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN4_X16 }) ==
	       PCILINK_RESTING);
}

TEST(flags)
{
	AUTO_TREE struct tree t = { 0 }, u = { 0 };
	const struct pcilink *l, *m;

	plant(&t, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8 | BYITSELF, GEN3_X8 });
	l = link_of(&t);
	EXPECT(l->state == PCILINK_STEADY && l->autonomous && !l->port.retrained);
	plant(&u, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 | RETRAIN });
	m = link_of(&u);
	EXPECT(m->state == PCILINK_STEADY && !m->autonomous && m->port.retrained);
	EXPECT(same(m->port_name, "0000:00:01.0"));
}

static enum pcilink_state state_with(const char *nest, const char *file, const char *text)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcilink *l;

	plant(&t, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 });
	tree_put_attr(&t, nest, file, text);
	l = link_of(&t);
	return l->state;
}

TEST(functions_that_rest)
{
	EXPECT(state_with(NIC, "power_state", "D3hot") == PCILINK_RESTING);
	EXPECT(state_with(NIC, "power_state", "D0") == PCILINK_STEADY);
	EXPECT(state_with(NIC, "power_state", "unknown") == PCILINK_STEADY);
	EXPECT(state_with(NIC, "power/runtime_status", "suspended") == PCILINK_RESTING);
	EXPECT(state_with(PORT, "power/runtime_status", "suspended") == PCILINK_RESTING);
	EXPECT(state_with(NIC, "power/runtime_status", "active") == PCILINK_STEADY);
	EXPECT(state_with(NIC, "removable", "removable") == PCILINK_NONE);
	EXPECT(state_with(NIC, "removable", "fixed") == PCILINK_STEADY);
}

TEST(power_of_config_space)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcilink *l;
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	space_add_link(&nic, GEN4_X16, GEN3_X8);
	put16(&nic, SPACE_POWER + 4, 3);
	plant(&t, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 });
	tree_put_bytes(&t, "/sys/devices/" NIC "/config", nic.data, nic.len);
	l = link_of(&t);
	EXPECT(l->state == PCILINK_RESTING);
}

TEST(no_link_to_be_judged)
{
	AUTO_TREE struct tree t = { 0 }, root = { 0 }, old = { 0 };
	const struct pcilink *l, *m, *n;
	struct space s = space_express(INTEGRATED, 0x8086, 0x37d2);

	tree_new(&t);
	tree_put_function(&t, "pci0000:00/" BDF, &s);
	l = link_of(&t);
	EXPECT(l->state == PCILINK_NONE);
	s = space_express(ENDPOINT, 0x8086, 0x10c9);
	space_add_link(&s, GEN4_X16, GEN3_X8);
	tree_new(&root);
	tree_put_function(&root, "pci0000:00/" BDF, &s);
	m = link_of(&root);
	EXPECT(m->state == PCILINK_NONE);
	s = space_conventional();
	tree_new(&old);
	tree_put_function(&old, PORT, NULL);
	tree_put_function(&old, NIC, &s);
	n = link_of(&old);
	EXPECT(n->state == PCILINK_NONE);
	EXPECT(state_of(&(struct ends){ 0, 0, 0, 0 }) == PCILINK_NONE);
}

TEST(a_lan_of_the_chipset_has_an_internal_link)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcilink *l;
	struct space port = space_bridge(ROOT, 0, 1, 1);
	struct space nic = space_express(ENDPOINT, 0x8086, 0x37d2);

	space_add_link(&port, GEN3_X8, GEN1_X1);
	space_add_link(&nic, GEN3_X8, GEN1_X1);
	tree_new(&t);
	tree_put_function(&t, PORT, &port);
	tree_put_function(&t, NIC, &nic);
	l = link_of(&t);
	EXPECT(l->state == PCILINK_NONE);
}

struct attrs {
	const char *now, *max, *width, *max_width;
};

static void put_attrs(const struct tree *t, const char *nest, const struct attrs *a)
{
	tree_put_attr(t, nest, "current_link_speed", a->now);
	tree_put_attr(t, nest, "max_link_speed", a->max);
	tree_put_attr(t, nest, "current_link_width", a->width);
	tree_put_attr(t, nest, "max_link_width", a->max_width);
}

/* As an ordinary user sees it: 64 bytes, and what sysfs says. */
static void plant_attrs(struct tree *t, const struct attrs *own, const struct attrs *port)
{
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);
	struct space root = space_bridge(ROOT, 0, 1, 1);

	nic.len = root.len = 64;
	tree_new(t);
	tree_put_function(t, PORT, &root);
	tree_put_function(t, NIC, &nic);
	put_attrs(t, NIC, own);
	put_attrs(t, PORT, port);
}

static void expect_attrs(const struct attrs *own, const struct attrs *port,
			 enum pcilink_state state, enum pcilink_judgement speed)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcilink *l;

	plant_attrs(&t, own, port);
	l = link_of(&t);
	EXPECT(l->state == state);
	EXPECT(pcilink_judge(l, PCILINK_SPEED) == speed);
}

TEST(sysfs_of_all_ages)
{
	struct attrs best = { "16.0 GT/s PCIe", "16.0 GT/s PCIe", "16", "16" };
	struct attrs old = { "8 GT/s", "16 GT/s", "8", "16" };
	struct attrs slow = { "2.5 GT/s PCIe", "16.0 GT/s PCIe", "16", "16" };
	struct attrs port = { "2.5 GT/s", "16 GT/s", "16", "16" };
	struct attrs none = { "Unknown", "Unknown", "0", "255" };
	struct attrs gone = { "Unknown speed", "Unknown speed", "63", "255" };
	struct attrs odd = { "8.0 GT/s PCIe", "Unknown speed", "8", "8" };
	struct attrs blind = { "Unknown", "Unknown", "0", "0" };

	expect_attrs(&best, &best, PCILINK_STEADY, PCILINK_BEST);
	/* Whether the port slowed it to save power stands in its registers alone. */
	expect_attrs(&old, &old, PCILINK_STEADY, PCILINK_SLOWED);
	expect_attrs(&slow, &port, PCILINK_STEADY, PCILINK_SLOWED);
	expect_attrs(&none, &best, PCILINK_NONE, PCILINK_UNDECIDED);
	expect_attrs(&gone, &best, PCILINK_UNKNOWN, PCILINK_UNDECIDED);
	expect_attrs(&odd, &blind, PCILINK_STEADY, PCILINK_UNDECIDED);
}

TEST(names)
{
	EXPECT(same(pcilink_speed_name(1), "2.5 GT/s"));
	EXPECT(same(pcilink_speed_name(6), "64 GT/s"));
	EXPECT(same(pcilink_speed_name(99), "an unknown speed"));
}
