/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a path of a host becomes a descriptor: the only code that opens by path.
 * All return a descriptor or a negative errno, absence already weighed as
 * sriovctl/host.h says.  None blocks on a fifo, and none wakes a device.
 */
#ifndef CHECKS_HOST_HOST_OPEN_H
#define CHECKS_HOST_HOST_OPEN_H

struct host;

/* For reading; -EINVAL when it is not a regular file. */
int host_open_file(const struct host *h, const char *path);
/* For listing. */
int host_open_dir(const struct host *h, const char *path);
/* The name itself, whatever it is: for readlinkat(fd, ""), or to know that it exists. */
int host_open_name(const struct host *h, const char *path);

#endif
