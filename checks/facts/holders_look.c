/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_look.h"

#include <sriovctl/addresses.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/procs.h>
#include <sriovctl/routes.h>
#include <sriovctl/strv.h>

#include <errno.h>

static void note_blind(struct holders_look *l, const char *why)
{
	if (l->blind.len == 0)
		buf_puts(&l->blind, why);
}

static void note(struct holders_look *l, int r, const struct error *e)
{
	if (r == -ENODATA && !host_is_live(l->h))
		note_blind(l, "who uses the functions of a host is not seen in a copy of it: run "
			      "it on the host itself");
	else if (r < 0)
		note_blind(l, e->text);
}

void holders_look_start(struct holders_look *l, const struct host *h)
{
	struct error e = { 0 };

	*l = (struct holders_look){ .h = h };
	note(l, procs_get(h, &l->procs, &e), &e);
	if (l->procs && l->procs->blind)
		note_blind(l, l->procs->blind);
	note(l, links_get(h, &l->links, &e), &e);
	note(l, addresses_get(h, &l->addresses, &e), &e);
	note(l, routes_get(h, &l->routes, &e), &e);
}

void holders_look_done(struct holders_look *l)
{
	buf_done(&l->blind);
	buf_done(&l->unmatched_by);
	buf_done(&l->closed);
	holders_netns_done(l);
	holders_device_done(l);
}

void holders_look_add(struct holders_look *l, struct strv *users, const char *fmt, ...)
{
	AUTO_BUF struct buf text = { 0 };

	BUF_FORMAT(&text, fmt);
	if (buf_error(&text) < 0)
		(void)host_nomem(l->h, NULL);
	else if (!strv_has(users, buf_text(&text)) && strv_add(users, buf_text(&text)) < 0)
		(void)host_nomem(l->h, NULL);
}

void holders_look_process(const struct holders_look *l, size_t process, struct buf *ret)
{
	const struct procs_item *p = &l->procs->items[process];

	buf_printf(ret, "process %s (%u)", p->name, p->pid);
	if (*p->guest)
		buf_printf(ret, ", guest %s,", p->guest);
}
