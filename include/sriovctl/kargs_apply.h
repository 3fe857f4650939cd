/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries out what kargs_plan.h found to be wanting: the files, each with a backup of what it
 * was beside it, then the generator, then a look at what the next boot will get.  What fails
 * is put back.  Below a root that is not / no generator is run, as it would be this system's.
 */
#ifndef SRIOVCTL_KARGS_APPLY_H
#define SRIOVCTL_KARGS_APPLY_H

#include <sriovctl/kargs_plan.h>

struct kargs;

#define KARGS_APPLY_BACKUP ".before-sriovctl"

/*
 * From before the plan is made to when it was carried out: two runs would each put back what the
 * other has done, and have two generators write one file.  -EBUSY: another one is at it.  Until
 * @ret_fd is closed.
 */
int kargs_apply_lock(const char *root, int *ret_fd, struct error *e) MUST_USE;

/*
 * 0: done, and seen to be so; -ENOTRECOVERABLE: it failed, and so did putting it back; all
 * others: all is as it was.
 */
int kargs_apply(const char *root, enum bootcfg_method method, const struct kargs *k,
		const struct kargs_plan *p, struct error *e) MUST_USE;

/* Is /proc or /sys below this root that of the kernel that runs, as in an installer's target? */
bool kargs_apply_is_mounted(const char *root);

/* The path of what is run; NULL: nothing. */
const char *kargs_apply_generator(enum kargs_generator g);

#endif
