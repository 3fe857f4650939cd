/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/links.h>

#include "host_source.h"
#include "links_ask.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

/* Statistics would bring the limit of the VF list from some 330 VFs down to 221. */
#define FILTER RTEXT_FILTER_SKIP_STATS
/* Some 2 KB each, of which there may be thousands. */
#define ANSWER_MAX (64u << 20)

const struct links_item *links_find(const struct links *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->items[i].name, name) == 0)
			return &l->items[i];
	return NULL;
}

const struct links_vf *links_find_vf(const struct links_item *item, uint32_t index)
{
	for (size_t i = 0; i < item->n_vfs; i++)
		if (item->vfs[i].index == index)
			return &item->vfs[i];
	return NULL;
}

void links_address_text(const struct links_address *a, struct buf *ret)
{
	for (size_t i = 0; i < a->len; i++)
		buf_printf(ret, "%s%02x", i ? ":" : "", a->bytes[i]);
}

const char *links_why(int r)
{
	switch (r) {
	case -EOPNOTSUPP:
		return "the driver does not report it";
	case -EOVERFLOW:
		return "more VFs than a netlink message can tell of";
	case -EMSGSIZE:
		return "the kernel cannot fit the VFs into its answer";
	case -ENODATA:
		return "the kernel did not tell the VFs of this interface";
	case -EBADMSG:
		return "the kernel's list of VFs is damaged";
	default:
		return strerror(-r);
	}
}

/* One question, again while the links change under it. */
static int ask_steady(links_ask *ask, void *arg, const struct links_question *q, struct buf *answer,
		      struct error *e)
{
	size_t before = answer->len;
	int r = -EAGAIN;

	for (int i = 0; r == -EAGAIN && i < LINKS_ASK_TRIES; i++) {
		/* What an answer that is void has left goes. */
		if (answer->len > before) {
			answer->len = before;
			answer->data[before] = '\0';
		}
		r = ask(arg, q, answer, e);
	}
	if (r == -EAGAIN)
		return error_set(e, r, "rtnetlink: the links change too fast to be listed");
	return r < 0 ? r : buf_error(answer);
}

/* The VFs of each link, as far as they fit.  @answer has the links without. */
static int ask_each(links_ask *ask, void *arg, struct buf *answer, struct links *ret,
		    struct error *e)
{
	AUTO_BUF struct buf one = { 0 };
	int r = links_parse(answer->data, answer->len, ret, e);

	for (size_t i = 0; r == 0 && i < ret->n; i++) {
		const struct links_question q = { .index = ret->items[i].index,
						  .filter = FILTER | RTEXT_FILTER_VF };

		buf_clear(&one);
		r = ask_steady(ask, arg, &q, &one, NULL);
		if (r == 0)
			buf_append(answer, one.data, one.len);
		else if (r != -ENOMEM)
			r = 0;
	}
	links_done(ret);
	return r < 0 || buf_error(answer) < 0 ? error_nomem(e) : 0;
}

int links_ask_all(links_ask *ask, void *arg, struct links *ret, struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	struct links_question q = { .filter = FILTER | RTEXT_FILTER_VF };
	bool is_too_long;
	int r = ask_steady(ask, arg, &q, &answer, e);

	is_too_long = r == -EMSGSIZE;
	if (is_too_long) {
		q.filter = FILTER;
		buf_clear(&answer);
		r = ask_steady(ask, arg, &q, &answer, e);
		if (r == 0)
			r = ask_each(ask, arg, &answer, ret, e);
	}
	if (r == 0)
		r = links_parse(answer.data, answer.len, ret, e);
	for (size_t i = 0; r == 0 && is_too_long && i < ret->n; i++)
		if (ret->items[i].count_error == -ENODATA)
			ret->items[i].count_error = ret->items[i].vfs_error = -EMSGSIZE;
	return r;
}

/* @arg: the host.  Who asks it has the same names for the questions: links_ask_answer(). */
static int ask_host(void *arg, const struct links_question *q, struct buf *answer, struct error *e)
{
	const struct host *h = arg;
	AUTO_BUF struct buf one = { 0 };
	int r = host_read(h, ANSWER_MAX, &one, NULL, HOST_ANSWERS "/links/%d.%u", q->index,
			  q->filter);

	if (r == -ENOMEM)
		return error_nomem(e);
	if (r < 0)
		return error_set(e, r, "rtnetlink: %s", host_why(h, r));
	buf_append(answer, one.data, one.len);
	return 0;
}

static int read_links(const struct host *h, struct links *ret, struct error *e)
{
	return links_ask_all(ask_host, (void *)(uintptr_t)h, ret, e);
}
HOST_FACT_DEFINE(links, read_links)
