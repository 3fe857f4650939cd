/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file as it comes, or unpacked where it is gzipped, in pieces and never all of it in
 * memory.  Checksums and lengths are looked at, which libarchive leaves out: a content
 * that is damaged must not be taken for what was captured.
 */
#ifndef CHECKS_HOST_HOST_UNZIP_H
#define CHECKS_HOST_HOST_UNZIP_H

#include <sriovctl/base.h>

#include <sys/types.h>
#include <zlib.h>

#define HOST_UNZIP_BLOCK 65536

struct host_unzip {
	int fd;				       /* the caller's */
	bool has_begun, is_packed, is_between; /* between two gzips in one file */
	z_stream z;
	unsigned char in[HOST_UNZIP_BLOCK], out[HOST_UNZIP_BLOCK];
	const char *why; /* it failed, for a sentence */
};

/* The length of the next piece, 0 at the end, or a negative errno. */
ssize_t host_unzip_next(struct host_unzip *u, const void **ret) MUST_USE;
void host_unzip_done(struct host_unzip *u);

#endif
