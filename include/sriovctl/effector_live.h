/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The effector that changes the running system, by sysfs, netlink and ioctl.
 *
 * All of it happens in a process of its own, which holds no lock, no journal and no output
 * of ours, because the kernel may keep a writer for as long as it likes (a VF that a guest
 * holds, firmware that does not answer), and then not even SIGKILL ends it.  The caller waits
 * up to a limit that grows with the number of VFs; one that is over it gets -EINPROGRESS, and
 * so does everything asked after it.
 */
#ifndef SRIOVCTL_EFFECTOR_LIVE_H
#define SRIOVCTL_EFFECTOR_LIVE_H

#include <sriovctl/apply.h>

struct effector_live;
struct error;

#define EFFECTOR_LIVE_SECONDS 60

/*
 * @is has to outlive it.  @dir: the journal's, where it is noted that somebody writes; NULL: it
 * is not.  @seconds: how long anything may take, however many VFs it is about; 0:
 * EFFECTOR_LIVE_SECONDS, and more for each VF.  -EINPROGRESS: what an earlier one was to write
 * goes on.
 */
int effector_live_open(const struct pfstates *is, const char *dir, uint32_t seconds,
		       struct effector_live **ret, struct error *e) MUST_USE;
const struct effector *effector_live_get(struct effector_live *l);
void effector_live_close(struct effector_live *l);
void effector_live_close_p(struct effector_live **l);
#define AUTO_EFFECTOR_LIVE CLEANUP(effector_live_close_p)

#endif
