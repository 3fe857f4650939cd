/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "infile.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

const char *infile_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "stdin" : path;
}

static int read_all(int fd, const char *name, struct buf *ret, struct error *e)
{
	int r = files_read(fd, INFILE_MAX, ret);

	if (r == -ENOMEM)
		return error_nomem(e);
	if (r == -EFBIG)
		return error_set(e, r, "%s: longer than %u bytes, which no such file is", name,
				 INFILE_MAX);
	return r < 0 ? error_set(e, r, "%s: %s", name, strerror(-r)) : 0;
}

/*
 * What the shell puts where a command's output is asked for has an end, as standard input has; a
 * named pipe may never have a writer.
 */
static bool is_pipe_of_shell(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PIPEFS_MAGIC;
}

/* That reading waits for nothing but the end of a command. */
static int check_kind(int fd, const char *path, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set(e, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && !is_pipe_of_shell(fd))
		return error_set(e, -EINVAL, "%s: is no regular file", path);
	if (fcntl(fd, F_SETFL, O_RDONLY) < 0)
		return error_set(e, -errno, "%s: %s", path, strerror(errno));
	return 0;
}

int infile_read(const char *path, struct buf *ret, struct error *e)
{
	const char *name = infile_name(path);
	bool is_input = name != path;
	AUTO_CLOSE int fd =
		is_input ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int r = 0;

	/* ENXIO: a socket, or a node of no device. */
	if (!is_input && fd < 0)
		return errno == ENXIO ? error_set(e, -EINVAL, "%s: is no regular file", path)
				      : error_set(e, -errno, "%s: %s", name, strerror(errno));
	if (!is_input)
		r = check_kind(fd, path, e);
	return r < 0 ? r : read_all(is_input ? STDIN_FILENO : fd, name, ret, e);
}
