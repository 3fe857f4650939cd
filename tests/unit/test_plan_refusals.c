/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/plan.h>

#include "plan_fixture.h"

#include <errno.h>

TEST(vfs_are_not_destroyed_unless_that_is_meant)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);

	look(&f);
	want(&f, SETTING_VFS, 3);
	build(&f, (struct plan_options){ 0 });
	EXPECT(refuses(&f, PLAN_RECREATE, "--recreate"));
	want(&f, SETTING_VFS, 0);
	build(&f, (struct plan_options){ 0 });
	EXPECT(refuses(&f, PLAN_RECREATE, "destroyed"));
	build(&f, (struct plan_options){ .recreate = true });
	EXPECT(f.plan.n_refusals == 0);
}

TEST(more_than_there_can_be_is_impossible)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);

	look(&f);
	want(&f, SETTING_VFS, SIM_VFS + 1);
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_IMPOSSIBLE, "13 VFs are wanted, and it has 12 at most"));
	EXPECT(f.plan.n == 0);
}

TEST(queues_that_are_fixed_are_told)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);

	look(&f);
	want(&f, SETTING_VFS, 1);
	want_of(&f, 0, SETTING_QUEUES, 8);
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_IMPOSSIBLE, "8 queues are wanted, and they are fixed at 4 on igb"));
	want_of(&f, 0, SETTING_QUEUES, 4);
	build(&f, (struct plan_options)RULES);
	EXPECT(f.plan.n_refusals == 0);
}

TEST(ixgbe_gives_queues_by_how_many_vfs_there_are)
{
	AUTO_FIXTURE struct fixture f = with("ixgbe", 0);

	f.host.kind[0].queues = PFSTATE_QUEUES_TOTAL;
	look(&f);
	f.is.items[0].total = 63;
	want(&f, SETTING_VFS, 32);
	want_of(&f, 0, SETTING_QUEUES, 4);
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_IMPOSSIBLE, "with 32 VFs ixgbe gives each 2"));
	want(&f, SETTING_VFS, 31);
	build(&f, (struct plan_options)RULES);
	EXPECT(f.plan.n_refusals == 0);
}

TEST(the_eswitch_is_set_when_its_driver_lets_it)
{
	AUTO_FIXTURE struct fixture ice = with("ice", 0);
	AUTO_FIXTURE struct fixture bnxt = with("bnxt_en", 0);
	AUTO_FIXTURE struct fixture there = with("ice", 2);

	look(&ice);
	want(&ice, SETTING_VFS, 1);
	want(&ice, SETTING_ESWITCH, 1);
	want_driver(&ice, 0, "");
	build(&ice, (struct plan_options)RULES);
	EXPECT(reads(&ice, "autoprobe 1>0\nkeep up 1\nkeep mtu 1500\nkeep eswitch 0\n"
			   "eswitch 0>1\nvfs 0>1\nautoprobe 0>1\n"));
	look(&bnxt);
	want(&bnxt, SETTING_VFS, 1);
	want(&bnxt, SETTING_ESWITCH, 1);
	want_driver(&bnxt, 0, "");
	build(&bnxt, (struct plan_options)RULES);
	EXPECT(reads(&bnxt, "autoprobe 1>0\nkeep up 1\nkeep mtu 1500\nkeep eswitch 0\n"
			    "vfs 0>1\neswitch 0>1\nautoprobe 0>1\n"));
	/* Its VFs have to go for it. */
	look(&there);
	want(&there, SETTING_ESWITCH, 1);
	build(&there, (struct plan_options){ .allow_disruption = true });
	EXPECT(refuses(&there, PLAN_RECREATE, "made anew"));
}

TEST(a_vf_in_use_is_neither_taken_away_nor_reset)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_FIXTURE struct fixture i40e = with("i40e", 2);

	f.host.held = 2;
	look(&f);
	want(&f, SETTING_VFS, 0);
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_IN_USE, "VF 1 of 0000:01:00.0 would be taken away"));
	EXPECT(refuses(&f, PLAN_IN_USE, "process 42 (qemu)"));
	EXPECT(f.plan.n_refusals == 1);
	f.want.items[0].set[SETTING_VFS].state = SETTING_UNSET;
	want_driver(&f, 1, "vfio-pci");
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_IN_USE, "VF 1"));
	want_driver(&f, 1, SIM_DRIVER);
	want_driver(&f, 0, "vfio-pci");
	want_of(&f, 1, SETTING_VLAN, 5);
	build(&f, (struct plan_options)RULES);
	EXPECT(f.plan.n_refusals == 0 && notes(&f, "VF 1 of 0000:01:00.0 is changed below"));
	i40e.host.held = 2;
	look(&i40e);
	want_of(&i40e, 1, SETTING_VLAN, 5);
	build(&i40e, (struct plan_options)RULES);
	EXPECT(refuses(&i40e, PLAN_IN_USE, "would be reset"));
}

/* Of some drivers the MTU of the PF resets the whole card. */
TEST(the_mtu_of_a_pf_resets_vfs)
{
	static const struct {
		const char *driver, *does;
		bool resets;
	} cases[] = {
		{ "igb", "interrupts the PF and resets its VFs", true },
		{ "ixgbe", "interrupts the PF and resets its VFs", true },
		{ "i40e", "interrupts the PF", false },
		{ "mlx5_core", "interrupts the PF", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_FIXTURE struct fixture f = with(cases[i].driver, 2);
		const char *does;

		f.host.held = 2;
		look(&f);
		want(&f, SETTING_MTU, 9000);
		build(&f, (struct plan_options)RULES);
		EXPECT(f.plan.n == 1 && f.plan.n_refusals == (cases[i].resets ? 1 : 0));
		if (f.plan.n != 1)
			continue;
		does = step_interrupts(&f.is.items[0], &f.plan.steps[0]);
		EXPECT(does && strcmp(does, cases[i].does) == 0);
		EXPECT(!cases[i].resets ||
		       refuses(&f, PLAN_IN_USE, "VF 1 of 0000:01:00.0 would be reset"));
	}
}

TEST(where_holders_cannot_be_seen_vfio_counts_as_held)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);

	memcpy(f.host.now.vf[0][1].driver, "vfio-pci", sizeof("vfio-pci"));
	look(&f);
	f.is.items[0].blind = strdup("this is another pid namespace; run it on the host");
	want(&f, SETTING_VFS, 0);
	build(&f, (struct plan_options)RULES);
	EXPECT(f.plan.n_refusals == 1 && refuses(&f, PLAN_IN_USE, "run it on the host"));
}

TEST(a_pf_that_is_needed_is_not_interrupted)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);

	look(&f);
	EXPECT(strv_add(&f.is.items[0].users, "it carries the default route") == 0);
	want(&f, SETTING_VFS, 1);
	build(&f, (struct plan_options){ 0 });
	EXPECT(refuses(&f, PLAN_DISRUPTION, "default route"));
	build(&f, (struct plan_options){ .allow_disruption = true });
	EXPECT(f.plan.n_refusals == 0 && f.plan.n > 0);
	f.want.items[0].set[SETTING_VFS].state = SETTING_UNSET;
	build(&f, (struct plan_options){ 0 });
	EXPECT(f.plan.n_refusals == 0);
}

TEST(what_a_driver_lacks_is_left_out_unless_it_is_required)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	f.host.kind[0].unsupported = STEP_BIT(SETTING_RSS_QUERY);
	look(&f);
	want_of(&f, 0, SETTING_RSS_QUERY, 1);
	build(&f, (struct plan_options){ 0 });
	EXPECT(f.plan.n == 0 && notes(&f, "igb has no such thing"));
	f.want.items[0].vfs[0].required = STEP_BIT(SETTING_RSS_QUERY);
	build(&f, (struct plan_options){ 0 });
	EXPECT(refuses(&f, PLAN_IMPOSSIBLE, "rss_query is required"));
}

TEST(what_cannot_be_read_is_not_changed)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	look(&f);
	f.is.items[0].vfs[0].set[SETTING_TRUST].state = SETTING_UNKNOWN;
	want_of(&f, 0, SETTING_TRUST, 1);
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_UNKNOWN, "trust cannot be read"));
}

TEST(who_is_in_another_namespace_is_not_told_of_new_vfs)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);

	look(&f);
	f.is.items[0].set[SETTING_MTU] =
		(struct setting_value){ .state = SETTING_UNKNOWN, .error = -EREMOTE };
	want(&f, SETTING_VFS, 2);
	build(&f, (struct plan_options)RULES);
	EXPECT(f.plan.n_refusals == 0);
	want_of(&f, 0, SETTING_TRUST, 1);
	want_of(&f, 1, SETTING_TRUST, 1);
	build(&f, (struct plan_options)RULES);
	EXPECT(f.plan.n_refusals == 1);
	EXPECT(refuses(&f, PLAN_UNKNOWN,
		       "0000:01:00.0: nothing can be set of its VFs: its "
		       "interface is in another network namespace: run it there"));
	want(&f, SETTING_MTU, 2000);
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_UNKNOWN, "mtu cannot be read (its interface is in another"));
}

TEST(what_a_driver_is_known_to_refuse_is_not_tried)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	look(&f);
	want_of(&f, 0, SETTING_RATE, SETTING_RATE_OF(10, 100));
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_IMPOSSIBLE, "no minimum rate"));
	want_of(&f, 0, SETTING_RATE, 100);
	want_of(&f, 0, SETTING_VLAN, SETTING_VLAN_OF(5, 0, 0x88a8));
	build(&f, (struct plan_options)RULES);
	EXPECT(refuses(&f, PLAN_IMPOSSIBLE, "802.1ad"));
}
