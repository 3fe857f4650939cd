/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_step.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/step.h>

#include <string.h>

static bool is_set_by(const struct apply *a, const struct plan *p, const char *bdf,
		      const struct step *s)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct step *next = &p->steps[i];

		if (next->what == s->what && next->vf == s->vf && !next->keep &&
		    strcmp(a->is->items[next->pf].bdf, bdf) == 0)
			return true;
	}
	return false;
}

static int say(const struct apply *a, char *bdf, const struct step *s)
{
	const struct pfstate pf = { .bdf = bdf };
	AUTO_BUF struct buf text = { 0 };

	step_print(&pf, s, &s->after, &text);
	buf_puts(&text, ": it waited for carrier since an earlier run, and is forgotten now; "
			"run that one again");
	return strv_take(a->o->notes, buf_take(&text));
}

int apply_forget(const struct apply *a, const struct plan *p)
{
	AUTO_STRV struct strv bdfs = { 0 };
	int r = journal_functions(a->j, &bdfs);

	for (size_t i = 0; r == 0 && i < journal_length(a->j); i++) {
		const struct journal_entry *it = journal_at(a->j, i);

		if (it->mark == JOURNAL_WAITS &&
		    !is_set_by(a, p, bdfs.items[it->step.pf], &it->step))
			r = say(a, bdfs.items[it->step.pf], &it->step);
	}
	return r < 0 ? error_nomem(a->e) : 0;
}
