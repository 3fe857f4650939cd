/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who writes to the host: one process at a time, whatever became of the run that began it.  A
 * run that is killed lets go of its journal at once, while the process that writes for it may
 * still be in the kernel, and the write come to its end later.  That process holds this, a
 * locked file, so that the next run looks at nothing before.
 */
#ifndef PROVISION_WRITER_H
#define PROVISION_WRITER_H

#include <sriovctl/base.h>

#include <sys/types.h>

struct error;

/*
 * Waits for @ms milliseconds at most.  The descriptor, which a process that is begun inherits;
 * -EINPROGRESS: another still writes, and @e names it.
 */
int writer_take(const char *dir, int64_t ms, struct error *e) MUST_USE;
/* By which process it is held: what the others are told. */
void writer_name(int fd, pid_t pid);

#endif
