/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GRUB_CMDLINE_LINUX and GRUB_CMDLINE_LINUX_DEFAULT in /etc/default/grub and what is read
 * behind it.  These are shell scripts: understood is an assignment of one quoted text, or of
 * one bare word, outside of any if, loop or function, with variables inside double quotes
 * only.  Whatever else could set them is refused with its file and line, -ENOTSUP.
 *
 * GRUB puts the first of the two into every entry, and the second behind it into those that
 * are not for recovery (grub-mkconfig, /etc/grub.d/10_linux).
 */
#ifndef CHECKS_FACTS_KARGS_GRUB_H
#define CHECKS_FACTS_KARGS_GRUB_H

#include <sriovctl/buf.h>

struct error;
struct kargs;

struct kargs_grub_file {
	char *path;
	struct buf before, after;
};

/* @files in the order in which GRUB reads them; the first may be changed by a new line. */
int kargs_grub_edit(struct kargs_grub_file *files, size_t n, const struct kargs *k,
		    struct error *e) MUST_USE;

/*
 * Do all entries that /etc/grub.d/10_linux wrote into this grub.cfg have what is wanted?
 * -ESTALE: not, and @e names the line; -ENOTSUP: there is no such entry.
 */
int kargs_grub_staged(const char *path, const char *text, const struct kargs *k,
		      struct error *e) MUST_USE;

#endif
