/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file as it comes, or unpacked where it is in gzip, xz or bzip2, in pieces and never all
 * of it in memory.  Checksums and lengths are looked at, which libarchive leaves out: a content
 * that is damaged must not be taken for what was captured.
 */
#ifndef CHECKS_HOST_HOST_UNZIP_H
#define CHECKS_HOST_HOST_UNZIP_H

#include <sriovctl/base.h>

#include <bzlib.h>
#include <lzma.h>
#include <sys/types.h>
#include <zlib.h>

#define HOST_UNZIP_BLOCK 65536
/* What "xz -7" needs to unpack again; sosreports are made with -3 or -6. */
#define HOST_UNZIP_XZ_MEMORY (20u << 20)

enum host_unzip_kind { HOST_UNZIP_PLAIN, HOST_UNZIP_GZIP, HOST_UNZIP_XZ, HOST_UNZIP_BZIP2 };

struct host_unzip {
	int fd; /* the caller's */
	enum host_unzip_kind kind;
	bool has_begun, is_between, has_ended; /* between two gzips in one file */
	z_stream z;
	lzma_stream x;
	bz_stream b;
	unsigned char in[HOST_UNZIP_BLOCK], out[HOST_UNZIP_BLOCK];
	const char *why; /* it failed, for a sentence */
};

/* The length of the next piece, 0 at the end, or a negative errno. */
ssize_t host_unzip_next(struct host_unzip *u, const void **ret) MUST_USE;
void host_unzip_done(struct host_unzip *u);

#endif
