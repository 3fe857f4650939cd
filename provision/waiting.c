/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/waiting.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ABOVE "/run/sriovctl"

static int say(const char *name, int r, struct error *e)
{
	return error_set(e, r, WAITING_FOLDER "/%s: %s", name, strerror(-r));
}

static int path_of(const char *bdf, struct buf *ret, struct error *e)
{
	buf_printf(ret, WAITING_FOLDER "/%s", bdf);
	return buf_error(ret) < 0 ? error_nomem(e) : 0;
}

int waiting_add(const char *bdf, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;
	int r = path_of(bdf, &path, e);

	if (r < 0)
		return r;
	if ((mkdir(ABOVE, 0700) < 0 && errno != EEXIST) ||
	    (mkdir(WAITING_FOLDER, 0700) < 0 && errno != EEXIST))
		return say("", -errno, e);
	fd = open(buf_text(&path), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd < 0 ? say(bdf, -errno, e) : 0;
}

int waiting_remove(const char *bdf, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	int r = path_of(bdf, &path, e);

	if (r < 0)
		return r;
	return unlink(buf_text(&path)) < 0 && errno != ENOENT && errno != ENOTDIR
		       ? say(bdf, -errno, e)
		       : 0;
}

int waiting_list(struct strv *ret, struct error *e)
{
	DIR *dir = opendir(WAITING_FOLDER);
	const struct dirent *it;
	int r = 0;

	if (!dir)
		return errno == ENOENT ? 0 : say("", -errno, e);
	while (r == 0 && (it = readdir(dir)))
		if (it->d_name[0] != '.')
			r = strv_add(ret, it->d_name);
	(void)closedir(dir);
	return r < 0 ? error_nomem(e) : 0;
}
