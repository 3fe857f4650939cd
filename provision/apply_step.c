/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_step.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/step.h>

#include <errno.h>
#include <string.h>

int apply_step_say(const struct apply *a, const struct step *s, const struct setting_value *v,
		   int r, struct error *e)
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

	return r < 0 ? apply_step_say(a, s, v, r, e) : 0;
}

/* Not waited for here: what waits for it is tried again when all else is done. */
bool apply_step_carrier(const struct apply *a, const struct step *s)
{
	return a->f->carrier(a->f->ctx, s->pf);
}

bool apply_step_stops(const struct apply *a)
{
	return a->o->stop && a->o->stop(a->o->ctx);
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
