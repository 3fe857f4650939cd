/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the units run: what --persist has kept, function by function, each as soon as it is there
 * and none failing for another.  Which cards the spec means is noted at the first success, and
 * held to from then on.
 */
#ifndef CMD_BOOT_H
#define CMD_BOOT_H

#include "change.h"

#define BOOT_WAIT 60 /* seconds */

struct boot_options {
	const char *only; /* the address of the only function it is about; NULL: all */
	const struct strv *skip;
	uint32_t wait;
	struct change_options change;
};

/* An exit code.  What waits for carrier is left to boot_await_carrier(), and no failure. */
int boot_provision(const struct boot_options *o, struct error *e);
/* As long as anything waits for carrier. */
int boot_await_carrier(const struct boot_options *o, struct error *e);

#endif
