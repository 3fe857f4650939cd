/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that say what the kernel command line will be, as they are on a host.  -ENOENT:
 * there is none; -ENOTSUP: what there is, is not understood.
 */
#ifndef CHECKS_FACTS_KARGS_FILES_H
#define CHECKS_FACTS_KARGS_FILES_H

#include "kargs_grub.h"

#include <sriovctl/kargs_plan.h>

struct kargs_files {
	struct kargs_grub_file *items;
	size_t n;
};

/* Text without a NUL. */
int kargs_files_read(const struct host *h, const char *path, struct buf *ret,
		     struct error *e) MUST_USE;
int kargs_files_add(struct kargs_files *f, const struct host *h, const char *path,
		    struct error *e) MUST_USE;

/* What GRUB's generator reads, in its order. */
int kargs_files_grub(const struct host *h, enum kargs_generator generator, struct kargs_files *ret,
		     struct error *e) MUST_USE;
/* All loader/entries/NAME.conf; refused where a kernel has its command line inside its image. */
int kargs_files_entries(const struct host *h, struct kargs_files *ret, struct error *e) MUST_USE;

void kargs_files_done(struct kargs_files *f);
#define AUTO_KARGS_FILES CLEANUP(kargs_files_done)

#endif
