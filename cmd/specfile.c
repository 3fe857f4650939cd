/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "specfile.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/spec.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const char *specfile_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* To its end, however it comes: a file, a pipe, a terminal. */
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
		if (ret->len > SPECFILE_MAX)
			return error_set(e, -EFBIG, "%s: longer than %u bytes, which no spec is",
					 name, SPECFILE_MAX);
	}
}

int specfile_read(const char *path, struct spec **ret, struct error *e)
{
	const char *name = specfile_name(path);
	bool is_input = name != path;
	AUTO_BUF struct buf text = { 0 };
	AUTO_CLOSE int fd = is_input ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int r;

	if (!is_input && fd < 0)
		return error_set(e, -errno, "%s: %s", name, strerror(errno));
	r = read_all(is_input ? STDIN_FILENO : fd, name, &text, e);
	return r < 0 ? r : spec_parse(buf_text(&text), text.len, name, ret, e);
}
