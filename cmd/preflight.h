/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks that a spec depends on, before anything is written. */
#ifndef CMD_PREFLIGHT_H
#define CMD_PREFLIGHT_H

#include <sriovctl/base.h>

struct error;
struct host;
struct pfstates;
struct spec;
struct strv;

/*
 * An exit code: EXIT_READY to go on, also where a check could not be answered, as the host
 * itself will answer.  @skip: ids that may fail.  What fails is in @e and in @notes.
 */
int preflight_run(const struct spec *s, const struct host *h, const struct pfstates *is,
		  const struct strv *skip, struct strv *notes, struct error *e);

#endif
