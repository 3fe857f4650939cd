/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads that may wait for a lock of the kernel, done in a process of its own that is given
 * up when it does not answer in time.  A reader that waits for a device's lock or for
 * RTNL behind a stuck write survives even SIGKILL, so nobody waits for it: it ends with the
 * lock.  One process does all reads of a run, and a new one what follows a stuck one.
 */
#ifndef CHECKS_HOST_HOST_HELPER_H
#define CHECKS_HOST_HOST_HELPER_H

#include <sriovctl/base.h>

#include <sys/types.h>

struct buf;

struct host_helper {
	/* What it does: as struct host_source_ops has it. */
	int (*read)(const void *arg, const char *path, size_t max, struct buf *ret);
	const void *arg;
	pid_t pid; /* 0: there is none */
	int fd;
};

/* -ETIMEDOUT: no answer within @ms milliseconds. */
int host_helper_read(struct host_helper *h, const char *path, size_t max, unsigned ms,
		     struct buf *ret) MUST_USE;
/* Ends it; not to be called while it reads. */
void host_helper_close(struct host_helper *h);

#endif
