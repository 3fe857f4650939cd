/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boot loader entries (Boot Loader Specification, type 1: loader/entries/NAME.conf), and the
 * variables of GRUB's environment block that they may refer to.  The block keeps its size,
 * which GRUB depends on (grub-editenv).
 */
#ifndef CHECKS_FACTS_KARGS_ENTRY_H
#define CHECKS_FACTS_KARGS_ENTRY_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct kargs;

#define KARGS_ENTRY_VARIABLE "kernelopts"

/* Is it of a Linux kernel, and does it refer to KARGS_ENTRY_VARIABLE? */
bool kargs_entry_is_linux(const char *text);
bool kargs_entry_has_variable(const char *text);

/*
 * @env: the text of the environment block as it will be; "" where there is none.
 * -ENOTSUP: what it would give is still not what is wanted.
 */
int kargs_entry_edit(const char *path, const char *text, const char *env, const struct kargs *k,
		     struct buf *ret, struct error *e) MUST_USE;

int kargs_entry_edit_env(const char *path, const char *text, const struct kargs *k, struct buf *ret,
			 struct error *e) MUST_USE;

#endif
