/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/host.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include "host_fact.h"
#include "host_source.h"

#include <errno.h>
#include <string.h>

bool host_is_refusal(const struct host *h, int r)
{
	return r < 0 && r != -ENOENT && !(host_is_partial(h) && (r == -ENODATA || r == -ENOMEDIUM));
}

const char *host_why(const struct host *h, int r)
{
	switch (r) {
	case -ENODATA:
		return host_is_partial(h) ? "not captured in this root"
					  : "hidden from this process";
	case -ENOMEDIUM:
		return "not captured in this root";
	case -ETIMEDOUT:
		return "blocked: somebody holds its lock";
	default:
		return strerror(-r);
	}
}

/* The one sentence about a thing that could not be had. */
static int failed(const struct host *h, struct error *e, int r, const char *path)
{
	if (r == -ENOMEM)
		return host_nomem(h, e);
	return error_set(e, r, "%s: %s", path, host_why(h, r));
}

static int read_file(const struct host *h, const struct buf *path, size_t max, struct buf *ret,
		     struct error *e)
{
	struct host_source *s = host_source(h);
	int r = buf_error(path);

	buf_clear(ret);
	if (r == 0)
		r = s->ops->read(s, buf_text(path), max, ret);
	if (r < 0) {
		buf_clear(ret);
		return failed(h, e, r, buf_text(path));
	}
	return 0;
}

int host_read(const struct host *h, size_t max, struct buf *ret, struct error *e, const char *fmt,
	      ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	return read_file(h, &path, max, ret, e);
}

static int read_attr(const struct host *h, const struct buf *path, struct buf *ret, struct error *e)
{
	int r = read_file(h, path, HOST_ATTR_MAX, ret, e);

	if (r < 0)
		return r;
	if (memchr(buf_text(ret), '\0', ret->len))
		return error_set(e, -EINVAL, "%s: not text", buf_text(path));
	buf_rtrim(ret);
	return 0;
}

int host_attr(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	return read_attr(h, &path, ret, e);
}

int host_attr_u64(const struct host *h, unsigned base, uint64_t *ret, struct error *e,
		  const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 }, text = { 0 };
	int r;

	BUF_FORMAT(&path, fmt);
	r = read_attr(h, &path, &text, e);
	if (r < 0)
		return r;
	if (parse_u64(buf_text(&text), base, UINT64_MAX, ret) < 0)
		return error_set(e, -EINVAL, "%s: \"%s\" is not a number", buf_text(&path),
				 buf_text(&text));
	return 0;
}

int host_list(const struct host *h, struct strv *ret, struct error *e, const char *fmt, ...)
{
	struct host_source *s = host_source(h);
	AUTO_BUF struct buf path = { 0 };
	int r;

	BUF_FORMAT(&path, fmt);
	strv_done(ret);
	r = buf_error(&path);
	if (r == 0)
		r = s->ops->list(s, buf_text(&path), ret);
	if (r < 0) {
		strv_done(ret);
		return failed(h, e, r, buf_text(&path));
	}
	strv_sort(ret);
	return 0;
}

/* Without slashes at the end: "../a/b/" and "../a/b" are the same. */
static int read_link(const struct host *h, const struct buf *path, struct buf *ret, struct error *e)
{
	struct host_source *s = host_source(h);
	int r = buf_error(path);

	buf_clear(ret);
	if (r == 0)
		r = s->ops->link(s, buf_text(path), ret);
	if (r == -EINVAL)
		return error_set(e, r, "%s: not a symbolic link", buf_text(path));
	if (r < 0)
		return failed(h, e, r, buf_text(path));
	while (ret->len > 1 && ret->data[ret->len - 1] == '/')
		ret->data[--ret->len] = '\0';
	return 0;
}

int host_link(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	BUF_FORMAT(&path, fmt);
	return read_link(h, &path, ret, e);
}

int host_link_name(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 }, target = { 0 };
	int r;

	buf_clear(ret);
	BUF_FORMAT(&path, fmt);
	r = read_link(h, &path, &target, e);
	if (r < 0)
		return r;
	buf_puts(ret, parse_base_name(buf_text(&target)));
	return buf_error(ret) < 0 ? host_nomem(h, e) : 0;
}

int host_exists(const struct host *h, const char *fmt, ...)
{
	struct host_source *s = host_source(h);
	AUTO_BUF struct buf path = { 0 };
	enum host_kind kind;
	int r;

	BUF_FORMAT(&path, fmt);
	r = buf_error(&path);
	if (r == 0)
		r = s->ops->kind(s, buf_text(&path), &kind);
	return r < 0 ? failed(h, NULL, r, buf_text(&path)) : 0;
}
