/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One setting of many VFs: what becomes of the others when something happens in their midst. */
#include "apply_run.h"

#include <errno.h>

/* An address and a VLAN for each of twelve VFs that are there: two groups. */
static void want_all(struct fixture *f)
{
	look(f);
	for (uint32_t i = 0; i < SIM_VFS; i++) {
		want_of(f, i, SETTING_MAC, 2 + 2 * i);
		want_of(f, i, SETTING_VLAN, 100 + i);
	}
	build(f, (struct plan_options)RULES);
}

/* What tells of all VFs is asked as often as something was written before it is asked. */
struct asked {
	struct sim_host *h;
	unsigned rounds;
	bool written;
};

static int write_counting(void *ctx, const struct step *s, const struct setting_value *v,
			  struct error *e)
{
	struct asked *a = ctx;

	a->written = true;
	return sim_effector(a->h).write(a->h, s, v, e);
}

static int read_counting(void *ctx, const struct step *s, struct setting_value *ret,
			 struct error *e)
{
	struct asked *a = ctx;

	a->rounds += a->written;
	a->written = false;
	return sim_effector(a->h).read(a->h, s, ret, e);
}

TEST(a_group_is_read_back_at_once)
{
	AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	struct asked asked = { .h = &f.host };
	const struct apply_options o = { .notes = &r.notes };

	effector.write = write_counting;
	effector.read = read_counting;
	effector.ctx = &asked;
	want_all(&f);
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_DONE);
	EXPECT(f.host.writes == 2 * SIM_VFS && asked.rounds == 2);
}

TEST(what_fails_in_the_midst_leaves_the_others_as_they_were)
{
	for (enum sim_fault fault = SIM_FAILS; fault <= SIM_LIES; fault++) {
		AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
		AUTO_RUN struct run r = start(&f);

		want_all(&f);
		f.host.fault_at[0] = SIM_VFS + 5;
		f.host.fault[0] = fault;
		EXPECT(apply(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
		EXPECT(strstr(r.e.text, "set VF 4 of 0000:01:00.0: vlan 104"));
		EXPECT(journal_state(r.j) == JOURNAL_NONE);
	}
}

TEST(what_was_not_come_to_is_not_written_when_it_is_undone)
{
	AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
	AUTO_RUN struct run r = start(&f);

	want_all(&f);
	f.host.fault_at[0] = 5;
	EXPECT(apply(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
	/* Four were done, and the fifth did nothing. */
	EXPECT(f.host.writes == 5 + 4);
}

TEST(killed_in_the_midst_what_was_done_is_undone)
{
	for (enum sim_fault fault = SIM_DIES_BEFORE; fault <= SIM_DIES_AFTER; fault++) {
		AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
		AUTO_RUN struct run r = start(&f);
		unsigned done = 4 + (fault == SIM_DIES_AFTER);

		want_all(&f);
		f.host.fault_at[0] = 5;
		f.host.fault[0] = fault;
		if (setjmp(f.host.killed) == 0) {
			(void)apply(&r);
			EXPECT(false);
		}
		EXPECT(recover(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
		EXPECT(f.host.writes == 5 + done);
	}
}

TEST(told_to_stop_in_the_midst_it_does_no_more)
{
	AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
	AUTO_RUN struct run r = start(&f);

	want_all(&f);
	f.host.stop_after = 5;
	EXPECT(apply(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
	EXPECT(f.host.writes == 5 + 5);
}

/* A driver that has no VLAN for one of its VFs. */
static int write_but_one(void *ctx, const struct step *s, const struct setting_value *v,
			 struct error *e)
{
	if (s->what == SETTING_VLAN && s->vf == 4)
		return error_set(e, -EOPNOTSUPP, "no such thing");
	return sim_effector(ctx).write(ctx, s, v, e);
}

TEST(what_one_vf_lacks_the_others_have)
{
	AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	const struct apply_options o = { .notes = &r.notes };

	effector.write = write_but_one;
	want_all(&f);
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_DONE);
	EXPECT(r.notes.n == 1 && strstr(r.notes.items[0], "VF 4 of"));
	for (uint32_t i = 0; i < SIM_VFS; i++)
		EXPECT(f.host.now.vf[0][i].n[SETTING_VLAN] == (i == 4 ? 0 : 100 + i));
}

TEST(the_others_are_undone_though_one_of_a_group_cannot_be)
{
	AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
	AUTO_RUN struct run r = start(&f);

	want_all(&f);
	/* The last VLAN fails, then the undoing of that of VF 8, by which its address stays too. */
	f.host.fault_at[0] = 2 * SIM_VFS;
	f.host.fault_at[1] = 2 * SIM_VFS + 3;
	EXPECT(apply(&r) == APPLY_BETWEEN && strstr(r.e.text, "set VF 8 of"));
	for (uint32_t i = 0; i < SIM_VFS; i++) {
		EXPECT(f.host.now.vf[0][i].n[SETTING_VLAN] == (i == 8 ? 108 : 0));
		EXPECT(f.host.now.vf[0][i].n[SETTING_MAC] == (i == 8 ? 18 : 0));
	}
	EXPECT(recover(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
}

TEST(what_waits_is_set_in_groups_too)
{
	AUTO_FIXTURE struct fixture f = with("igb", SIM_VFS);
	AUTO_RUN struct run r = start(&f);

	f.host.carrier = false;
	look(&f);
	for (uint32_t i = 0; i < SIM_VFS; i++)
		want_of(&f, i, SETTING_RATE, 100 + i);
	build(&f, (struct plan_options)RULES);
	EXPECT(apply(&r) == APPLY_PENDING && f.host.writes == 0);
	f.host.carrier = true;
	f.host.fault_at[0] = 5;
	EXPECT(recover(&r) == APPLY_PENDING && f.host.writes == SIM_VFS);
	EXPECT(f.host.now.vf[0][4].n[SETTING_RATE] == 0);
	EXPECT(f.host.now.vf[0][11].n[SETTING_RATE] == 111);
	EXPECT(recover(&r) == APPLY_DONE && f.host.writes == SIM_VFS + 1);
	EXPECT(f.host.now.vf[0][4].n[SETTING_RATE] == 104);
}
