/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "manifest.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD	  "sriovctl-installed 1"
#define NO_DETAIL "-"

static const char *const kinds[] = {
	[MANIFEST_FOLDER] = "folder",
	[MANIFEST_FILE] = "file",
	[MANIFEST_LINK] = "link",
};

bool manifest_has(const struct manifest *m, enum manifest_kind kind, const char *detail,
		  const char *path)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].kind == kind && strcmp(m->items[i].path, path) == 0 &&
		    (!detail || strcmp(m->items[i].detail, detail) == 0))
			return true;
	return false;
}

int manifest_add(struct manifest *m, enum manifest_kind kind, const char *detail, const char *path)
{
	AUTO_FREE char *own_detail = strdup(detail ? detail : NO_DETAIL);
	AUTO_FREE char *own_path = strdup(path);
	struct manifest_entry *items;

	if (manifest_has(m, kind, detail, path))
		return 0;
	items = base_room(m->items, m->n, sizeof(*items));
	if (items)
		m->items = items;
	if (!items || !own_detail || !own_path)
		return -ENOMEM;
	m->items[m->n++] = (struct manifest_entry){ .kind = kind,
						    .detail = TAKE(own_detail),
						    .path = TAKE(own_path) };
	return 0;
}

void manifest_done(struct manifest *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->items[i].detail);
		free(m->items[i].path);
	}
	free(m->items);
	*m = (struct manifest){ 0 };
}

void manifest_digest(const struct buf *text, struct buf *ret)
{
	/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
	uint64_t digest = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < text->len; i++)
		digest = (digest ^ (unsigned char)text->data[i]) * UINT64_C(0x100000001b3);
	buf_printf(ret, "%016" PRIx64, digest);
}

void manifest_print(const struct manifest *m, struct buf *ret)
{
	buf_puts(ret, HEAD "\n");
	for (size_t i = 0; i < m->n; i++)
		buf_printf(ret, "%s %s %s\n", kinds[m->items[i].kind], m->items[i].detail,
			   m->items[i].path);
}

static int damaged(unsigned line, struct error *e)
{
	return error_set(e, -EBADMSG, "line %u says nothing that was installed", line);
}

static int take_line(const char *at, size_t len, struct manifest *ret)
{
	AUTO_FREE char *line = strndup(at, len);
	char *detail = line ? strchr(line, ' ') : NULL;
	char *path = detail ? strchr(detail + 1, ' ') : NULL;

	if (!line)
		return -ENOMEM;
	if (!path || path[1] != '/' || strchr(path + 1, ' '))
		return -EBADMSG;
	*detail++ = '\0';
	*path++ = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(line, kinds[i]) == 0)
			return manifest_add(ret, (enum manifest_kind)i, detail, path);
	return -EBADMSG;
}

int manifest_parse(const char *text, struct manifest *ret, struct error *e)
{
	AUTO_MANIFEST struct manifest m = { 0 };
	const char *cursor = text, *at;
	size_t len;
	unsigned line = 1;
	int r = 0;

	if (!parse_line(&cursor, &at, &len) || len != sizeof(HEAD) - 1 ||
	    strncmp(at, HEAD, len) != 0)
		return damaged(1, e);
	while (r == 0 && parse_line(&cursor, &at, &len)) {
		line++;
		r = take_line(at, len, &m);
	}
	if (r < 0)
		return r == -ENOMEM ? error_nomem(e) : damaged(line, e);
	*ret = m;
	m = (struct manifest){ 0 };
	return 0;
}
