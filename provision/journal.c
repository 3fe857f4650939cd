/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/journal.h>

#include "journal_text.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two names of 64 bytes a step, 12 steps a VF, and then some thousands of VFs. */
#define JOURNAL_MAX (64u << 20)
#define FILE_NAME   "journal"
#define NEW_NAME    "journal.new"
#define LOCK_NAME   "lock"
#define OPEN_FLAGS  (O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
#define PID_MAX	    16
#define CHUNK	    65536

struct journal {
	char *dir, *boot;
	int dir_fd, lock, fd;	  /* -1: none */
	struct journal_text text; /* empty: nothing was left, or begun */
	size_t len;		  /* of the file */
	struct buf unsaid;	  /* what is not in the file yet */
};

static int say(const struct journal *j, const char *name, int r, struct error *e)
{
	return error_set(e, r, "%s/%s: %s", j->dir, name, strerror(-r));
}

/* Whoever could write here could have root undo things that were never done. */
static int open_dir(struct journal *j, struct error *e)
{
	struct stat st;

	if (mkdir(j->dir, 0700) < 0 && errno != EEXIST)
		return error_set(e, -errno, "%s: %s", j->dir, strerror(errno));
	j->dir_fd = open(j->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (j->dir_fd < 0 || fstat(j->dir_fd, &st) < 0)
		return error_set(e, -errno, "%s: %s", j->dir, strerror(errno));
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return error_set(e, -EPERM,
				 "%s belongs to user %u with mode %03o: it has to belong to user "
				 "%u, and nobody else may write to it",
				 j->dir, st.st_uid, st.st_mode & 0777, geteuid());
	return 0;
}

static int take_lock(struct journal *j, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	char pid[PID_MAX] = "";

	j->lock = openat(j->dir_fd, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (j->lock < 0)
		return say(j, LOCK_NAME, -errno, e);
	if (flock(j->lock, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return say(j, LOCK_NAME, -errno, e);
		/* Who holds it has written who it is; if it has not yet, nobody can tell. */
		if (pread(j->lock, pid, sizeof(pid) - 1, 0) <= 0)
			return error_set(e, -EBUSY, "another run is going on");
		pid[strcspn(pid, "\n")] = '\0';
		return error_set(e, -EBUSY, "another run is going on: process %s", pid);
	}
	buf_printf(&text, "%d\n", getpid());
	if (buf_error(&text) < 0)
		return error_nomem(e);
	if (ftruncate(j->lock, 0) < 0 || pwrite(j->lock, text.data, text.len, 0) < 0)
		return say(j, LOCK_NAME, -errno, e);
	return 0;
}

static int read_all(int fd, struct buf *ret)
{
	for (;;) {
		char *room = buf_reserve(ret, CHUNK);
		ssize_t n;

		if (!room)
			return -ENOMEM;
		n = read(fd, room, CHUNK);
		if (n <= 0)
			return n < 0 ? -errno : 0;
		ret->len += (size_t)n;
		if (ret->len > JOURNAL_MAX)
			return -EFBIG;
	}
}

static void forget(struct journal *j)
{
	journal_text_done(&j->text);
	if (j->fd >= 0)
		(void)close(j->fd);
	j->fd = -1;
	j->len = 0;
	buf_done(&j->unsaid);
}

/* A torn last line is cut off, so that what is appended begins a line. */
static int take_text(struct journal *j, const struct buf *text, struct error *e)
{
	int r = journal_text_parse(buf_text(text), text->len, &j->text, e);

	if (r < 0)
		return error_prefix(e, r, "%s/" FILE_NAME, j->dir);
	if (!j->text.boot || strcmp(j->text.boot, j->boot) != 0) {
		forget(j);
		return 0;
	}
	j->len = j->text.len;
	if (ftruncate(j->fd, (off_t)j->len) < 0)
		return say(j, FILE_NAME, -errno, e);
	return 0;
}

static int read_file(struct journal *j, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	struct stat st;
	int r;

	j->fd = openat(j->dir_fd, FILE_NAME, OPEN_FLAGS);
	if (j->fd < 0)
		return errno == ENOENT ? 0 : say(j, FILE_NAME, -errno, e);
	if (fstat(j->fd, &st) < 0)
		return say(j, FILE_NAME, -errno, e);
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return error_set(e, -EPERM, "%s/" FILE_NAME " is no file of user %u", j->dir,
				 geteuid());
	r = read_all(j->fd, &text);
	return r < 0 ? say(j, FILE_NAME, r, e) : take_text(j, &text, e);
}

int journal_open(const char *dir, const char *boot, struct journal **ret, struct error *e)
{
	AUTO_JOURNAL struct journal *j = calloc(1, sizeof(*j));
	int r;

	if (!j)
		return error_nomem(e);
	j->dir_fd = j->lock = j->fd = -1;
	j->dir = strdup(dir);
	j->boot = strdup(boot);
	if (!j->dir || !j->boot)
		return error_nomem(e);
	r = open_dir(j, e);
	if (r == 0)
		r = take_lock(j, e);
	if (r == 0)
		r = read_file(j, e);
	if (r < 0)
		return r;
	*ret = TAKE(j);
	return 0;
}

enum journal_state journal_state(const struct journal *j)
{
	if (j->text.n == 0)
		return JOURNAL_NONE;
	return j->text.ended ? JOURNAL_PENDING : JOURNAL_BROKEN;
}

void journal_close(struct journal *j)
{
	if (!j)
		return;
	forget(j);
	base_close(&j->dir_fd);
	base_close(&j->lock);
	free(j->dir);
	free(j->boot);
	free(j);
}

void journal_close_p(struct journal **j)
{
	journal_close(*j);
}

int journal_functions(const struct journal *j, struct strv *ret)
{
	AUTO_STRV struct strv bdfs = { 0 };

	for (size_t i = 0; i < j->text.n_functions; i++)
		if (strv_add(&bdfs, j->text.functions[i].bdf) < 0)
			return -ENOMEM;
	*ret = bdfs;
	bdfs = (struct strv){ 0 };
	return 0;
}

/* A driver that was unbound meanwhile does not make it another function. */
int journal_compare(const struct journal *j, const struct pfstates *is, struct error *e)
{
	if (is->n != j->text.n_functions)
		return error_set(e, -ESTALE, "%s/" FILE_NAME " is about %zu functions, not %zu",
				 j->dir, j->text.n_functions, is->n);
	for (size_t i = 0; i < is->n; i++) {
		const struct journal_function *was = &j->text.functions[i];
		const struct pfstate *now = &is->items[i];

		if (strcmp(was->bdf, now->bdf) == 0 &&
		    (!was->mac || !now->permanent_mac || was->mac == now->permanent_mac) &&
		    !pfstate_identity_differs(&was->identity, &now->identity) &&
		    (!was->driver || !now->driver || strcmp(was->driver, now->driver) == 0))
			continue;
		return error_set(e, -ESTALE,
				 "another function is at %s than the one that an earlier run left "
				 "between two states; remove %s/" FILE_NAME " to forget that",
				 now->bdf, j->dir);
	}
	return 0;
}

/* Of a write that failed in part nothing stays, as it is tried again with what follows. */
int journal_sync(struct journal *j, struct error *e)
{
	int r = buf_error(&j->unsaid);

	if (r == 0 && j->unsaid.len == 0)
		return 0;
	if (r == 0)
		r = base_write(j->fd, j->unsaid.data, j->unsaid.len);
	if (r == 0 && fsync(j->fd) < 0)
		r = -errno;
	if (r == 0) {
		j->len += j->unsaid.len;
		buf_clear(&j->unsaid);
		return 0;
	}
	if (ftruncate(j->fd, (off_t)j->len) < 0)
		j->unsaid.error = -errno;
	return say(j, FILE_NAME, r, e);
}

static int describe(struct journal *j, const struct pfstates *is)
{
	j->text.boot = strdup(j->boot);
	if (!j->text.boot)
		return -ENOMEM;
	for (size_t i = 0; i < is->n; i++) {
		const struct pfstate *p = &is->items[i];

		const struct journal_function f = {
			.bdf = p->bdf,
			.driver = p->driver,
			.mac = p->permanent_mac,
			.identity = p->identity,
		};

		if (journal_text_add_function(&j->text, &f) < 0)
			return -ENOMEM;
	}
	return 0;
}

int journal_begin(struct journal *j, const struct pfstates *is, struct error *e)
{
	int r;

	forget(j);
	if (describe(j, is) < 0) {
		forget(j);
		return error_nomem(e);
	}
	journal_text_print_head(&j->text, &j->unsaid);
	if (unlinkat(j->dir_fd, NEW_NAME, 0) < 0 && errno != ENOENT)
		return say(j, NEW_NAME, -errno, e);
	j->fd = openat(j->dir_fd, NEW_NAME, OPEN_FLAGS | O_CREAT | O_EXCL, 0600);
	if (j->fd < 0)
		return say(j, NEW_NAME, -errno, e);
	r = journal_sync(j, e);
	if (r < 0)
		return r;
	if (renameat(j->dir_fd, NEW_NAME, j->dir_fd, FILE_NAME) < 0 || fsync(j->dir_fd) < 0)
		return say(j, FILE_NAME, -errno, e);
	return 0;
}

int journal_step(struct journal *j, const struct step *s)
{
	if (journal_text_add_step(&j->text, s) < 0)
		return -ENOMEM;
	journal_text_print_step(&j->text, j->text.n - 1, &j->unsaid);
	return buf_error(&j->unsaid);
}

void journal_mark(struct journal *j, size_t i, enum journal_mark mark)
{
	j->text.entries[i].mark = mark;
	if (mark == JOURNAL_UNDONE)
		j->text.ended = false;
	journal_text_print_mark(i, mark, &j->unsaid);
}

static bool waits(const struct journal *j)
{
	for (size_t i = 0; i < j->text.n; i++)
		if (j->text.entries[i].mark == JOURNAL_WAITS)
			return true;
	return false;
}

int journal_end(struct journal *j, struct error *e)
{
	if (!waits(j)) {
		/* What could not be removed is not forgotten: it has to be undone. */
		if ((unlinkat(j->dir_fd, FILE_NAME, 0) < 0 && errno != ENOENT) ||
		    fsync(j->dir_fd) < 0)
			return say(j, FILE_NAME, -errno, e);
		forget(j);
		return 0;
	}
	if (j->text.ended)
		return journal_sync(j, e);
	j->text.ended = true;
	journal_text_print_end(&j->unsaid);
	return journal_sync(j, e);
}

size_t journal_length(const struct journal *j)
{
	return j->text.n;
}

const struct journal_entry *journal_at(const struct journal *j, size_t i)
{
	return &j->text.entries[i];
}
