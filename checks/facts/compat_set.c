/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables that count on a host, one over the other. */
#include <sriovctl/compat.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Many times what is inside the program. */
#define FILE_MAX (4 * 1024 * 1024)

static int make_room(struct compat *c, size_t n, struct error *e)
{
	c->tables = calloc(n, sizeof(struct compat_table *));
	c->own = calloc(n, sizeof(*c->own));
	return c->tables && c->own ? 0 : error_nomem(e);
}

static bool is_table(const char *name)
{
	size_t len = strlen(name);

	return *name != '.' && len > strlen(".json") &&
	       strcmp(name + len - strlen(".json"), ".json") == 0;
}

static int add_file(const struct host *h, const char *name, struct compat *c, struct error *e)
{
	AUTO_BUF struct buf path = { 0 }, text = { 0 };
	struct compat_table *t = NULL;
	int r;

	buf_printf(&path, COMPAT_DIR "/%s", name);
	if (buf_error(&path) < 0)
		return error_nomem(e);
	r = host_read(h, FILE_MAX, &text, e, "%s", buf_text(&path));
	if (r == 0)
		r = compat_parse(buf_text(&text), text.len, buf_text(&path), &compat_built_in, &t,
				 e);
	if (r < 0)
		return r;
	c->own[c->n_own++] = t;
	c->tables[c->n++] = t;
	return 0;
}

static int read_compat(const struct host *h, struct compat *ret, struct error *e)
{
	AUTO_STRV struct strv names = { 0 };
	int r = host_list(h, &names, NULL, COMPAT_DIR);

	if (r == -ENOMEM)
		return error_nomem(e);
	r = make_room(ret, names.n + 1, e);
	if (r < 0)
		return r;
	ret->tables[ret->n++] = &compat_built_in;
	for (size_t i = 0; r == 0 && i < names.n; i++)
		if (is_table(names.items[i]))
			r = add_file(h, names.items[i], ret, e);
	return r;
}
HOST_FACT_DEFINE(compat, read_compat)

int compat_over(const struct compat *base, const struct compat_table *over, struct compat *ret,
		struct error *e)
{
	struct compat c = { 0 };

	if (make_room(&c, base->n + 1, e) < 0) {
		compat_done(&c);
		return -ENOMEM;
	}
	memcpy(c.tables, base->tables, base->n * sizeof(struct compat_table *));
	c.n = base->n;
	if (over)
		c.tables[c.n++] = over;
	*ret = c;
	return 0;
}

void compat_done(struct compat *c)
{
	for (size_t i = 0; i < c->n_own; i++)
		compat_table_free(c->own[i]);
	free(c->own);
	free(c->tables);
	*c = (struct compat){ 0 };
}
