/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of somebody else's that is edited in place below a root (rootdir.h): a power cut leaves
 * the old or the new one, never a part.  A link in the last place of its path is followed within
 * the root: what it leads to is replaced, and the link stays.
 */
#ifndef PROVISION_ROOTFILE_H
#define PROVISION_ROOTFILE_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct rootdir;

struct rootfile {
	const char *path;
	const struct buf
		*before; /* what it has to be, -ESTALE if it is not; NULL: it is not there */
	const struct buf *after; /* what it becomes; NULL: it is removed */
	const char *backup;	 /* what it was goes to a file of this ending beside it; or NULL */
	uint32_t mode;		 /* of a new one; an old one keeps mode, owner and SELinux label */
};

/* Nothing is done where it is so already.  Folders on the way to a new file are made. */
int rootfile_write(const struct rootdir *r, const struct rootfile *f, struct error *e) MUST_USE;

#endif
