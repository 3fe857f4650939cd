/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "journal_dir.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two names of 64 bytes a step, 12 steps a VF, and then some thousands of VFs. */
#define FILE_MAX   (64u << 20)
#define NEW_NAME   "journal.new"
#define LOCK_NAME  "lock"
#define OPEN_FLAGS (O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
#define PID_MAX	   16

int journal_dir_say(const struct journal_dir *d, const char *name, int r, struct error *e)
{
	return error_set(e, r, "%s/%s: %s", d->path, name, strerror(-r));
}

/* Whoever could write here could have root undo things that were never done. */
static int open_dir(struct journal_dir *d, struct error *e)
{
	struct stat st;

	if (mkdir(d->path, 0700) < 0 && errno != EEXIST)
		return error_set(e, -errno, "%s: %s", d->path, strerror(errno));
	d->fd = open(d->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (d->fd < 0 || fstat(d->fd, &st) < 0)
		return error_set(e, -errno, "%s: %s", d->path, strerror(errno));
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return error_set(e, -EPERM,
				 "%s belongs to user %u with mode %03o: it has to belong to user "
				 "%u, and nobody else may write to it",
				 d->path, st.st_uid, st.st_mode & 0777, geteuid());
	return 0;
}

static int take_lock(struct journal_dir *d, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	char pid[PID_MAX] = "";

	d->lock = openat(d->fd, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (d->lock < 0)
		return journal_dir_say(d, LOCK_NAME, -errno, e);
	if (flock(d->lock, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return journal_dir_say(d, LOCK_NAME, -errno, e);
		/* Who holds it has written who it is; if it has not yet, nobody can tell. */
		if (pread(d->lock, pid, sizeof(pid) - 1, 0) <= 0)
			return error_set(e, -EBUSY, "another run is going on");
		pid[strcspn(pid, "\n")] = '\0';
		return error_set(e, -EBUSY, "another run is going on: process %s", pid);
	}
	buf_printf(&text, "%d\n", getpid());
	if (buf_error(&text) < 0)
		return error_nomem(e);
	if (ftruncate(d->lock, 0) < 0 || pwrite(d->lock, text.data, text.len, 0) < 0)
		return journal_dir_say(d, LOCK_NAME, -errno, e);
	return 0;
}

int journal_dir_await(const char *dir, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;
	sigset_t none, was;
	int r;

	buf_printf(&path, "%s/" LOCK_NAME, dir);
	if (buf_error(&path) < 0)
		return error_nomem(e);
	fd = open(buf_text(&path), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT
			       ? 0
			       : error_set(e, -errno, "%s: %s", buf_text(&path), strerror(errno));
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, &was);
	do
		r = flock(fd, LOCK_EX) < 0 ? -errno : 0;
	while (r == -EINTR);
	(void)sigprocmask(SIG_SETMASK, &was, NULL);
	return r < 0 ? error_set(e, r, "%s: %s", buf_text(&path), strerror(-r)) : 0;
}

int journal_dir_read(const struct journal_dir *d, const char *name, int *ret_fd, struct buf *ret,
		     struct error *e)
{
	AUTO_CLOSE int fd = openat(d->fd, name, OPEN_FLAGS);
	struct stat st;
	int r;

	if (fd < 0)
		return errno == ENOENT ? 0 : journal_dir_say(d, name, -errno, e);
	if (fstat(fd, &st) < 0)
		return journal_dir_say(d, name, -errno, e);
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return error_set(e, -EPERM, "%s/%s is no file of user %u", d->path, name,
				 geteuid());
	r = files_read(fd, FILE_MAX, ret);
	if (r < 0)
		return journal_dir_say(d, name, r, e);
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int journal_dir_replace(const struct journal_dir *d, const char *name, const struct buf *text,
			int *ret_fd, struct error *e)
{
	AUTO_CLOSE int fd = -1;
	int r = buf_error(text);

	if (r < 0)
		return error_nomem(e);
	if (unlinkat(d->fd, NEW_NAME, 0) < 0 && errno != ENOENT)
		return journal_dir_say(d, NEW_NAME, -errno, e);
	fd = openat(d->fd, NEW_NAME, OPEN_FLAGS | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return journal_dir_say(d, NEW_NAME, -errno, e);
	r = base_write(fd, text->data, text->len);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r < 0)
		return journal_dir_say(d, NEW_NAME, r, e);
	if (renameat(d->fd, NEW_NAME, d->fd, name) < 0 || fsync(d->fd) < 0)
		return journal_dir_say(d, name, -errno, e);
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int journal_dir_remove(const struct journal_dir *d, const char *name, struct error *e)
{
	if ((unlinkat(d->fd, name, 0) < 0 && errno != ENOENT) || fsync(d->fd) < 0)
		return journal_dir_say(d, name, -errno, e);
	return 0;
}

int journal_dir_open(const char *path, struct journal_dir *ret, struct error *e)
{
	struct journal_dir d = { .path = strdup(path), .fd = -1, .lock = -1 };
	int r = d.path ? open_dir(&d, e) : error_nomem(e);

	if (r == 0)
		r = take_lock(&d, e);
	if (r < 0) {
		journal_dir_close(&d);
		return r;
	}
	*ret = d;
	return 0;
}

void journal_dir_close(struct journal_dir *d)
{
	base_close(&d->fd);
	base_close(&d->lock);
	free(d->path);
	d->path = NULL;
}
