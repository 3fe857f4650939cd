/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What belongs together in a report: consequences to their cause, and results that say the
 * same of many subjects to the first of them.
 */
#ifndef CHECKS_REPORT_ENTRIES_H
#define CHECKS_REPORT_ENTRIES_H

struct report;

/* Fills in @cause, @root, @entry, @is_root and @weight of all results, and @entries. */
void report_entries_make(struct report *r);

#endif
