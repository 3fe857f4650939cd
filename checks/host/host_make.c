/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/host_make.h>

#include "host_open.h"
#include "host_source.h"
#include "host_store.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(HOST_MAKE_ANSWERS) == sizeof(HOST_ANSWERS), "both name one folder");

struct host_make {
	struct host_store *store;
	int error;
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
	free(m);
}

void host_make_free_p(struct host_make **m)
{
	host_make_free(*m);
}

/* Appends to @path what @fmt, the last parameter with a name, makes of the others. */
#define FORMAT_PATH(path, fmt)               \
	do {                                 \
		va_list ap_;                 \
		va_start(ap_, fmt);          \
		buf_vprintf(path, fmt, ap_); \
		va_end(ap_);                 \
	} while (0)

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

	FORMAT_PATH(&path, fmt);
	put_content(m, &path, data, len);
}

void host_make_text(struct host_make *m, const char *text, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 }, line = { 0 };

	FORMAT_PATH(&path, fmt);
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

	FORMAT_PATH(&path, fmt);
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

	FORMAT_PATH(&path, fmt);
	become(m, &path, HOST_STATE_DIR);
}

void host_make_name(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	FORMAT_PATH(&path, fmt);
	become(m, &path, HOST_STATE_FILE);
}

void host_make_absent(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	FORMAT_PATH(&path, fmt);
	become(m, &path, HOST_STATE_ABSENT);
}

void host_make_all(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	struct host_node *n;
	uint32_t at = 0;

	FORMAT_PATH(&path, fmt);
	become(m, &path, HOST_STATE_DIR);
	if (m->error || host_store_make(m->store, buf_text(&path), &at) < 0)
		return;
	n = host_store_change(m->store, at);
	if (n->state == HOST_STATE_DIR)
		n->is_listed = true;
}

bool host_make_knows(struct host_make *m, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	uint32_t at = HOST_STORE_ROOT;

	FORMAT_PATH(&path, fmt);
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
