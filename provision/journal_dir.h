/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a journal: only its owner can write there, and one run at a time holds its
 * lock.  Files in it are replaced as a whole, and all is on disk when it returns.
 */
#ifndef PROVISION_JOURNAL_DIR_H
#define PROVISION_JOURNAL_DIR_H

#include <sriovctl/base.h>

struct buf;
struct error;

struct journal_dir {
	char *path;
	int fd, lock; /* -1: none */
};

/* -EBUSY: another run holds it; -EPERM: somebody else could have written there. */
int journal_dir_open(const char *path, struct journal_dir *ret, struct error *e) MUST_USE;
/* As journal_await(). */
int journal_dir_await(const char *path, struct error *e) MUST_USE;
void journal_dir_close(struct journal_dir *d);

int journal_dir_say(const struct journal_dir *d, const char *name, int r, struct error *e);

/* A regular file of ours and what is in it; there is none: *@ret_fd stays as it was. */
int journal_dir_read(const struct journal_dir *d, const char *name, int *ret_fd, struct buf *ret,
		     struct error *e) MUST_USE;
/* It stays open in @ret_fd, to be appended to. */
int journal_dir_replace(const struct journal_dir *d, const char *name, const struct buf *text,
			int *ret_fd, struct error *e) MUST_USE;
int journal_dir_remove(const struct journal_dir *d, const char *name, struct error *e) MUST_USE;

#endif
