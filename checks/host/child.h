/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work for a library that cannot be trusted with damaged input, done in a process
 * of its own: when it aborts, crashes, leaks, logs to stderr or does not come back,
 * only the answer is lost.  The work has one to two seconds of processor time.
 */
#ifndef CHECKS_HOST_CHILD_H
#define CHECKS_HOST_CHILD_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct strv;

/* Appends its answer to @out by child_put(); 0 or a negative errno. */
typedef int child_work(const void *arg, struct buf *out);

void child_put(struct buf *out, const char *text);

/* The texts that @work put; what @work returned, or -EIO when it died. */
int child_run(child_work *work, const void *arg, struct strv *ret, struct error *e) MUST_USE;

#endif
