/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_run.h"

#include <errno.h>

TEST(who_came_after_the_plan_was_made_keeps_his_vf)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);

	look(&f);
	want(&f, SETTING_VFS, 0);
	build(&f, (struct plan_options)RULES);
	f.host.held = 2;
	EXPECT(apply(&r) == APPLY_REFUSED && is_as_before(&r));
	EXPECT(f.host.writes == 0 && !f.host.blocked);
	EXPECT(strstr(r.e.text, "process 42 (qemu)"));
	EXPECT(journal_state(r.j) == JOURNAL_NONE);
}

TEST(who_comes_between_two_steps_keeps_his_vf)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);

	look(&f);
	want(&f, SETTING_VFS, 3);
	build(&f, (struct plan_options)RULES);
	/* Just before the VFs go, when autoprobe is put off. */
	f.host.comes_at = 1;
	f.host.comes_to = 1;
	EXPECT(apply(&r) == APPLY_REFUSED && strstr(r.e.text, "process 42 (qemu)"));
	EXPECT(f.host.writes == 2 && !f.host.blocked && is_as_before(&r));
}

TEST(each_few_steps_of_a_group_are_looked_at_again)
{
	AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
	AUTO_RUN struct run r = start(&f);

	look(&f);
	for (uint32_t i = 0; i < SIM_VFS; i++)
		want_driver(&f, i, "");
	build(&f, (struct plan_options)RULES);
	f.host.comes_at = 3;
	f.host.comes_to = 10;
	EXPECT(apply(&r) == APPLY_REFUSED && strstr(r.e.text, "unbind VF 10"));
	/* Before the first of all, before the first of the group, then for those of the next look.
	 */
	EXPECT(f.host.peeks >= 3 && !f.host.blocked && !f.host.unseen && is_as_before(&r));
}

TEST(a_write_that_is_tried_again_is_looked_at_again)
{
	AUTO_FIXTURE struct fixture f = with("igb", 3);
	AUTO_RUN struct run r = start(&f);

	look(&f);
	for (uint32_t i = 0; i < 3; i++)
		want_driver(&f, i, "");
	build(&f, (struct plan_options)RULES);
	f.host.again = 2;
	EXPECT(apply(&r) == APPLY_DONE);
	/* One of all, one before the group, and one for each time that a write is tried again. */
	EXPECT(f.host.peeks == 1 + 1 + 3 * 2 && !f.host.unseen);
}

/* All looks but the first take too long, and what comes after is not even begun. */
static int guard_too_long(void *ctx, const struct step *s, struct error *e)
{
	struct sim_host *h = ctx;

	(void)s;
	return ++h->guards > 1 ? error_set(e, -EINPROGRESS, "it takes too long") : 0;
}

TEST(a_look_that_takes_too_long_before_anything_is_written)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	const struct apply_options o = { .notes = &r.notes };

	(void)snprintf(f.host.now.vf[0][0].driver, SIM_NAME, SIM_DRIVER);
	r.start = f.host.now;
	look(&f);
	want_driver(&f, 0, "");
	build(&f, (struct plan_options)RULES);
	effector.guard = guard_too_long;
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_REFUSED);
	EXPECT(f.host.guards > 1 && f.host.writes == 0 && is_as_before(&r));
	EXPECT(strstr(r.e.text, "it takes too long") && journal_state(r.j) == JOURNAL_NONE);
}

/* With a write behind it nobody knows what can still be undone. */
TEST(a_look_that_takes_too_long_after_a_write)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	const struct apply_options o = { .notes = &r.notes };

	look(&f);
	want(&f, SETTING_VFS, 3);
	build(&f, (struct plan_options)RULES);
	effector.guard = guard_too_long;
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_BETWEEN);
	EXPECT(f.host.writes > 0 && journal_state(r.j) == JOURNAL_BROKEN);
}

TEST(vfs_that_this_run_made_are_not_taken_from_who_has_got_them)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	want_two(&f);
	f.host.fault_at[0] = 4;
	f.host.held = 1;
	EXPECT(apply(&r) == APPLY_BETWEEN && !f.host.blocked);
	EXPECT(journal_state(r.j) == JOURNAL_BROKEN && strstr(r.e.text, "process 42 (qemu)"));
	/* The next run does not go over that. */
	EXPECT(apply(&r) == APPLY_REFUSED && strstr(r.e.text, "recovered"));
	f.host.held = 0;
	EXPECT(recover(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
}

/* While a step fails, somebody binds the VF to another driver and uses it. */
static int write_then_take(void *ctx, const struct step *s, const struct setting_value *v,
			   struct error *e)
{
	struct sim_host *h = ctx;

	if (s->what != SETTING_MTU)
		return sim_effector(h).write(h, s, v, e);
	(void)snprintf(h->now.vf[0][0].driver, SIM_NAME, "vfio-pci");
	h->held = 1;
	return error_set(e, -EIO, "it fails");
}

static int read_no_driver(void *ctx, const struct step *s, struct setting_value *ret,
			  struct error *e)
{
	const struct sim_host *h = ctx;

	if (h->held && s->what == SETTING_DRIVER)
		return error_set(e, -EIO, "it cannot be read");
	return sim_effector(ctx).read(ctx, s, ret, e);
}

TEST(what_cannot_be_read_is_not_undone_below_who_has_it)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	const struct apply_options o = { .notes = &r.notes };

	(void)snprintf(f.host.now.vf[0][0].driver, SIM_NAME, SIM_DRIVER);
	look(&f);
	want_driver(&f, 0, "");
	want(&f, SETTING_MTU, 1400);
	build(&f, (struct plan_options)RULES);
	effector.write = write_then_take;
	effector.read = read_no_driver;
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_BETWEEN);
	EXPECT(!f.host.blocked && f.host.guards > 0);
}
