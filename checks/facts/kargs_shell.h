/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The assignments to two variables in a small shell script, found without running it.  See
 * kargs_grub.h for what is understood; all else that could set them is -ENOTSUP, with file
 * and line.
 */
#ifndef CHECKS_FACTS_KARGS_SHELL_H
#define CHECKS_FACTS_KARGS_SHELL_H

#include <sriovctl/base.h>

struct error;

enum kargs_shell_name { KARGS_SHELL_LINUX, KARGS_SHELL_DEFAULT, KARGS_SHELL_NAMES };

struct kargs_shell_set {
	enum kargs_shell_name name;
	size_t start, end; /* of the value in the text, its quotes not in it */
	char quote;	   /* '"' or '\'', or 0 */
};

struct kargs_shell {
	struct kargs_shell_set *sets;
	size_t n;
};

int kargs_shell_parse(const char *path, const char *text, struct kargs_shell *ret,
		      struct error *e) MUST_USE;
void kargs_shell_done(struct kargs_shell *s);
#define AUTO_KARGS_SHELL CLEANUP(kargs_shell_done)

/* If "$NAME" or "${NAME}" of one of the two stands at @text: which, and its length; or 0. */
size_t kargs_shell_reference(const char *text, enum kargs_shell_name *ret);

const char *kargs_shell_name(enum kargs_shell_name n);

#endif
