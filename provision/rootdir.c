/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rootdir.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int say(const char *path, int r, struct error *e)
{
	return r == -ENOMEM ? error_nomem(e) : error_set(e, r, "%s: %s", path, strerror(-r));
}

int rootdir_open(const char *root, struct rootdir *ret, struct error *e)
{
	struct stat own, given;
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return say(root, -errno, e);
	ret->is_own = stat("/", &own) == 0 && fstat(fd, &given) == 0 &&
		      own.st_dev == given.st_dev && own.st_ino == given.st_ino;
	ret->fd = fd;
	return 0;
}

void rootdir_close(struct rootdir *r)
{
	base_close(&r->fd);
	r->fd = -1;
}

int rootdir_open_in(const struct rootdir *r, const char *path, int flags)
{
	int fd = files_open_in(r->fd, path, flags);

	/* Unknown to the kernel, or to a container's filter. */
	if (r->is_own && (fd == -ENOSYS || fd == -EPERM)) {
		fd = open(path, flags | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	return fd;
}

/* The folder of @path, and the name in it. */
static int open_folder(const struct rootdir *r, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	AUTO_FREE char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;

	if (!slash || !slash[1])
		return -EINVAL;
	if (!folder)
		return -ENOMEM;
	*ret_name = slash + 1;
	return rootdir_open_in(r, folder, O_RDONLY | O_DIRECTORY);
}

static int lock(const struct rootdir *r, const char *path, int how, int *ret_fd, struct error *e)
{
	AUTO_CLOSE int fd = rootdir_open_in(r, path, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return say(path, fd, e);
	if (flock(fd, how) < 0)
		return errno == EWOULDBLOCK ? error_set(e, -EBUSY, "%s: another run has it", path)
					    : say(path, -errno, e);
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int rootdir_lock(const struct rootdir *r, const char *path, int *ret_fd, struct error *e)
{
	return lock(r, path, LOCK_EX, ret_fd, e);
}

int rootdir_try_lock(const struct rootdir *r, const char *path, int *ret_fd, struct error *e)
{
	return lock(r, path, LOCK_EX | LOCK_NB, ret_fd, e);
}

int rootdir_read(const struct rootdir *r, const char *path, struct buf *ret, uint32_t *ret_mode,
		 struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);
	AUTO_CLOSE int fd = -1;
	struct stat st;
	int code;

	if (folder < 0)
		return say(path, folder == -ENOTDIR ? -ENOENT : folder, e);
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return say(path, errno == ELOOP || errno == ENXIO ? -EMEDIUMTYPE : -errno, e);
	if (fstat(fd, &st) < 0)
		return say(path, -errno, e);
	if (!S_ISREG(st.st_mode))
		return error_set(e, -EMEDIUMTYPE, "%s is no file", path);
	code = files_read(fd, ROOTDIR_FILE_MAX, ret);
	if (code < 0)
		return say(path, code, e);
	*ret_mode = st.st_mode & 07777;
	return 0;
}

int rootdir_read_link(const struct rootdir *r, const char *path, struct buf *ret, struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);
	char *room = buf_reserve(ret, PATH_MAX);
	ssize_t n;

	if (folder < 0)
		return say(path, folder == -ENOTDIR ? -ENOENT : folder, e);
	if (!room)
		return error_nomem(e);
	n = readlinkat(folder, name, room, PATH_MAX - 1);
	if (n < 0)
		return say(path, errno == EINVAL ? -EMEDIUMTYPE : -errno, e);
	ret->len += (size_t)n;
	ret->data[ret->len] = '\0';
	return 0;
}

int rootdir_find(const struct rootdir *r, const char *path, struct error *e)
{
	AUTO_CLOSE int fd = rootdir_open_in(r, path, O_PATH);

	if (fd >= 0)
		return 0;
	return say(path, fd == -ENOTDIR ? -ENOENT : fd, e);
}

int rootdir_may_write(const struct rootdir *r, const char *path, struct error *e)
{
	AUTO_FREE char *folder = strdup(path);
	char *slash = folder ? strrchr(folder, '/') : NULL;
	int fd = folder ? -EINVAL : -ENOMEM, code;

	for (; slash; slash = strrchr(folder, '/')) {
		slash[slash == folder] = '\0';
		fd = rootdir_open_in(r, folder, O_RDONLY | O_DIRECTORY);
		if (fd != -ENOENT || slash == folder)
			break;
	}
	if (fd < 0)
		return say(path, fd, e);
	code = faccessat(fd, ".", W_OK, AT_EACCESS) < 0 ? -errno : 0;
	(void)close(fd);
	return code < 0 ? say(folder, code, e) : 0;
}

/* --- changes ------------------------------------------------------------------------------- */

/* systemd, udev and networkd pass over names that begin with a dot or do not end in theirs. */
static char *temporary_of(const char *name)
{
	struct buf text = { 0 };

	buf_printf(&text, ".%s.sriovctl-new", name);
	return buf_take(&text);
}

static int remove_name(int folder, const char *name)
{
	return unlinkat(folder, name, 0) < 0 && errno != ENOENT ? -errno : 0;
}

static int publish(int folder, const char *temporary, const char *name)
{
	return renameat(folder, temporary, folder, name) < 0 || fsync(folder) < 0 ? -errno : 0;
}

static int write_new(int folder, const char *name, uint32_t mode, const struct buf *text)
{
	AUTO_CLOSE int fd =
		openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return -errno;
	r = base_write(fd, buf_text(text), text->len);
	/* Whatever the umask is. */
	if (r == 0 && (fchmod(fd, mode) < 0 || fsync(fd) < 0))
		r = -errno;
	return r;
}

int rootdir_write(const struct rootdir *r, const char *path, uint32_t mode, const struct buf *text,
		  struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);
	AUTO_FREE char *temporary = name ? temporary_of(name) : NULL;
	int code = folder < 0 ? folder : temporary ? remove_name(folder, temporary) : -ENOMEM;

	if (code == 0)
		code = write_new(folder, temporary, mode, text);
	if (code == 0)
		code = publish(folder, temporary, name);
	if (code < 0 && folder >= 0 && temporary)
		(void)remove_name(folder, temporary);
	return code < 0 ? say(path, code, e) : 0;
}

int rootdir_link(const struct rootdir *r, const char *path, const char *target, struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);
	AUTO_FREE char *temporary = name ? temporary_of(name) : NULL;
	int code = folder < 0 ? folder : temporary ? remove_name(folder, temporary) : -ENOMEM;

	if (code == 0 && symlinkat(target, folder, temporary) < 0)
		code = -errno;
	if (code == 0)
		code = publish(folder, temporary, name);
	if (code < 0 && folder >= 0 && temporary)
		(void)remove_name(folder, temporary);
	return code < 0 ? say(path, code, e) : 0;
}

int rootdir_sweep(const struct rootdir *r, const char *path, struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);
	AUTO_FREE char *temporary = name ? temporary_of(name) : NULL;
	int code = folder < 0 ? folder : temporary ? remove_name(folder, temporary) : -ENOMEM;

	return code == 0 || code == -ENOENT || code == -ENOTDIR ? 0 : say(path, code, e);
}

int rootdir_remove(const struct rootdir *r, const char *path, struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);
	AUTO_FREE char *temporary = name ? temporary_of(name) : NULL;
	int code = folder < 0 ? folder : temporary ? remove_name(folder, temporary) : -ENOMEM;

	if (code == -ENOENT || code == -ENOTDIR)
		return 0;
	if (code == 0)
		code = remove_name(folder, name);
	if (code == 0 && fsync(folder) < 0)
		code = -errno;
	return code < 0 ? say(path, code, e) : 0;
}

/* With its mode at once, whatever the umask is: a run may be cut off behind it. */
static int make_folder(int folder, const char *name, uint32_t mode)
{
	const mode_t mask = umask(0);
	int r = mkdirat(folder, name, mode) < 0 ? -errno : 0;

	(void)umask(mask);
	return r;
}

int rootdir_make_folder(const struct rootdir *r, const char *path, uint32_t mode, struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);
	AUTO_CLOSE int fd = -1;
	struct stat st;
	int code = folder < 0 ? folder : make_folder(folder, name, mode);

	if (code == 0 && fsync(folder) < 0)
		code = -errno;
	if (code != -EEXIST)
		return code < 0 ? say(path, code, e) : 0;
	fd = rootdir_open_in(r, path, O_PATH);
	if (fd < 0 || fstat(fd, &st) < 0)
		return say(path, fd < 0 ? fd : -errno, e);
	return S_ISDIR(st.st_mode) ? 0 : say(path, -ENOTDIR, e);
}

int rootdir_remove_folder(const struct rootdir *r, const char *path, struct error *e)
{
	const char *name = NULL;
	AUTO_CLOSE int folder = open_folder(r, path, &name);

	if (folder == -ENOENT || folder == -ENOTDIR)
		return 0;
	if (folder < 0)
		return say(path, folder, e);
	if (unlinkat(folder, name, AT_REMOVEDIR) < 0)
		return errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR
			       ? 0
			       : say(path, -errno, e);
	return fsync(folder) < 0 ? say(path, -errno, e) : 0;
}
