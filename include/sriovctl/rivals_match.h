/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which function another manager's file means, by the target of a claim (sriovctl/rivals.h). */
#ifndef SRIOVCTL_RIVALS_MATCH_H
#define SRIOVCTL_RIVALS_MATCH_H

struct host;
struct pf;

enum rivals_match { RIVALS_NO, RIVALS_YES, RIVALS_UNSURE };

/* Does @target, which is not "", mean this function?  One whose interface is not seen may be any.
 */
enum rivals_match rivals_match(const struct host *h, const struct pf *pf, const char *target);

#endif
