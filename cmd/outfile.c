/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "outfile.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A capture tells what not everybody on a host may read. */
#define MODE 0600

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static int failed(const struct outfile *f, int r, struct error *e)
{
	return r == -ENOMEM ? error_nomem(e) : error_set(e, r, "%s: %s", f->path, strerror(-r));
}

static int exists(const struct outfile *f, struct error *e)
{
	return error_set(e, -EEXIST, "%s is there already: remove it, or name another file",
			 f->path);
}

/* Where files cannot be without a name: one that nobody looks for. */
static int open_named(struct outfile *f, const char *folder)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/.sriovctl.XXXXXX", folder);
	f->temporary = buf_take(&path);
	if (!f->temporary)
		return -ENOMEM;
	f->fd = mkostemp(f->temporary, O_CLOEXEC);
	if (f->fd >= 0)
		return 0;
	free(TAKE(f->temporary));
	return -errno;
}

int outfile_open(struct outfile *f, const char *path, struct error *e)
{
	AUTO_FREE char *folder = folder_of(path);
	int r = 0;

	*f = (struct outfile){ .fd = -1, .path = path };
	if (!folder)
		return error_nomem(e);
	if (!path[0] || path[strlen(path) - 1] == '/')
		return failed(f, -EISDIR, e);
	if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return exists(f, e);
	f->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, MODE);
	/* What file systems and older kernels say that have no such files (open(2)). */
	if (f->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT))
		r = open_named(f, folder);
	else if (f->fd < 0)
		r = -errno;
	return r < 0 ? failed(f, r, e) : 0;
}

static int give_name(const struct outfile *f)
{
	AUTO_BUF struct buf own = { 0 };

	if (f->temporary &&
	    renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->path, RENAME_NOREPLACE) == 0)
		return 0;
	if (f->temporary && errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (f->temporary)
		return link(f->temporary, f->path) < 0 ? -errno : 0;
	buf_printf(&own, "/proc/self/fd/%d", f->fd);
	if (buf_error(&own) < 0)
		return -ENOMEM;
	return linkat(AT_FDCWD, buf_text(&own), AT_FDCWD, f->path, AT_SYMLINK_FOLLOW) < 0 ? -errno
											  : 0;
}

int outfile_publish(struct outfile *f, struct error *e)
{
	AUTO_FREE char *folder = folder_of(f->path);
	AUTO_CLOSE int dir = -1;
	int r;

	if (!folder)
		return error_nomem(e);
	if (fsync(f->fd) < 0)
		return failed(f, -errno, e);
	r = give_name(f);
	if (r == -EEXIST)
		return exists(f, e);
	if (r < 0)
		return failed(f, r, e);
	dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Not every file system can. */
	if (dir >= 0)
		(void)fsync(dir);
	return 0;
}

void outfile_close(struct outfile *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	/* Gone already where it was renamed. */
	if (f->temporary)
		(void)unlink(f->temporary);
	free(TAKE(f->temporary));
	f->fd = -1;
}
