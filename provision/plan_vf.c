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

/*
 * The PF's interface is what is told, of new VFs too.  One that is elsewhere is told of once; where
 * there is none at all, checks say why.
 */
static bool is_out_of_reach(struct build *b, enum setting s)
{
	const struct setting_value *mtu = &b->is->set[SETTING_MTU];

	if (s >= SETTING_QUEUES || mtu->state != SETTING_UNKNOWN || mtu->error != -EREMOTE)
		return false;
	if (!b->out_of_reach)
		build_refuse(b, PLAN_UNKNOWN, "%s: nothing can be set of its VFs: %s", b->is->bdf,
			     pfstate_why(mtu->error));
	b->out_of_reach = true;
	return true;
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
	if (is_out_of_reach(b, s))
		return false;
	if (!vf->is || build_is_known(&before))
		return true;
	build_refuse(b, PLAN_UNKNOWN,
		     "VF %u of %s: %s cannot be read (%s): a change could be neither proved nor "
		     "undone",
		     vf->index, b->is->bdf, setting_name(s), pfstate_why(before.error));
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

/* Of a VF that is there: does its driver lose it, with it or before it? */
static bool is_released(const struct build *b, uint32_t index)
{
	const struct build_vf vf = build_vf(b, index);

	return b->lost || (vf.is && index < b->to && plan_driver_of(b, &vf).frees);
}

/* What goes with the driver. */
static void keep_bound(struct build *b, enum setting s)
{
	for (uint32_t i = 0; i < b->is->n_vfs; i++)
		if (is_released(b, i))
			build_keep(b, i, s, &b->is->vfs[i].set[s]);
}

/*
 * Undone, an odd one is bound to its driver by its name, and what was the override is put back
 * after.  One that goes comes back without: keep_odd_name() has the name then.
 */
static void name_odd(struct build *b)
{
	for (uint32_t i = 0; i < b->is->n_vfs; i++) {
		const struct build_vf vf = build_vf(b, i);
		const struct setting_value *is = b->is->vfs[i].set;

		if (!is_released(b, i) || !plan_driver_is_odd(&b->is->vfs[i]))
			continue;
		if (b->lost)
			build_keep(b, i, SETTING_OVERRIDE, &is[SETTING_OVERRIDE]);
		else
			build_of_vf(b, &vf, SETTING_OVERRIDE, &is[SETTING_OVERRIDE],
				    &is[SETTING_DRIVER]);
	}
}

static void release(struct build *b)
{
	for (uint32_t i = 0; i < b->is->n_vfs; i++) {
		const struct build_vf vf = build_vf(b, i);
		const struct setting_value *is = &b->is->vfs[i].set[SETTING_DRIVER];

		if (b->lost)
			build_keep(b, i, SETTING_DRIVER, is);
		else if (is_released(b, i))
			build_of_vf(b, &vf, SETTING_DRIVER, is, &none);
	}
}

static void keep_odd_name(struct build *b)
{
	for (uint32_t i = 0; b->lost && i < b->is->n_vfs; i++)
		if (plan_driver_is_odd(&b->is->vfs[i]))
			build_keep(b, i, SETTING_OVERRIDE, &b->is->vfs[i].set[SETTING_DRIVER]);
}

void plan_vf_release(struct build *b)
{
	keep_bound(b, SETTING_VF_NAME);
	keep_bound(b, SETTING_VF_MTU);
	if (b->is->queues == PFSTATE_QUEUES_CHANNELS)
		keep_bound(b, SETTING_QUEUES);
	name_odd(b);
	release(b);
	keep_odd_name(b);
}

/* Last to first of what comes with the VFs. */
void plan_vf_keep(struct build *b)
{
	const uint32_t n = b->lost ? (uint32_t)b->is->n_vfs : 0;
	const struct pfstate_vf *is = b->is->vfs;

	for (uint32_t i = 0; i < n; i++)
		if (!plan_driver_is_odd(&is[i]))
			build_keep(b, i, SETTING_OVERRIDE, &is[i].set[SETTING_OVERRIDE]);
	if (b->is->queues == PFSTATE_QUEUES_MSIX || b->is->queues == PFSTATE_QUEUES_NVME)
		for (uint32_t i = 0; i < n; i++)
			build_keep(b, i, SETTING_QUEUES, &is[i].set[SETTING_QUEUES]);
	for (size_t t = ARRAY_SIZE(turns); t-- > 0;) {
		enum setting s = turns[t].what;

		for (uint32_t i = 0; i < n; i++)
			if (has_turn(&turns[t], &is[i].set[s]))
				build_keep(b, i, s, &is[i].set[s]);
	}
}

static void set_by_pf(struct build *b, const struct build_vf *vf, const struct turn *t)
{
	const struct setting_value before = build_before(vf, t->what);

	if (has_turn(t, &vf->want->set[t->what]) && changes(b, vf, t->what) &&
	    limits_hold(b, vf, t->what))
		build_of_vf(b, vf, t->what, &before, &vf->want->set[t->what]);
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

static void set_override(struct build *b, const struct build_vf *vf)
{
	const struct plan_binding bound = plan_driver_of(b, vf);

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

/* One setting of all VFs after the other: what is written so is read back at once. */
void plan_vf_set(struct build *b)
{
	for (uint32_t i = 0; i < b->to; i++) {
		const struct build_vf vf = build_vf(b, i);

		set_queues(b, &vf, true);
	}
	for (size_t t = 0; t < ARRAY_SIZE(turns); t++)
		for (uint32_t i = 0; i < b->to; i++) {
			const struct build_vf vf = build_vf(b, i);

			set_by_pf(b, &vf, &turns[t]);
		}
	for (uint32_t i = 0; i < b->to; i++) {
		const struct build_vf vf = build_vf(b, i);

		plan_queues_judge(b, &vf);
		set_queues(b, &vf, false);
	}
	for (uint32_t i = 0; i < b->to; i++) {
		const struct build_vf vf = build_vf(b, i);

		set_override(b, &vf);
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

static void set_bound(struct build *b, const struct build_vf *vf, enum setting s)
{
	const struct plan_binding bound = plan_driver_of(b, vf);
	const struct setting_value driver = build_before(vf, SETTING_DRIVER);
	const struct setting_value before = build_before(vf, s);
	bool same = bound.frees && setting_equal(SETTING_DRIVER, &driver, &bound.driver);

	if (!vf->is || bound.frees || bound.binds)
		/* A name comes again by itself. */
		set_fresh(b, vf, s, same && s != SETTING_VF_NAME);
	else if (changes(b, vf, s))
		build_of_vf(b, vf, s, &before, &vf->want->set[s]);
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

static void bind_or_restore(struct build *b, const struct build_vf *vf, enum setting s)
{
	const struct plan_binding bound = plan_driver_of(b, vf);

	if (s == SETTING_DRIVER && bound.binds)
		bind_vf(b, vf, &bound.driver);
	else if (s == SETTING_OVERRIDE && bound.restores)
		build_of_vf(b, vf, s, &bound.was_override, &vf->is->set[s]);
}

void plan_vf_bind(struct build *b)
{
	static const enum setting turn[] = { SETTING_DRIVER, SETTING_OVERRIDE, SETTING_QUEUES,
					     SETTING_VF_MTU, SETTING_VF_NAME };
	bool channels = b->is->queues == PFSTATE_QUEUES_CHANNELS;

	for (size_t t = 0; t < ARRAY_SIZE(turn); t++)
		for (uint32_t i = 0; i < b->to; i++) {
			const struct build_vf vf = build_vf(b, i);

			if (turn[t] == SETTING_DRIVER || turn[t] == SETTING_OVERRIDE)
				bind_or_restore(b, &vf, turn[t]);
			else if (turn[t] != SETTING_QUEUES || channels)
				set_bound(b, &vf, turn[t]);
		}
}
