/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/plan.h>

#include "plan_fixture.h"

TEST(what_is_as_wanted_gives_no_steps)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);

	look(&f);
	want(&f, SETTING_VFS, 2);
	want_of(&f, 0, SETTING_TRUST, 0);
	want_driver(&f, 1, SIM_DRIVER);
	build(&f, (struct plan_options){ 0 });
	EXPECT(f.plan.n == 0 && f.plan.n_refusals == 0 && f.plan.notes.n == 0);
}

TEST(vfs_are_made_without_drivers_and_set_before_they_are_bound)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);

	look(&f);
	want(&f, SETTING_VFS, 3);
	want_of(&f, 0, SETTING_MAC, 2);
	want_of(&f, 0, SETTING_VLAN, 100);
	want_driver(&f, 1, "vfio-pci");
	want_driver(&f, 2, "");
	/* There will be no VF 3. */
	want_of(&f, 3, SETTING_MAC, 4);
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "autoprobe 1>0\n"
			 "keep up 1\n"
			 "keep mtu 1500\n"
			 "vfs 0>3\n"
			 "0 mac ->2\n"
			 "0 vlan ->100\n"
			 "1 driver_override ->\"vfio-pci\"\n"
			 "autoprobe 0>1\n"
			 "0 driver ->\"default\"\n"
			 "1 driver ->\"vfio-pci\"\n"));
	EXPECT(f.plan.n_refusals == 0);
}

TEST(all_that_goes_with_the_vfs_is_kept_first)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	f.host.now.vf[0][0].n[SETTING_VLAN] = 7;
	look(&f);
	want(&f, SETTING_VFS, 2);
	build(&f, (struct plan_options)RULES);
	EXPECT(reads(&f, "keep 0 name \"v\"\n"
			 "keep 0 vf_mtu 1500\n"
			 "keep 0 driver \"vfdrv\"\n"
			 "autoprobe 1>0\n"
			 "keep up 1\n"
			 "keep 0 driver_override \"\"\n"
			 "keep 0 trust 0\n"
			 "keep 0 rss_query 0\n"
			 "keep 0 link_state 0\n"
			 "keep 0 rate 0\n"
			 "keep 0 mac 0\n"
			 "keep 0 spoofchk 1\n"
			 "keep 0 vlan 7\n"
			 "vfs 1>0\n"
			 "mtu 1500>1500\n"
			 "vfs 0>2\n"
			 "autoprobe 0>1\n"
			 "0 driver ->\"default\"\n"
			 "1 driver ->\"default\"\n"));
	EXPECT(notes(&f, "VF 0 of 0000:01:00.0 loses vlan"));
}

TEST(trust_comes_before_what_wants_it_and_goes_after_it)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);
	AUTO_FIXTURE struct fixture back = with("igb", 1);

	look(&f);
	want_of(&f, 0, SETTING_TRUST, 1);
	want_of(&f, 0, SETTING_SPOOFCHK, 0);
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "0 trust 0>1\n0 spoofchk 1>0\n"));
	back.host.now.vf[0][0].n[SETTING_TRUST] = 1;
	back.host.now.vf[0][0].n[SETTING_SPOOFCHK] = 0;
	look(&back);
	want_of(&back, 0, SETTING_TRUST, 0);
	want_of(&back, 0, SETTING_SPOOFCHK, 1);
	build(&back, (struct plan_options){ 0 });
	EXPECT(reads(&back, "0 spoofchk 0>1\n0 trust 1>0\n"));
}

TEST(a_rate_wants_carrier_and_the_pf_up_where_it_is_a_share_of_the_link)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);
	AUTO_FIXTURE struct fixture other = with("other", 1);

	f.host.now.n[0][SETTING_UP] = 0;
	look(&f);
	want_of(&f, 0, SETTING_RATE, 100);
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "up 0>1\n0 rate 0>100 c\n"));
	EXPECT(notes(&f, "stays up"));
	other.host.now.n[0][SETTING_UP] = 0;
	look(&other);
	want_of(&other, 0, SETTING_RATE, 100);
	build(&other, (struct plan_options){ 0 });
	EXPECT(reads(&other, "0 rate 0>100\n"));
}

TEST(what_only_undoing_wants_up_is_taken_down_again)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	f.host.now.n[0][SETTING_UP] = 0;
	f.host.now.vf[0][0].n[SETTING_RATE] = 100;
	look(&f);
	want_of(&f, 0, SETTING_RATE, 0);
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "up 0>1\n0 rate 100>0 c\nup 1>0\n"));
}

TEST(a_driver_is_changed_by_way_of_none)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	look(&f);
	want_driver(&f, 0, "vfio-pci");
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "keep 0 name \"v\"\n"
			 "keep 0 vf_mtu 1500\n"
			 "0 driver \"vfdrv\">\"\"\n"
			 "0 driver_override \"\">\"vfio-pci\"\n"
			 "0 driver \"\">\"vfio-pci\"\n"));
}

TEST(without_override_and_autoprobe_no_driver_is_bound)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	f.host.now.n[0][SETTING_AUTOPROBE] = 0;
	look(&f);
	want_driver(&f, 0, "vfio-pci");
	build(&f, (struct plan_options){ 0 });
	/* Undone, the first driver is bound by the ids that it knows. */
	EXPECT(reads(&f, "autoprobe 0>1\n"
			 "keep 0 name \"v\"\n"
			 "keep 0 vf_mtu 1500\n"
			 "0 driver \"vfdrv\">\"\"\n"
			 "0 driver_override \"\">\"vfio-pci\"\n"
			 "autoprobe 1>0\n"
			 "0 driver \"\">\"vfio-pci\"\n"));
}

TEST(a_driver_that_is_found_by_ids_wants_autoprobe)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);

	f.host.now.n[0][SETTING_AUTOPROBE] = 0;
	f.host.now.vf[0][0].driver[0] = '\0';
	look(&f);
	want_driver(&f, 0, SETTING_DRIVER_DEFAULT);
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "autoprobe 0>1\n0 driver \"\">\"default\"\nautoprobe 1>0\n"));
}

TEST(vectors_are_set_while_the_vf_has_no_driver)
{
	AUTO_FIXTURE struct fixture f = with("other", 1);

	f.host.kind[0].queues = PFSTATE_QUEUES_MSIX;
	f.host.now.vf[0][0].n[SETTING_VF_MTU] = 1400;
	look(&f);
	want_of(&f, 0, SETTING_QUEUES, 8);
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "keep 0 name \"v\"\n"
			 "keep 0 vf_mtu 1400\n"
			 "0 driver \"vfdrv\">\"\"\n"
			 "0 queues 0>8\n"
			 "0 driver \"\">\"vfdrv\"\n"
			 "0 vf_mtu ->1400\n"));
}

TEST(the_pf_has_the_larger_mtu_at_any_time)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);
	AUTO_FIXTURE struct fixture back = with("igb", 1);

	look(&f);
	want(&f, SETTING_MTU, 9000);
	want_of(&f, 0, SETTING_VF_MTU, 9000);
	build(&f, (struct plan_options)RULES);
	EXPECT(reads(&f, "mtu 1500>9000\n0 vf_mtu 1500>9000\n"));
	look(&back);
	want(&back, SETTING_MTU, 1400);
	want_of(&back, 0, SETTING_VF_MTU, 1400);
	build(&back, (struct plan_options)RULES);
	EXPECT(reads(&back, "0 vf_mtu 1500>1400\nmtu 1500>1400\n"));
}

TEST(a_function_without_a_network_has_no_addresses)
{
	AUTO_FIXTURE struct fixture f = with("nvme", 0);

	look(&f);
	f.is.items[0].is_network = false;
	want(&f, SETTING_VFS, 1);
	want_of(&f, 0, SETTING_MAC, 2);
	want_driver(&f, 0, "");
	build(&f, (struct plan_options)RULES);
	EXPECT(notes(&f, "mac is left out"));
	for (size_t i = 0; i < f.plan.n; i++)
		EXPECT(f.plan.steps[i].what != SETTING_MAC);
}

TEST(steps_are_described)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);
	AUTO_BUF struct buf text = { 0 };

	look(&f);
	want_driver(&f, 0, "vfio-pci");
	build(&f, (struct plan_options)RULES);
	plan_describe(&f.is, &f.plan.steps[2], &text);
	EXPECT(strcmp(buf_text(&text), "unbind VF 0 of 0000:01:00.0 (was vfdrv)") == 0);
	buf_clear(&text);
	plan_describe(&f.is, &f.plan.steps[4], &text);
	EXPECT(strcmp(buf_text(&text), "bind VF 0 of 0000:01:00.0 to vfio-pci") == 0);
}

TEST(queues_are_given_back_before_others_get_them)
{
	AUTO_FIXTURE struct fixture f = with("mlx5_core", 3);

	f.host.kind[0].queues = PFSTATE_QUEUES_MSIX;
	for (uint32_t i = 0; i < 3; i++) {
		f.host.now.vf[0][i].n[SETTING_QUEUES] = 4;
		f.host.now.vf[0][i].driver[0] = '\0';
	}
	look(&f);
	want_of(&f, 0, SETTING_QUEUES, 6);
	want_of(&f, 1, SETTING_QUEUES, 4);
	want_of(&f, 2, SETTING_QUEUES, 2);
	build(&f, (struct plan_options){ 0 });
	EXPECT(reads(&f, "2 queues 4>2\n0 queues 4>6\n"));
}
