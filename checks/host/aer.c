/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/aer.h>

#include "host_answer.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL "TOTAL_"

/* --- counters ----------------------------------------------------------------------------- */

/* "NAME NUMBER" of a line of @len bytes. */
static int parse_row(const char *line, size_t len, struct buf *ret_name, uint64_t *ret)
{
	const char *blank = memchr(line, ' ', len);
	AUTO_FREE char *number = NULL;

	buf_clear(ret_name);
	if (!blank)
		return -EBADMSG;
	buf_append(ret_name, line, (size_t)(blank - line));
	number = strndup(blank + 1, len - (size_t)(blank + 1 - line));
	if (!number || buf_error(ret_name) < 0)
		return -ENOMEM;
	return parse_u64(number, 10, UINT64_MAX, ret) < 0 ? -EBADMSG : 0;
}

int aer_parse_total(const char *text, uint64_t *ret)
{
	AUTO_BUF struct buf name = { 0 };
	const char *line;
	size_t len;

	while (parse_line(&text, &line, &len)) {
		uint64_t n = 0;
		int r = parse_row(line, len, &name, &n);

		if (r < 0)
			return r;
		if (!parse_has_prefix(buf_text(&name), TOTAL))
			continue;
		*ret = n;
		return 0;
	}
	return -EBADMSG;
}

static int read_total(const struct host *h, const char *bdf, const char *which, uint64_t *ret,
		      struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, e, PCIDEV_PATH "/%s/aer_dev_%s", bdf, which);

	if (r == 0 && aer_parse_total(buf_text(&text), ret) < 0)
		r = error_set(e, -EBADMSG, "%s: aer_dev_%s has no total", bdf, which);
	return r;
}

int aer_read(const struct host *h, const char *bdf, struct aer *ret, struct error *e)
{
	struct aer a = { 0 };
	int r = read_total(h, bdf, "correctable", &a.correctable, e);

	if (r == 0)
		r = read_total(h, bdf, "nonfatal", &a.nonfatal, e);
	if (r == 0)
		r = read_total(h, bdf, "fatal", &a.fatal, e);
	if (r == 0)
		*ret = a;
	return r;
}

void aer_kinds(const struct host *h, const char *bdf, const char *which, struct buf *ret)
{
	AUTO_BUF struct buf text = { 0 }, name = { 0 };
	const char *cursor, *line;
	size_t len;

	if (host_attr(h, &text, NULL, PCIDEV_PATH "/%s/aer_dev_%s", bdf, which) < 0)
		return;
	cursor = buf_text(&text);
	while (parse_line(&cursor, &line, &len)) {
		uint64_t n = 0;

		if (parse_row(line, len, &name, &n) < 0 || n == 0 ||
		    parse_has_prefix(buf_text(&name), TOTAL))
			continue;
		buf_printf(ret, "%s%s %llu", ret->len > 0 ? ", " : "", buf_text(&name),
			   (unsigned long long)n);
	}
}

/* --- growth ------------------------------------------------------------------------------- */

static int add_grown(struct aer_growth *g, const char *line, size_t len)
{
	struct aer_grown *items = base_room(g->items, g->n, sizeof(*items));
	AUTO_BUF struct buf name = { 0 };
	uint64_t more = 0;
	struct bdf at;
	int r;

	if (!items)
		return -ENOMEM;
	g->items = items;
	r = parse_row(line, len, &name, &more);
	if (r == 0 && parse_bdf(buf_text(&name), &at) < 0)
		r = -EBADMSG;
	if (r < 0)
		return r;
	items[g->n] = (struct aer_grown){ .bdf = buf_take(&name), .more = more };
	if (!items[g->n].bdf)
		return -ENOMEM;
	g->n++;
	return 0;
}

int aer_parse_growth(const char *text, struct aer_growth *ret)
{
	const char *line;
	size_t len;
	int r = 0;

	while (r == 0 && parse_line(&text, &line, &len))
		r = add_grown(ret, line, len);
	return r;
}

static int read_growth(const struct host *h, struct aer_growth *ret, struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "aer", "growth", &answer, e);

	if (r < 0)
		return r;
	r = aer_parse_growth(buf_text(&answer), ret);
	if (r == -ENOMEM)
		return error_nomem(e);
	return r < 0 ? error_set(e, r, "the second look at errors is damaged") : 0;
}
HOST_FACT_DEFINE(aer_growth, read_growth)

void aer_growth_done(struct aer_growth *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->items[i].bdf);
	free(g->items);
	*g = (struct aer_growth){ 0 };
}

const struct aer_grown *aer_growth_find(const struct aer_growth *g, const char *bdf)
{
	for (size_t i = 0; i < g->n; i++)
		if (strcmp(g->items[i].bdf, bdf) == 0)
			return &g->items[i];
	return NULL;
}
