/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kmsg.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A record (CONSOLE_EXT_LOG_MAX of include/linux/printk.h) fits. */
#define RECORD_MAX  8192
#define RECORDS_MAX 100000

int kmsg_open(void)
{
	return open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

void kmsg_skip(int fd)
{
	if (fd >= 0)
		(void)lseek(fd, 0, SEEK_END);
}

/* A record is "level,sequence,time,flags;text\n" and lines of its own about the device. */
static void take(char *record, const char *word, struct buf *ret)
{
	char *text = strchr(record, ';');
	char *end = text ? strchr(text, '\n') : NULL;

	if (!end)
		return;
	*end = '\0';
	if (!strstr(text, word))
		return;
	buf_clear(ret);
	buf_puts(ret, text + 1);
}

void kmsg_find(int fd, const char *word, struct buf *ret)
{
	char record[RECORD_MAX + 1];

	for (int i = 0; fd >= 0 && i < RECORDS_MAX; i++) {
		ssize_t n = read(fd, record, RECORD_MAX);

		/* EPIPE: records were overwritten before they were read. */
		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			return;
		record[n] = '\0';
		take(record, word, ret);
	}
}
