/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The namespaces that a pass over /proc comes by: those that processes are in, have open, or
 * see mounted.  Each is noted a few times, of different processes, as one may end before
 * somebody asks what is in there.
 */
#ifndef CHECKS_HOST_PROCS_SPACE_H
#define CHECKS_HOST_PROCS_SPACE_H

#include <sriovctl/strv.h>

struct buf;

struct procs_space_pass {
	struct buf *out;
	struct strv nets, mounts; /* what they are called, once for each time noted */
};

void procs_space_done(struct procs_space_pass *s);

/* @dir: /proc/PID, whose namespaces these are. */
void procs_space_of(struct procs_space_pass *s, int dir, const char *pid);
/* A descriptor that leads to "net:[4026531840]"; false: to something else. */
bool procs_space_open(struct procs_space_pass *s, int dir, const char *pid, const char *number,
		      const char *link);

#endif
