/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pci_space.h"

#include <sriovctl/link.h>

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

static const struct link *link_of(const struct tree *t)
{
	static const struct link none = { .state = LINK_UNKNOWN };
	const struct link *l = &none;

	EXPECT(link_get(t->h, BDF, &l, NULL) == 0);
	return l;
}

static void expect(const struct ends *ends, enum link_state state, enum link_judgement speed,
		   enum link_judgement width)
{
	AUTO_TREE struct tree t = { 0 };
	const struct link *l;

	plant(&t, ends);
	l = link_of(&t);
	EXPECT(l->state == state);
	EXPECT(link_judge(l, LINK_SPEED) == speed);
	EXPECT(link_judge(l, LINK_WIDTH) == width);
}

TEST(judgements)
{
	expect(&(struct ends){ GEN4_X16, GEN4_X16, GEN4_X16, GEN4_X16 }, LINK_STEADY, LINK_BEST,
	       LINK_BEST);
	expect(&(struct ends){ GEN4_X16, GEN3_X8, GEN3_X8, GEN3_X8 }, LINK_STEADY, LINK_PORT_BEST,
	       LINK_PORT_BEST);
	expect(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X16, GEN3_X16 }, LINK_STEADY, LINK_DEGRADED,
	       LINK_BEST);
	expect(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 }, LINK_STEADY, LINK_DEGRADED,
	       LINK_DEGRADED);
	/* The port tells nothing, and the card runs as fast as it can. */
	expect(&(struct ends){ GEN1_X1, 0, GEN1_X1, 0 }, LINK_STEADY, LINK_BEST, LINK_BEST);
	expect(&(struct ends){ GEN4_X16, 0, GEN3_X8, 0 }, LINK_STEADY, LINK_UNDECIDED,
	       LINK_UNDECIDED);
}

static enum link_state state_of(const struct ends *ends)
{
	AUTO_TREE struct tree t = { 0 };
	const struct link *l;

	plant(&t, ends);
	l = link_of(&t);
	return l->state;
}

TEST(links_that_change_rest)
{
	EXPECT(state_of(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 | TRAINING }) ==
	       LINK_RESTING);
	EXPECT(state_of(&(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN4_X16 }) == LINK_RESTING);
}

TEST(flags)
{
	AUTO_TREE struct tree t = { 0 }, u = { 0 };
	const struct link *l, *m;

	plant(&t, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8 | BYITSELF, GEN3_X8 });
	l = link_of(&t);
	EXPECT(l->state == LINK_STEADY && l->autonomous && !l->port.retrained);
	plant(&u, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 | RETRAIN });
	m = link_of(&u);
	EXPECT(m->state == LINK_STEADY && !m->autonomous && m->port.retrained);
	EXPECT(same(m->port_name, "0000:00:01.0"));
}

static enum link_state state_with(const char *nest, const char *file, const char *text)
{
	AUTO_TREE struct tree t = { 0 };
	const struct link *l;

	plant(&t, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 });
	tree_put_attr(&t, nest, file, text);
	l = link_of(&t);
	return l->state;
}

TEST(functions_that_rest)
{
	EXPECT(state_with(NIC, "power_state", "D3hot") == LINK_RESTING);
	EXPECT(state_with(NIC, "power_state", "D0") == LINK_STEADY);
	EXPECT(state_with(NIC, "power_state", "unknown") == LINK_STEADY);
	EXPECT(state_with(NIC, "power/runtime_status", "suspended") == LINK_RESTING);
	EXPECT(state_with(PORT, "power/runtime_status", "suspended") == LINK_RESTING);
	EXPECT(state_with(NIC, "power/runtime_status", "active") == LINK_STEADY);
	EXPECT(state_with(NIC, "removable", "removable") == LINK_NONE);
	EXPECT(state_with(NIC, "removable", "fixed") == LINK_STEADY);
}

TEST(power_of_config_space)
{
	AUTO_TREE struct tree t = { 0 };
	const struct link *l;
	struct space nic = space_express(ENDPOINT, 0x15b3, 0x101d);

	space_add_link(&nic, GEN4_X16, GEN3_X8);
	put16(&nic, SPACE_POWER + 4, 3);
	plant(&t, &(struct ends){ GEN4_X16, GEN4_X16, GEN3_X8, GEN3_X8 });
	tree_put_bytes(&t, "/sys/devices/" NIC "/config", nic.data, nic.len);
	l = link_of(&t);
	EXPECT(l->state == LINK_RESTING);
}

TEST(no_link_to_be_judged)
{
	AUTO_TREE struct tree t = { 0 }, root = { 0 }, old = { 0 };
	const struct link *l, *m, *n;
	struct space s = space_express(INTEGRATED, 0x8086, 0x37d2);

	tree_new(&t);
	tree_put_function(&t, "pci0000:00/" BDF, &s);
	l = link_of(&t);
	EXPECT(l->state == LINK_NONE);
	s = space_express(ENDPOINT, 0x8086, 0x10c9);
	space_add_link(&s, GEN4_X16, GEN3_X8);
	tree_new(&root);
	tree_put_function(&root, "pci0000:00/" BDF, &s);
	m = link_of(&root);
	EXPECT(m->state == LINK_NONE);
	s = space_conventional();
	tree_new(&old);
	tree_put_function(&old, PORT, NULL);
	tree_put_function(&old, NIC, &s);
	n = link_of(&old);
	EXPECT(n->state == LINK_NONE);
	EXPECT(state_of(&(struct ends){ 0, 0, 0, 0 }) == LINK_NONE);
}

TEST(a_lan_of_the_chipset_has_an_internal_link)
{
	AUTO_TREE struct tree t = { 0 };
	const struct link *l;
	struct space port = space_bridge(ROOT, 0, 1, 1);
	struct space nic = space_express(ENDPOINT, 0x8086, 0x37d2);

	space_add_link(&port, GEN3_X8, GEN1_X1);
	space_add_link(&nic, GEN3_X8, GEN1_X1);
	tree_new(&t);
	tree_put_function(&t, PORT, &port);
	tree_put_function(&t, NIC, &nic);
	l = link_of(&t);
	EXPECT(l->state == LINK_NONE);
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

static void expect_attrs(const struct attrs *own, const struct attrs *port, enum link_state state,
			 enum link_judgement speed)
{
	AUTO_TREE struct tree t = { 0 };
	const struct link *l;

	plant_attrs(&t, own, port);
	l = link_of(&t);
	EXPECT(l->state == state);
	EXPECT(link_judge(l, LINK_SPEED) == speed);
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

	expect_attrs(&best, &best, LINK_STEADY, LINK_BEST);
	expect_attrs(&old, &old, LINK_STEADY, LINK_DEGRADED);
	expect_attrs(&slow, &port, LINK_STEADY, LINK_DEGRADED);
	expect_attrs(&none, &best, LINK_NONE, LINK_UNDECIDED);
	expect_attrs(&gone, &best, LINK_UNKNOWN, LINK_UNDECIDED);
	expect_attrs(&odd, &blind, LINK_STEADY, LINK_UNDECIDED);
}

TEST(names)
{
	EXPECT(same(link_speed_name(1), "2.5 GT/s"));
	EXPECT(same(link_speed_name(6), "64 GT/s"));
	EXPECT(same(link_speed_name(99), "an unknown speed"));
}
