/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <stdlib.h>

struct build_vf build_vf(const struct build *b, uint32_t index)
{
	static const struct pfstate_vf nothing = { 0 };
	bool stays = !b->lost && !b->made && index < b->is->n_vfs;

	return (struct build_vf){
		.is = stays ? &b->is->vfs[index] : NULL,
		.want = index < b->want->n_vfs ? &b->want->vfs[index] : &nothing,
		.index = index,
	};
}

bool build_is_known(const struct setting_value *v)
{
	return v->state == SETTING_KNOWN;
}

struct setting_value build_before(const struct build_vf *vf, enum setting s)
{
	return vf->is ? vf->is->set[s] : (struct setting_value){ 0 };
}

/* A rate that is a share of the link's speed can only be set, and set back, where that is known. */
static bool wants_carrier(const struct build *b, const struct step *s)
{
	return (b->driver->carrier & STEP_BIT(s->what)) &&
	       (SETTING_RATE_MAX(s->before.number) || SETTING_RATE_MAX(s->after.number));
}

void build_step(struct build *b, const struct step *s)
{
	struct plan *p = b->plan;
	struct step *steps;

	if (b->error < 0)
		return;
	steps = base_room(p->steps, p->n, sizeof(*steps));
	if (!steps) {
		b->error = -ENOMEM;
		return;
	}
	p->steps = steps;
	p->steps[p->n] = *s;
	p->steps[p->n].pf = b->pf;
	p->steps[p->n++].needs_carrier = wants_carrier(b, s);
}

void build_of_pf(struct build *b, enum setting s, uint64_t before, uint64_t after)
{
	const struct step step = {
		.vf = PLAN_OF_PF,
		.what = s,
		.before = setting_number(before),
		.after = setting_number(after),
		.required = true,
	};

	build_step(b, &step);
}

void build_of_vf(struct build *b, const struct build_vf *vf, enum setting s,
		 const struct setting_value *before, const struct setting_value *after)
{
	const struct step step = {
		.vf = vf->index,
		.what = s,
		.before = *before,
		.after = *after,
		.required = vf->want->required & STEP_BIT(s),
	};

	build_step(b, &step);
}

void build_keep(struct build *b, uint32_t vf, enum setting s, const struct setting_value *v)
{
	const struct step step = { .vf = vf, .what = s, .before = *v, .after = *v, .keep = true };

	if (build_is_known(v))
		build_step(b, &step);
}

void build_note(struct build *b, const char *fmt, ...)
{
	AUTO_BUF struct buf text = { 0 };

	BUF_FORMAT(&text, fmt);
	if (b->error == 0)
		b->error = strv_take(&b->plan->notes, buf_take(&text));
}

void build_refuse(struct build *b, enum plan_refusal_kind kind, const char *fmt, ...)
{
	struct plan *p = b->plan;
	AUTO_BUF struct buf text = { 0 };
	struct plan_refusal *refusals;

	BUF_FORMAT(&text, fmt);
	refusals = base_room(p->refusals, p->n_refusals, sizeof(*refusals));
	if (refusals)
		p->refusals = refusals;
	if (!refusals || buf_error(&text) < 0) {
		b->error = -ENOMEM;
		return;
	}
	refusals[p->n_refusals] = (struct plan_refusal){ .kind = kind, .text = buf_take(&text) };
	if (refusals[p->n_refusals].text)
		p->n_refusals++;
	else
		b->error = -ENOMEM;
}
