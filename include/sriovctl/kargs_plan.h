/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files of a host have to say what, so that the next boot has the words that are wanted,
 * by the way of its distribution (bootcfg.h).  Only looks: the files of the host that is
 * given, and no others.
 *
 * -ENOTSUP: not done here, as something is not understood (@e names file and line), or as
 * this way needs a tool or a person; -EINVAL: the words contradict each other; other errors:
 * a file could not be read.
 */
#ifndef SRIOVCTL_KARGS_PLAN_H
#define SRIOVCTL_KARGS_PLAN_H

#include <sriovctl/bootcfg.h>
#include <sriovctl/buf.h>

struct error;
struct host;
struct kargs;

/* What makes of the files above those that a boot loader reads; its result is at @result. */
enum kargs_generator {
	KARGS_GENERATOR_NONE,
	KARGS_GENERATOR_UPDATE_GRUB,
	KARGS_GENERATOR_GRUB_MKCONFIG,
	KARGS_GENERATOR_GRUB2_MKCONFIG,
	KARGS_GENERATOR_MAX
};

struct kargs_edit {
	char *path;
	struct buf before, after;
	bool is_new; /* there is no such file yet */
};

struct kargs_plan {
	struct kargs_edit *edits; /* only of files that change */
	size_t n;
	enum kargs_generator generator; /* to be run behind the edits, or by itself */
	const char *result;		/* where what it makes is looked at */
};

int kargs_plan_make(const struct host *h, enum bootcfg_method method, const struct kargs *k,
		    struct kargs_plan *ret, struct error *e) MUST_USE;
void kargs_plan_done(struct kargs_plan *p);
#define AUTO_KARGS_PLAN CLEANUP(kargs_plan_done)

#endif
