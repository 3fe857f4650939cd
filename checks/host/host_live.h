/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the running system has: answers that are no files, and reads that may wait for
 * ever.  Attributes that take the lock of their device, and all that takes RTNL, are
 * read in another process (host_helper.h) and are -ETIMEDOUT when somebody holds that lock;
 * behind what is seen to be held nothing is waited for again.
 */
#ifndef CHECKS_HOST_HOST_LIVE_H
#define CHECKS_HOST_HOST_LIVE_H

#include "host_source.h"

struct host_live;

typedef int host_live_reader(const void *arg, const char *path, size_t max, struct buf *ret);

/* @read: how a file is read, without care for locks.  NULL: out of memory. */
struct host_live *host_live_new(host_live_reader *read, const void *arg) MUST_USE;
void host_live_close(struct host_live *l);

/* Is it a path below HOST_ANSWERS, where no file is looked for? */
bool host_live_has(const char *path);
int host_live_kind(const char *path, enum host_kind *ret) MUST_USE;

int host_live_read(struct host_live *l, const char *path, size_t max, struct buf *ret) MUST_USE;

/* What answers below HOST_ANSWERS/KIND: appends to @ret what there is about @which. */
typedef int host_live_answer(const char *which, struct buf *ret);
host_live_answer addresses_answer, aer_answer, awake_answer, channels_answer, claims_answer,
	devinfo_answer, eswitch_answer, netns_answer, procs_answer, routes_answer;
host_live_answer cpu_regs_answer_cpuid, cpu_regs_answer_msr, drvinfo_answer, klog_answer,
	linkmodes_answer, links_ask_answer, secondaries_answer;

#endif
