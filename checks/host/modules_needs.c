/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "modules_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

#define DEP_MAX (64u << 20)

/* "kernel/drivers/vfio/pci/vfio-pci.ko.xz" is vfio_pci. */
static int add_need(const char *path, size_t len, struct strv *ret)
{
	AUTO_BUF struct buf text = { 0 };
	const char *base = memrchr(path, '/', len);
	const char *end = path + len;

	base = base ? base + 1 : path;
	for (const char *p = base; p < end && *p != '.'; p++)
		buf_append(&text, *p == '-' ? "_" : p, 1);
	return strv_take(ret, buf_take(&text));
}

/* The line of modules.dep about @module, what stands behind its colon. */
static bool find_needs(const char *text, const char *module, struct buf *ret)
{
	size_t n = strlen(module), len;
	const char *line;

	while (parse_line(&text, &line, &len)) {
		if (len <= n || line[n] != ':' || strncmp(line, module, n) != 0)
			continue;
		buf_append(ret, line + n + 1, len - n - 1);
		return true;
	}
	return false;
}

/*
 * What loading the module at @source loads as well.  From the text that the index was
 * made of: libkmod hands out only those whose files it finds.
 */
int modules_needs(const struct modules *m, const char *source, struct strv *ret)
{
	AUTO_BUF struct buf text = { 0 }, needs = { 0 };
	size_t len = strlen(m->dir);
	const char *cursor, *word;
	int r;

	if (strncmp(source, m->dir, len) == 0 && source[len] == '/')
		source += len + 1;
	r = host_read(m->h, DEP_MAX, &text, NULL, "%s/modules.dep", m->dir);
	if (r < 0)
		return r;
	if (!find_needs(buf_text(&text), source, &needs))
		return -ENODATA;
	cursor = buf_text(&needs);
	while (r == 0 && parse_word(&cursor, &word, &len))
		r = add_need(word, len, ret);
	return buf_error(&needs) < 0 ? -ENOMEM : r;
}
