/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wish.h"

#include "preflight.h"

#include <sriovctl/spec.h>

static int match(void *ctx, const struct host *h, struct strv *ret_functions, struct error *e)
{
	const struct wish *s = ctx;

	return spec_match(s->spec, h, ret_functions, e);
}

static int preflight(void *ctx, const struct host *h, const struct pfstates *is,
		     struct strv *ret_notes, struct error *e)
{
	const struct wish *s = ctx;

	return preflight_run(s->spec, h, is, s->skip, ret_notes, e);
}

static int want(void *ctx, const struct host *h, const struct pfstates *is, struct pfstates *ret,
		struct strv *ret_notes, struct error *e)
{
	const struct wish *s = ctx;

	return spec_resolve(s->spec, h, is, ret, ret_notes, e);
}

struct change_wish wish_change(struct wish *w)
{
	return (struct change_wish){
		.match = match, .preflight = preflight, .want = want, .ctx = w
	};
}
