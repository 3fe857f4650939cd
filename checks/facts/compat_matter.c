/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/compat_judge.h>

#include "compat_match.h"

static int add_one(const struct compat_hit *hit, struct compat_hits *ret)
{
	return hit->row ? compat_hits_add(ret, hit) : 0;
}

static int add_all(const struct compat_hits *some, struct compat_hits *ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < some->n; i++)
		r = compat_hits_add(ret, &some->items[i]);
	return r;
}

/* Rows of any version whose conditions hold, or may; but what was tested is for the newest. */
static int add_rules(const struct compat *c, enum compat_judges judges,
		     const struct compat_function *f, struct compat_hits *ret)
{
	AUTO_COMPAT_HITS struct compat_hits rows = { 0 };
	int r = compat_judge_rows(c, judges, f, &rows);

	for (size_t i = 0; r == 0 && i < rows.n; i++)
		if (rows.items[i].row->says != COMPAT_TESTED &&
		    compat_match_conditions(&rows.items[i], f) != COMPAT_HOLDS_NOT)
			r = compat_hits_add(ret, &rows.items[i]);
	return r;
}

int compat_judge_hits(const struct compat *c, const struct compat_function *f,
		      const struct compat_judgement *firmware,
		      const struct compat_judgement *driver, const struct compat_kernel *kernel,
		      struct compat_hits *ret)
{
	const struct compat_hits *const lists[] = { &kernel->faults, &kernel->maybe,
						    &kernel->untold, &kernel->notes };
	const struct compat_judgement *const judged[] = { firmware, driver };
	static const enum compat_judges judges[] = { COMPAT_FIRMWARE, COMPAT_DRIVER };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(judged); i++) {
		r = add_one(&judged[i]->because, ret);
		if (r == 0)
			r = add_rules(c, judges[i], f, ret);
		if (r == 0)
			r = add_one(&judged[i]->newest, ret);
	}
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(lists); i++)
		r = add_all(lists[i], ret);
	return r;
}
