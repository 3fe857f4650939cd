/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and links below folders of /proc that are open already, so that all that is asked of
 * a process is asked of the same one.  Negative errno values as of the system calls.
 */
#ifndef CHECKS_HOST_PROCS_FILE_H
#define CHECKS_HOST_PROCS_FILE_H

#include <sriovctl/base.h>

#include <limits.h>

struct buf;

#define PROCS_FILE_CHUNK 65536

/* A descriptor, for reading; it is for the caller to close. */
int procs_file_open(int dir, const char *name, int flags) MUST_USE;
/* The whole of it in place of what @ret had, or what came before it failed. */
int procs_file_read(int dir, const char *name, size_t max, struct buf *ret);
int procs_file_link(int dir, const char *name, char ret[PATH_MAX]) MUST_USE;

#endif
