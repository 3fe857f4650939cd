/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture out of what people send: a sosreport, listings of lspci, kernel logs, tables of the
 * firmware, files of /proc and /sys, in any mix and under any names.  Each is recognised by what
 * is in it.  What none of them shows is not known of the host that comes out, and is never
 * made up: only what a text shows whole is known to be absent.
 */
#ifndef SRIOVCTL_IMPORT_H
#define SRIOVCTL_IMPORT_H

#include <sriovctl/base.h>

struct bundle;
struct error;
struct host;
struct strv;

/*
 * @told: a line for each member, "NAME: what was taken of it" or why it was not; a host comes
 * out also when nothing was.  1: something was taken, 0: nothing; -ENOMEM, or what keeping it
 * says.
 */
int import_run(const struct bundle *b, const char *root, struct host **ret, struct strv *told,
	       struct error *e) MUST_USE;

#endif
