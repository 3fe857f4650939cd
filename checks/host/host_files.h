/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources that open files: the running system, and a plain tree that was copied from one.
 * The only code that opens a path of a host.  Never blocks on a fifo, never wakes a
 * device, and of a tree never reads what is outside of it.
 */
#ifndef CHECKS_HOST_HOST_FILES_H
#define CHECKS_HOST_HOST_FILES_H

#include "host_source.h"

/* @root_fd: a directory, owned from the call on.  The running system, if it is its root. */
int host_files_open(int root_fd, struct host_source **ret, struct error *e) MUST_USE;

/* The names in the folder @fd, unsorted; it stays open. */
int host_files_names(int fd, struct strv *ret) MUST_USE;

#endif
