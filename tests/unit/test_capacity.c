/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"
#include "pf_tree.h"

#include <sriovctl/capacity.h>

#define IGB   DRIVER("igb")
#define STUB  DRIVER("pci-pf-stub")
#define MLX4  DRIVER("mlx4_core")
#define WEIRD DRIVER("no_such_driver")

static struct capacity capacity(const struct tree *t, uint32_t vfs)
{
	struct capacity c = { 0 };
	const struct pf *pf = card_pf(t);

	EXPECT(pf && capacity_read(t->h, pf, vfs, 0, &c, NULL) == 0);
	return c;
}

static bool is_bound(const struct capacity *c, enum capacity_limit l, uint32_t at_least,
		     uint32_t at_most)
{
	return c->bounds[l].at_least == at_least && c->bounds[l].at_most == at_most;
}

/* --- together ------------------------------------------------------------------------ */

TEST(the_driver_bounds_a_card_that_could_more)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = card_good();

	card_make(&t, &card);
	c = capacity(&t, 0);
	EXPECT(c.wanted_error == 0 && c.wanted == 7);
	EXPECT(c.at_least == 7 && c.at_most == 7 && c.bounded_by == CAPACITY_DRIVER);
	EXPECT(is_bound(&c, CAPACITY_TOTAL, 8, 8));
	EXPECT(is_bound(&c, CAPACITY_INITIAL, CAPACITY_ANY, CAPACITY_ANY));
	EXPECT(is_bound(&c, CAPACITY_LINK, CAPACITY_ANY, CAPACITY_ANY));
	EXPECT(is_bound(&c, CAPACITY_MMIO, CAPACITY_ANY, CAPACITY_ANY));
	EXPECT(is_bound(&c, CAPACITY_BUS, 64, 64));
	EXPECT(is_bound(&c, CAPACITY_ARI, CAPACITY_ANY, CAPACITY_ANY));
}

TEST(without_a_driver_the_capability_is_wanted_and_nothing_promised)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = card_good();

	card.driver = NULL;
	card.totalvfs = "8\n";
	card_make(&t, &card);
	c = capacity(&t, 0);
	EXPECT(c.wanted == 8 && c.at_least == 0 && c.at_most == 8);
	EXPECT(c.unsure == CAPACITY_DRIVER);
}

TEST(a_driver_without_the_hook_makes_none)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = card_good();

	card.driver = MLX4;
	card_make(&t, &card);
	c = capacity(&t, 1);
	EXPECT(c.at_most == 0 && c.bounded_by == CAPACITY_DRIVER);
}

TEST(a_driver_nobody_knows_promises_nothing)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = card_good();

	card.driver = WEIRD;
	card_make(&t, &card);
	c = capacity(&t, 1);
	EXPECT(is_bound(&c, CAPACITY_DRIVER, 0, 7) && c.unsure == CAPACITY_DRIVER);
}

TEST(initial_vfs_must_be_total_vfs)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = card_good();

	card.initial = 4;
	card_make(&t, &card);
	c = capacity(&t, 1);
	EXPECT(c.at_most == 0 && c.bounded_by == CAPACITY_INITIAL);
}

TEST(a_function_it_depends_on_that_is_not_captured_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY struct capacity c = { 0 };
	struct card card = card_good();

	card.link = 1;
	card_make(&t, &card);
	c = capacity(&t, 1);
	EXPECT(is_bound(&c, CAPACITY_LINK, 0, CAPACITY_ANY));
}

/* --- address space -------------------------------------------------------------------- */

static struct capacity_mmio mmio(const struct tree *t)
{
	struct capacity_mmio m = { 0 };
	const struct pf *pf = card_pf(t);

	EXPECT(pf != NULL);
	if (pf)
		capacity_mmio_read(t->h, pf, &m);
	return m;
}

TEST(a_vf_takes_its_part_of_total_vfs_not_of_what_the_driver_offers)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();
	struct capacity_mmio m;

	card_make(&t, &card);
	m = mmio(&t);
	EXPECT(m.state == CAPACITY_MMIO_ASSIGNED && m.by_kernel);
	EXPECT(m.vf_size[0] == 16384 && m.vf_size[1] == 0 && m.vf_size[3] == 16384);
}

TEST(all_rows_zero_is_no_vf_at_all)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = ROWS_PF ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_NONE && mmio(&t).above_4g);
}

TEST(all_rows_zero_says_so_without_the_capability_too)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = ROWS_PF ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE;
	card.size = 64;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_NONE);
}

TEST(one_vf_bar_without_a_row_is_as_bad)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = ROWS_PF ROW_VF ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_PARTLY && mmio(&t).bar == 3);
}

TEST(one_vf_bar_without_a_row_goes_unseen_without_the_capability)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = ROWS_PF ROW_VF ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE;
	card.size = 64;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_UNKNOWN && mmio(&t).error == -EACCES);
}

TEST(a_row_marked_unset_has_no_address)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = ROWS_PF ROW_UNSET ROW_NONE ROW_NONE ROW_UNSET ROW_NONE ROW_NONE;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_NONE);
}

TEST(seven_rows_are_a_kernel_without_pci_iov)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = ROWS_PF;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_NO_IOV);
}

TEST(without_rows_an_address_of_zero_still_tells)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = NULL;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_NONE && !mmio(&t).by_kernel);
}

TEST(without_rows_an_address_is_not_the_kernels_word)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.resource = NULL;
	card.bar[0] = card.bar[3] = 0xe0000000u | BAR_64;
	card_make(&t, &card);
	EXPECT(mmio(&t).state == CAPACITY_MMIO_UNSEEN);
}

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
	AUTO_CAPACITY_BUS struct capacity_bus b = { 0 };
	struct card card = wide(0x3b);

	card_make(&t, &card);
	card_file(&t, "sriov_offset", "4\n");
	card_file(&t, "sriov_stride", "1\n");
	EXPECT(capacity_bus_read(t.h, card_pf(&t), &b, NULL) == 0);
	EXPECT(b.first_offset == 4 && b.at_most == 252 && b.is_end_known && !b.is_estimate);
	EXPECT(capacity_bus_of(&b, 252) == 0x3b && capacity_bus_devfn(&b, 252) == 0xff);
	EXPECT(capacity_bus_of(&b, 253) == 0x3c && capacity_bus_devfn(&b, 253) == 0);
}

TEST(an_offset_that_nobody_may_read_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CAPACITY_BUS struct capacity_bus b = { 0 };
	struct card card = wide(0x3b);

	card.size = 64;
	card_make(&t, &card);
	EXPECT(capacity_bus_read(t.h, card_pf(&t), &b, NULL) == 0);
	EXPECT(b.error == -EACCES && b.at_least == 0 && b.at_most == CAPACITY_ANY);
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
	AUTO_CAPACITY_BUS struct capacity_bus b = { 0 };
	struct capacity_ari a = { 0 };
	const struct pf *pf = card_pf(t);

	EXPECT(pf && capacity_bus_read(t->h, pf, &b, NULL) == 0);
	EXPECT(pf && capacity_ari_read(t->h, pf, &b, &a, NULL) == 0);
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

/* --- who is judged -------------------------------------------------------------------------- */

TEST(a_card_whose_firmware_has_it_off_is_a_subject)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.no_capability = true;
	card.totalvfs = NULL;
	card_make(&t, &card);
	EXPECT(card_pf(&t)->sriov_error == -ENOENT && pf_is_subject(card_pf(&t)));
}

TEST(a_card_that_never_had_it_is_none)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.no_capability = true;
	card.totalvfs = NULL;
	card.ids = "0x1533\n";
	card_make(&t, &card);
	EXPECT(card_pf(&t)->sriov_error == -ENOENT && !pf_is_subject(card_pf(&t)));
}

TEST(a_vf_is_none)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.ids = "0x10ca\n";
	card_make(&t, &card);
	EXPECT(card_pf(&t)->is_vf && !pf_is_subject(card_pf(&t)));
}

/* --- a VF BAR of 32 bits that was lost -------------------------------------------------- */

#define BAR_32 0xfe400000u
#define ROW_32 "0x00000000fe400000 0x00000000fe41ffff 0x0000000000040200\n"

/* Two VF BARs of 32 bits, of which the second has no address: it reads 0, like one that is not. */
static void plant_lost(struct tree *t, const char *log)
{
	struct card card = card_good();

	memset(card.bar, 0, sizeof(card.bar));
	card.bar[0] = BAR_32;
	card.resource = ROWS_PF ROW_32 ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE;
	card_make(t, &card);
	if (log)
		tree_put(t, "/var/log/dmesg", log);
}

TEST(the_log_knows_a_vf_bar_that_was_lost)
{
	static const char *const logs[] = {
		"[    1.2] pci " CARD ": BAR 9: no space for [mem size 0x00020000]\n",
		"[    1.2] pci " CARD ": BAR 9: failed to assign [mem size 0x00020000]\n",
		"[    1.2] pci " CARD ": BAR 9: can't assign mem (size 0x20000)\n",
		"pci " CARD ": VF BAR 2 [mem 0x00000000-0x00003fff]: contains BAR 2 for 8 VFs\n"
		"pci " CARD ": VF BAR 2 [mem size 0x00020000]: can't assign; no space\n",
		"pci " CARD ": VF BAR 2 [mem size 0x00020000]: failed to assign\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_CAPACITY struct capacity c = { 0 };
		struct capacity_mmio m;

		plant_lost(&t, logs[i]);
		m = mmio(&t);
		EXPECT(m.state == CAPACITY_MMIO_PARTLY && m.bar == 2 && m.by_log);
		c = capacity(&t, 1);
		EXPECT(c.at_most == 0 && c.bounded_by == CAPACITY_MMIO);
	}
}

TEST(the_kernels_refusal_does_not_name_the_vf_bar)
{
	AUTO_TREE struct tree t = { 0 };
	struct capacity_mmio m;

	plant_lost(&t, "igb " CARD ": not enough MMIO resources for SR-IOV\n");
	m = mmio(&t);
	EXPECT(m.state == CAPACITY_MMIO_PARTLY && m.bar == CAPACITY_MMIO_BARS && m.by_log);
}

TEST(other_lines_are_not_about_a_lost_vf_bar)
{
	static const char *const logs[] = {
		NULL,
		/* The first attempt failed, and a later one did not. */
		"pci " CARD ": BAR 7: no space for [mem size 0x00020000]\n",
		"pci " CARD ": BAR 6: no space for [mem size 0x00020000 pref]\n",
		"pci " CARD ": BAR 13: no space for [mem size 0x00200000]\n",
		"pci 0000:3c:00.0: BAR 9: no space for [mem size 0x00020000]\n",
		"pci " CARD ": VF BAR 2 [mem 0xfe400000-0xfe41ffff]: assigned\n",
		"pci " CARD ": VF BAR [mem size 0x00020000]: failed to assign\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		AUTO_TREE struct tree t = { 0 };

		plant_lost(&t, logs[i]);
		EXPECT(mmio(&t).state == CAPACITY_MMIO_ASSIGNED && mmio(&t).may_hide);
	}
}

TEST(vfs_that_are_on_lack_no_vf_bar)
{
	AUTO_TREE struct tree t = { 0 };

	plant_lost(&t, "igb " CARD ": not enough MMIO resources for SR-IOV\n");
	tree_put_link(&t, CARD_DIR "/virtfn0", "../0000:3b:10.0");
	EXPECT(mmio(&t).state == CAPACITY_MMIO_ASSIGNED && !mmio(&t).may_hide);
}
