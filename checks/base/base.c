/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ROOM_FIRST 4 /* a power of two */

void base_free(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void base_close(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

/* How much room there is follows from @n: it doubles at each power of two. */
void *base_room(void *items, size_t n, size_t size)
{
	if (n == 0)
		return reallocarray(items, ROOM_FIRST, size);
	if (n < ROOM_FIRST || (n & (n - 1)))
		return items;
	return reallocarray(items, n, size * 2);
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
