/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_store_impl.h"

#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where a walk is: at a folder, with the rest of the path before it. */
struct walk {
	const struct host_walk *w;
	uint32_t at;
	struct buf rest;
	size_t from;  /* of @rest, what is left */
	size_t asked; /* so much at its end is of the path that was asked, and of no link */
	unsigned links;
};

static int not_captured(const struct host_store *s)
{
	return s->is_partial ? -ENODATA : -ENOMEDIUM;
}

/*
 * Absence is known of the last name of the path that was asked.  In a plain tree what a
 * link leads to, or the folder that would hold the thing, may only not have been copied.
 */
static int weigh(const struct walk *k, int r, size_t start, bool is_last)
{
	bool is_asked = k->rest.len - start <= k->asked;

	return r == -ENOENT && k->w->store->is_partial && !(is_last && is_asked) ? -ENODATA : r;
}

static int find_child(const struct walk *k, const char *name, size_t len, uint32_t *ret)
{
	const struct host_store *s = k->w->store;

	if (host_store_find(s, k->at, name, len, ret) && s->nodes[*ret].state > HOST_STATE_NAME)
		return 0;
	return k->w->miss(k->w->arg, k->at, name, len, ret);
}

/* The target of the link takes its place in the rest of the path. */
static int follow_link(struct walk *k, uint32_t link)
{
	struct buf rest = { 0 };
	size_t left = k->rest.len - k->from;

	if (++k->links > HOST_STORE_LINKS)
		return -ELOOP;
	host_store_link(k->w->store, link, &rest);
	if (buf_text(&rest)[0] == '/')
		k->at = HOST_STORE_ROOT;
	buf_puts(&rest, "/");
	buf_append(&rest, buf_text(&k->rest) + k->from, left);
	buf_done(&k->rest);
	k->rest = rest;
	k->from = 0;
	k->asked = left < k->asked ? left : k->asked;
	return buf_error(&rest);
}

/* One step to the name that begins at @start of the rest. */
static int step(struct walk *k, size_t start, size_t len, bool follow)
{
	const struct host_store *s = k->w->store;
	const char *name = buf_text(&k->rest) + start;
	bool is_last = name[len + strspn(name + len, "/")] == '\0';
	uint32_t child = 0;
	int r = 0;

	k->from = start + len;
	if (len == 1 && name[0] == '.')
		return 0;
	if (len == 2 && name[0] == '.' && name[1] == '.') {
		k->at = s->nodes[k->at].parent;
		return 0;
	}
	if (s->nodes[k->at].state == HOST_STATE_DIR)
		r = find_child(k, name, len, &child);
	else
		r = s->nodes[k->at].state == HOST_STATE_NAME ? not_captured(s) : -ENOENT;
	if (r == 0 && s->nodes[child].state == HOST_STATE_ABSENT)
		r = -ENOENT;
	if (r == 0 && s->nodes[child].state == HOST_STATE_BLIND)
		r = s->nodes[child].error;
	if (r < 0)
		return weigh(k, r, start, is_last);
	if (s->nodes[child].state == HOST_STATE_LINK && (follow || !is_last))
		return follow_link(k, child);
	k->at = child;
	return 0;
}

int host_store_walk(const struct host_walk *w, const char *path, bool follow, uint32_t *ret)
{
	struct walk k = { .w = w, .at = HOST_STORE_ROOT, .asked = strlen(path) };
	int r;

	buf_puts(&k.rest, path);
	r = buf_error(&k.rest);
	while (r == 0) {
		const char *rest = buf_text(&k.rest) + k.from;
		size_t start = k.from + strspn(rest, "/");
		size_t len = strcspn(buf_text(&k.rest) + start, "/");

		if (len == 0)
			break;
		r = step(&k, start, len, follow);
	}
	buf_done(&k.rest);
	if (r == 0)
		*ret = k.at;
	return r;
}

static bool is_there(const struct host_node *n)
{
	return n->is_named || n->state >= HOST_STATE_NAME;
}

int host_store_names(const struct host_store *s, uint32_t dir, struct strv *ret)
{
	for (uint32_t at = s->nodes[dir].child; at; at = s->nodes[at].sibling) {
		if (!is_there(&s->nodes[at]))
			continue;
		if (ret->n == HOST_LIST_MAX)
			return -E2BIG;
		if (strv_add(ret, host_store_name(s, at)) < 0)
			return -ENOMEM;
	}
	return 0;
}

enum host_kind host_store_kind(const struct host_node *n)
{
	static const enum host_kind kinds[] = {
		[HOST_STATE_NAME] = HOST_KIND_NAME,   [HOST_STATE_FILE] = HOST_KIND_FILE,
		[HOST_STATE_DIR] = HOST_KIND_DIR,     [HOST_STATE_LINK] = HOST_KIND_LINK,
		[HOST_STATE_OTHER] = HOST_KIND_OTHER,
	};

	return kinds[n->state];
}

/* --- as a source ------------------------------------------------------------------- */

struct replay {
	struct host_source source;
	struct host_store *store;
};

static const struct host_store *store_of(const struct host_source *s)
{
	return ((const struct replay *)(const void *)s)->store;
}

/* A name alone is all that is known; another one is absent where all are known. */
static int replay_miss(void *arg, uint32_t dir, const char *name, size_t len, uint32_t *ret)
{
	const struct host_store *s = arg;

	if (host_store_find(s, dir, name, len, ret) && s->nodes[*ret].state != HOST_STATE_NONE)
		return 0;
	return s->nodes[dir].is_listed || !s->has_index ? -ENOENT : not_captured(s);
}

static int find(struct host_source *source, const char *path, bool follow, uint32_t *ret)
{
	const struct replay *replay = (struct replay *)(void *)source;
	const struct host_walk w = { .store = replay->store,
				     .miss = replay_miss,
				     .arg = replay->store };

	return host_store_walk(&w, path, follow, ret);
}

static int kind(struct host_source *source, const char *path, enum host_kind *ret)
{
	uint32_t at = 0;
	int r = find(source, path, false, &at);

	if (r == 0)
		*ret = host_store_kind(host_store_node(store_of(source), at));
	return r;
}

static int read_file(struct host_source *source, const char *path, size_t max, struct buf *ret)
{
	const struct host_store *s = store_of(source);
	const struct host_node *n;
	uint32_t at = 0;
	int r = find(source, path, true, &at);

	if (r < 0)
		return r;
	n = host_store_node(s, at);
	if (n->was_read)
		return n->read_error ? n->read_error : host_store_content(s, at, max, ret);
	return n->state == HOST_STATE_DIR || n->state == HOST_STATE_OTHER ? -EINVAL
									  : not_captured(s);
}

static int list(struct host_source *source, const char *path, struct strv *ret)
{
	const struct host_store *s = store_of(source);
	const struct host_node *n;
	uint32_t at = 0;
	int r = find(source, path, true, &at);

	if (r < 0)
		return r;
	n = host_store_node(s, at);
	if (n->was_listed && n->list_error)
		return n->list_error;
	if (n->state == HOST_STATE_DIR && (n->is_listed || !s->has_index))
		return host_store_names(s, at, ret);
	return not_captured(s);
}

static int read_link(struct host_source *source, const char *path, struct buf *ret)
{
	const struct host_store *s = store_of(source);
	uint32_t at = 0;
	int r = find(source, path, false, &at);

	if (r < 0)
		return r;
	if (host_store_node(s, at)->state == HOST_STATE_NAME)
		return not_captured(s);
	if (host_store_node(s, at)->state != HOST_STATE_LINK)
		return -EINVAL;
	host_store_link(s, at, ret);
	return buf_error(ret);
}

static void close_replay(struct host_source *source)
{
	struct replay *replay = (struct replay *)(void *)source;

	host_store_free(replay->store);
	free(replay);
}

int host_store_source(struct host_store *s, struct host_source **ret, struct error *e)
{
	static const struct host_source_ops ops = {
		.kind = kind,
		.read = read_file,
		.list = list,
		.link = read_link,
		.close = close_replay,
	};
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay) {
		host_store_free(s);
		return error_nomem(e);
	}
	replay->source = (struct host_source){ .ops = &ops, .is_partial = s->is_partial };
	replay->store = s;
	*ret = &replay->source;
	return 0;
}

struct host_store *host_store_of(struct host_source *s)
{
	return ((struct replay *)(void *)s)->store;
}
