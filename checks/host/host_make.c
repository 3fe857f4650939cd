/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/host_make.h>

#include "host_open.h"
#include "host_source.h"
#include "host_store.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(HOST_MAKE_ANSWERS) == sizeof(HOST_ANSWERS), "both name one folder");

struct host_make {
	struct host_store *store;
	int error;
	/* By node, of which text it is; 0: of none that claims. */
	unsigned *sources;
	size_t n_sources;
};

int host_make_new(struct host_make **ret, struct error *e)
{
	AUTO_HOST_MAKE struct host_make *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return error_nomem(e);
	r = host_store_new(&m->store, e);
	if (r < 0)
		return r;
	host_store_set_index(m->store, true);
	*ret = TAKE(m);
	return 0;
}

void host_make_free(struct host_make *m)
{
	if (!m)
		return;
	host_store_free(m->store);
	free(m->sources);
	free(m);
}

void host_make_free_p(struct host_make **m)
{
	host_make_free(*m);
}

/* The node of a path that nothing was put at; NULL: something was, or it cannot be there. */
static struct host_node *fresh(struct host_make *m, const struct buf *path, uint32_t *ret)
{
	struct host_node *n;
	int r = m->error ? m->error : buf_error(path);

	if (r == 0)
		r = host_store_make(m->store, buf_text(path), ret);
	if (r < 0 && r != -ENOTDIR && r != -EINVAL)
		m->error = r;
	if (r < 0)
		return NULL;
	n = host_store_change(m->store, *ret);
	return n->state == HOST_STATE_NONE ? n : NULL;
}

static void put_content(struct host_make *m, const struct buf *path, const void *data, size_t len)
{
	uint32_t at = 0;
	struct host_node *n = fresh(m, path, &at);
	int r;

	if (!n)
		return;
	n->state = HOST_STATE_FILE;
	n->was_read = true;
	r = len > 0 ? host_store_append(m->store, at, data, len) : 0;
	if (r < 0)
		m->error = r;
}

void host_make_file(struct host_make *m, const void *data, size_t len, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	put_content(m, &path, data, len);
}

void host_make_text(struct host_make *m, const char *text, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 }, line = { 0 };

	BUF_FORMAT(&path, fmt);
	buf_printf(&line, "%s\n", text);
	if (buf_error(&line) < 0)
		m->error = -ENOMEM;
	put_content(m, &path, buf_text(&line), line.len);
}

void host_make_link(struct host_make *m, const char *target, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	uint32_t at = 0;
	int r;

	BUF_FORMAT(&path, fmt);
	if (!fresh(m, &path, &at))
		return;
	r = strlen(target) < HOST_LINK_MAX ? host_store_set_link(m->store, at, target) : -E2BIG;
	if (r < 0)
		m->error = r;
}

static void become(struct host_make *m, const struct buf *path, enum host_state state)
{
	uint32_t at = 0;
	struct host_node *n = fresh(m, path, &at);

	if (n)
		n->state = (uint8_t)state;
}

void host_make_folder(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	become(m, &path, HOST_STATE_DIR);
}

void host_make_name(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	become(m, &path, HOST_STATE_FILE);
}

void host_make_absent(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	become(m, &path, HOST_STATE_ABSENT);
}

void host_make_all(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	struct host_node *n;
	uint32_t at = 0;

	BUF_FORMAT(&path, fmt);
	become(m, &path, HOST_STATE_DIR);
	if (m->error || host_store_make(m->store, buf_text(&path), &at) < 0)
		return;
	n = host_store_change(m->store, at);
	if (n->state == HOST_STATE_DIR)
		n->is_listed = true;
}

void host_make_some(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	uint32_t at = 0;

	BUF_FORMAT(&path, fmt);
	become(m, &path, HOST_STATE_DIR);
	if (m->error || host_store_make(m->store, buf_text(&path), &at) < 0)
		return;
	host_store_change(m->store, at)->is_listed = false;
}

/* --- what several texts tell ------------------------------------------------------------------ */

/* Who claims a node; NULL: no memory. */
static unsigned *source_of(struct host_make *m, uint32_t at)
{
	size_t n = ((size_t)at + 1) * 2;
	unsigned *more;

	if (at < m->n_sources)
		return &m->sources[at];
	more = reallocarray(m->sources, n, sizeof(*more));
	if (!more) {
		m->error = -ENOMEM;
		return NULL;
	}
	memset(more + m->n_sources, 0, (n - m->n_sources) * sizeof(*more));
	m->sources = more;
	m->n_sources = n;
	return &m->sources[at];
}

static bool says_the_same(struct host_make *m, uint32_t at, const struct host_make_claim *c)
{
	const struct host_node *n = host_store_node(m->store, at);
	AUTO_BUF struct buf content = { 0 };
	int r;

	if (n->state == HOST_STATE_ABSENT || !c->data)
		return n->state == HOST_STATE_ABSENT && !c->data;
	r = host_store_content(m->store, at, c->len, &content);
	if (r == -ENOMEM)
		m->error = r;
	return r == 0 && content.len == c->len && memcmp(buf_text(&content), c->data, c->len) == 0;
}

static void set_content(struct host_make *m, uint32_t at, const void *data, size_t len)
{
	struct host_node *n = host_store_change(m->store, at);
	int r;

	n->state = data ? HOST_STATE_FILE : HOST_STATE_ABSENT;
	n->was_read = data != NULL;
	n->len = 0;
	n->at = 0;
	r = data && len > 0 ? host_store_append(m->store, at, data, len) : 0;
	if (r < 0)
		m->error = r;
}

static void blind(struct host_make *m, uint32_t at)
{
	struct host_node *n = host_store_change(m->store, at);

	n->state = HOST_STATE_BLIND;
	n->was_read = false;
	n->error = -ENODATA;
}

static bool claim(struct host_make *m, const struct host_make_claim *c, const struct buf *path)
{
	enum host_state state;
	unsigned *own;
	uint32_t at;

	if (m->error || host_store_make(m->store, buf_text(path), &at) < 0)
		return true;
	own = source_of(m, at);
	state = (enum host_state)host_store_node(m->store, at)->state;
	if (!own || (state != HOST_STATE_NONE && *own == 0) || state == HOST_STATE_BLIND)
		return true;
	if (state != HOST_STATE_NONE && says_the_same(m, at, c))
		return true;
	if (state != HOST_STATE_NONE && (*own != c->source || !c->is_in_order)) {
		blind(m, at);
		return false;
	}
	*own = c->source;
	set_content(m, at, c->data, c->len);
	return true;
}

bool host_make_claim(struct host_make *m, const struct host_make_claim *c, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	if (buf_error(&path) < 0)
		m->error = buf_error(&path);
	return claim(m, c, &path);
}

void host_make_unknown(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	uint32_t at;

	BUF_FORMAT(&path, fmt);
	if (buf_error(&path) < 0)
		m->error = buf_error(&path);
	if (!m->error && host_store_make(m->store, buf_text(&path), &at) == 0)
		blind(m, at);
}

bool host_make_knows(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	uint32_t at = HOST_STORE_ROOT;

	BUF_FORMAT(&path, fmt);
	if (buf_error(&path) < 0)
		m->error = buf_error(&path);
	for (const char *p = buf_text(&path); *p == '/';) {
		size_t len = strcspn(p + 1, "/");

		if (!host_store_find(m->store, at, p + 1, len, &at))
			return false;
		p += 1 + len;
	}
	return host_store_node(m->store, at)->state != HOST_STATE_NONE;
}

int host_make_open(struct host_make *m, const char *root, struct host **ret, struct error *e)
{
	if (m->error == -ENOMEM)
		return error_nomem(e);
	if (m->error == -E2BIG || m->error == -EFBIG)
		return error_set(e, m->error, "more than a capture holds");
	if (m->error < 0)
		return error_set(e, m->error, "what was found cannot be kept: %s",
				 strerror(-m->error));
	return host_open_store(root, TAKE(m->store), ret, e);
}
