/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_step.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/step.h>

#include <errno.h>
#include <string.h>

/* Why a step failed, after what the effector said. */
static int say(const struct apply *a, const struct step *s, const struct setting_value *v, int r,
	       struct error *e)
{
	AUTO_BUF struct buf what = { 0 };

	step_print(&a->is->items[s->pf], s, v, &what);
	return error_prefix(e, r, "%s", buf_text(&what));
}

static int say_otherwise(const struct step *s, const struct setting_value *now, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };

	if (s->what == SETTING_DRIVER && !now->name[0])
		return error_set(e, -ETIMEDOUT,
				 "the driver does not take it; the kernel's log may say why");
	step_print_value(s->what, now, &text);
	return error_set(e, -ETIMEDOUT, "it was written, and what reads back is: %s",
			 buf_text(&text));
}

/* Links and drivers come late, so that not yet to be read is no failure before its time. */
static int settle(const struct apply *a, const struct step *s, const struct setting_value *v,
		  struct error *e)
{
	struct setting_value now = { 0 };
	unsigned tries = 0;
	int r;

	do {
		r = a->f->read(a->f->ctx, s, &now, e);
		if (r == 0 && step_reached(s, v, &now))
			return 0;
		if (r == 0 && now.state == SETTING_UNSUPPORTED)
			return error_set(e, -EOPNOTSUPP, "the driver has no such thing");
		if (r == -EOPNOTSUPP || r == -EINPROGRESS)
			return r;
	} while (a->f->wait(a->f->ctx, s, tries++) == 0);
	return r < 0 ? r : say_otherwise(s, &now, e);
}

int apply_step_read(const struct apply *a, const struct step *s, struct setting_value *ret,
		    struct error *e)
{
	unsigned tries = 0;
	int r;

	do {
		r = a->f->read(a->f->ctx, s, ret, e);
		if (r == 0 || r == -EOPNOTSUPP || r == -EINPROGRESS)
			return r;
	} while (a->f->wait(a->f->ctx, s, tries++) == 0);
	return r;
}

int apply_step_settle(const struct apply *a, const struct step *s, const struct setting_value *v,
		      struct error *e)
{
	int r = settle(a, s, v, e);

	return r < 0 ? say(a, s, v, r, e) : 0;
}

/* While it was waited for, somebody may have come. */
static int guard_again(const struct apply *a, const struct step *s, const struct setting_value *v,
		       struct error *e)
{
	bool undoes = setting_equal(s->what, v, &s->before);

	if (s->before.state != SETTING_KNOWN)
		return 0;
	return apply_step_guard(a, s, undoes ? &s->after : &s->before, v, e);
}

int apply_step_set(const struct apply *a, const struct step *s, const struct setting_value *v,
		   struct error *e)
{
	unsigned tries = 0;
	int r;

	do {
		r = tries > 0 ? guard_again(a, s, v, e) : 0;
		if (r < 0)
			return r;
		r = a->f->write(a->f->ctx, s, v, e);
	} while (r == -EAGAIN && a->f->wait(a->f->ctx, s, tries++) == 0);
	if (r == 0)
		r = settle(a, s, v, e);
	return r < 0 ? say(a, s, v, r, e) : 0;
}

int apply_step_guard(const struct apply *a, const struct step *s, const struct setting_value *from,
		     const struct setting_value *to, struct error *e)
{
	unsigned hazards = step_hazards(&a->is->items[s->pf], s, from, to);
	int r;

	if (!(hazards & (STEP_TAKES | STEP_RESETS)))
		return 0;
	r = a->f->guard(a->f->ctx, s, e);
	return r < 0 ? say(a, s, to, r, e) : 0;
}

/* Not waited for here: what waits for it is tried again when all else is done. */
bool apply_step_carrier(const struct apply *a, const struct step *s)
{
	return a->f->carrier(a->f->ctx, s->pf);
}

void apply_step_progress(const struct apply *a, const struct step *s, size_t i, size_t n, bool undo)
{
	if (a->o->progress)
		a->o->progress(a->o->ctx, s, i, n, undo);
}

int apply_step_note(const struct apply *a, const struct step *s, const char *what, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };

	step_print(&a->is->items[s->pf], s, &s->after, &text);
	buf_printf(&text, ": %s", what);
	return strv_take(a->o->notes, buf_take(&text)) < 0 ? error_nomem(e) : 0;
}
