/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thousands of hosts and wishes: whatever write fails, lies, or is the last that the process
 * comes to, the host ends as it was or as it was wanted.
 */
#include <sriovctl/apply.h>

#include <sriovctl/error.h>

#include "random_host.h"
#include "scratch_journal.h"
#include "test.h"

#include <string.h>

/* A sanitizer looks at memory, and a tenth of them reaches every line. */
#ifdef __SANITIZE_ADDRESS__
#define PAIRS 500
#else
#define PAIRS 5000
#endif

struct trial {
	struct sim_host start;
	struct pfstates is, want;
	struct plan plan;
	/* Of a run that may be left by longjmp(). */
	struct pfstates now;
	struct strv notes;
	struct journal *j;
	const char *dir;
	unsigned seed;
	struct draw draw;
	enum apply_result unhurt; /* how it ends when nothing fails */
};

static void tell(const struct trial *t, const struct sim_host *h, const char *what, int got,
		 const struct error *e)
{
	if (test_failed)
		return;
	printf("# seed %u: %s; result %d, fault %d at write %u: %s\n", t->seed, what, got,
	       h->fault[0], h->fault_at[0], e ? e->text : "");
	sim_tell(h, &t->start);
	for (size_t i = 0; i < t->plan.n; i++) {
		AUTO_BUF struct buf line = { 0 };

		plan_describe(&t->is, &t->plan.steps[i], &line);
		printf("#   %zu %s\n", i, buf_text(&line));
	}
	test_failed = 1;
}

static int make_plan(const struct sim_host *h, const struct pfstates *want, struct plan *ret)
{
	static const struct plan_options all = { .recreate = true, .allow_disruption = true };
	AUTO_PFSTATES struct pfstates is = { 0 };

	sim_read(h, &is);
	return plan_build(&is, want, &all, ret, NULL);
}

/* Nothing is left to do but what waits for carrier, and what is refused as impossible. */
static bool is_as_wanted(const struct trial *t, const struct sim_host *h, bool waits)
{
	AUTO_PLAN struct plan again = { 0 };

	if (make_plan(h, &t->want, &again) < 0)
		return false;
	for (size_t i = 0; i < again.n; i++)
		if (!waits || !again.steps[i].needs_carrier)
			return false;
	return true;
}

static enum apply_result carry_out(struct trial *t, struct sim_host *h, struct error *e)
{
	const struct effector f = sim_effector(h);
	const struct apply_options o = { .stop = sim_stop, .ctx = h, .notes = &t->notes };

	return apply_plan(&t->is, &t->plan, &f, t->j, &o, e);
}

static enum apply_result recover(struct trial *t, struct sim_host *h, struct error *e)
{
	const struct apply_options o = { .notes = &t->notes };
	const struct effector f = sim_effector(h);

	pfstates_done(&t->now);
	sim_read(h, &t->now);
	return apply_recover(&t->now, &f, t->j, &o, e);
}

static void expect_end(const struct trial *t, const struct sim_host *h, enum apply_result r,
		       const struct error *e)
{
	bool done = r == APPLY_DONE || r == APPLY_PENDING;

	if (done && !is_as_wanted(t, h, r == APPLY_PENDING))
		tell(t, h, "done, and not as wanted", r, e);
	if (r == APPLY_ROLLED_BACK && !sim_equal(h, &t->start))
		tell(t, h, "rolled back, and not as before", r, e);
	if (!done && r != APPLY_ROLLED_BACK)
		tell(t, h, "neither done nor rolled back", r, e);
	if (h->blocked)
		tell(t, h, "a VF was taken from who had it", r, e);
	if (h->unseen)
		tell(t, h, "nobody looked who has a VF", r, e);
	if ((journal_state(t->j) == JOURNAL_NONE) != (r != APPLY_PENDING))
		tell(t, h, "the journal says otherwise", r, e);
}

/* As when the process has ended. */
static void reopen(struct trial *t)
{
	journal_close(t->j);
	t->j = scratch_open(t->dir);
}

/* The next run, which may die as well, and the one after it. */
static void expect_recovery(struct trial *t, struct sim_host *h)
{
	struct error e = { 0 };
	enum apply_result r;

	reopen(t);
	h->writes = 0;
	h->fault_at[0] = draw_below(&t->draw, 8);
	h->fault[0] = draw_below(&t->draw, 2) ? SIM_DIES_BEFORE : SIM_DIES_AFTER;
	if (setjmp(h->killed) == 0)
		(void)recover(t, h, &e);
	reopen(t);
	h->fault_at[0] = 0;
	r = recover(t, h, &e);
	if (r != APPLY_ROLLED_BACK && r != APPLY_DONE)
		tell(t, h, "not recovered", r, &e);
	if (!sim_equal(h, &t->start))
		tell(t, h, "recovered, and not as before", r, &e);
	if (journal_state(t->j) != JOURNAL_NONE)
		tell(t, h, "recovered, and the journal stays", r, &e);
}

/* A fault while it was undone, for whatever reason it was. */
static void expect_between(struct trial *t, struct sim_host *h, const struct error *e)
{
	if (journal_state(t->j) != JOURNAL_BROKEN)
		tell(t, h, "between two states, and no journal", APPLY_BETWEEN, e);
	expect_recovery(t, h);
}

static void fail_at(struct trial *t, unsigned write)
{
	struct sim_host h = t->start;
	struct error e = { 0 };
	enum apply_result r;

	h.fault_at[0] = write;
	h.fault[0] = (enum sim_fault)draw_below(&t->draw, SIM_LIES + 1);
	r = carry_out(t, &h, &e);
	if (r == APPLY_BETWEEN && t->unhurt == APPLY_ROLLED_BACK)
		expect_between(t, &h, &e);
	else
		expect_end(t, &h, r, &e);
}

/* And one more write fails while it is undone. */
static void fail_twice(struct trial *t, unsigned write)
{
	struct sim_host h = t->start;
	struct error e = { 0 };
	enum apply_result r;

	h.fault_at[0] = write;
	h.fault_at[1] = write + 1 + draw_below(&t->draw, 6);
	h.fault[0] = h.fault[1] = SIM_FAILS;
	r = carry_out(t, &h, &e);
	h.fault_at[1] = 0;
	if (r == APPLY_BETWEEN)
		expect_between(t, &h, &e);
	else
		expect_end(t, &h, r, &e);
}

static void die_at(struct trial *t, unsigned write)
{
	struct sim_host h = t->start;

	h.fault_at[0] = write;
	h.fault[0] = draw_below(&t->draw, 2) ? SIM_DIES_BEFORE : SIM_DIES_AFTER;
	if (setjmp(h.killed) == 0) {
		(void)carry_out(t, &h, NULL);
		reopen(t);
		return;
	}
	expect_recovery(t, &h);
	h.fault_at[0] = h.fault_at[1] = 0;
	expect_end(t, &h, carry_out(t, &h, NULL), NULL);
}

static void stop_at(struct trial *t, unsigned write)
{
	struct sim_host h = t->start;
	struct error e = { 0 };

	h.stop_after = write;
	expect_end(t, &h, carry_out(t, &h, &e), &e);
}

/* Carrier comes when the run is over. */
static void expect_finish(struct trial *t, struct sim_host *h)
{
	struct error e = { 0 };
	enum apply_result r;

	reopen(t);
	r = recover(t, h, &e);
	if (r != APPLY_PENDING)
		tell(t, h, "no carrier, and not pending", r, &e);
	h->carrier = true;
	r = recover(t, h, &e);
	if (r != APPLY_DONE || !is_as_wanted(t, h, false))
		tell(t, h, "carrier, and not done", r, &e);
}

static unsigned try_pair(struct trial *t, unsigned *ret_done)
{
	struct sim_host h = t->start;
	struct error e = { 0 };
	enum apply_result r = carry_out(t, &h, &e);
	unsigned writes = h.writes;

	if (t->plan.n_refusals > 0) {
		if (r != APPLY_REFUSED || writes > 0 || journal_state(t->j) != JOURNAL_NONE)
			tell(t, &h, "not refused", r, &e);
		return 0;
	}
	expect_end(t, &h, r, &e);
	t->unhurt = r;
	*ret_done += r == APPLY_DONE || r == APPLY_PENDING;
	/* One that comes up short without a fault has been undone. */
	if (r == APPLY_PENDING)
		expect_finish(t, &h);
	for (unsigned at = 1; at <= writes; at++) {
		fail_at(t, at);
		if (t->seed % 2)
			die_at(t, at);
		if (at % 4 == 0)
			fail_twice(t, at);
		if (at % 4 == 2)
			stop_at(t, at);
	}
	return writes;
}

TEST(whatever_fails_the_host_is_as_it_was_or_as_it_was_wanted)
{
	AUTO_SCRATCH char *dir = scratch_make();
	unsigned writes = 0, done = 0;

	for (unsigned seed = 1; seed <= PAIRS && !test_failed; seed++) {
		struct trial t = { .dir = dir,
				   .seed = seed,
				   .draw = { seed * 0x9e3779b97f4a7c15 } };

		random_host(&t.draw, &t.start);
		sim_read(&t.start, &t.is);
		random_wish(&t.draw, &t.start, &t.want);
		EXPECT(make_plan(&t.start, &t.want, &t.plan) == 0);
		scratch_clear(dir);
		t.j = scratch_open(dir);
		writes += try_pair(&t, &done);
		journal_close(t.j);
		plan_done(&t.plan);
		pfstates_done(&t.now);
		strv_done(&t.notes);
		pfstates_done(&t.is);
		pfstates_done(&t.want);
	}
	printf("# %u writes, each failed, lied or was the last; %u of %u pairs came to their end\n",
	       writes, done, PAIRS);
	/* The others are refused, or ask what the host then refuses: more would show a fault. */
	EXPECT(done * 2 > PAIRS && writes > 6 * PAIRS);
}
