/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"
#include "capacity_tree.h"

#include <sriovctl/capacity.h>

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

/* The kernel makes the file where it found the capability, whatever can be read of it. */
TEST(a_card_whose_file_is_there_has_the_capability)
{
	AUTO_TREE struct tree t = { 0 };
	struct card card = card_good();

	card.no_capability = true;
	card.totalvfs = "unreadable\n";
	card_make(&t, &card);
	EXPECT(card_pf(&t)->sriov_error == -EBADMSG && pf_is_subject(card_pf(&t)));
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
	card.vf_device = 0xfffe;
	card.resource = ROWS_PF ROW_32 ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE;
	card_make(t, &card);
	if (log)
		tree_put(t, "/var/log/dmesg", log);
}

#define LATER "[    1.9] NET: Registered PF_INET6 protocol family\n"
#define LOST  "[    1.2] pci " CARD ": VF BAR 2 [mem size 0x00020000]: can't assign; no space\n"
#define AGAIN "[    1.3] pci_bus 0000:3a: No. 2 try to assign unassigned res\n"

TEST(the_log_knows_a_vf_bar_that_was_lost)
{
	static const char *const logs[] = {
		"[    1.2] pci " CARD ": BAR 9: no space for [mem size 0x00020000]\n" LATER,
		"[    1.2] pci " CARD ": BAR 9: failed to assign [mem size 0x00020000]\n" LATER,
		"[    1.2] pci " CARD ": BAR 9: can't assign mem (size 0x20000)\n" LATER,
		"pci " CARD ": VF BAR 2 [mem 0x00000000-0x00003fff]: contains BAR 2 for 8 VFs\n"
		"pci " CARD ": VF BAR 2 [mem size 0x00020000]: can't assign; no space\n" LATER,
		"pci " CARD ": VF BAR 2 [mem size 0x00020000]: failed to assign\n" LATER,
		LOST "pci_bus 0000:3b: resource 1 [mem 0xfe400000-0xfe5fffff]\n",
		LOST AGAIN LOST LATER,
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

TEST(a_log_that_ends_while_the_kernel_tries_is_no_answer)
{
	static const char *const logs[] = {
		LOST,
		LOST AGAIN,
		LOST "[    1.3] PCI: No. 2 try to assign unassigned res\n",
		LOST AGAIN "[    1.3] pci " CARD
			   ": VF BAR 0 [mem 0xfe400000-0xfe41ffff]: assigned\n",
		LOST AGAIN "[...]\n" LATER,
	};

	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_CAPACITY struct capacity c = { 0 };

		plant_lost(&t, logs[i]);
		EXPECT(mmio(&t).state == CAPACITY_MMIO_UNKNOWN && mmio(&t).may_hide);
		c = capacity(&t, 1);
		EXPECT(c.at_most > 0 && c.at_least == 0 && c.unsure == CAPACITY_MMIO);
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
		"pci " CARD ": BAR 7: no space for [mem size 0x00020000]\n" LATER,
		"pci " CARD ": BAR 6: no space for [mem size 0x00020000 pref]\n",
		"pci " CARD ": BAR 13: no space for [mem size 0x00200000]\n",
		"pci 0000:3c:00.0: BAR 9: no space for [mem size 0x00020000]\n",
		"pci " CARD ": VF BAR 2 [mem 0xfe400000-0xfe41ffff]: assigned\n",
		"pci " CARD ": VF BAR [mem size 0x00020000]: failed to assign\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		AUTO_TREE struct tree t = { 0 };

		plant_lost(&t, logs[i]);
		EXPECT(mmio(&t).state == CAPACITY_MMIO_UNKNOWN && mmio(&t).may_hide);
		EXPECT(!mmio(&t).by_log);
	}
}

#define BOOT  "[    0.0] Linux version 6.1.0-57-amd64\n"
#define FOUND "[    1.0] pci " CARD ": [8086:10c9] type 00 class 0x020000\n"
#define FIRST "[    1.1] pci " CARD ": VF BAR 0 [mem 0x0-0x1ffff]: contains BAR 0 for 7 VFs\n"
#define OLD \
	"[    1.1] pci " CARD ": VF(n) BAR0 space: [mem 0x0-0x1ffff] (contains BAR0 for 7 VFs)\n"
#define OTHER "[    1.2] pci " CARD ": VF BAR 3 [mem 0x0-0x1ffff]: contains BAR 3 for 7 VFs\n"
#define NEXT  "[    1.3] pci 0000:00:1f.0: [8086:a0a0] type 00 class 0x060100\n"
#define BUS   "[    1.8] pci_bus 0000:3b: resource 1 [mem 0xfe400000-0xfe5fffff]\n"

TEST(a_log_without_a_loss_shows_that_none_was_where_it_has_it_all)
{
	static const struct {
		const char *log;
		bool may_hide;
	} rows[] = {
		{ .log = BOOT LATER "[    2.0] io scheduler mq-deadline registered\n" },
		{ .log = FOUND LATER BUS },
		{ .log = BOOT LATER, .may_hide = true },
		{ .log = LATER "[    2.0] io scheduler mq-deadline registered\n",
		  .may_hide = true },
		{ .log = BOOT "[...]\n[    2.0] io scheduler mq-deadline registered\n",
		  .may_hide = true },
		{ .log = LATER BUS, .may_hide = true },
		{ .log = FOUND LATER, .may_hide = true },
		{ .log = FOUND "[...]\n" BUS, .may_hide = true },
		/* Of those that were found the one that has an address is all. */
		{ .log = FOUND FIRST NEXT },
		{ .log = FOUND OLD NEXT },
		{ .log = FOUND FIRST OTHER NEXT, .may_hide = true },
		{ .log = FOUND FIRST, .may_hide = true },
		{ .log = FOUND FIRST "[...]\n" NEXT, .may_hide = true },
		{ .log = FIRST NEXT, .may_hide = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };

		plant_lost(&t, rows[i].log);
		EXPECT(mmio(&t).may_hide == rows[i].may_hide);
		EXPECT(mmio(&t).state ==
		       (rows[i].may_hide ? CAPACITY_MMIO_UNKNOWN : CAPACITY_MMIO_ASSIGNED));
	}
}

/* Without a log: those that VFs of this kind have all show, or one of them does not. */
TEST(what_vf_bars_a_kind_of_vf_has_shows_whether_one_is_hidden)
{
	static const struct {
		unsigned vf_device;
		const char *rows;
		enum capacity_mmio_state state;
	} rows[] = {
		{ .vf_device = 0x10ca,
		  .rows = ROW_32 ROW_NONE ROW_NONE ROW_32 ROW_NONE ROW_NONE,
		  .state = CAPACITY_MMIO_ASSIGNED },
		{ .vf_device = 0x10ca,
		  .rows = ROW_32 ROW_NONE ROW_NONE ROW_NONE ROW_NONE ROW_NONE,
		  .state = CAPACITY_MMIO_UNKNOWN },
		{ .vf_device = 0xfffe,
		  .rows = ROW_32 ROW_NONE ROW_NONE ROW_32 ROW_NONE ROW_NONE,
		  .state = CAPACITY_MMIO_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf resource = { 0 };
		struct card card = card_good();

		memset(card.bar, 0, sizeof(card.bar));
		buf_printf(&resource, ROWS_PF "%s", rows[i].rows);
		card.resource = buf_text(&resource);
		card.vf_device = rows[i].vf_device;
		card_make(&t, &card);
		EXPECT(mmio(&t).state == rows[i].state);
		EXPECT(mmio(&t).may_hide == (rows[i].state == CAPACITY_MMIO_UNKNOWN));
	}
}

/* Registers that hold addresses are no more than that, but for a kind that has one more. */
TEST(a_register_without_an_address_is_missed_where_the_kind_has_it)
{
	static const struct {
		unsigned vf_device;
		enum capacity_mmio_state state;
	} rows[] = {
		{ .vf_device = 0x10ca, .state = CAPACITY_MMIO_UNKNOWN },
		{ .vf_device = 0xfffe, .state = CAPACITY_MMIO_UNSEEN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		struct card card = card_good();

		memset(card.bar, 0, sizeof(card.bar));
		card.bar[0] = 0xfe40000c;
		card.resource = NULL;
		card.vf_device = rows[i].vf_device;
		card_make(&t, &card);
		EXPECT(mmio(&t).state == rows[i].state);
	}
}

TEST(vfs_that_are_on_lack_no_vf_bar)
{
	AUTO_TREE struct tree t = { 0 };

	plant_lost(&t, "igb " CARD ": not enough MMIO resources for SR-IOV\n");
	tree_put_link(&t, CARD_DIR "/virtfn0", "../0000:3b:10.0");
	EXPECT(mmio(&t).state == CAPACITY_MMIO_ASSIGNED && !mmio(&t).may_hide);
}
