/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses that are wanted for VFs, and those that are somebody's already. */
#include "spec_model.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/macs.h>
#include <sriovctl/pfstate.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NETS "/sys/class/net"

struct wanted {
	uint64_t mac;
	size_t pf, vf;
};

struct census {
	const struct spec *s;
	const struct host *h;
	const struct pfstates *is, *want;
	struct wanted *all; /* by address */
	size_t n;
	struct error *e;
};

static int compare(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	if (x->mac != y->mac)
		return x->mac > y->mac ? 1 : -1;
	if (x->pf != y->pf)
		return x->pf > y->pf ? 1 : -1;
	return (x->vf > y->vf) - (x->vf < y->vf);
}

static const struct wanted *find(const struct census *c, uint64_t mac)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->all[middle].mac < mac)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->n && c->all[low].mac == mac ? &c->all[low] : NULL;
}

/* Where the address was asked for: in an entry, or by the policy. */
static struct spec_place place_of(const struct census *c, const struct wanted *w)
{
	const struct spec_pf *pf = &c->s->pfs[w->pf];
	struct spec_entry all;

	spec_overlay(pf, (uint32_t)w->vf, &all);
	return all.values[SPEC_MAC].is_set ? all.values[SPEC_MAC].at : pf->policy.at;
}

static int refuse(const struct census *c, const struct wanted *w, const char *fmt, ...)
	PRINTF(3, 4);
static int refuse(const struct census *c, const struct wanted *w, const char *fmt, ...)
{
	const struct spec_place at = place_of(c, w);
	AUTO_BUF struct buf mac = { 0 }, whose = { 0 };

	macs_print(w->mac, &mac);
	BUF_FORMAT(&whose, fmt);
	if (buf_error(&mac) < 0 || buf_error(&whose) < 0)
		return error_nomem(c->e);
	return spec_refuse(c->s, &at, c->e, "%s, for VF %zu of %s, is that of %s", buf_text(&mac),
			   w->vf, c->want->items[w->pf].bdf, buf_text(&whose));
}

static void collect_pf(struct census *c, size_t pf)
{
	const struct pfstate *want = &c->want->items[pf];

	for (size_t i = 0; i < want->n_vfs; i++) {
		const struct setting_value *v = &want->vfs[i].set[SETTING_MAC];

		if (v->state == SETTING_KNOWN && v->number != 0)
			c->all[c->n++] = (struct wanted){ .mac = v->number, .pf = pf, .vf = i };
	}
}

static int collect(struct census *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->want->n; i++)
		n += c->want->items[i].n_vfs;
	c->all = calloc(n + 1, sizeof(*c->all));
	if (!c->all)
		return error_nomem(c->e);
	for (size_t i = 0; i < c->want->n; i++)
		collect_pf(c, i);
	qsort(c->all, c->n, sizeof(*c->all), compare);
	return 0;
}

static int refuse_each_other(const struct census *c)
{
	for (size_t i = 1; i < c->n; i++) {
		const struct wanted *a = &c->all[i - 1], *b = &c->all[i];

		if (a->mac == b->mac)
			return refuse(c, b, "VF %zu of %s as well", a->vf,
				      c->want->items[a->pf].bdf);
	}
	return 0;
}

/* The permanent addresses of all PFs, and what VFs have that get no other. */
static int refuse_functions(const struct census *c)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < c->is->n; i++) {
		const struct pfstate *is = &c->is->items[i], *want = &c->want->items[i];
		const struct wanted *w = is->permanent_mac ? find(c, is->permanent_mac) : NULL;

		if (w)
			r = refuse(c, w, "%s", is->bdf);
		for (size_t k = 0; r == 0 && k < is->n_vfs && k < want->n_vfs; k++) {
			const struct setting_value *v = &is->vfs[k].set[SETTING_MAC];

			w = v->state == SETTING_KNOWN && v->number ? find(c, v->number) : NULL;
			if (w && want->vfs[k].set[SETTING_MAC].state == SETTING_UNSET)
				r = refuse(c, w, "VF %zu of %s", k, is->bdf);
		}
	}
	return r;
}

/* Has the VF the address now?  Then those who share it, as a bridge or a VLAN does, may. */
static bool is_there(const struct census *c, const struct wanted *w)
{
	const struct pfstate *is = &c->is->items[w->pf];
	const struct setting_value *v = w->vf < is->n_vfs ? &is->vfs[w->vf].set[SETTING_MAC] : NULL;

	return v && v->state == SETTING_KNOWN && v->number == w->mac;
}

/* The interface of a VF that gets another address, or goes away. */
static bool is_transient(const struct census *c, const char *netdev)
{
	for (size_t i = 0; i < c->is->n; i++) {
		const struct pfstate *is = &c->is->items[i], *want = &c->want->items[i];

		for (size_t k = 0; k < is->n_vfs; k++)
			if (is->vfs[k].netdev && strcmp(is->vfs[k].netdev, netdev) == 0)
				return k >= want->n_vfs ||
				       want->vfs[k].set[SETTING_MAC].state != SETTING_UNSET;
	}
	return false;
}

static int refuse_interfaces(const struct census *c)
{
	AUTO_STRV struct strv names = { 0 };
	struct error own = { 0 };
	int r = host_list(c->h, &names, &own, NETS);

	/* A host without interfaces has none that could have an address; a copy may lack them. */
	if (r == -ENOENT || r == -ENODATA)
		return 0;
	for (size_t i = 0; r == 0 && i < names.n; i++) {
		AUTO_BUF struct buf text = { 0 };
		const struct wanted *w;
		uint64_t mac;

		if (host_attr(c->h, &text, NULL, NETS "/%s/address", names.items[i]) < 0 ||
		    macs_parse(buf_text(&text), &mac) < 0)
			continue;
		w = find(c, mac);
		if (w && !is_there(c, w) && !is_transient(c, names.items[i]))
			r = refuse(c, w, "%s", names.items[i]);
	}
	return r < 0 && c->e && c->e->code == 0 ? error_set(c->e, r, "%s", own.text) : r;
}

static bool is_of_spec(const struct census *c, const struct links_item *link)
{
	for (size_t i = 0; i < c->is->n; i++)
		if (c->is->items[i].netdev && strcmp(c->is->items[i].netdev, link->name) == 0)
			return true;
	return false;
}

/* What other PFs have set for their VFs, which no interface need show. */
static int refuse_others(const struct census *c)
{
	const struct links *links = NULL;
	int r = links_get(c->h, &links, NULL);

	if (r == -ENOMEM)
		return error_nomem(c->e);
	r = 0;
	for (size_t i = 0; links && r == 0 && i < links->n; i++) {
		const struct links_item *link = &links->items[i];

		for (size_t k = 0; r == 0 && k < link->n_vfs && !is_of_spec(c, link); k++) {
			AUTO_BUF struct buf text = { 0 };
			const struct wanted *w = NULL;
			uint64_t mac;

			links_address_text(&link->vfs[k].mac, &text);
			if (macs_parse(buf_text(&text), &mac) == 0)
				w = find(c, mac);
			else if (buf_error(&text) < 0)
				r = error_nomem(c->e);
			if (w)
				r = refuse(c, w, "VF %u of %s", link->vfs[k].index, link->name);
		}
	}
	return r;
}

int spec_clash_check(const struct spec *s, const struct host *h, const struct pfstates *is,
		     const struct pfstates *want, struct error *e)
{
	struct census c = { .s = s, .h = h, .is = is, .want = want, .e = e };
	int r = collect(&c);

	if (r == 0)
		r = refuse_each_other(&c);
	if (r == 0)
		r = refuse_functions(&c);
	if (r == 0 && c.n > 0)
		r = refuse_interfaces(&c);
	if (r == 0 && c.n > 0)
		r = refuse_others(&c);
	if (r == 0 && host_ran_out(h))
		r = error_nomem(e);
	free(c.all);
	return r;
}
