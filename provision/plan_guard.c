/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build.h"

#include <sriovctl/buf.h>

#include <string.h>

/* Who has it; "": nobody. */
static void print_holders(const struct pfstate *pf, const struct pfstate_vf *vf, struct buf *ret)
{
	const struct setting_value *driver = &vf->set[SETTING_DRIVER];

	for (size_t i = 0; i < vf->holders.n; i++)
		buf_printf(ret, "%s%s", i ? "; " : "", vf->holders.items[i]);
	/* Of vfio-pci and of the drivers made from it, as mlx5_vfio_pci. */
	if (vf->holders.n == 0 && pf->blind && pf->blind[0] && build_is_known(driver) &&
	    strstr(driver->name, "vfio"))
		buf_printf(ret, "%s has it, and who uses that cannot be seen: %s", driver->name,
			   pf->blind);
}

/* What is done to one VF by all steps together: STEP_TAKES, STEP_RESETS. */
static unsigned hazards_of(const struct build *b, uint32_t vf, bool *ret_changed)
{
	bool changed = false;
	unsigned all = 0;

	for (size_t i = b->first; i < b->plan->n; i++) {
		const struct step *s = &b->plan->steps[i];

		if (s->keep || (s->vf != vf && s->vf != PLAN_OF_PF))
			continue;
		all |= step_hazards(b->is, s, &s->before, &s->after);
		changed |= s->vf == vf;
	}
	*ret_changed = changed;
	return all;
}

static void guard_vf(struct build *b, uint32_t index)
{
	AUTO_BUF struct buf who = { 0 };
	bool changed;
	unsigned hazards;

	print_holders(b->is, &b->is->vfs[index], &who);
	if (buf_error(&who) < 0)
		b->error = buf_error(&who);
	if (who.len == 0)
		return;
	hazards = hazards_of(b, index, &changed);
	if (hazards & (STEP_TAKES | STEP_RESETS))
		build_refuse(b, PLAN_IN_USE, "VF %u of %s would be %s, and is in use: %s", index,
			     b->is->bdf, hazards & STEP_TAKES ? "taken away" : "reset",
			     buf_text(&who));
	else if (changed)
		build_note(b, "VF %u of %s is changed below who uses it: %s", index, b->is->bdf,
			   buf_text(&who));
}

static bool is_interrupted(const struct build *b)
{
	for (size_t i = b->first; i < b->plan->n; i++) {
		const struct step *s = &b->plan->steps[i];

		if (!s->keep && s->vf == PLAN_OF_PF &&
		    step_hazards(b->is, s, &s->before, &s->after) & STEP_INTERRUPTS)
			return true;
	}
	return false;
}

static void guard_pf(struct build *b)
{
	if (b->options->allow_disruption || !is_interrupted(b))
		return;
	for (size_t i = 0; i < b->is->users.n; i++)
		build_refuse(b, PLAN_DISRUPTION,
			     "%s would be interrupted: %s; --allow-disruption says that this is "
			     "meant",
			     b->is->bdf, b->is->users.items[i]);
}

/* Is it asked for again, of a VF that there will be? */
static bool is_set_again(const struct build *b, uint32_t vf, enum setting s)
{
	return vf < b->to && vf < b->want->n_vfs && build_is_known(&b->want->vfs[vf].set[s]);
}

/* Is it what a new VF would have anyway?  No VLAN has a protocol all the same. */
static bool is_nothing(enum setting s, const struct setting_value *v)
{
	if (s == SETTING_VLAN)
		return SETTING_VLAN_ID(v->number) == 0 && SETTING_VLAN_QOS(v->number) == 0;
	return v->number == 0 && !v->name[0];
}

static void note_loss(struct build *b, uint32_t index)
{
	static const enum setting told[] = { SETTING_MAC,  SETTING_VLAN,       SETTING_TRUST,
					     SETTING_RATE, SETTING_LINK_STATE, SETTING_OVERRIDE };
	const struct setting_value *is = b->is->vfs[index].set;
	AUTO_BUF struct buf lost = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(told); i++) {
		const struct setting_value *v = &is[told[i]];

		if (!build_is_known(v) || is_nothing(told[i], v) || is_set_again(b, index, told[i]))
			continue;
		buf_puts(&lost, lost.len ? ", " : "");
		step_print_value(told[i], v, &lost);
	}
	if (lost.len > 0)
		build_note(b, "VF %u of %s loses %s", index, b->is->bdf, buf_text(&lost));
}

/* Drivers look at the address that the PF set when they are bound. */
static void note_addresses(struct build *b)
{
	for (size_t i = b->first; i < b->plan->n; i++) {
		const struct step *s = &b->plan->steps[i];
		bool changed, there = s->vf < b->is->n_vfs && !b->lost;

		if (s->keep || s->what != SETTING_MAC || !there ||
		    !b->is->vfs[s->vf].set[SETTING_DRIVER].name[0])
			continue;
		if (!(hazards_of(b, s->vf, &changed) & STEP_TAKES))
			build_note(b,
				   "VF %u of %s takes its new address when its driver is bound "
				   "anew",
				   s->vf, b->is->bdf);
	}
}

/* How to look so that all is seen, where something is refused that may be in nobody's hands. */
static void note_blindness(struct build *b, size_t refusals)
{
	for (size_t i = refusals; i < b->plan->n_refusals; i++) {
		if (b->plan->refusals[i].kind != PLAN_IN_USE || !b->is->blind || !b->is->blind[0])
			continue;
		build_note(b, "%s: not all who may use its VFs can be seen: %s", b->is->bdf,
			   b->is->blind);
		return;
	}
}

void plan_guard(struct build *b)
{
	size_t refusals = b->plan->n_refusals;

	guard_pf(b);
	for (uint32_t i = 0; i < b->is->n_vfs && b->error == 0; i++) {
		guard_vf(b, i);
		if (b->lost)
			note_loss(b, i);
	}
	note_blindness(b, refusals);
	note_addresses(b);
}
