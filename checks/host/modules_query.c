/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_answer.h"
#include "modules_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/modules.h>
#include <sriovctl/parse.h>

#include "modules_kmod.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_MAX (64u << 20)
#define FILE_MAX  (64u << 20)

/*
 * Magic, major version, offset of the root (libkmod-index.c).  The root is written last,
 * so that a file that was cut does not hold it; libkmod would read on behind the end.
 */
bool modules_is_index(const struct buf *b)
{
	static const char magic[] = { '\xb0', '\x07', '\xf4', '\x57', '\0', '\2' };
	uint32_t root;

	if (b->len < sizeof(magic) || memcmp(b->data, magic, sizeof(magic)) != 0)
		return false;
	if (b->len < 3 * sizeof(root))
		return false;
	memcpy(&root, b->data + 2 * sizeof(root), sizeof(root));
	return (be32toh(root) & 0x0fffffff) < b->len;
}

int modules_copy_index(const struct modules *m, const struct scratch *dir, const char *name,
		       struct error *e)
{
	AUTO_BUF struct buf index = { 0 };
	int r = host_read(m->h, INDEX_MAX, &index, e, "%s/%s", m->dir, name);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	if (!modules_is_index(&index))
		return error_set(e, -EBADMSG, "%s/%s: damaged index", m->dir, name);
	return modules_own_error(scratch_write(dir, name, index.data, index.len, e));
}

static int ask_alias(const struct modules *m, const struct scratch *dir, const char *modalias,
		     struct strv *ret, struct error *e)
{
	int r = modules_kmod_alias(dir->dir, modalias, ret, e);

	return r == -EIO ? error_set(e, -EBADMSG, "%s: damaged index", m->dir) : r;
}

static int resolve(const struct host *h, const char *modalias, struct strv *ret, struct error *e)
{
	AUTO_SCRATCH struct scratch dir = { 0 };
	const struct modules *m = NULL;
	int r = modules_get(h, &m, e);

	if (r < 0)
		return r;
	r = m->dir_error;
	if (r < 0)
		return error_set(e, r, "%s: %s", m->dir ? m->dir : "/lib/modules", strerror(-r));
	r = scratch_open(&dir, e);
	if (r == 0)
		r = modules_copy_index(m, &dir, "modules.alias.bin", e);
	if (r == 0)
		r = modules_copy_index(m, &dir, "modules.builtin.alias.bin", e);
	if (r == 0)
		r = ask_alias(m, &dir, modalias, ret, e);
	if (r < 0)
		return modules_own_error(r);
	return ret->n > 0 ? 0 : error_set(e, -ENOENT, "no module claims %s", modalias);
}
HOST_FACT_ABOUT(names_of_alias, strv, resolve)

int modules_resolve(const struct modules *m, const char *modalias, struct strv *ret,
		    struct error *e)
{
	const struct strv *names = NULL;
	int r = names_of_alias(m->h, modalias, &names, e);

	if (r < 0)
		return r;
	strv_done(ret);
	for (size_t i = 0; i < names->n; i++)
		if (strv_add(ret, names->items[i]) < 0)
			return host_nomem(m->h, e);
	return 0;
}

void modules_file_done(struct modules_file *f)
{
	free(f->signer);
	free(f->vermagic);
	free(f->version);
	free(f->srcversion);
	*f = (struct modules_file){ 0 };
}

/* What stands in the file of a module may end up on a terminal. */
static int keep(char **ret, const char *text)
{
	AUTO_BUF struct buf clean = { 0 };

	if (*ret || !*text)
		return 0;
	for (; *text; text++)
		buf_append(&clean, *text >= ' ' && *text <= '~' ? text : "?", 1);
	buf_rtrim(&clean);
	*ret = buf_take(&clean);
	return *ret ? 0 : -ENOMEM;
}

static int fill(const struct strv *answer, struct modules_file *ret)
{
	const struct {
		const char *key;
		char **to;
	} texts[] = {
		{ .key = "signer", .to = &ret->signer },
		{ .key = "vermagic", .to = &ret->vermagic },
		{ .key = "version", .to = &ret->version },
		{ .key = "srcversion", .to = &ret->srcversion },
	};
	int r = 0;

	for (size_t i = 0; i + 1 < answer->n && r == 0; i += 2) {
		const char *key = answer->items[i], *value = answer->items[i + 1];

		ret->is_signed |= strcmp(key, "sig_id") == 0;
		ret->is_intree |= strcmp(key, "intree") == 0 && *value == 'Y';
		for (size_t k = 0; k < ARRAY_SIZE(texts) && r == 0; k++)
			if (strcmp(key, texts[k].key) == 0)
				r = keep(texts[k].to, value);
	}
	return r;
}

int modules_inspect(const struct modules *m, const struct modules_info *info,
		    struct modules_file *ret, struct error *e)
{
	AUTO_SCRATCH struct scratch dir = { 0 };
	AUTO_STRV struct strv answer = { 0 };
	AUTO_MODULES_FILE struct modules_file f = { 0 };
	AUTO_BUF struct buf file = { 0 };
	const char *base = strrchr(info->source, '/');
	int r;

	if (info->state != MODULES_LOADABLE || !base)
		return error_set(e, -ENOENT, "%s: not the file of a module", info->source);
	r = modules_own_error(scratch_open(&dir, e));
	if (r == 0)
		r = host_read(m->h, FILE_MAX, &file, e, "%s", info->source);
	if (r == 0)
		r = modules_own_error(scratch_write(&dir, base + 1, file.data, file.len, e));
	if (r < 0)
		return r == -ENOMEM ? host_nomem(m->h, e) : r;
	r = modules_kmod_file(dir.dir, base + 1, &answer, e);
	if (r == -ENOMEM)
		return host_nomem(m->h, e);
	if (r < 0)
		return error_prefix(e, r == -EIO ? -EBADMSG : modules_own_error(r), "%s",
				    info->source);
	if (fill(&answer, &f) < 0)
		return host_nomem(m->h, e);
	*ret = f;
	f = (struct modules_file){ 0 };
	return 0;
}

/* Lines "KEY VALUE", as modinfo has "KEY: VALUE". */
static int split(const char *text, struct strv *ret)
{
	const char *line;
	size_t len;
	int r = 0;

	while (r == 0 && parse_line(&text, &line, &len)) {
		const char *blank = memchr(line, ' ', len);

		if (!blank)
			continue;
		r = strv_take(ret, strndup(line, (size_t)(blank - line)));
		if (r == 0)
			r = strv_take(ret, strndup(blank + 1, len - (size_t)(blank + 1 - line)));
	}
	return r;
}

int modules_told(const struct host *h, const char *name, struct modules_file *ret, struct error *e)
{
	AUTO_MODULES_FILE struct modules_file f = { 0 };
	AUTO_BUF struct buf text = { 0 };
	AUTO_STRV struct strv answer = { 0 };
	int r = host_is_live(h) ? -ENODATA : host_answer(h, "modinfo", name, &text, e);

	if (r < 0)
		return r;
	if (split(buf_text(&text), &answer) < 0 || fill(&answer, &f) < 0)
		return host_nomem(h, e);
	*ret = f;
	f = (struct modules_file){ 0 };
	return 0;
}
