/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spec_ask.h"

#include <sriovctl/check.h>
#include <sriovctl/error.h>
#include <sriovctl/inventory.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/spec.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <stdlib.h>

static int add(struct spec_ask *a, const char *function, size_t entry, const struct spec_wish *w)
{
	struct bdf bdf;

	if (w->none)
		return 0;
	if (parse_bdf(function, &bdf) < 0)
		return strv_add(&a->others, function);
	a->wishes[a->options.pfs.n] =
		(struct report_wish){ .vfs = w->vfs, .queues = w->queues, .entry = entry };
	return strv_add(&a->options.pfs, function);
}

/* What is not said stays as it is: then as many as there are count, if there are any. */
static uint32_t count_there(const struct host *h, const char *function)
{
	const struct pcidevs *devices = NULL;
	const struct pcidev *d = NULL;

	if (pcidevs_get(h, &devices, NULL) == 0)
		d = pcidevs_find(devices, function);
	return d ? d->numvfs : 0;
}

int spec_ask_make(const struct spec *s, const char *name, const struct host *h,
		  struct spec_ask *ret, struct error *e)
{
	AUTO_STRV struct strv functions = { 0 };
	int r = spec_match(s, h, &functions, e);

	ret->wishes = calloc(spec_count(s) + 1, sizeof(*ret->wishes));
	if (!ret->wishes)
		return error_nomem(e);
	for (size_t i = 0; r == 0 && i < functions.n; i++) {
		struct spec_wish w = { 0 };

		r = spec_wish(s, i, h, functions.items[i], &w, e);
		if (w.vfs == 0)
			w.vfs = count_there(h, functions.items[i]);
		if (r == 0 && add(ret, functions.items[i], i, &w) < 0)
			r = error_nomem(e);
	}
	ret->options.wishes = ret->wishes;
	ret->options.spec = name;
	ret->options.wanted = s;
	return r;
}

void spec_ask_done(struct spec_ask *a)
{
	strv_done(&a->options.pfs);
	strv_done(&a->options.only);
	strv_done(&a->options.skip);
	strv_done(&a->others);
	free(a->wishes);
	*a = (struct spec_ask){ 0 };
}

static int select_one(const struct host *h, const char *word, struct strv *ret, struct error *e)
{
	const struct spec_line line = { .pf = word, .vfs = "0" };
	AUTO_STRV struct strv words = { 0 }, found = { 0 };
	AUTO_SPEC struct spec *s = NULL;
	int r = strv_add(&words, word);

	if (r < 0)
		return error_nomem(e);
	r = inventory_select(h, &words, &found, e);
	/* What that says of a word that names nothing tells what there is. */
	if (r == -EINVAL && spec_from_line(&line, &s, NULL) == 0 &&
	    spec_match(s, h, &found, NULL) == 0)
		r = 0;
	for (size_t i = 0; r == 0 && i < found.n; i++)
		if (!strv_has(ret, found.items[i]) && strv_add(ret, found.items[i]) < 0)
			r = error_nomem(e);
	return r;
}

int spec_ask_select(const struct host *h, const struct strv *words, struct strv *ret,
		    struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < words->n; i++)
		r = select_one(h, words->items[i], ret, e);
	if (r == 0 && e)
		*e = (struct error){ 0 };
	return r;
}

int spec_ask_require_ids(const char *option, const struct strv *ids, struct error *e)
{
	for (size_t i = 0; i < ids->n; i++) {
		struct suggest s = { .word = ids->items[i] };
		const struct check *c;

		if (check_find(ids->items[i]))
			continue;
		for (size_t k = 0; (c = check_at(k)); k++)
			suggest_offer(&s, c->id);
		if (s.best)
			return error_set(e, -EINVAL,
					 "%s: no check is called \"%s\"; did you mean %s?", option,
					 ids->items[i], s.best);
		return error_set(e, -EINVAL,
				 "%s: no check is called \"%s\"; a report lists all ids", option,
				 ids->items[i]);
	}
	return 0;
}
