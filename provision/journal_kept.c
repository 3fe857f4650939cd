/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "journal_text.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <string.h>

static bool has_waiting(const struct journal_text *t, size_t function)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->entries[i].mark == JOURNAL_WAITS && t->entries[i].step.pf == function)
			return true;
	return false;
}

static bool is_in(const struct journal_text *t, const char *bdf)
{
	for (size_t i = 0; i < t->n_functions; i++)
		if (strcmp(t->functions[i].bdf, bdf) == 0)
			return true;
	return false;
}

static int take_waiting(struct journal_text *to, const struct journal_text *from, size_t function)
{
	int r = journal_text_add_function(to, &from->functions[function]);

	for (size_t i = 0; r == 0 && i < from->n; i++) {
		struct step s = from->entries[i].step;

		if (from->entries[i].mark != JOURNAL_WAITS || s.pf != function)
			continue;
		s.pf = (uint32_t)(to->n_functions - 1);
		r = journal_text_add_step(to, &s);
		if (r == 0)
			to->entries[to->n - 1].mark = JOURNAL_WAITS;
	}
	return r;
}

int journal_text_keep(struct journal_text *to, const struct journal_text *from,
		      const struct pfstates *but)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < from->n_functions; i++) {
		const char *bdf = from->functions[i].bdf;

		if (has_waiting(from, i) && !is_in(to, bdf) && !(but && pfstates_find(but, bdf)))
			r = take_waiting(to, from, i);
	}
	return r;
}

void journal_text_print(const struct journal_text *t, struct buf *ret)
{
	journal_text_print_head(t, ret);
	for (size_t i = 0; i < t->n; i++)
		journal_text_print_step(t, i, ret);
	for (size_t i = 0; i < t->n; i++)
		if (t->entries[i].mark != JOURNAL_BEGUN)
			journal_text_print_mark(i, t->entries[i].mark, ret);
	if (t->ended)
		journal_text_print_end(ret);
}
