/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "procs_file.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int procs_file_open(int dir, const char *name, int flags)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);

	return fd < 0 ? -errno : fd;
}

int procs_file_read(int dir, const char *name, size_t max, struct buf *ret)
{
	AUTO_CLOSE int fd = procs_file_open(dir, name, 0);
	ssize_t n = 1;

	buf_clear(ret);
	if (fd < 0)
		return fd;
	while (n > 0 && ret->len < max) {
		char *room = buf_reserve(ret, PROCS_FILE_CHUNK);

		if (!room)
			return -ENOMEM;
		n = read(fd, room, PROCS_FILE_CHUNK);
		if (n < 0)
			return -errno;
		ret->len += (size_t)n;
		ret->data[ret->len] = '\0';
	}
	return 0;
}

int procs_file_link(int dir, const char *name, char ret[PATH_MAX])
{
	ssize_t n = readlinkat(dir, name, ret, PATH_MAX - 1);

	ret[n < 0 ? 0 : n] = '\0';
	return n < 0 ? -errno : 0;
}
