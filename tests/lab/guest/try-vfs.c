/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * try-vfs BDF COUNT: asks the kernel for COUNT VFs, says in one line what came of it, and takes
 * them away again: "try BDF COUNT ok MADE ANSWERING", how many there were then and how many of
 * those answered, or "try BDF COUNT" with the errno's name and the kernel's last word on it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#define REVISION 8 /* of a function that answers the revision and class are not all ones */
#define READ_ALL 3 /* SYSLOG_ACTION_READ_ALL */
#define LOG_TAIL 4096

static int put(const char *bdf, const char *count)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/sriov_numvfs", bdf);
	int fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	int r = write(fd, count, strlen(count)) < 0 ? -errno : 0;
	close(fd);
	return r;
}

/* 1: there is such a VF, and it answers; 0: it does not; -1: there is none. */
static int answers(const char *bdf, unsigned i)
{
	unsigned char ones[4] = { 0xff, 0xff, 0xff, 0xff }, read[4] = { 0 };
	char path[PATH_MAX];

	snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/virtfn%u/config", bdf, i);
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	int ok = pread(fd, read, sizeof read, REVISION) == sizeof read;
	close(fd);
	return ok && memcmp(read, ones, sizeof read) != 0;
}

/* The last line of the kernel's log on this function, without what comes before its address. */
static void print_last_word(const char *bdf)
{
	static char log[LOG_TAIL + 1];
	int n = klogctl(READ_ALL, log, LOG_TAIL);
	const char *last = NULL;

	log[n > 0 ? n : 0] = '\0';
	for (const char *at = log; (at = strstr(at, bdf)); at++)
		last = at;
	if (last)
		printf(" %.*s", (int)strcspn(last, "\n"), last);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: try-vfs BDF COUNT\n");
		return 2;
	}
	const char *bdf = argv[1];
	int r = put(bdf, argv[2]), one;
	unsigned made = 0, answering = 0;

	printf("try %s %s %s", bdf, argv[2], r < 0 ? strerrorname_np(-r) : "ok");
	if (r < 0) {
		print_last_word(bdf);
	} else {
		for (; (one = answers(bdf, made)) >= 0; made++)
			answering += (unsigned)one;
		printf(" %u %u", made, answering);
		r = put(bdf, "0");
		if (r < 0)
			printf(" and cannot be taken away: %s", strerrorname_np(-r));
	}
	printf("\n");
	return 0;
}
