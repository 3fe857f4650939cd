/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/claims.h>

#include "host_answer.h"
#include "host_live.h"
#include "procs_file.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define CLAIMED "claimed\n"
#define FREE	"free\n"

/* Is what /dev has by this name the device that sysfs has by it? */
static int is_the_one(const char *disk, const char *path)
{
	AUTO_BUF struct buf attr = { 0 }, number = { 0 }, own = { 0 };
	struct stat st;
	int r;

	buf_printf(&attr, "/sys/class/block/%s/dev", disk);
	r = procs_file_read(AT_FDCWD, buf_text(&attr), PROCS_FILE_CHUNK, &number);
	if (r < 0)
		return r;
	if (stat(path, &st) < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	buf_rtrim(&number);
	buf_printf(&own, "%u:%u", major(st.st_rdev), minor(st.st_rdev));
	return S_ISBLK(st.st_mode) && strcmp(buf_text(&own), buf_text(&number)) == 0 ? 0 : -ENODEV;
}

int claims_answer(const char *which, struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;
	int r;

	buf_printf(&path, "/dev/%s", which);
	r = is_the_one(which, buf_text(&path));
	if (r < 0)
		return r;
	fd = open(buf_text(&path), O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno != EBUSY)
		return -errno;
	buf_puts(ret, fd < 0 ? CLAIMED : FREE);
	return buf_error(ret);
}

int claims_read(const struct host *h, const char *disk, bool *ret, struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "claims", disk, &answer, e);

	if (r < 0)
		return error_prefix(e, r, "whether %s is claimed", disk);
	*ret = strcmp(buf_text(&answer), CLAIMED) == 0;
	if (!*ret && strcmp(buf_text(&answer), FREE) != 0)
		return error_set(e, -EBADMSG, "whether %s is claimed: the answer is damaged", disk);
	return 0;
}
