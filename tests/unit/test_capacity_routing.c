/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"
#include "capacity_tree.h"

/* --- bus numbers: 128 VFs from 0x80 on fill one bus, as tried on 6.1 and 6.12 ------------ */

static struct card wide(unsigned subordinate)
{
	struct card card = card_good();

	card.total = 200;
	card.totalvfs = "200\n";
	card.driver = STUB;
	card.offset = 128;
	card.stride = 1;
	card.subordinate = subordinate;
	return card;
}

TEST(the_edge_of_a_bus_is_exact)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = wide(0x3b);

	card_make(&t, &card);
	c = capacity(&t, 200);
	EXPECT(is_bound(&c, CAPACITY_BUS, 128, 128));
	EXPECT(c.at_most == 128 && c.bounded_by == CAPACITY_BUS);
}

TEST(a_second_bus_gives_room)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = wide(0x3c);

	card_make(&t, &card);
	c = capacity(&t, 200);
	EXPECT(is_bound(&c, CAPACITY_BUS, 384, 384));
	EXPECT(c.at_least == 200 && c.at_most == 200);
}

TEST(a_root_bus_that_ends_before_its_port_counts)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = wide(0x3d);

	card_make(&t, &card);
	tree_put(&t, "/var/log/dmesg", "pci_bus 0000:3a: root bus resource [bus 3a-3b]\n");
	c = capacity(&t, 200);
	EXPECT(is_bound(&c, CAPACITY_BUS, 128, 128));
}

TEST(a_root_bus_that_goes_on_past_its_port_does_not)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = wide(0x3b);

	card_make(&t, &card);
	tree_put(&t, "/var/log/dmesg", "pci_bus 0000:3a: root bus resource [bus 3a-7f]\n");
	c = capacity(&t, 200);
	EXPECT(is_bound(&c, CAPACITY_BUS, 128, 128));
}

TEST(the_kernels_own_offset_goes_before_the_register)
{
	AUTO_TREE struct tree t = { 0 };
	const struct capacity_bus *b = NULL;
	struct card card = wide(0x3b);

	card_make(&t, &card);
	card_file(&t, "sriov_offset", "4\n");
	card_file(&t, "sriov_stride", "1\n");
	EXPECT(capacity_bus_get(t.h, card_pf(&t), &b, NULL) == 0);
	EXPECT(b->first_offset == 4 && b->at_most == 252 && b->is_end_known && !b->is_estimate);
	EXPECT(capacity_bus_of(b, 252) == 0x3b && capacity_bus_devfn(b, 252) == 0xff);
	EXPECT(capacity_bus_of(b, 253) == 0x3c && capacity_bus_devfn(b, 253) == 0);
}

TEST(an_offset_that_nobody_may_read_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct capacity_bus *b = NULL;
	struct card card = wide(0x3b);

	card.size = 64;
	card_make(&t, &card);
	EXPECT(capacity_bus_get(t.h, card_pf(&t), &b, NULL) == 0);
	EXPECT(b->error == -EACCES && b->at_least == 0 && b->at_most == CAPACITY_ANY);
}

TEST(a_first_vf_on_the_next_bus_does_not_fit)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = wide(0x3b);

	card.offset = 384;
	card_make(&t, &card);
	c = capacity(&t, 1);
	EXPECT(is_bound(&c, CAPACITY_BUS, 0, 0) && c.at_most == 0);
}

/* --- ARI ---------------------------------------------------------------------------------- */

static struct capacity_ari ari(const struct tree *t)
{
	struct capacity_ari a = { 0 };
	const struct pf *pf = card_pf(t);

	EXPECT(pf && capacity_ari_read(t->h, pf, &a, NULL) == 0);
	return a;
}

TEST(without_ari_eight_functions_are_reached)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY_ARI struct capacity_ari a = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = wide(0x3b);

	card.ari_enabled = "0\n";
	card.offset = 2;
	card.port_incapable = true;
	card_make(&t, &card);
	a = ari(&t);
	EXPECT(a.state == CAPACITY_ARI_OFF && a.reached == 6);
	EXPECT(a.port_error == 0 && !a.port_capable && a.device_error == 0);
	c = capacity(&t, 32);
	/* The kernel makes the others all the same. */
	EXPECT(is_bound(&c, CAPACITY_ARI, 6, CAPACITY_ANY) && c.unsure == CAPACITY_ARI);
}

TEST(without_ari_a_first_vf_elsewhere_is_no_promise)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = wide(0x3b);

	card.ari_enabled = "0\n";
	card.port_incapable = true;
	card_make(&t, &card);
	c = capacity(&t, 1);
	EXPECT(is_bound(&c, CAPACITY_ARI, 0, CAPACITY_ANY) && c.unsure == CAPACITY_ARI);
}

TEST(the_port_tells_where_the_kernel_does_not)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY_ARI struct capacity_ari a = { 0 };
	struct card card = wide(0x3b);

	card.ari_enabled = NULL;
	card.hierarchy = card.port_ari = false;
	card_make(&t, &card);
	a = ari(&t);
	EXPECT(a.state == CAPACITY_ARI_OFF && a.port_capable);
}

TEST(the_hierarchy_bit_tells_where_the_kernel_does_not)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY_ARI struct capacity_ari a = { 0 };
	struct card card = wide(0x3b);

	card.ari_enabled = NULL;
	card.port_ari = false;
	card_make(&t, &card);
	a = ari(&t);
	EXPECT(a.state == CAPACITY_ARI_ON && a.reached == CAPACITY_ANY);
}

TEST(an_ordinary_user_sees_nothing_of_ari)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY_ARI struct capacity_ari a = { 0 };
	struct card card = wide(0x3b);

	card.ari_enabled = NULL;
	card.size = 64;
	card_make(&t, &card);
	a = ari(&t);
	EXPECT(a.state == CAPACITY_ARI_UNKNOWN && a.error == -EACCES);
}
