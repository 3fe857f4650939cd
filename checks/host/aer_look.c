/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/aer.h>

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/pcidev.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* More kinds of errors than there are do not fill a page. */
#define TEXT_MAX 4096

static int read_correctable(int devices, const char *bdf, uint64_t *ret)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;
	char text[TEXT_MAX];
	ssize_t n;

	buf_printf(&path, "%s/aer_dev_correctable", bdf);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	fd = openat(devices, buf_text(&path), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	return aer_parse_total(text, ret);
}

/* All that have errors, with their number in place of how many more. */
static int look(DIR *devices, struct aer_growth *ret)
{
	const struct dirent *entry;

	while ((entry = readdir(devices))) {
		struct aer_grown *items;
		uint64_t n = 0;

		if (entry->d_name[0] == '.' ||
		    read_correctable(dirfd(devices), entry->d_name, &n) < 0 || n == 0)
			continue;
		items = base_room(ret->items, ret->n, sizeof(*items));
		if (!items)
			return -ENOMEM;
		ret->items = items;
		items[ret->n] = (struct aer_grown){ .bdf = strdup(entry->d_name), .more = n };
		if (!items[ret->n].bdf)
			return -ENOMEM;
		ret->n++;
	}
	return 0;
}

static void close_directory(DIR **d)
{
	if (*d)
		closedir(*d);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct aer_grown *)a)->bdf, ((const struct aer_grown *)b)->bdf);
}

int aer_answer(const char *which, struct buf *ret)
{
	CLEANUP(aer_growth_done) struct aer_growth before = { 0 };
	CLEANUP(close_directory) DIR *devices = opendir(PCIDEV_PATH);
	const struct timespec pause = { .tv_sec = AER_SECONDS };
	int r;

	if (strcmp(which, "growth") != 0)
		return -ENOENT;
	if (!devices)
		return -errno;
	r = look(devices, &before);
	if (r < 0)
		return r;
	if (before.n > 0) {
		(void)nanosleep(&pause, NULL);
		qsort(before.items, before.n, sizeof(*before.items), by_name);
	}
	for (size_t i = 0; i < before.n; i++) {
		const struct aer_grown *was = &before.items[i];
		uint64_t now = 0;

		if (read_correctable(dirfd(devices), was->bdf, &now) == 0 && now >= was->more)
			buf_printf(ret, "%s %llu\n", was->bdf,
				   (unsigned long long)(now - was->more));
	}
	return buf_error(ret);
}
