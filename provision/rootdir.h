/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A root whose files are changed, the running system's or one that is being installed: nothing
 * outside of it is reached, by whatever links.  Each change is made at once and is on the disk
 * when its function returns: a file is written beside its place under a name of its own, which a
 * run that was cut off may leave, to be swept by the next.
 *
 * Paths are absolute, as they are seen from within the root.  Errors are negative errnos, with
 * the path in @e.  What has the last name of a path is never followed.
 */
#ifndef PROVISION_ROOTDIR_H
#define PROVISION_ROOTDIR_H

#include <sriovctl/base.h>

struct buf;
struct error;

#define ROOTDIR_FILE_MAX (1u << 20)

struct rootdir {
	int fd;
	bool is_own; /* "/": kernels without openat2() need no containment there */
};
#define ROOTDIR_CLOSED                    \
	{                                 \
		.fd = -1, .is_own = false \
	}

int rootdir_open(const char *root, struct rootdir *ret, struct error *e) MUST_USE;
void rootdir_close(struct rootdir *r);
#define AUTO_ROOTDIR CLEANUP(rootdir_close)

/* A descriptor, or a negative errno. */
int rootdir_open_in(const struct rootdir *r, const char *path, int flags) MUST_USE;

/* Waits until no other run has the folder @path, which is there; until @ret_fd is closed. */
int rootdir_lock(const struct rootdir *r, const char *path, int *ret_fd, struct error *e) MUST_USE;
/* Without waiting: -EBUSY. */
int rootdir_try_lock(const struct rootdir *r, const char *path, int *ret_fd,
		     struct error *e) MUST_USE;

/* -ENOENT; -EMEDIUMTYPE: something else has the name. */
int rootdir_read(const struct rootdir *r, const char *path, struct buf *ret, uint32_t *ret_mode,
		 struct error *e) MUST_USE;
int rootdir_read_link(const struct rootdir *r, const char *path, struct buf *ret,
		      struct error *e) MUST_USE;
/* 0: there is a folder, or a file, which may be reached by links; -ENOENT. */
int rootdir_find(const struct rootdir *r, const char *path, struct error *e) MUST_USE;

/* Could the file be made, or removed, in its folder, or in the first above that is there? */
int rootdir_may_write(const struct rootdir *r, const char *path, struct error *e) MUST_USE;

/* What was there is replaced; it is root's.  The folder is there. */
int rootdir_write(const struct rootdir *r, const char *path, uint32_t mode, const struct buf *text,
		  struct error *e) MUST_USE;
int rootdir_link(const struct rootdir *r, const char *path, const char *target,
		 struct error *e) MUST_USE;
/* What a run that was cut off has left beside @path; 0 also where that is nothing. */
int rootdir_sweep(const struct rootdir *r, const char *path, struct error *e) MUST_USE;
/* 0 also where there is none. */
int rootdir_remove(const struct rootdir *r, const char *path, struct error *e) MUST_USE;
int rootdir_make_folder(const struct rootdir *r, const char *path, uint32_t mode,
			struct error *e) MUST_USE;
/* 0 also where there is none, or it is not empty. */
int rootdir_remove_folder(const struct rootdir *r, const char *path, struct error *e) MUST_USE;

#endif
