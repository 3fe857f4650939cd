/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a stranger hands over to a store: a tar file, or a folder with a capture that
 * was unpacked.  -EINVAL with what is wrong where it cannot be a capture: names that
 * lead out of it, a name twice or as two things, too much.  What is neither file, folder
 * nor link is kept as such, and not readable.
 */
#ifndef CHECKS_HOST_HOST_LOAD_H
#define CHECKS_HOST_HOST_LOAD_H

#include <sriovctl/base.h>

struct error;
struct host_store;

int host_load_archive(int fd, struct host_store **ret, struct error *e) MUST_USE;

/* Has it an index?  Without one it is a plain tree. */
bool host_load_is_capture(int root_fd);
/* @root_fd stays the caller's. */
int host_load_dir(int root_fd, struct host_store **ret, struct error *e) MUST_USE;

#endif
