/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel log: var/log/dmesg of a foreign root, the ring buffer of the running system.
 * The weakest witness there is: it wraps, it may be hidden, and some of its lines are
 * printed by option parsers with no hardware behind them.  Use it last, by lines that
 * only the working feature prints.
 */
#ifndef SRIOVCTL_KLOG_H
#define SRIOVCTL_KLOG_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

struct klog {
	const char *source;
	char *text;
};
int klog_get(const struct host *h, const struct klog **ret, struct error *e) MUST_USE;
void klog_done(struct klog *k);

/* A line of its own, in a log that somebody sent, where something was left out. */
#define KLOG_GAP "[...]"

/*
 * The first line that contains what @fmt makes, without time stamp, into @ret; false when
 * there is none or the log cannot be read.
 */
bool klog_find(const struct host *h, struct buf *ret, const char *fmt, ...) PRINTF(3, 4);

/*
 * Does a log hold a boot from its beginning to behind a stage?  What the kernel prints on the
 * way whenever something was done, and is not in it, was not done.
 */
enum klog_stage {
	KLOG_PROCESSORS, /* all of them run: VT-d remaps interrupts by then, or never */
	KLOG_DEVICES,	 /* drivers look at devices: IOMMUs translate by then, or never */
};
bool klog_reaches(const char *text, enum klog_stage stage);

#endif
