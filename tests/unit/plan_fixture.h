/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated host, what is wanted of it, and the plan between.  Steps are compared as
 * "VF setting before>after", "keep" ahead of those that only keep, "c" behind those that
 * want carrier.
 */
#ifndef TESTS_PLAN_FIXTURE_H
#define TESTS_PLAN_FIXTURE_H

#include <sriovctl/buf.h>
#include <sriovctl/plan.h>

#include "sim.h"
#include "test.h"

#include <string.h>

#define RULES                                              \
	{                                                  \
		.recreate = true, .allow_disruption = true \
	}

struct fixture {
	struct sim_host host;
	struct pfstates is, want;
	struct plan plan;
	struct buf text;
};

static inline void done(struct fixture *f)
{
	pfstates_done(&f->is);
	pfstates_done(&f->want);
	plan_done(&f->plan);
	buf_done(&f->text);
}
#define AUTO_FIXTURE CLEANUP(done)

static inline struct fixture with(const char *driver, uint32_t vfs)
{
	struct fixture f = { .host = { .n_pfs = 1, .carrier = true } };
	const struct step make = { .vf = PLAN_OF_PF, .what = SETTING_VFS };
	const struct setting_value n = setting_number(vfs);

	f.host.kind[0] = (struct sim_kind){
		.driver = driver,
		.total = SIM_VFS,
		.queues = PFSTATE_QUEUES_FIXED,
		.no_eswitch = strcmp(driver, "igb") == 0,
	};
	sim_init(&f.host);
	EXPECT(sim_write(&f.host, &make, &n) == 0);
	return f;
}

/* Reads the host; what is wanted of it is said next. */
static inline void look(struct fixture *f)
{
	pfstates_done(&f->is);
	pfstates_done(&f->want);
	sim_read(&f->host, &f->is);
	sim_wish(&f->host, &f->want);
}

static inline void want(struct fixture *f, enum setting s, uint64_t n)
{
	f->want.items[0].set[s] = setting_number(n);
}

static inline void want_of(struct fixture *f, uint32_t vf, enum setting s, uint64_t n)
{
	f->want.items[0].vfs[vf].set[s] = setting_number(n);
}

static inline void want_driver(struct fixture *f, uint32_t vf, const char *name)
{
	EXPECT(setting_text(name, &f->want.items[0].vfs[vf].set[SETTING_DRIVER]) == 0);
}

static inline void build(struct fixture *f, const struct plan_options o)
{
	plan_done(&f->plan);
	EXPECT(plan_build(&f->is, &f->want, &o, &f->plan, NULL) == 0);
}

static inline void print_value(enum setting s, const struct setting_value *v, struct buf *ret)
{
	if (v->state != SETTING_KNOWN)
		buf_puts(ret, "-");
	else if (setting_is_name(s))
		buf_printf(ret, "\"%s\"", v->name);
	else
		buf_printf(ret, "%llu", (unsigned long long)v->number);
}

static inline void print_step(const struct step *s, struct buf *ret)
{
	buf_puts(ret, s->keep ? "keep " : "");
	if (s->vf != PLAN_OF_PF)
		buf_printf(ret, "%u ", s->vf);
	buf_printf(ret, "%s ", setting_name(s->what));
	print_value(s->what, &s->before, ret);
	if (!s->keep) {
		buf_puts(ret, ">");
		print_value(s->what, &s->after, ret);
	}
	buf_puts(ret, s->needs_carrier ? " c\n" : "\n");
}

static inline bool reads(struct fixture *f, const char *expected)
{
	buf_clear(&f->text);
	for (size_t i = 0; i < f->plan.n; i++)
		print_step(&f->plan.steps[i], &f->text);
	if (strcmp(buf_text(&f->text), expected) == 0)
		return true;
	for (const char *p = buf_text(&f->text); *p; p = strchr(p, '\n') + 1)
		printf("# %.*s\n", (int)strcspn(p, "\n"), p);
	return false;
}

static inline bool refuses(const struct fixture *f, enum plan_refusal_kind kind, const char *text)
{
	for (size_t i = 0; i < f->plan.n_refusals; i++)
		if (f->plan.refusals[i].kind == kind && strstr(f->plan.refusals[i].text, text))
			return true;
	for (size_t i = 0; i < f->plan.n_refusals; i++)
		printf("# refused: %s\n", f->plan.refusals[i].text);
	return false;
}

static inline bool notes(const struct fixture *f, const char *text)
{
	for (size_t i = 0; i < f->plan.notes.n; i++)
		if (strstr(f->plan.notes.items[i], text))
			return true;
	for (size_t i = 0; i < f->plan.notes.n; i++)
		printf("# noted: %s\n", f->plan.notes.items[i]);
	return false;
}

#endif
