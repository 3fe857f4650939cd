/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "writer.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define FILE_NAME "writer"
#define PID_MAX	  16
#define PAUSE_US  20000

static int say_who(int fd, struct error *e)
{
	char pid[PID_MAX] = "";

	if (pread(fd, pid, sizeof(pid) - 1, 0) <= 0)
		return error_set(e, -EINPROGRESS,
				 "a write of an earlier run goes on in the kernel");
	pid[strcspn(pid, "\n")] = '\0';
	return error_set(e, -EINPROGRESS,
			 "a write of an earlier run goes on in the kernel: process %s waits for it",
			 pid);
}

int writer_take(const char *dir, int64_t ms, struct error *e)
{
	const int64_t end = base_now_ms() + ms;
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;
	int taken;

	buf_printf(&path, "%s/" FILE_NAME, dir);
	if (buf_error(&path) < 0)
		return error_nomem(e);
	fd = open(buf_text(&path), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(e, -errno, "%s: %s", buf_text(&path), strerror(errno));
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return error_set(e, -errno, "%s: %s", buf_text(&path), strerror(errno));
		if (base_now_ms() >= end)
			return say_who(fd, e);
		(void)usleep(PAUSE_US);
	}
	taken = fd;
	fd = -1;
	return taken;
}

void writer_name(int fd, pid_t pid)
{
	AUTO_BUF struct buf text = { 0 };

	buf_printf(&text, "%d\n", (int)pid);
	/* Without it the others are told less. */
	if (ftruncate(fd, 0) == 0 && buf_error(&text) == 0)
		(void)!pwrite(fd, text.data, text.len, 0);
}
