/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/files.h>

#include <sriovctl/buf.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

/* openat2() gives up with EAGAIN when something is renamed under it (openat2(2)). */
#define RESOLVE_TRIES 16
#define READ_CHUNK    16384

/*
 * openat() is not enough for a foreign root: an absolute link, or one that climbs
 * with .., would be followed on the machine that reads.
 */
int files_open_in(int root_fd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)flags | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;

	for (int i = 0; i < RESOLVE_TRIES; i++) {
		fd = syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return fd < 0 ? -errno : (int)fd;
}

int files_read(int fd, size_t max, struct buf *ret)
{
	size_t before = ret->len;
	ssize_t n = 1;

	while (n != 0 && ret->len - before <= max) {
		char *room = buf_reserve(ret, READ_CHUNK);

		if (!room)
			return buf_error(ret);
		n = read(fd, room, READ_CHUNK);
		if (n < 0 && errno != EINTR)
			return -errno;
		ret->len += n > 0 ? (size_t)n : 0;
		ret->data[ret->len] = '\0';
	}
	return ret->len - before > max ? -EFBIG : 0;
}
