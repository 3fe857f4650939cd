/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scratch.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int scratch_open(struct scratch *s, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	const char *base = secure_getenv("TMPDIR");

	if (s->dir)
		return 0;
	buf_printf(&path, "%s/sriovctl.XXXXXX", base && base[0] == '/' ? base : "/tmp");
	if (buf_error(&path) < 0)
		return error_nomem(e);
	if (!mkdtemp(path.data))
		return error_set(e, -errno, "cannot make a private directory %s: %s",
				 buf_text(&path), strerror(errno));
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
}

char *scratch_path(const struct scratch *s, const char *name)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, "%s/%s", s->dir, name);
	return buf_error(&path) < 0 ? NULL : buf_take(&path);
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
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
	r = fd < 0 ? -errno : write_all(fd, data, len);
	if (r < 0)
		return error_set(e, r, "%s: %s", path, strerror(-r));
	return 0;
}
