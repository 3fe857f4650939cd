/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of compatibility that matter to a host, a function or a driver, as a table. */
#ifndef CMD_COMPAT_ROWS_H
#define CMD_COMPAT_ROWS_H

#include <sriovctl/base.h>

struct compat;
struct error;
struct host;
struct table;

/*
 * @word: a function or a driver; NULL: all functions of the host.  -EINVAL: it is neither; other:
 * the functions could not be read.
 */
int compat_rows_find(const struct host *h, const struct compat *c, const char *word,
		     struct table *ret, struct error *e) MUST_USE;

#endif
