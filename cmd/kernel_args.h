/* SPDX-License-Identifier: GPL-2.0-or-later */
/* provision --kernel-args: from what failing checks ask for to the files that say it. */
#ifndef CMD_KERNEL_ARGS_H
#define CMD_KERNEL_ARGS_H

#include <sriovctl/kargs.h>
#include <sriovctl/kargs_apply.h>

struct error;
struct spec;

struct kernel_args_options {
	const char *root, *output; /* @root NULL: the running system */
	bool apply;
	struct kargs words;	 /* in place of what the checks ask for */
	const struct spec *spec; /* the checks are asked for it; or NULL */
};

/* The exit code; what went wrong is in @e. */
int kernel_args(const struct kernel_args_options *o, struct error *e);
/* What fails before anything was looked at, @e: told to programs in the same form.  @code. */
int kernel_args_fail(const struct kernel_args_options *o, int code, struct error *e);

#endif
