/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/inventory.h>

#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>

static bool is_named(const struct pcidev *d, const char *word, const struct strv *interfaces)
{
	const char *bdf = d->name;

	if (strv_has(interfaces, word) || strcasecmp(bdf, word) == 0)
		return true;
	return parse_has_prefix(bdf, "0000:") && strcasecmp(bdf + strlen("0000:"), word) == 0;
}

/* The functions to choose from, as "0000:3b:00.0 (ens1f0)". */
static void describe(const struct host *h, const struct pcidevs *devices, struct buf *ret)
{
	for (size_t i = 0; i < devices->n; i++) {
		AUTO_STRV struct strv names = { 0 };
		const struct pcidev *d = &devices->items[i];
		const struct pf *pf = pf_of(h, d);

		if (!pf || !pf_is_subject(pf))
			continue;
		buf_printf(ret, "%s%s", ret->len ? ", " : "", d->name);
		if (pcidev_list_netdevs(h, d->name, &names, NULL) == 0 && names.n > 0)
			buf_printf(ret, " (%s)", names.items[0]);
	}
}

static int unknown(const struct host *h, const struct pcidevs *devices, const char *word,
		   struct error *e)
{
	AUTO_BUF struct buf all = { 0 };

	describe(h, devices, &all);
	if (all.len == 0)
		return error_set(e, -EINVAL, "\"%s\" names no function; none here can have VFs",
				 word);
	return error_set(e, -EINVAL, "\"%s\" names no function; there are: %s", word,
			 buf_text(&all));
}

static int select_one(const struct host *h, const struct pcidevs *devices, const char *word,
		      struct strv *ret, struct error *e)
{
	for (size_t i = 0; i < devices->n; i++) {
		AUTO_STRV struct strv names = { 0 };
		const struct pcidev *d = &devices->items[i];

		(void)pcidev_list_netdevs(h, d->name, &names, NULL);
		if (!is_named(d, word, &names))
			continue;
		if (d->is_vf)
			return error_set(e, -EINVAL, "%s is a VF; name the function that it is of",
					 word);
		if (!strv_has(ret, d->name) && strv_add(ret, d->name) < 0)
			return host_nomem(h, e);
		return 0;
	}
	return unknown(h, devices, word, e);
}

int inventory_select(const struct host *h, const struct strv *words, struct strv *ret_bdfs,
		     struct error *e)
{
	static const struct pcidevs none = { 0 };
	AUTO_STRV struct strv bdfs = { 0 };
	const struct pcidevs *devices = &none;
	int r = pcidevs_get(h, &devices, e);

	if (r == -ENOENT)
		r = 0;
	for (size_t i = 0; r == 0 && i < words->n; i++)
		r = select_one(h, devices, words->items[i], &bdfs, e);
	if (host_ran_out(h))
		return error_nomem(e);
	if (r < 0)
		return r;
	*ret_bdfs = bdfs;
	bdfs = (struct strv){ 0 };
	return 0;
}
