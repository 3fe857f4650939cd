/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_unzip.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* More of the file; 0 at its end. */
static ssize_t fill(struct host_unzip *u)
{
	ssize_t n;

	do
		n = read(u->fd, u->in, sizeof(u->in));
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		u->why = strerror(errno);
		return -errno;
	}
	u->z.next_in = u->in;
	u->z.avail_in = (unsigned)n;
	return n;
}

static int begin(struct host_unzip *u)
{
	u->has_begun = true;
	/* RFC 1952, 2.3.1 */
	u->is_packed = u->z.avail_in > 1 && u->in[0] == 0x1f && u->in[1] == 0x8b;
	if (!u->is_packed)
		return 0;
	if (inflateInit2(&u->z, 16 + MAX_WBITS) == Z_OK)
		return 0;
	u->is_packed = false;
	return -ENOMEM;
}

static ssize_t damaged(struct host_unzip *u)
{
	u->why = u->z.msg ? u->z.msg : "its gzip is damaged";
	return -EINVAL;
}

/* Behind a gzip there may be another one (RFC 1952, 2.2), or what fills up a block. */
static ssize_t go_between(struct host_unzip *u)
{
	while (u->z.avail_in > 0 && *u->z.next_in == '\0') {
		u->z.next_in++;
		u->z.avail_in--;
	}
	if (u->z.avail_in == 0)
		return 0;
	if (*u->z.next_in != 0x1f) {
		u->why = "something stands behind its gzip";
		return -EINVAL;
	}
	u->is_between = false;
	return inflateReset(&u->z) == Z_OK ? 0 : damaged(u);
}

/* What comes of one step; 0: nothing yet. */
static ssize_t unpack(struct host_unzip *u)
{
	int r;

	if (u->is_between)
		return go_between(u);
	u->z.next_out = u->out;
	u->z.avail_out = sizeof(u->out);
	r = inflate(&u->z, Z_NO_FLUSH);
	if (r == Z_MEM_ERROR)
		return -ENOMEM;
	if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
		return damaged(u);
	u->is_between = r == Z_STREAM_END;
	return (ssize_t)(sizeof(u->out) - u->z.avail_out);
}

static ssize_t next_unpacked(struct host_unzip *u, const void **ret)
{
	ssize_t n = 0;

	while (n == 0) {
		ssize_t got = u->z.avail_in > 0 ? 1 : fill(u);

		if (got < 0)
			return got;
		/* What it has read may still be to come out. */
		n = unpack(u);
		if (got == 0 && n == 0 && !u->is_between) {
			u->why = "its gzip is cut off";
			return -EINVAL;
		}
		if (got == 0 && n == 0)
			return 0;
	}
	*ret = u->out;
	return n;
}

ssize_t host_unzip_next(struct host_unzip *u, const void **ret)
{
	ssize_t n = 0;

	if (!u->has_begun) {
		n = fill(u);
		if (n > 0)
			n = begin(u);
		if (n < 0)
			return n;
	}
	if (u->is_packed)
		return next_unpacked(u, ret);
	if (u->z.avail_in == 0 && (n = fill(u)) <= 0)
		return n;
	n = u->z.avail_in;
	u->z.avail_in = 0;
	*ret = u->in;
	return n;
}

void host_unzip_done(struct host_unzip *u)
{
	if (u->is_packed)
		(void)inflateEnd(&u->z);
	u->is_packed = false;
}
