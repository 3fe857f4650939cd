/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * put FILE TEXT: writes TEXT to FILE at once, and says what came of it: "put FILE TEXT ok", or
 * the errno's name in place of "ok", which a shell does not tell. FILE is given as its last two
 * parts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *last_two_parts(const char *path)
{
	const char *part = path + strlen(path);

	for (int slashes = 0; part > path; part--)
		if (part[-1] == '/' && ++slashes == 2)
			break;
	return part;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: put FILE TEXT\n");
		return 2;
	}
	int fd = open(argv[1], O_WRONLY);
	int ok = fd >= 0 && write(fd, argv[2], strlen(argv[2])) == (ssize_t)strlen(argv[2]);

	printf("put %s %s %s\n", last_two_parts(argv[1]), argv[2],
	       ok ? "ok" : strerrorname_np(errno));
	return 0;
}
