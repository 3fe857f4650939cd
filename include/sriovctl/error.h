/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An error is a negative errno value and one line of text that says what was
 * being done.  It lives in the caller's frame: setting it allocates nothing,
 * so running out of memory is reported like anything else.  Text that does not
 * fit ends in "...".
 */
#ifndef SRIOVCTL_ERROR_H
#define SRIOVCTL_ERROR_H

#include <sriovctl/base.h>

struct error {
	int code;
	char text[1000];
};

/* Both return the code, so that a failure is one statement.  @e may be NULL. */
int error_set(struct error *e, int code, const char *fmt, ...) PRINTF(3, 4);
int error_prefix(struct error *e, int code, const char *fmt, ...) PRINTF(3, 4);

/* For the one thing that is said the same everywhere. */
int error_nomem(struct error *e);

#endif
