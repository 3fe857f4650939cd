/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files below a folder that may be anybody's: links in it are followed within it, however they
 * are meant, and nothing outside is reached.  Descriptors are closed on exec.
 */
#ifndef SRIOVCTL_FILES_H
#define SRIOVCTL_FILES_H

#include <sriovctl/base.h>

struct buf;

/* A descriptor or a negative errno; -ENOSYS on kernels before 5.6 (openat2(2)). */
int files_open_in(int root_fd, const char *path, int flags) MUST_USE;

/* @fd to its end, appended; -EFBIG when that is more than @max bytes. */
int files_read(int fd, size_t max, struct buf *ret) MUST_USE;

#endif
