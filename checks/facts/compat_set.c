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

/* Four times what is inside the program; no file that a command is given may be longer. */
#define FILE_MAX (1024 * 1024)
/* Of all files together: each row is held against all others of its file. */
#define ALL_MAX (4 * FILE_MAX)

static bool is_table(const char *name)
{
	size_t len = strlen(name);

	return *name != '.' && len > strlen(".json") &&
	       strcmp(name + len - strlen(".json"), ".json") == 0;
}

int compat_add(struct compat *c, struct compat_table *over, struct error *e)
{
	const struct compat_table **tables =
		reallocarray(c->tables, c->n + 1, sizeof(struct compat_table *));
	struct compat_table **own = NULL;

	if (tables) {
		c->tables = tables;
		own = reallocarray(c->own, c->n_own + 1, sizeof(*own));
	}
	if (!own) {
		compat_table_free(over);
		return error_nomem(e);
	}
	c->own = own;
	c->own[c->n_own++] = over;
	c->tables[c->n++] = over;
	return 0;
}

int compat_over(const struct compat *base, struct compat *ret, struct error *e)
{
	const struct compat_table **tables = calloc(base->n + 1, sizeof(struct compat_table *));

	if (!tables)
		return error_nomem(e);
	memcpy(tables, base->tables, base->n * sizeof(struct compat_table *));
	*ret = (struct compat){ .tables = tables, .n = base->n };
	return 0;
}

static int add_file(const struct host *h, const char *name, size_t *total, struct compat *c,
		    struct error *e)
{
	AUTO_BUF struct buf path = { 0 }, text = { 0 };
	struct compat_table *t = NULL;
	int r;

	buf_printf(&path, COMPAT_DIR "/%s", name);
	if (buf_error(&path) < 0)
		return error_nomem(e);
	r = host_read(h, FILE_MAX, &text, e, "%s", buf_text(&path));
	/* Which is not so much as opened: a pipe could keep whoever reads it for ever. */
	if (r == -EINVAL)
		return error_set(e, r, "%s: is no regular file", buf_text(&path));
	if (r == -EFBIG)
		return error_set(e, r, "%s: longer than %d bytes, which no such file is",
				 buf_text(&path), FILE_MAX);
	*total += text.len;
	if (r == 0 && *total > ALL_MAX)
		return error_set(e, -EFBIG, COMPAT_DIR ": more than %d MB in all",
				 ALL_MAX / (1024 * 1024));
	if (r == 0)
		r = compat_parse(buf_text(&text), text.len, buf_text(&path), &compat_built_in, &t,
				 e);
	return r < 0 ? r : compat_add(c, t, e);
}

static int read_compat(const struct host *h, struct compat *ret, struct error *e)
{
	const struct compat_table *tables[] = { &compat_built_in };
	const struct compat built_in = { .tables = tables, .n = 1 };
	AUTO_STRV struct strv names = { 0 };
	size_t total = 0;
	int r = host_list(h, &names, NULL, COMPAT_DIR);

	if (r == -ENOMEM)
		return error_nomem(e);
	/* There may be rows in it that say what is bad; but what was never asked for is none. */
	if (r < 0 && r != -ENOENT && r != -ENODATA && r != -ENOMEDIUM)
		return error_set(e, r, COMPAT_DIR ": %s", strerror(-r));
	r = compat_over(&built_in, ret, e);
	for (size_t i = 0; r == 0 && i < names.n; i++)
		if (is_table(names.items[i]))
			r = add_file(h, names.items[i], &total, ret, e);
	return r;
}
HOST_FACT_DEFINE(compat, read_compat)

void compat_done(struct compat *c)
{
	for (size_t i = 0; i < c->n_own; i++)
		compat_table_free(c->own[i]);
	free(c->own);
	free(c->tables);
	*c = (struct compat){ 0 };
}
