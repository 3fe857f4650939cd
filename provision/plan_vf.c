/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct setting_value unset;
static const struct setting_value none = { .state = SETTING_KNOWN };

/*
 * In which turn the PF's settings of a VF are written.  Trust comes before what only a
 * trusted VF may have, and goes after it; an address comes before spoof checking, which wants
 * one, and goes after it.
 */
static const struct turn {
	enum setting what;
	enum { ANY_VALUE, NOT_ZERO, ZERO } when;
} turns[] = {
	{ SETTING_TRUST, NOT_ZERO },
	{ SETTING_MAC, NOT_ZERO },
	{ SETTING_VLAN, ANY_VALUE },
	{ SETTING_SPOOFCHK, ANY_VALUE },
	{ SETTING_MAC, ZERO },
	{ SETTING_RATE, ANY_VALUE },
	{ SETTING_LINK_STATE, ANY_VALUE },
	{ SETTING_RSS_QUERY, ANY_VALUE },
	{ SETTING_TRUST, ZERO },
};

static bool has_turn(const struct turn *t, const struct setting_value *v)
{
	return build_is_known(v) && (t->when == ANY_VALUE || (t->when == ZERO) == (v->number == 0));
}

static void lacks(struct build *b, const struct build_vf *vf, enum setting s)
{
	const char *driver = b->is->driver ? b->is->driver : "a PF without a driver";

	if (vf->want->required & STEP_BIT(s))
		build_refuse(b, PLAN_IMPOSSIBLE,
			     "VF %u of %s: %s is required, and %s has no such "
			     "thing",
			     vf->index, b->is->bdf, setting_name(s), driver);
	else
		build_note(b, "VF %u of %s: %s is left out, as %s has no such thing", vf->index,
			   b->is->bdf, setting_name(s), driver);
}

/* What the VFs that are there do not have, new ones of the same driver will not have either. */
static bool is_lacking(const struct build *b, const struct build_vf *vf, enum setting s)
{
	bool by_pf = s < SETTING_QUEUES;

	if (by_pf && !b->is->is_network)
		return true;
	if (vf->is)
		return vf->is->set[s].state == SETTING_UNSUPPORTED;
	return by_pf && !b->moves && b->is->n_vfs > 0 &&
	       b->is->vfs[0].set[s].state == SETTING_UNSUPPORTED;
}

/* True: to be written.  What cannot be had is noted, or refused. */
static bool changes(struct build *b, const struct build_vf *vf, enum setting s)
{
	const struct setting_value *want = &vf->want->set[s];
	const struct setting_value before = build_before(vf, s);

	if (!build_is_known(want) || (vf->is && setting_equal(s, &before, want)))
		return false;
	if (is_lacking(b, vf, s)) {
		lacks(b, vf, s);
		return false;
	}
	if (!vf->is || build_is_known(&before))
		return true;
	build_refuse(b, PLAN_UNKNOWN,
		     "VF %u of %s: %s cannot be read (%s): a change could be neither proved nor "
		     "undone",
		     vf->index, b->is->bdf, setting_name(s), strerror(abs(before.error)));
	return false;
}

static bool limits_hold(struct build *b, const struct build_vf *vf, enum setting s)
{
	uint64_t want = vf->want->set[s].number;

	if (s == SETTING_RATE && b->driver->no_min_rate && SETTING_RATE_MIN(want))
		build_refuse(b, PLAN_IMPOSSIBLE, "VF %u of %s: %s has no minimum rate", vf->index,
			     b->is->bdf, b->driver->name);
	else if (s == SETTING_VLAN && b->driver->only_8021q && SETTING_VLAN_PROTO(want) == 0x88a8)
		build_refuse(b, PLAN_IMPOSSIBLE, "VF %u of %s: %s has no 802.1ad", vf->index,
			     b->is->bdf, b->driver->name);
	else
		return true;
	return false;
}

/* What goes with the driver, last to first of what comes with it. */
static void keep_bound(struct build *b, uint32_t index)
{
	const struct setting_value *is = b->is->vfs[index].set;

	build_keep(b, index, SETTING_VF_MTU, &is[SETTING_VF_MTU]);
	if (b->is->queues == PFSTATE_QUEUES_CHANNELS)
		build_keep(b, index, SETTING_QUEUES, &is[SETTING_QUEUES]);
}

/* Undone, the driver is bound by its name, and what was the override is put back after. */
static void keep_odd(struct build *b, uint32_t index)
{
	const struct setting_value *is = b->is->vfs[index].set;

	build_keep(b, index, SETTING_OVERRIDE, &is[SETTING_OVERRIDE]);
	build_keep(b, index, SETTING_DRIVER, &is[SETTING_DRIVER]);
	build_keep(b, index, SETTING_OVERRIDE, &is[SETTING_DRIVER]);
}

static void keep_driver(struct build *b, uint32_t index)
{
	const struct pfstate_vf *is = &b->is->vfs[index];

	keep_bound(b, index);
	if (plan_driver_is_odd(is))
		keep_odd(b, index);
	else
		build_keep(b, index, SETTING_DRIVER, &is->set[SETTING_DRIVER]);
}

static void free_driver(struct build *b, const struct build_vf *vf)
{
	const struct setting_value *is = vf->is->set;
	const struct plan_binding bound = plan_driver_of(b, vf);

	if (!bound.frees)
		return;
	keep_bound(b, vf->index);
	if (bound.is_odd)
		build_of_vf(b, vf, SETTING_OVERRIDE, &is[SETTING_OVERRIDE], &is[SETTING_DRIVER]);
	build_of_vf(b, vf, SETTING_DRIVER, &is[SETTING_DRIVER], &none);
}

void plan_vf_release(struct build *b)
{
	for (size_t i = b->is->n_vfs; i-- > 0;) {
		const struct build_vf vf = build_vf(b, (uint32_t)i);

		if (b->lost)
			keep_driver(b, vf.index);
		else if (vf.is && vf.index < b->to)
			free_driver(b, &vf);
	}
}

void plan_vf_keep(struct build *b)
{
	for (size_t i = b->lost ? b->is->n_vfs : 0; i-- > 0;) {
		const struct setting_value *is = b->is->vfs[i].set;
		uint32_t index = (uint32_t)i;

		if (!plan_driver_is_odd(&b->is->vfs[i]))
			build_keep(b, index, SETTING_OVERRIDE, &is[SETTING_OVERRIDE]);
		if (b->is->queues == PFSTATE_QUEUES_MSIX || b->is->queues == PFSTATE_QUEUES_NVME)
			build_keep(b, index, SETTING_QUEUES, &is[SETTING_QUEUES]);
		for (size_t t = ARRAY_SIZE(turns); t-- > 0;)
			if (has_turn(&turns[t], &is[turns[t].what]))
				build_keep(b, index, turns[t].what, &is[turns[t].what]);
	}
}

static void set_by_pf(struct build *b, const struct build_vf *vf)
{
	for (size_t t = 0; t < ARRAY_SIZE(turns); t++) {
		enum setting s = turns[t].what;
		const struct setting_value before = build_before(vf, s);

		if (has_turn(&turns[t], &vf->want->set[s]) && changes(b, vf, s) &&
		    limits_hold(b, vf, s))
			build_of_vf(b, vf, s, &before, &vf->want->set[s]);
	}
}

/* VFs share a pool: what some give back is there for others only after. */
static void set_queues(struct build *b, const struct build_vf *vf, bool fewer)
{
	const struct setting_value before = build_before(vf, SETTING_QUEUES);
	const struct setting_value *want = &vf->want->set[SETTING_QUEUES];

	if (plan_driver_must_be_free(b, vf) && (want->number < before.number) == fewer &&
	    changes(b, vf, SETTING_QUEUES))
		build_of_vf(b, vf, SETTING_QUEUES, &before, want);
}

static void set_unbound(struct build *b, const struct build_vf *vf)
{
	const struct plan_binding bound = plan_driver_of(b, vf);

	plan_queues_judge(b, vf);
	set_queues(b, vf, false);
	/* Whatever else is not known of its driver is refused where that is asked for. */
	if (vf->is)
		(void)changes(b, vf, SETTING_DRIVER);
	if (!build_is_known(&bound.override))
		return;
	if (vf->is && !build_is_known(&bound.was_override))
		build_refuse(b, PLAN_UNKNOWN, "VF %u of %s: its driver_override cannot be read",
			     vf->index, b->is->bdf);
	build_of_vf(b, vf, SETTING_OVERRIDE, &bound.was_override, &bound.override);
}

void plan_vf_set(struct build *b)
{
	for (uint32_t i = 0; i < b->to; i++) {
		const struct build_vf vf = build_vf(b, i);

		set_queues(b, &vf, true);
	}
	for (uint32_t i = 0; i < b->to; i++) {
		const struct build_vf vf = build_vf(b, i);

		set_by_pf(b, &vf);
		set_unbound(b, &vf);
	}
}

/* A driver brings a fresh interface; of the driver that it had, as it was. */
static void set_fresh(struct build *b, const struct build_vf *vf, enum setting s, bool same)
{
	const struct setting_value before = build_before(vf, s), *want = &vf->want->set[s];
	const struct setting_value *after = build_is_known(want) || !same ? want : &before;

	if (build_is_known(after))
		build_of_vf(b, vf, s, &unset, after);
}

static void set_bound(struct build *b, const struct build_vf *vf, const struct plan_binding *bound)
{
	static const enum setting settings[] = { SETTING_QUEUES, SETTING_VF_MTU };
	const struct setting_value driver = build_before(vf, SETTING_DRIVER);
	bool same = bound->frees && setting_equal(SETTING_DRIVER, &driver, &bound->driver);

	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		enum setting s = settings[i];
		const struct setting_value before = build_before(vf, s);

		if (s == SETTING_QUEUES && b->is->queues != PFSTATE_QUEUES_CHANNELS)
			continue;
		if (!vf->is || bound->frees || bound->binds)
			set_fresh(b, vf, s, same);
		else if (changes(b, vf, s))
			build_of_vf(b, vf, s, &before, &vf->want->set[s]);
	}
}

/* Whoever asks for a driver means that one is there; a VF that is let be may have none. */
static void bind_vf(struct build *b, const struct build_vf *vf, const struct setting_value *driver)
{
	const struct step s = {
		.vf = vf->index,
		.what = SETTING_DRIVER,
		.before = vf->is ? none : unset,
		.after = *driver,
		.required = plan_driver_is_default(&vf->want->set[SETTING_DRIVER]) ||
			    (vf->want->required & STEP_BIT(SETTING_DRIVER)),
	};

	build_step(b, &s);
}

void plan_vf_bind(struct build *b)
{
	for (uint32_t i = 0; i < b->to; i++) {
		const struct build_vf vf = build_vf(b, i);
		const struct plan_binding bound = plan_driver_of(b, &vf);

		if (bound.binds)
			bind_vf(b, &vf, &bound.driver);
		if (bound.restores)
			build_of_vf(b, &vf, SETTING_OVERRIDE, &bound.was_override,
				    &vf.is->set[SETTING_OVERRIDE]);
		set_bound(b, &vf, &bound);
	}
}
