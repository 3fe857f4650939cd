/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why in this order:
 *   - VFs are made without drivers, so that their addresses are set before one looks, and
 *     that vfio-pci gets them untouched.  The kernel gives a VF that has no override to no
 *     driver at all while autoprobe is off (pci_device_can_probe()), so that drivers are
 *     bound after, and freed before it is: backwards the same holds.
 *   - The number of VFs changes by way of 0 only (sriov_numvfs_store()), and with it goes all
 *     that was set; the mode of the eswitch is final before VFs are there, or after, as the
 *     driver has it.
 *   - The PF's MTU is never below that of its VFs; where there are none, it is set then.
 *
 * A PF that has to be up for a setting is brought up first and stays up: a rate is in force
 * only while it is, and one that waits for carrier would wait in vain.
 */
#include <sriovctl/plan.h>

#include "build.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const struct setting_value *v, uint64_t number)
{
	return build_is_known(v) && v->number == number;
}

/* True: it is wanted, and is something else that is known.  What is not known is refused. */
static bool changes(struct build *b, enum setting s)
{
	const struct setting_value *is = &b->is->set[s], *want = &b->want->set[s];

	if (!build_is_known(want) || setting_equal(s, is, want))
		return false;
	if (is->state == SETTING_UNSUPPORTED)
		build_refuse(b, PLAN_IMPOSSIBLE, "%s: %s cannot be set: %s has no such thing",
			     b->is->bdf, setting_name(s),
			     b->is->driver ? b->is->driver : "a PF without a driver");
	else if (is->state != SETTING_KNOWN)
		build_refuse(b, PLAN_UNKNOWN,
			     "%s: %s cannot be read (%s): a change could be neither proved nor "
			     "undone",
			     b->is->bdf, setting_name(s), pfstate_why(is->error));
	return build_is_known(is);
}

static void decide_count(struct build *b)
{
	const struct setting_value *is = &b->is->set[SETTING_VFS];
	const struct setting_value *want = &b->want->set[SETTING_VFS];

	b->from = b->to = build_is_known(is) ? (uint32_t)is->number : (uint32_t)b->is->n_vfs;
	if (!changes(b, SETTING_VFS))
		return;
	if (want->number > b->is->total)
		build_refuse(b, PLAN_IMPOSSIBLE, "%s: %llu VF%s wanted, and it has %u at most",
			     b->is->bdf, (unsigned long long)want->number,
			     want->number == 1 ? " is" : "s are", b->is->total);
	else
		b->to = (uint32_t)want->number;
}

static void decide(struct build *b)
{
	const struct setting_value *probe = &b->want->set[SETTING_AUTOPROBE];

	decide_count(b);
	b->eswitch = b->is->set[SETTING_ESWITCH];
	b->moves = changes(b, SETTING_ESWITCH);
	b->lost = b->from > 0 &&
		  (b->to != b->from || (b->moves && b->driver->eswitch == STEP_ESWITCH_NO_VFS));
	b->made = b->to > 0 && (b->lost || b->from == 0);
	b->autoprobe = b->is->set[SETTING_AUTOPROBE];
	if (changes(b, SETTING_AUTOPROBE))
		b->probe = probe->number != 0;
	else
		b->probe = build_is_known(&b->autoprobe) && b->autoprobe.number != 0;
	if (b->lost && !b->options->recreate)
		build_refuse(b, PLAN_RECREATE,
			     b->to > 0 ? "%s: its VFs would be destroyed and made anew; --recreate "
					 "says that this is meant"
				       : "%s: its VFs would be destroyed; --recreate says that "
					 "this is meant",
			     b->is->bdf);
}

static void set_autoprobe(struct build *b, bool on)
{
	if (!build_is_known(&b->autoprobe) || b->autoprobe.number == on)
		return;
	build_of_pf(b, SETTING_AUTOPROBE, b->autoprobe.number, on);
	b->autoprobe = setting_number(on);
}

static void set_eswitch(struct build *b, uint64_t mode)
{
	build_of_pf(b, SETTING_ESWITCH, b->eswitch.number, mode);
	b->eswitch = setting_number(mode);
}

static void hold_mtu(struct build *b)
{
	const struct setting_value *is = &b->is->set[SETTING_MTU];

	if (build_is_known(is))
		build_of_pf(b, SETTING_MTU, is->number, is->number);
}

static void set_mtu(struct build *b, bool grows)
{
	uint64_t is = b->is->set[SETTING_MTU].number, want = b->want->set[SETTING_MTU].number;

	if ((want > is) == grows)
		build_of_pf(b, SETTING_MTU, is, want);
	else if (grows && b->lost)
		hold_mtu(b);
}

static void set_count(struct build *b, bool mtu)
{
	const struct pfstate *target = b->moves ? b->want : b->is;
	uint64_t mode = target->set[SETTING_ESWITCH].number;
	bool known = build_is_known(&b->eswitch);
	bool late = b->driver->eswitch == STEP_ESWITCH_WITH_VFS;

	if (b->lost)
		build_of_pf(b, SETTING_VFS, b->from, 0);
	/* With the VFs drivers may leave switchdev, or a large MTU: that is held. */
	if (known && !late && (b->eswitch.number != mode || (b->lost && mode != 0)))
		set_eswitch(b, mode);
	if (mtu)
		set_mtu(b, true);
	else if (b->lost)
		hold_mtu(b);
	if (b->made)
		build_of_pf(b, SETTING_VFS, 0, b->to);
	if (known && late && b->eswitch.number != mode && b->to > 0)
		set_eswitch(b, mode);
	else if (late && b->moves && b->eswitch.number != mode)
		build_refuse(b, PLAN_IMPOSSIBLE, "%s: %s is in switchdev mode only with VFs",
			     b->is->bdf, b->driver->name);
}

/* What a change of the number of VFs may do to the PF besides. */
static void keep_pf(struct build *b)
{
	/* One that is down may have to be brought up first: then that is undone. */
	if ((b->lost || b->made) && is_number(&b->is->set[SETTING_UP], 1))
		build_keep(b, PLAN_OF_PF, SETTING_UP, &b->is->set[SETTING_UP]);
	/* Undoing takes the new VFs away, and switchdev may go with them. */
	if (b->made && !b->lost) {
		build_keep(b, PLAN_OF_PF, SETTING_MTU, &b->is->set[SETTING_MTU]);
		build_keep(b, PLAN_OF_PF, SETTING_ESWITCH, &b->eswitch);
	}
	/* Such a driver has to be back in legacy mode before its VFs go. */
	if (b->driver->eswitch == STEP_ESWITCH_WITH_VFS && b->lost && is_number(&b->eswitch, 1))
		set_eswitch(b, 0);
}

static bool is_done_up(const struct step *s)
{
	return !s->keep && (!s->needs_carrier || SETTING_RATE_MAX(s->after.number));
}

/* Does a step of this PF want it up when it is done (or, @undone, when it is done or undone)? */
static bool wants_up(const struct build *b, bool undone)
{
	for (size_t i = b->first; i < b->plan->n; i++) {
		const struct step *s = &b->plan->steps[i];

		if ((s->needs_carrier || (b->driver->up & STEP_BIT(s->what))) &&
		    (undone || is_done_up(s)))
			return true;
	}
	return false;
}

static void move_last_to_first(struct build *b)
{
	struct step *steps = b->plan->steps, last = steps[b->plan->n - 1];

	memmove(&steps[b->first + 1], &steps[b->first],
		(b->plan->n - 1 - b->first) * sizeof(*steps));
	steps[b->first] = last;
}

static void bring_up(struct build *b)
{
	const struct setting_value *is = &b->is->set[SETTING_UP];
	const struct setting_value *want = &b->want->set[SETTING_UP];
	bool changed = changes(b, SETTING_UP);
	bool after = build_is_known(want) ? want->number != 0 : wants_up(b, false);

	if (is_number(is, 0) && (wants_up(b, true) || (changed && after))) {
		build_of_pf(b, SETTING_UP, 0, 1);
		if (b->error == 0)
			move_last_to_first(b);
		if (!after)
			build_of_pf(b, SETTING_UP, 1, 0);
		else if (!changed)
			build_note(b,
				   "%s is brought up, as %s wants it for a setting, and stays up",
				   b->is->bdf, b->is->driver);
	} else if (changed) {
		build_of_pf(b, SETTING_UP, 1, 0);
	}
}

static void build_pf(struct build *b)
{
	bool mtu = changes(b, SETTING_MTU);

	decide(b);
	if (plan_driver_frees_by_id(b))
		set_autoprobe(b, true);
	plan_vf_release(b);
	if (b->lost || b->made)
		set_autoprobe(b, false);
	keep_pf(b);
	plan_vf_keep(b);
	set_count(b, mtu);
	plan_vf_set(b);
	set_autoprobe(b, b->probe || plan_driver_binds_by_id(b));
	plan_vf_bind(b);
	if (mtu)
		set_mtu(b, false);
	set_autoprobe(b, b->probe);
	bring_up(b);
	plan_guard(b);
}

int plan_build(const struct pfstates *is, const struct pfstates *want, const struct plan_options *o,
	       struct plan *ret, struct error *e)
{
	AUTO_PLAN struct plan plan = { 0 };

	for (size_t i = 0; i < is->n; i++) {
		struct build b = {
			.is = &is->items[i],
			.want = &want->items[i],
			.driver = step_driver_find(is->items[i].driver),
			.options = o,
			.plan = &plan,
			.first = plan.n,
			.pf = (uint32_t)i,
		};

		build_pf(&b);
		if (b.error < 0)
			return error_nomem(e);
	}
	*ret = plan;
	plan = (struct plan){ 0 };
	return 0;
}

void plan_done(struct plan *p)
{
	for (size_t i = 0; i < p->n_refusals; i++)
		free(p->refusals[i].text);
	free(p->refusals);
	free(p->steps);
	strv_done(&p->notes);
	*p = (struct plan){ 0 };
}

bool plan_goes_with(const struct step *s, const struct step *next)
{
	return setting_is_of_vf(s->what) && s->what == next->what && s->pf == next->pf &&
	       s->keep == next->keep && s->vf < next->vf;
}

bool plan_holds(const struct step *s)
{
	return !s->keep && setting_equal(s->what, &s->before, &s->after);
}

/* Where what is done does not tell what was before: not for what is either on or off. */
static bool tells_before(const struct step *s)
{
	if (s->keep || !build_is_known(&s->before) || plan_holds(s))
		return false;
	if (s->what == SETTING_DRIVER)
		return s->before.name[0];
	return s->what != SETTING_UP && s->what != SETTING_AUTOPROBE &&
	       (s->what != SETTING_VFS || s->before.number > 0);
}

void plan_describe(const struct pfstates *is, const struct step *s, struct buf *ret)
{
	plan_describe_vfs(is, s, s->vf, ret);
}

void plan_describe_vfs(const struct pfstates *is, const struct step *s, uint32_t last,
		       struct buf *ret)
{
	AUTO_BUF struct buf before = { 0 };

	step_print_vfs(&is->items[s->pf], s, last, &s->after, ret);
	if (!tells_before(s))
		return;
	setting_print(s->what, &s->before, &before);
	buf_printf(ret, " (was %s)", buf_text(&before));
	if (buf_error(&before) < 0)
		ret->error = buf_error(&before);
}
