/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's log tells of the VF BARs of a function.  Its rows in "resource" are all zero
 * where a VF BAR got no room, and where there is none: then the log is the only one that knows.
 */
#ifndef CHECKS_FACTS_CAPACITY_LOG_H
#define CHECKS_FACTS_CAPACITY_LOG_H

#include <sriovctl/capacity.h>

struct host;
struct pf;

#define CAPACITY_LOG_UNNAMED (1u << CAPACITY_MMIO_BARS) /* one that the log does not name */

struct capacity_log {
	unsigned lost;	/* bits for VF BARs that the kernel had no room for, at last */
	unsigned found; /* bits for all that it found with the function; 0: the log has not all */
	bool is_open;	/* of one it had none so far: the log ends while it tries */
	bool is_whole;	/* what it does not tell of was not lost */
};
void capacity_log_read(const struct host *h, const struct pf *pf, struct capacity_log *ret);

#endif
