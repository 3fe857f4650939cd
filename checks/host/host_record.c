/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_record.h"

#include "host_store.h"
#include "sieve.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct record {
	struct host_source source;
	struct host_source *inner;
	struct host_store *store;
	int error;
};

static struct record *record_of(struct host_source *s)
{
	return (struct record *)(void *)s;
}

/* What was not captured of the source that is asked is not known of what is noted, either. */
static bool is_unknown(const struct record *rec, int r)
{
	return r == -ENOMEDIUM || (r == -ENODATA && rec->inner->is_partial);
}

/* The store itself failed, which the one who asks cannot tell from the answer. */
static int failed(struct record *rec, int r)
{
	if (rec->error == 0)
		rec->error = r;
	return r;
}

static int note_link(struct record *rec, uint32_t at, const char *path)
{
	AUTO_BUF struct buf target = { 0 };
	int r = rec->inner->ops->link(rec->inner, path, &target);

	if (r < 0) {
		struct host_node *n = host_store_change(rec->store, at);

		n->state = HOST_STATE_BLIND;
		n->error = (int16_t)r;
		return 0;
	}
	return host_store_set_link(rec->store, at, buf_text(&target));
}

static int note_kind(struct record *rec, uint32_t at, const char *path, enum host_kind kind)
{
	static const enum host_state states[] = {
		[HOST_KIND_NAME] = HOST_STATE_NAME,   [HOST_KIND_FILE] = HOST_STATE_FILE,
		[HOST_KIND_DIR] = HOST_STATE_DIR,     [HOST_KIND_LINK] = HOST_STATE_LINK,
		[HOST_KIND_OTHER] = HOST_STATE_OTHER,
	};

	if (kind == HOST_KIND_LINK)
		return note_link(rec, at, path);
	host_store_change(rec->store, at)->state = (uint8_t)states[kind];
	return 0;
}

static int note_failure(struct record *rec, uint32_t at, int error)
{
	struct host_node *n = host_store_change(rec->store, at);

	n->state = error == -ENOENT ? HOST_STATE_ABSENT : HOST_STATE_BLIND;
	n->error = (int16_t)error;
	return 0;
}

static int ask_kind(void *arg, uint32_t dir, const char *name, size_t len, uint32_t *ret)
{
	struct record *rec = arg;
	AUTO_BUF struct buf path = { 0 };
	enum host_kind kind;
	bool is_known = host_store_find(rec->store, dir, name, len, ret);
	enum host_state state =
		is_known ? host_store_node(rec->store, *ret)->state : HOST_STATE_NONE;
	int r, noted;

	if (state == HOST_STATE_ABSENT || state == HOST_STATE_BLIND)
		return 0;
	if (!is_known && host_store_node(rec->store, dir)->is_listed)
		return -ENOENT;
	host_store_path(rec->store, dir, &path);
	buf_puts(&path, "/");
	buf_append(&path, name, len);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	r = rec->inner->ops->kind(rec->inner, buf_text(&path), &kind);
	if (r == -ENOMEM || is_unknown(rec, r))
		return r;
	noted = host_store_child(rec->store, dir, name, len, ret);
	if (noted == 0)
		noted = r < 0 ? note_failure(rec, *ret, r)
			      : note_kind(rec, *ret, buf_text(&path), kind);
	return noted < 0 ? failed(rec, noted) : 0;
}

static int find(struct record *rec, const char *path, bool follow, uint32_t *ret)
{
	const struct host_walk w = { .store = rec->store, .miss = ask_kind, .arg = rec };

	return host_store_walk(&w, path, follow, ret);
}

static int kind(struct host_source *source, const char *path, enum host_kind *ret)
{
	struct record *rec = record_of(source);
	uint32_t at = 0;
	int r = find(rec, path, false, &at);

	if (r == 0)
		*ret = host_store_kind(host_store_node(rec->store, at));
	return r;
}

/* The canonical path of a node, for the source that is asked. */
static int path_of(const struct record *rec, uint32_t at, struct buf *ret)
{
	if (at == HOST_STORE_ROOT)
		buf_puts(ret, "/");
	host_store_path(rec->store, at, ret);
	return buf_error(ret);
}

/* What must not leave the host is not even noted: by the name that was asked for, or its own. */
static int sift(const char *asked, const char *path, size_t before, struct buf *ret)
{
	const char *name = sieve_is_for(asked) ? asked : path;
	AUTO_BUF struct buf kept = { 0 };

	if (!sieve_is_for(name))
		return 0;
	sieve_apply(name, ret->data + before, ret->len - before, &kept);
	if (buf_error(&kept) < 0)
		return -ENOMEM;
	ret->len = before;
	buf_append(ret, buf_text(&kept), kept.len);
	return buf_error(ret);
}

static int ask_content(struct record *rec, const char *asked, uint32_t at, size_t max,
		       struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	struct host_node *n;
	size_t before = ret->len;
	int r = path_of(rec, at, &path), noted = 0;

	if (r == 0)
		r = rec->inner->ops->read(rec->inner, buf_text(&path), max, ret);
	if (r == 0)
		r = sift(asked, buf_text(&path), before, ret);
	if (r == -ENOMEM || is_unknown(rec, r))
		return r;
	n = host_store_change(rec->store, at);
	n->was_read = true;
	n->read_error = (int16_t)r;
	if (r == 0)
		noted = host_store_append(rec->store, at, ret->data + before, ret->len - before);
	return noted < 0 ? failed(rec, noted) : r;
}

/* An answer that a later question need not get again: it was too short, or to be tried again. */
static bool is_void(const struct host_node *n)
{
	return n->read_error == -EFBIG || n->read_error == -EAGAIN;
}

static int read_file(struct host_source *source, const char *path, size_t max, struct buf *ret)
{
	struct record *rec = record_of(source);
	const struct host_node *n;
	uint32_t at = 0;
	int r = find(rec, path, true, &at);

	if (r < 0)
		return r;
	n = host_store_node(rec->store, at);
	if (!n->was_read || is_void(n))
		return ask_content(rec, path, at, max, ret);
	return n->read_error ? n->read_error : host_store_content(rec->store, at, max, ret);
}

static int note_names(struct record *rec, uint32_t dir, const struct strv *names)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < names->n; i++) {
		struct host_node *n;
		uint32_t at = 0;

		r = host_store_child(rec->store, dir, names->items[i], strlen(names->items[i]),
				     &at);
		if (r < 0)
			break;
		n = host_store_change(rec->store, at);
		n->is_named = true;
		if (n->state == HOST_STATE_NONE)
			n->state = HOST_STATE_NAME;
	}
	if (r == 0)
		host_store_change(rec->store, dir)->is_listed = true;
	return r;
}

static int ask_names(struct record *rec, uint32_t at)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_STRV struct strv names = { 0 };
	struct host_node *n;
	int r = path_of(rec, at, &path), noted;

	if (r == 0)
		r = rec->inner->ops->list(rec->inner, buf_text(&path), &names);
	if (r == -ENOMEM || is_unknown(rec, r))
		return r;
	if (r == 0) {
		noted = note_names(rec, at, &names);
		return noted < 0 ? failed(rec, noted) : 0;
	}
	n = host_store_change(rec->store, at);
	n->was_listed = true;
	n->list_error = (int16_t)r;
	return r;
}

static int list(struct host_source *source, const char *path, struct strv *ret)
{
	struct record *rec = record_of(source);
	const struct host_node *n;
	uint32_t at = 0;
	int r = find(rec, path, true, &at);

	if (r < 0)
		return r;
	n = host_store_node(rec->store, at);
	if (n->was_listed)
		return n->list_error;
	if (!n->is_listed)
		r = ask_names(rec, at);
	return r < 0 ? r : host_store_names(rec->store, at, ret);
}

static int read_link(struct host_source *source, const char *path, struct buf *ret)
{
	struct record *rec = record_of(source);
	uint32_t at = 0;
	int r = find(rec, path, false, &at);

	if (r < 0)
		return r;
	if (host_store_node(rec->store, at)->state == HOST_STATE_NAME)
		return rec->inner->is_partial ? -ENODATA : -ENOMEDIUM;
	if (host_store_node(rec->store, at)->state != HOST_STATE_LINK)
		return -EINVAL;
	host_store_link(rec->store, at, ret);
	return buf_error(ret);
}

static void close_record(struct host_source *source)
{
	struct record *rec = record_of(source);

	host_source_close(&rec->inner);
	host_store_free(rec->store);
	free(rec);
}

static const struct host_source_ops record_ops = {
	.kind = kind,
	.read = read_file,
	.list = list,
	.link = read_link,
	.close = close_record,
};

int host_record_new(struct host_source *inner, struct host_source **ret, struct error *e)
{
	struct record *rec = calloc(1, sizeof(*rec));
	int r;

	if (!rec) {
		host_source_close(&inner);
		return error_nomem(e);
	}
	rec->source = *inner;
	rec->source.ops = &record_ops;
	rec->inner = inner;
	r = host_store_new(&rec->store, e);
	if (r < 0) {
		close_record(&rec->source);
		return r;
	}
	host_store_set_index(rec->store, inner->is_partial);
	*ret = &rec->source;
	return 0;
}

struct host_store *host_record_take(struct host_source *s)
{
	return TAKE(record_of(s)->store);
}

int host_record_error(struct host_source *s)
{
	return record_of(s)->error;
}
