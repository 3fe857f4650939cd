/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a write was refused, and what to do: from the errno, the driver, and what the kernel
 * logged since.  Where the table knows no cause, the kernel's own words stand alone.
 */
#ifndef PROVISION_BLAME_H
#define PROVISION_BLAME_H

#include <sriovctl/plan.h>

struct error;
struct live;

/* @r, which the write gave; its text in @e becomes the cause and the remedy. */
int blame_explain(struct live *l, const struct step *s, int r, struct error *e);

struct blame {
	const char *cause, *remedy;
};
/* @log: the kernel's message, or "".  NULL: not known. */
const struct blame *blame_find(enum setting s, int r, const char *driver, const char *log);

#endif
