/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_ask.h"

#include "infile.h"

#include <sriovctl/buf.h>
#include <sriovctl/compat.h>
#include <sriovctl/strv.h>

static int add_file(const char *path, struct compat *c, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	struct compat_table *t = NULL;
	int r = infile_read(path, &text, e);

	if (r == 0)
		r = compat_parse(buf_text(&text), text.len, infile_name(path), &compat_built_in, &t,
				 e);
	return r < 0 ? r : compat_add(c, t, e);
}

int compat_ask(const struct host *h, const struct strv *files, struct compat *ret, struct error *e)
{
	const struct compat *base = NULL;
	int r = compat_get(h, &base, e);

	if (r == 0)
		r = compat_over(base, ret, e);
	for (size_t i = 0; r == 0 && i < files->n; i++)
		r = add_file(files->items[i], ret, e);
	return r;
}
