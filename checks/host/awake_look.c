/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/awake.h>

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WORD_MAX 64
/* What a link may take to train after a function has left D3 (PCI Express Base Specification,
 * 6.6.1). */
#define TRAINING_NS 100000000

static ssize_t read_at(int folder, const char *name, void *data, size_t size)
{
	AUTO_CLOSE int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, data, size, 0);

	return n < 0 ? -errno : n;
}

static bool says(int folder, const char *name, const char *word)
{
	char text[WORD_MAX + 1] = { 0 };
	ssize_t n = read_at(folder, name, text, WORD_MAX);

	if (n > 0 && text[n - 1] == '\n')
		text[n - 1] = '\0';
	return n > 0 && strcmp(text, word) == 0;
}

static int write_control(int folder, const char *word)
{
	AUTO_CLOSE int fd = openat(folder, "power/control", O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : base_write(fd, word, strlen(word));
}

/* A guest may have told it to sleep. */
static bool is_held_by_vfio(int folder)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(folder, "driver", target, sizeof(target) - 1);

	if (n < 0)
		return false;
	target[n] = '\0';
	return strstr(strrchr(target, '/') ? strrchr(target, '/') : target, "vfio") != NULL;
}

/* No file, as of a host bridge, is no bytes. */
static void put_space(int folder, const char *name, struct buf *ret)
{
	char space[PCICONF_MAX];
	ssize_t n = read_at(folder, name, space, sizeof(space));
	uint8_t size[2] = { 0 };

	if (n < 0)
		n = 0;
	size[0] = (uint8_t)n;
	size[1] = (uint8_t)(n >> 8);
	buf_append(ret, size, sizeof(size));
	buf_append(ret, space, (size_t)n);
}

static int look(int folder, struct buf *ret)
{
	const struct timespec training = { .tv_nsec = TRAINING_NS };

	if (!says(folder, "power/runtime_status", "active"))
		return -EAGAIN;
	(void)nanosleep(&training, NULL);
	put_space(folder, "config", ret);
	put_space(folder, "../config", ret);
	return buf_error(ret);
}

int awake_answer(const char *which, struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int folder = -1;
	struct bdf at;
	int r, back;

	if (parse_bdf(which, &at) < 0)
		return -EINVAL;
	if (geteuid() != 0)
		return -EACCES;
	buf_printf(&path, PCIDEV_PATH "/%s", which);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	folder = open(buf_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return -errno;
	/* "on" would have woken it already. */
	if (!says(folder, "power/control", "auto") || is_held_by_vfio(folder))
		return -EAGAIN;
	r = write_control(folder, "on");
	if (r == 0)
		r = look(folder, ret);
	back = write_control(folder, "auto");
	return r < 0 ? r : back;
}
