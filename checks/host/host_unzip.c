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

/* "BZh9" and the first block's beginning. */
static bool is_bzip2(const unsigned char *in, size_t len)
{
	static const unsigned char block[] = { 0x31, 0x41, 0x59, 0x26, 0x53, 0x59 };

	return len >= 4 + sizeof(block) && memcmp(in, "BZh", 3) == 0 && in[3] >= '1' &&
	       in[3] <= '9' && memcmp(in + 4, block, sizeof(block)) == 0;
}

static int begin(struct host_unzip *u)
{
	/* RFC 1952, 2.3.1; the .xz file format, 2.1.1.1 */
	static const unsigned char gzip[] = { 0x1f, 0x8b };
	static const unsigned char xz[] = { 0xfd, '7', 'z', 'X', 'Z', '\0' };

	u->has_begun = true;
	if (u->z.avail_in >= sizeof(gzip) && memcmp(u->in, gzip, sizeof(gzip)) == 0) {
		if (inflateInit2(&u->z, 16 + MAX_WBITS) != Z_OK)
			return -ENOMEM;
		u->kind = HOST_UNZIP_GZIP;
	} else if (u->z.avail_in >= sizeof(xz) && memcmp(u->in, xz, sizeof(xz)) == 0) {
		u->x = (lzma_stream)LZMA_STREAM_INIT;
		if (lzma_stream_decoder(&u->x, HOST_UNZIP_XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
			return -ENOMEM;
		u->kind = HOST_UNZIP_XZ;
	} else if (is_bzip2(u->in, u->z.avail_in)) {
		if (BZ2_bzDecompressInit(&u->b, 0, 0) != BZ_OK)
			return -ENOMEM;
		u->kind = HOST_UNZIP_BZIP2;
	}
	return 0;
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

static ssize_t fail_xz(struct host_unzip *u, lzma_ret r)
{
	if (r == LZMA_MEM_ERROR)
		return -ENOMEM;
	u->why = r == LZMA_MEMLIMIT_ERROR ? "its xz takes more memory to unpack than it is given"
		 : r == LZMA_BUF_ERROR	  ? "its xz is cut off"
					  : "its xz is damaged";
	return -EINVAL;
}

static ssize_t next_of_xz(struct host_unzip *u, const void **ret)
{
	lzma_ret r = LZMA_OK;

	if (u->has_ended)
		return 0;
	u->x.next_out = u->out;
	u->x.avail_out = sizeof(u->out);
	while (r == LZMA_OK && u->x.avail_out > 0) {
		ssize_t got = u->z.avail_in > 0 ? 1 : fill(u);

		if (got < 0)
			return got;
		u->x.next_in = u->z.next_in;
		u->x.avail_in = u->z.avail_in;
		r = lzma_code(&u->x, got > 0 ? LZMA_RUN : LZMA_FINISH);
		u->z.next_in += u->z.avail_in - u->x.avail_in;
		u->z.avail_in = (unsigned)u->x.avail_in;
	}
	if (r != LZMA_OK && r != LZMA_STREAM_END)
		return fail_xz(u, r);
	u->has_ended = r == LZMA_STREAM_END;
	*ret = u->out;
	return (ssize_t)(sizeof(u->out) - u->x.avail_out);
}

/* One stream may follow another, as programs with threads write them. */
static int end_of_bzip2(struct host_unzip *u)
{
	ssize_t got = u->z.avail_in > 0 ? 1 : fill(u);

	if (got < 0)
		return (int)got;
	u->has_ended = got == 0;
	if (u->has_ended)
		return 0;
	(void)BZ2_bzDecompressEnd(&u->b);
	u->b = (bz_stream){ 0 };
	return BZ2_bzDecompressInit(&u->b, 0, 0) == BZ_OK ? 0 : -ENOMEM;
}

static ssize_t fail_bzip2(struct host_unzip *u, int r)
{
	if (r == BZ_MEM_ERROR)
		return -ENOMEM;
	u->why = r == BZ_OK ? "its bzip2 is cut off" : "its bzip2 is damaged";
	return -EINVAL;
}

static ssize_t next_of_bzip2(struct host_unzip *u, const void **ret)
{
	int r = BZ_OK;

	u->b.next_out = (char *)u->out;
	u->b.avail_out = sizeof(u->out);
	while (r == BZ_OK && !u->has_ended && u->b.avail_out > 0) {
		ssize_t got = u->z.avail_in > 0 ? 1 : fill(u);

		if (got < 0)
			return got;
		if (got == 0)
			return fail_bzip2(u, BZ_OK);
		u->b.next_in = (char *)u->z.next_in;
		u->b.avail_in = u->z.avail_in;
		r = BZ2_bzDecompress(&u->b);
		u->z.next_in += u->z.avail_in - u->b.avail_in;
		u->z.avail_in = u->b.avail_in;
		if (r == BZ_STREAM_END)
			r = end_of_bzip2(u);
	}
	if (r == -ENOMEM)
		return r;
	if (r != BZ_OK)
		return fail_bzip2(u, r);
	*ret = u->out;
	return (ssize_t)(sizeof(u->out) - u->b.avail_out);
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
	if (u->kind == HOST_UNZIP_GZIP)
		return next_unpacked(u, ret);
	if (u->kind == HOST_UNZIP_XZ)
		return next_of_xz(u, ret);
	if (u->kind == HOST_UNZIP_BZIP2)
		return next_of_bzip2(u, ret);
	if (u->z.avail_in == 0 && (n = fill(u)) <= 0)
		return n;
	n = u->z.avail_in;
	u->z.avail_in = 0;
	*ret = u->in;
	return n;
}

void host_unzip_done(struct host_unzip *u)
{
	if (u->kind == HOST_UNZIP_GZIP)
		(void)inflateEnd(&u->z);
	if (u->kind == HOST_UNZIP_XZ)
		lzma_end(&u->x);
	if (u->kind == HOST_UNZIP_BZIP2)
		(void)BZ2_bzDecompressEnd(&u->b);
	u->kind = HOST_UNZIP_PLAIN;
}
