/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void base_free(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void base_close(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

int base_write(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int64_t base_now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
