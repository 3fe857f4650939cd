/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply_step.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/step.h>

/* Is it so by now, or is it set by this plan? */
static bool is_done_with(const struct apply *a, const struct plan *p, const struct pfstate *pf,
			 const struct step *s)
{
	if (s->vf < pf->n_vfs && setting_equal(s->what, &s->after, &pf->vfs[s->vf].set[s->what]))
		return true;
	for (size_t i = 0; i < p->n; i++) {
		const struct step *next = &p->steps[i];

		if (next->what == s->what && next->vf == s->vf && !next->keep &&
		    &a->is->items[next->pf] == pf)
			return true;
	}
	return false;
}

static int say(const struct apply *a, const struct pfstate *pf, const struct step *s)
{
	AUTO_BUF struct buf text = { 0 };

	step_print(pf, s, &s->after, &text);
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
		const struct pfstate *pf = pfstates_find(a->is, bdfs.items[it->step.pf]);

		/* Of others it goes on waiting. */
		if (it->mark == JOURNAL_WAITS && pf && !is_done_with(a, p, pf, &it->step))
			r = say(a, pf, &it->step);
	}
	return r < 0 ? error_nomem(a->e) : 0;
}
