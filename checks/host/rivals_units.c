/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rivals_units.h"

#include "absence.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

static int add_unit(const char *link, struct strv *ret)
{
	const char *at = strchr(link, '@'), *end = strrchr(link, '.');
	AUTO_BUF struct buf name = { 0 };

	if (!end || strcmp(end, ".service") != 0)
		return 0;
	buf_append(&name, link, at ? (size_t)(at - link) + 1 : (size_t)(end - link));
	buf_puts(&name, end);
	if (buf_error(&name) < 0)
		return -ENOMEM;
	return strv_has(ret, buf_text(&name)) ? 0 : strv_add(ret, buf_text(&name));
}

static int read_tree(const struct host *h, const char *tree, struct strv *ret,
		     struct buf *ret_blind)
{
	AUTO_STRV struct strv folders = { 0 };
	AUTO_BUF struct buf dir = { 0 };
	int r = absence_list(h, tree, &folders), error = r;

	if (r < 0)
		buf_puts(ret_blind, tree);
	for (size_t i = 0; i < folders.n; i++) {
		AUTO_STRV struct strv links = { 0 };

		if (fnmatch("*.@(wants|requires)", folders.items[i], FNM_EXTMATCH) != 0)
			continue;
		buf_clear(&dir);
		buf_printf(&dir, "%s/%s", tree, folders.items[i]);
		if (buf_error(&dir) < 0)
			return -ENOMEM;
		r = absence_list(h, buf_text(&dir), &links);
		if (r < 0 && error == 0) {
			buf_puts(ret_blind, buf_text(&dir));
			error = r;
		}
		for (size_t k = 0; k < links.n; k++)
			if (add_unit(links.items[k], ret) < 0)
				return -ENOMEM;
	}
	return error;
}

int rivals_units_enabled(const struct host *h, struct strv *ret, struct buf *ret_blind)
{
	static const char *const trees[] = { "/etc/systemd/system", "/run/systemd/system",
					     "/usr/local/lib/systemd/system",
					     "/usr/lib/systemd/system", "/lib/systemd/system" };
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(trees); i++) {
		AUTO_BUF struct buf blind = { 0 };
		int r = read_tree(h, trees[i], ret, &blind);

		if (r == -ENOMEM)
			return r;
		if (r < 0 && error == 0) {
			buf_puts(ret_blind, buf_text(&blind));
			error = r;
		}
		if (buf_error(&blind) < 0)
			return -ENOMEM;
	}
	return buf_error(ret_blind) < 0 ? -ENOMEM : error;
}
