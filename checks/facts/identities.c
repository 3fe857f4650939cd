/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/identities.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/macs.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/permanent.h>
#include <sriovctl/spec.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- a list of them -------------------------------------------------------------------------- */

static void release(struct identity *it)
{
	free(it->match);
	free(it->place);
	*it = (struct identity){ 0 };
}

void identities_done(struct identities *v)
{
	for (size_t i = 0; i < v->n; i++)
		release(&v->items[i]);
	free(v->items);
	free(v->machine);
	*v = (struct identities){ 0 };
}

const struct identity *identities_find(const struct identities *v, const char *match)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->items[i].match, match) == 0)
			return &v->items[i];
	return NULL;
}

int identities_of_machine(struct identities *v, const char *machine, struct error *e)
{
	if (v->machine && strcmp(v->machine, machine) == 0)
		return 0;
	identities_done(v);
	v->machine = strdup(machine);
	return v->machine ? 0 : error_nomem(e);
}

/* --- what is at an address -------------------------------------------------------------------- */

static int print_place(const struct host *h, const char *bdf, struct buf *ret, struct error *e)
{
	const struct pcitree *tree = NULL;
	const struct pcitree_node *node, *way[64];
	size_t n = 0;
	int r = pcitree_get(h, &tree, e);

	if (r < 0)
		return r;
	for (node = pcitree_find(tree, bdf); node && n < ARRAY_SIZE(way); node = node->parent)
		way[n++] = node;
	if (n > 0)
		buf_puts(ret, way[--n]->name);
	while (n-- > 0)
		buf_printf(ret, "/%02x.%x", way[n]->at.device, way[n]->at.function);
	return buf_error(ret) < 0 ? error_nomem(e) : 0;
}

static int look_at(const struct host *h, const struct pcidev *d, struct identity *ret,
		   struct error *e)
{
	AUTO_BUF struct buf place = { 0 };
	int r = print_place(h, d->name, &place, e);

	if (r < 0)
		return r;
	*ret = (struct identity){ .place = buf_take(&place) };
	if (!ret->place)
		return error_nomem(e);
	ret->mac = permanent_of_function(h, d->name);
	if (d->id_error == 0) {
		ret->vendor = d->vendor;
		ret->device = d->device;
	}
	return 0;
}

int identities_note(struct identities *v, const char *match, const struct host *h, const char *bdf,
		    struct error *e)
{
	const struct pcidevs *devices = NULL;
	const struct pcidev *d =
		pcidevs_get(h, &devices, NULL) == 0 ? pcidevs_find(devices, bdf) : NULL;
	struct identity *items, now = { 0 };
	int r;

	/* What is not on PCI has no place there. */
	if (!d)
		return 0;
	r = look_at(h, d, &now, e);
	if (r < 0)
		return r;
	now.match = strdup(match);
	for (size_t i = 0; now.match && i < v->n; i++) {
		if (strcmp(v->items[i].match, match) != 0)
			continue;
		release(&v->items[i]);
		v->items[i] = now;
		return 0;
	}
	items = reallocarray(v->items, v->n + 1, sizeof(*items));
	if (items)
		v->items = items;
	if (!items || !now.match) {
		release(&now);
		return error_nomem(e);
	}
	v->items[v->n++] = now;
	return 0;
}

/* --- which one is meant ------------------------------------------------------------------------
 */

struct quest {
	const struct identity *was;
	const struct host *h;
	const struct pcidevs *devices;
	const struct pcidev *same;  /* has the address */
	const struct pcidev *there; /* is in the place */
	struct identity now;	    /* what is in the place */
};

static int search(struct quest *q, struct error *e)
{
	int r = pcidevs_get(q->h, &q->devices, e);

	for (size_t i = 0; r == 0 && i < q->devices->n; i++) {
		const struct pcidev *d = &q->devices->items[i];
		struct identity now = { 0 };

		if (d->is_vf || pcidev_is_bridge(d))
			continue;
		r = look_at(q->h, d, &now, e);
		if (r == 0 && q->was->mac && now.mac == q->was->mac)
			q->same = d;
		if (r == 0 && !q->there && strcmp(now.place, q->was->place) == 0) {
			q->there = d;
			q->now = now;
			now = (struct identity){ 0 };
		}
		release(&now);
	}
	return r == 0 && host_ran_out(q->h) ? error_nomem(e) : r;
}

static void print_card(const struct identity *it, struct buf *ret)
{
	buf_printf(ret, "%04x:%04x", it->vendor, it->device);
	if (it->mac) {
		buf_puts(ret, " with the address ");
		macs_print(it->mac, ret);
	}
}

/* @other: the function that is there instead, or NULL. */
static int tell(const struct quest *q, int code, const char *other, const struct identity *now,
		struct error *e)
{
	AUTO_BUF struct buf was = { 0 }, is = { 0 };

	print_card(q->was, &was);
	if (now)
		print_card(now, &is);
	if (buf_error(&was) < 0 || buf_error(&is) < 0)
		return error_nomem(e);
	if (!other)
		return error_set(e, code,
				 "%s: the card that it has meant since an earlier boot, %s, last "
				 "at %s, is not there",
				 q->was->match, buf_text(&was), q->was->place);
	return error_set(e, code,
			 "%s: the card was replaced: it has meant %s, at %s, and %s is %s; if that "
			 "is to have its VFs, say so with \"sriovctl provision --persist "
			 "--replace\" and the spec",
			 q->was->match, buf_text(&was), q->was->place, other, buf_text(&is));
}

/* The card that is meant is found by its address, or is where it was. */
static const struct pcidev *settle(const struct quest *q)
{
	if (q->same)
		return q->same;
	if (!q->there || q->now.vendor != q->was->vendor || q->now.device != q->was->device)
		return NULL;
	/* Its address is not known as long as it has no driver; with another it is another. */
	return !q->was->mac || !q->now.mac ? q->there : NULL;
}

/* Another card, in its place or where the match finds it, means that it was replaced. */
static int blame(const struct quest *q, const struct spec *s, struct buf *ret_bdf, struct error *e)
{
	AUTO_STRV struct strv found = { 0 };
	struct identity now = { 0 };
	const struct pcidev *d;
	int r;

	if (q->there) {
		buf_puts(ret_bdf, q->there->name);
		return tell(q, -ESTALE, q->there->name, &q->now, e);
	}
	d = spec_match(s, q->h, &found, NULL) == 0 ? pcidevs_find(q->devices, found.items[0])
						   : NULL;
	if (!d)
		return tell(q, -ENODEV, NULL, NULL, e);
	buf_puts(ret_bdf, d->name);
	r = look_at(q->h, d, &now, e);
	if (r == 0)
		r = tell(q, -ESTALE, d->name, &now, e);
	release(&now);
	return r;
}

static int match_known(struct quest *q, const struct spec *s, struct buf *ret_bdf,
		       struct buf *ret_moved, struct error *e)
{
	const struct pcidev *d;
	int r = search(q, e);

	if (r < 0)
		return r;
	d = settle(q);
	if (!d)
		return blame(q, s, ret_bdf, e);
	buf_puts(ret_bdf, d->name);
	if (d != q->there)
		buf_puts(ret_moved, q->was->place);
	return buf_error(ret_bdf) < 0 || buf_error(ret_moved) < 0 ? error_nomem(e) : 0;
}

int identities_match(const struct identities *v, const struct spec *s, const struct host *h,
		     struct buf *ret_bdf, struct buf *ret_moved, struct error *e)
{
	AUTO_STRV struct strv found = { 0 };
	AUTO_BUF struct buf match = { 0 };
	struct quest q = { .h = h };
	int r;

	spec_print_match(s, 0, &match);
	if (buf_error(&match) < 0)
		return error_nomem(e);
	q.was = identities_find(v, buf_text(&match));
	if (q.was) {
		r = match_known(&q, s, ret_bdf, ret_moved, e);
		release(&q.now);
		return r;
	}
	r = spec_match(s, h, &found, e);
	if (r < 0)
		return r;
	buf_puts(ret_bdf, found.items[0]);
	return buf_error(ret_bdf) < 0 ? error_nomem(e) : 0;
}
