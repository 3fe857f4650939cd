/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/host.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include "host_fact.h"
#include "host_open.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* More names than any directory of sysfs holds; fewer than would hurt. */
#define LIST_MAX     100000
#define LINK_MAX_LEN 4096
#define READ_CHUNK   16384

/* The one sentence about a thing that could not be had. */
static int failed(const struct host *h, struct error *e, int r, const char *path)
{
	const char *why = strerror(-r);

	if (r == -ENOMEM)
		return host_nomem(h, e);
	if (r == -ENODATA)
		why = host_is_live(h) ? "hidden from this process" : "not captured in this root";
	return error_set(e, r, "%s: %s", path, why);
}

/* Appends to @path what @fmt, the last parameter with a name, makes of the others. */
#define FORMAT_PATH(path, fmt)               \
	do {                                 \
		va_list ap_;                 \
		va_start(ap_, fmt);          \
		buf_vprintf(path, fmt, ap_); \
		va_end(ap_);                 \
	} while (0)

typedef int opener(const struct host *h, const char *path);

/* What @how makes of @path, which may have failed to be formatted; every failure is told. */
static int open_by(const struct host *h, const struct buf *path, opener *how, struct error *e)
{
	int fd;

	if (buf_error(path) < 0)
		return host_nomem(h, e);
	fd = how(h, buf_text(path));
	return fd < 0 ? failed(h, e, fd, buf_text(path)) : fd;
}

/* @fd to its end, or one byte more than @max. */
static int read_all(int fd, size_t max, struct buf *ret)
{
	ssize_t n = 1;

	while (n > 0 && ret->len <= max) {
		char *room = buf_reserve(ret, READ_CHUNK);

		if (!room)
			return buf_error(ret);
		n = read(fd, room, READ_CHUNK);
		if (n < 0)
			return -errno;
		ret->len += (size_t)n;
		ret->data[ret->len] = '\0';
	}
	return ret->len > max ? -EFBIG : 0;
}

static int read_file(const struct host *h, const struct buf *path, size_t max, struct buf *ret,
		     struct error *e)
{
	AUTO_CLOSE int fd = open_by(h, path, host_open_file, e);
	int r;

	buf_clear(ret);
	if (fd < 0)
		return fd;
	r = read_all(fd, max, ret);
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

	FORMAT_PATH(&path, fmt);
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

	FORMAT_PATH(&path, fmt);
	return read_attr(h, &path, ret, e);
}

int host_attr_u64(const struct host *h, unsigned base, uint64_t *ret, struct error *e,
		  const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 }, text = { 0 };
	int r;

	FORMAT_PATH(&path, fmt);
	r = read_attr(h, &path, &text, e);
	if (r < 0)
		return r;
	if (parse_u64(buf_text(&text), base, UINT64_MAX, ret) < 0)
		return error_set(e, -EINVAL, "%s: \"%s\" is not a number", buf_text(&path),
				 buf_text(&text));
	return 0;
}

static int add_names(DIR *dir, struct strv *ret)
{
	struct dirent *d;

	while ((errno = 0, d = readdir(dir))) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		if (ret->n == LIST_MAX)
			return -E2BIG;
		if (strv_add(ret, d->d_name) < 0)
			return -ENOMEM;
	}
	return -errno;
}

int host_list(const struct host *h, struct strv *ret, struct error *e, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	DIR *dir;
	int fd, r;

	FORMAT_PATH(&path, fmt);
	strv_done(ret);
	fd = open_by(h, &path, host_open_dir, e);
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		(void)close(fd);
		return host_nomem(h, e);
	}
	r = add_names(dir, ret);
	(void)closedir(dir);
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
	AUTO_CLOSE int fd = open_by(h, path, host_open_name, e);
	char target[LINK_MAX_LEN];
	ssize_t n;

	buf_clear(ret);
	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", target, sizeof(target));
	if (n < 0 || (size_t)n == sizeof(target))
		return error_set(e, -EINVAL, "%s: not a symbolic link", buf_text(path));
	while (n > 1 && target[n - 1] == '/')
		n--;
	buf_append(ret, target, (size_t)n);
	return buf_error(ret) < 0 ? host_nomem(h, e) : 0;
}

int host_link(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };

	FORMAT_PATH(&path, fmt);
	return read_link(h, &path, ret, e);
}

int host_link_name(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 }, target = { 0 };
	const char *slash;
	int r;

	buf_clear(ret);
	FORMAT_PATH(&path, fmt);
	r = read_link(h, &path, &target, e);
	if (r < 0)
		return r;
	slash = strrchr(buf_text(&target), '/');
	buf_puts(ret, slash ? slash + 1 : buf_text(&target));
	return buf_error(ret) < 0 ? host_nomem(h, e) : 0;
}

int host_exists(const struct host *h, const char *fmt, ...)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;

	FORMAT_PATH(&path, fmt);
	fd = open_by(h, &path, host_open_name, NULL);
	return fd < 0 ? fd : 0;
}
