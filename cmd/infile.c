/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "infile.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const char *infile_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "stdin" : path;
}

static int read_all(int fd, const char *name, struct buf *ret, struct error *e)
{
	for (;;) {
		char *to = buf_reserve(ret, 65536);
		ssize_t n = to ? read(fd, to, 65536) : 0;

		if (!to)
			return error_nomem(e);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(e, -errno, "%s: %s", name, strerror(errno));
		ret->len += (size_t)n;
		if (n == 0)
			return 0;
		if (ret->len > INFILE_MAX)
			return error_set(e, -EFBIG,
					 "%s: longer than %u bytes, which no such file is", name,
					 INFILE_MAX);
	}
}

int infile_read(const char *path, struct buf *ret, struct error *e)
{
	const char *name = infile_name(path);
	bool is_input = name != path;
	AUTO_CLOSE int fd = is_input ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (!is_input && fd < 0)
		return error_set(e, -errno, "%s: %s", name, strerror(errno));
	return read_all(is_input ? STDIN_FILENO : fd, name, ret, e);
}
