/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scratch.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Those that people and service managers send, and that end a program by themselves. */
static void ending_signals(sigset_t *ret)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	(void)sigemptyset(ret);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		(void)sigaddset(ret, numbers[i]);
}

static void hold_signals(struct scratch *s)
{
	sigset_t ending, before;

	ending_signals(&ending);
	s->holds_signals =
		sigprocmask(SIG_BLOCK, &ending, &before) == 0 && sigismember(&before, SIGTERM) == 0;
}

static void release_signals(struct scratch *s)
{
	sigset_t ending;

	ending_signals(&ending);
	if (s->holds_signals)
		(void)sigprocmask(SIG_UNBLOCK, &ending, NULL);
	s->holds_signals = false;
}

int scratch_open(struct scratch *s, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	const char *base = secure_getenv("TMPDIR");

	if (s->dir)
		return 0;
	buf_printf(&path, "%s/sriovctl.XXXXXX", base && base[0] == '/' ? base : "/tmp");
	if (buf_error(&path) < 0)
		return error_nomem(e);
	hold_signals(s);
	if (!mkdtemp(path.data)) {
		int r = -errno;

		release_signals(s);
		/* -ENOENT would read as an absent fact of the host. */
		return error_set(e, r == -ENOENT ? -EIO : r,
				 "cannot make a private directory %s: %s", buf_text(&path),
				 strerror(-r));
	}
	s->dir = buf_take(&path);
	return 0;
}

void scratch_close(struct scratch *s)
{
	DIR *dir = s->dir ? opendir(s->dir) : NULL;
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
			(void)unlinkat(dirfd(dir), d->d_name, 0);
	}
	if (dir)
		(void)closedir(dir);
	if (s->dir)
		(void)rmdir(s->dir);
	free(TAKE(s->dir));
	release_signals(s);
}

char *scratch_path(const struct scratch *s, const char *name)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s", s->dir, name);
	return buf_take(&path);
}

int scratch_write(const struct scratch *s, const char *name, const void *data, size_t len,
		  struct error *e)
{
	AUTO_FREE char *path = scratch_path(s, name);
	AUTO_CLOSE int fd = -1;
	int r;

	if (!path)
		return error_nomem(e);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	r = fd < 0 ? -errno : base_write(fd, data, len);
	if (r < 0)
		return error_set(e, r, "%s: %s", path, strerror(-r));
	return 0;
}
