/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_run.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

TEST(a_plan_is_carried_out_and_there_is_nothing_left_to_do)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_FIXTURE struct fixture again = { 0 };
	AUTO_RUN struct run r = start(&f);

	want_two(&f);
	EXPECT(apply(&r) == APPLY_DONE);
	EXPECT(f.host.now.n[0][SETTING_VFS] == 2 && f.host.now.vf[0][0].n[SETTING_MAC] == 2);
	EXPECT(f.host.now.n[0][SETTING_AUTOPROBE] == 1);
	EXPECT(strcmp(f.host.now.vf[0][1].driver, SIM_DRIVER) == 0);
	EXPECT(journal_state(r.j) == JOURNAL_NONE);
	again.host = f.host;
	want_two(&again);
	EXPECT(again.plan.n == 0);
}

TEST(fewer_vfs_than_were_asked_for_are_taken_away_again)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	f.host.kind[0].granted = 1;
	want_two(&f);
	EXPECT(apply(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
	EXPECT(strstr(r.e.text, "make 2 VFs") && strstr(r.e.text, "vfs 1"));
}

TEST(vfs_that_were_there_are_not_destroyed_when_it_fails)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);

	want_two(&f);
	f.host.fault_at[0] = 2;
	EXPECT(apply(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
	for (size_t i = 0; i < f.plan.n; i++)
		EXPECT(f.plan.steps[i].what != SETTING_VFS);
}

TEST(what_comes_late_is_waited_for_within_limits)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0), never = with("igb", 0);
	AUTO_RUN struct run r = start(&f), s = start(&never);

	f.host.again = f.host.late = 3;
	want_two(&f);
	EXPECT(apply(&r) == APPLY_DONE);
	never.host.again = 100;
	want_two(&never);
	EXPECT(apply(&s) == APPLY_ROLLED_BACK && is_as_before(&s));
	EXPECT(s.e.code == -EAGAIN);
}

TEST(what_the_driver_turns_out_to_lack_is_noted)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0), required = with("igb", 0);
	AUTO_RUN struct run r = start(&f), s = start(&required);

	f.host.kind[0].unsupported = required.host.kind[0].unsupported = STEP_BIT(SETTING_VLAN);
	want_two(&f);
	EXPECT(apply(&r) == APPLY_DONE && f.host.now.n[0][SETTING_VFS] == 2);
	EXPECT(r.notes.n == 1 && strstr(r.notes.items[0], "VF 1") &&
	       strstr(r.notes.items[0], "has no such thing"));
	look(&required);
	want(&required, SETTING_VFS, 2);
	want_of(&required, 1, SETTING_VLAN, 100);
	required.want.items[0].vfs[1].required = STEP_BIT(SETTING_VLAN);
	build(&required, (struct plan_options)RULES);
	EXPECT(apply(&s) == APPLY_ROLLED_BACK && is_as_before(&s));
}

static void want_rate(struct fixture *f)
{
	look(f);
	want(f, SETTING_VFS, 1);
	want_of(f, 0, SETTING_RATE, 100);
	build(f, (struct plan_options)RULES);
}

TEST(what_needs_carrier_waits_for_it_and_is_set_when_it_comes)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	f.host.carrier = false;
	f.host.now.n[0][SETTING_UP] = 0;
	want_rate(&f);
	EXPECT(apply(&r) == APPLY_PENDING && f.host.now.n[0][SETTING_VFS] == 1);
	EXPECT(f.host.now.n[0][SETTING_UP] == 1);
	EXPECT(recover(&r) == APPLY_PENDING && journal_state(r.j) == JOURNAL_PENDING);
	EXPECT(strstr(r.e.text, "no carrier"));
	f.host.carrier = true;
	EXPECT(recover(&r) == APPLY_DONE && f.host.now.vf[0][0].n[SETTING_RATE] == 100);
	EXPECT(journal_state(r.j) == JOURNAL_NONE);
}

TEST(what_waits_is_not_forgotten_without_a_word)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	f.host.carrier = false;
	want_rate(&f);
	EXPECT(apply(&r) == APPLY_PENDING && r.notes.n == 0);
	/* The same is asked for again. */
	want_rate(&f);
	EXPECT(apply(&r) == APPLY_PENDING && r.notes.n == 0);
	look(&f);
	want_of(&f, 0, SETTING_TRUST, 1);
	build(&f, (struct plan_options)RULES);
	EXPECT(apply(&r) == APPLY_DONE && r.notes.n == 1);
	EXPECT(strstr(r.notes.items[0], "set VF 0 of 0000:01:00.0: rate") &&
	       strstr(r.notes.items[0], "is forgotten now"));
	EXPECT(journal_state(r.j) == JOURNAL_NONE);
}

/* Nobody wants it any more, and nothing else is to be done. */
TEST(what_waits_does_not_outlive_an_empty_plan)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	f.host.carrier = false;
	want_rate(&f);
	EXPECT(apply(&r) == APPLY_PENDING);
	look(&f);
	want(&f, SETTING_VFS, 1);
	build(&f, (struct plan_options)RULES);
	EXPECT(f.plan.n == 0 && apply(&r) == APPLY_DONE && journal_state(r.j) == JOURNAL_NONE);
	EXPECT(r.notes.n == 1 && strstr(r.notes.items[0], "is forgotten now"));
	f.host.carrier = true;
	EXPECT(recover(&r) == APPLY_DONE && f.host.now.vf[0][0].n[SETTING_RATE] == 0);
}

TEST(what_waits_and_was_set_by_others_is_no_news)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	f.host.carrier = false;
	want_rate(&f);
	EXPECT(apply(&r) == APPLY_PENDING);
	f.host.now.vf[0][0].n[SETTING_RATE] = 100;
	want_rate(&f);
	EXPECT(f.plan.n == 0 && apply(&r) == APPLY_DONE && r.notes.n == 0);
	EXPECT(journal_state(r.j) == JOURNAL_NONE);
}

/* As with a full /run: nobody refuses, it fails. */
TEST(a_journal_that_cannot_be_written)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);
	AUTO_BUF struct buf path = { 0 };

	want_two(&f);
	scratch_path(r.dir, "journal.new", &path);
	EXPECT(mkdir(buf_text(&path), 0700) == 0);
	EXPECT(apply(&r) == APPLY_FAILED && f.host.writes == 0);
	EXPECT(strstr(r.e.text, "journal.new"));
	EXPECT(rmdir(buf_text(&path)) == 0);
	EXPECT(apply(&r) == APPLY_DONE);
}

/* What is pending: the rate of VF 0, of which the next write fails. */
static void refuse_rate(struct run *r)
{
	struct fixture *f = r->f;

	f->host.carrier = false;
	want_rate(f);
	EXPECT(apply(r) == APPLY_PENDING);
	f->host.carrier = true;
	f->host.fault_at[0] = f->host.writes + 1;
	f->host.fault[0] = SIM_FAILS;
	EXPECT(recover(r) == APPLY_PENDING && r->e.code != -ENOLINK);
	EXPECT(f->host.now.n[0][SETTING_VFS] == 1);
}

static enum apply_result give_up(struct run *r)
{
	const struct effector f = sim_effector(&r->f->host);
	const struct apply_options o = { .notes = &r->notes };

	return apply_give_up(&r->f->is, &f, r->j, &o, &r->e);
}

TEST(what_waited_and_is_refused_then_is_undone_with_all_else)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);
	AUTO_BUF struct buf why = { 0 };

	refuse_rate(&r);
	buf_puts(&why, r.e.text);
	EXPECT(give_up(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
	EXPECT(strcmp(r.e.text, buf_text(&why)) == 0 && journal_state(r.j) == JOURNAL_NONE);
}

TEST(who_is_killed_while_it_gives_up_is_undone_by_the_next)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	refuse_rate(&r);
	f.host.fault_at[0] = f.host.writes + 2;
	f.host.fault[0] = SIM_DIES_BEFORE;
	if (setjmp(f.host.killed) == 0) {
		(void)give_up(&r);
		EXPECT(false);
	}
	EXPECT(recover(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
}

/* The journal's name becomes one that cannot be removed. */
static int write_over_journal(void *ctx, const struct step *s, const struct setting_value *v,
			      struct error *e)
{
	struct run *r = ctx;
	AUTO_BUF struct buf path = { 0 };

	scratch_path(r->dir, "journal", &path);
	if (unlink(buf_text(&path)) == 0)
		EXPECT(mkdir(buf_text(&path), 0700) == 0);
	return sim_effector(&r->f->host).write(&r->f->host, s, v, e);
}

TEST(below_a_write_that_goes_on_nothing_is_undone)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);

	look(&f);
	want(&f, SETTING_VFS, 0);
	build(&f, (struct plan_options)RULES);
	f.host.fault_at[0] = 1;
	f.host.fault[0] = SIM_HANGS;
	EXPECT(apply(&r) == APPLY_BETWEEN && f.host.writes == 1);
	EXPECT(journal_state(r.j) == JOURNAL_BROKEN);
}

TEST(told_to_stop_it_undoes_what_it_did)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	want_two(&f);
	f.host.stop_after = 3;
	EXPECT(apply(&r) == APPLY_ROLLED_BACK && is_as_before(&r) && r.e.code == -EINTR);
}

/* The journal on disk ends in the step that is about to be written. */
static int write_looking(void *ctx, const struct step *s, const struct setting_value *v,
			 struct error *e)
{
	struct run *r = ctx;
	AUTO_BUF struct buf path = { 0 }, line = { 0 };
	AUTO_CLOSE int fd = -1;
	char text[8192];
	ssize_t n;

	scratch_path(r->dir, "journal", &path);
	fd = open(buf_text(&path), O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	text[n < 0 ? 0 : n] = '\0';
	if (s->vf == PLAN_OF_PF)
		buf_printf(&line, " %u - %s ", s->pf, setting_name(s->what));
	else
		buf_printf(&line, " %u %u %s ", s->pf, s->vf, setting_name(s->what));
	setting_write(s->what, &s->before, &line);
	buf_puts(&line, " ");
	setting_write(s->what, v, &line);
	r->unwritten += !strstr(text, buf_text(&line));
	return sim_effector(&r->f->host).write(&r->f->host, s, v, e);
}

static int read_through(void *ctx, const struct step *s, struct setting_value *ret, struct error *e)
{
	struct run *r = ctx;

	return sim_effector(&r->f->host).read(&r->f->host, s, ret, e);
}

static int look_through(void *ctx, uint32_t pf, uint32_t first, uint32_t last, struct error *e)
{
	struct run *r = ctx;

	return sim_effector(&r->f->host).look(&r->f->host, pf, first, last, e);
}

static int guard_through(void *ctx, const struct step *s, struct error *e)
{
	struct run *r = ctx;

	return sim_effector(&r->f->host).guard(&r->f->host, s, e);
}

TEST(each_step_is_on_disk_before_it_is_done)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	const struct apply_options o = { .notes = &r.notes };

	want_two(&f);
	effector.write = write_looking;
	effector.read = read_through;
	effector.look = look_through;
	effector.guard = guard_through;
	effector.ctx = &r;
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_DONE);
	EXPECT(f.host.writes == 7 && r.unwritten == 0);
}

TEST(where_the_journal_cannot_be_removed_the_run_is_undone)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	const struct apply_options o = { .notes = &r.notes };
	AUTO_BUF struct buf path = { 0 };

	want_two(&f);
	effector.write = write_over_journal;
	effector.read = read_through;
	effector.look = look_through;
	effector.guard = guard_through;
	effector.ctx = &r;
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_ROLLED_BACK);
	EXPECT(is_as_before(&r));
	scratch_path(r.dir, "journal", &path);
	EXPECT(rmdir(buf_text(&path)) == 0);
}

/* A driver that resets the VF, and with it what was set before. */
static int write_forgetfully(void *ctx, const struct step *s, const struct setting_value *v,
			     struct error *e)
{
	struct sim_host *h = ctx;

	if (s->what == SETTING_RSS_QUERY)
		h->now.vf[0][s->vf].n[SETTING_VLAN] = 0;
	return sim_effector(h).write(h, s, v, e);
}

TEST(what_a_later_step_changed_is_found_at_the_end)
{
	AUTO_FIXTURE struct fixture f = with("igb", 1);
	AUTO_RUN struct run r = start(&f);
	struct effector effector = sim_effector(&f.host);
	const struct apply_options o = { .notes = &r.notes };

	look(&f);
	want_of(&f, 0, SETTING_VLAN, 1);
	want_of(&f, 0, SETTING_RSS_QUERY, 1);
	build(&f, (struct plan_options)RULES);
	effector.write = write_forgetfully;
	EXPECT(apply_plan(&f.is, &f.plan, &effector, r.j, &o, &r.e) == APPLY_ROLLED_BACK);
	EXPECT(is_as_before(&r) && strstr(r.e.text, "vlan"));
}

TEST(an_override_that_is_put_back_last_is_as_it_was)
{
	AUTO_FIXTURE struct fixture f = with("other", 1);
	AUTO_RUN struct run r = start(&f);
	struct sim_vf *vf = &f.host.now.vf[0][0];

	/* To be set while it has no driver, and its override is not what it is bound to. */
	f.host.kind[0].queues = PFSTATE_QUEUES_MSIX;
	vf->n[SETTING_QUEUES] = 4;
	(void)snprintf(vf->override, SIM_NAME, "vfio-pci");
	look(&f);
	want_of(&f, 0, SETTING_QUEUES, 8);
	build(&f, (struct plan_options)RULES);
	EXPECT(apply(&r) == APPLY_DONE && vf->n[SETTING_QUEUES] == 8);
	EXPECT(strcmp(vf->override, "vfio-pci") == 0 && strcmp(vf->driver, SIM_DRIVER) == 0);
}

TEST(the_rest_is_undone_though_one_vf_cannot_be)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);

	look(&f);
	want_of(&f, 0, SETTING_VLAN, 1);
	want_of(&f, 0, SETTING_TRUST, 1);
	want_of(&f, 1, SETTING_VLAN, 1);
	want_of(&f, 1, SETTING_RSS_QUERY, 1);
	build(&f, (struct plan_options)RULES);
	/* The fourth step fails, and after it the undoing of VF 1's VLAN. */
	f.host.fault_at[0] = 4;
	f.host.fault_at[1] = 5;
	EXPECT(apply(&r) == APPLY_BETWEEN);
	EXPECT(f.host.now.vf[0][1].n[SETTING_VLAN] == 1);
	EXPECT(f.host.now.vf[0][0].n[SETTING_VLAN] == 0 &&
	       f.host.now.vf[0][0].n[SETTING_TRUST] == 0);
	EXPECT(recover(&r) == APPLY_ROLLED_BACK && is_as_before(&r));
}

TEST(nothing_is_undone_on_another_card)
{
	AUTO_FIXTURE struct fixture f = with("igb", 0);
	AUTO_RUN struct run r = start(&f);

	want_two(&f);
	f.host.fault_at[0] = 2;
	f.host.fault[0] = SIM_HANGS;
	EXPECT(apply(&r) == APPLY_BETWEEN);
	f.host.kind[0].driver = "ixgbe";
	f.host.writes = 0;
	EXPECT(recover(&r) == APPLY_BETWEEN && f.host.writes == 0 && r.e.code == -ESTALE);
}

TEST(a_refused_plan_is_not_carried_out)
{
	AUTO_FIXTURE struct fixture f = with("igb", 2);
	AUTO_RUN struct run r = start(&f);

	look(&f);
	want(&f, SETTING_VFS, 1);
	build(&f, (struct plan_options){ 0 });
	EXPECT(apply(&r) == APPLY_REFUSED && f.host.writes == 0 && is_as_before(&r));
	EXPECT(strstr(r.e.text, "--recreate"));
}
