/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of apply on the host of a fixture, with a journal of its own, and one that recovers it. */
#ifndef TESTS_APPLY_RUN_H
#define TESTS_APPLY_RUN_H

#include <sriovctl/apply.h>

#include <sriovctl/error.h>

#include "plan_fixture.h"
#include "scratch_journal.h"

struct run {
	char *dir;
	struct journal *j;
	struct fixture *f;
	struct sim start;
	struct strv notes;
	struct error e;
	unsigned unwritten; /* writes to the host that the journal on disk did not announce */
};

static inline struct run start(struct fixture *f)
{
	struct run r = { .dir = scratch_make(), .f = f, .start = f->host.now };

	r.j = scratch_open(r.dir);
	return r;
}

static inline void finish(struct run *r)
{
	journal_close(r->j);
	scratch_done(&r->dir);
	strv_done(&r->notes);
}
#define AUTO_RUN CLEANUP(finish)

static inline enum apply_result apply(struct run *r)
{
	const struct effector f = sim_effector(&r->f->host);
	const struct apply_options o = { .stop = sim_stop, .ctx = &r->f->host, .notes = &r->notes };

	r->e = (struct error){ 0 };
	return apply_plan(&r->f->is, &r->f->plan, &f, r->j, &o, &r->e);
}

static inline enum apply_result recover(struct run *r)
{
	AUTO_PFSTATES struct pfstates is = { 0 };
	const struct effector f = sim_effector(&r->f->host);
	const struct apply_options o = { .notes = &r->notes };

	journal_close(r->j);
	r->j = scratch_open(r->dir);
	sim_read(&r->f->host, &is);
	r->e = (struct error){ 0 };
	return apply_recover(&is, &f, r->j, &o, &r->e);
}

static inline bool is_as_before(const struct run *r)
{
	return memcmp(&r->start, &r->f->host.now, sizeof(r->start)) == 0;
}

static inline void want_two(struct fixture *f)
{
	look(f);
	want(f, SETTING_VFS, 2);
	want_of(f, 0, SETTING_MAC, 2);
	want_of(f, 1, SETTING_VLAN, 100);
	build(f, (struct plan_options)RULES);
}

#endif
