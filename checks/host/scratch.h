/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A private directory (mode 0700, below $TMPDIR or /tmp) for the files that a
 * library can only open by path.  It and all files in it are gone after
 * scratch_close(), also when something failed on the way: while there is one, the
 * signals that would end the program wait.
 */
#ifndef CHECKS_HOST_SCRATCH_H
#define CHECKS_HOST_SCRATCH_H

#include <sriovctl/base.h>

struct buf;
struct error;

struct scratch {
	char *dir;
	bool holds_signals; /* it was the first, and lets them go at its end */
};

/* Does nothing when it is open already. */
int scratch_open(struct scratch *s, struct error *e) MUST_USE;
void scratch_close(struct scratch *s);
#define AUTO_SCRATCH CLEANUP(scratch_close)

/* The path of the file @name in it, for free(); NULL: out of memory. */
char *scratch_path(const struct scratch *s, const char *name) MUST_USE;

/* A new file with this content. */
int scratch_write(const struct scratch *s, const char *name, const void *data, size_t len,
		  struct error *e) MUST_USE;

#endif
