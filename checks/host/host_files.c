/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_files.h"

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

struct files {
	struct host_source source;
	int root_fd;
	struct host_live *live; /* NULL: a tree */
};

/* The running system needs no such care, and may be older than openat2(). */
static int open_path(const struct files *s, const char *path, int flags)
{
	int fd;

	if (!s->live)
		return files_open_in(s->root_fd, path, flags);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* What the kernel mounts below /proc and /sys; containers put tmpfs and others over parts of it. */
static bool is_kernel_fs(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	switch ((unsigned long)fs.f_type) {
	case SYSFS_MAGIC:
	case PROC_SUPER_MAGIC:
	case DEBUGFS_MAGIC:
	case SECURITYFS_MAGIC:
	case EFIVARFS_MAGIC:
		return true;
	default:
		return false;
	}
}

static bool is_at_or_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return strncmp(path, dir, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

static bool is_kernel_path(const char *path)
{
	return is_at_or_below(path, "/sys") || is_at_or_below(path, "/proc");
}

/* A link to what was not captured, or a file that stands for a directory. */
static bool is_captured_name(const struct files *s, const char *path)
{
	AUTO_CLOSE int fd = s->live ? -1 : open_path(s, path, O_PATH | O_NOFOLLOW);

	return fd >= 0;
}

/* Nothing is found at @path: is that known, or could it not be seen? */
static int weigh_absence(const struct files *s, const char *path)
{
	AUTO_FREE char *dir = strdup(path);
	char *slash;

	if (!dir)
		return -ENOMEM;
	if (is_captured_name(s, path))
		return -ENODATA;
	while ((slash = strrchr(dir, '/')) && slash > dir) {
		AUTO_CLOSE int fd = -1;

		*slash = '\0';
		fd = open_path(s, dir, O_PATH | O_DIRECTORY);
		if (fd < 0 && !s->live)
			return -ENODATA;
		if (fd >= 0)
			return s->live && is_kernel_path(path) && !is_kernel_fs(fd) ? -ENODATA
										    : -ENOENT;
	}
	return is_kernel_path(path) ? -ENODATA : -ENOENT;
}

static int opened(const struct files *s, const char *path, int fd)
{
	return fd == -ENOENT || fd == -ENOTDIR ? weigh_absence(s, path) : fd;
}

static const struct files *files_of(const struct host_source *s)
{
	return (const struct files *)(const void *)s;
}

static int kind(struct host_source *source, const char *path, enum host_kind *ret)
{
	const struct files *s = files_of(source);
	AUTO_CLOSE int fd = -1;
	struct stat st;

	if (s->live && host_live_has(path))
		return host_live_kind(path, ret);
	fd = opened(s, path, open_path(s, path, O_PATH | O_NOFOLLOW));
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	*ret = S_ISREG(st.st_mode)   ? HOST_KIND_FILE
	       : S_ISDIR(st.st_mode) ? HOST_KIND_DIR
	       : S_ISLNK(st.st_mode) ? HOST_KIND_LINK
				     : HOST_KIND_OTHER;
	return 0;
}

static int open_file(const struct files *s, const char *path)
{
	AUTO_CLOSE int name = open_path(s, path, O_PATH);
	struct stat st;

	if (name < 0)
		return opened(s, path, name);
	/* Looked at before it is opened: opening a device node acts on the device. */
	if (fstat(name, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return opened(s, path, open_path(s, path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
}

static int read_now(const void *arg, const char *path, size_t max, struct buf *ret)
{
	AUTO_CLOSE int fd = open_file(arg, path);

	return fd < 0 ? fd : files_read(fd, max, ret);
}

static int read_file(struct host_source *source, const char *path, size_t max, struct buf *ret)
{
	const struct files *s = files_of(source);

	return s->live ? host_live_read(s->live, path, max, ret) : read_now(s, path, max, ret);
}

static int open_dir(const struct files *s, const char *path)
{
	int fd = opened(s, path, open_path(s, path, O_RDONLY | O_DIRECTORY));

	if (fd >= 0 && s->live && is_kernel_path(path) && !is_kernel_fs(fd)) {
		(void)close(fd);
		return -ENODATA;
	}
	return fd;
}

static int add_names(DIR *dir, struct strv *ret)
{
	struct dirent *d;

	while ((errno = 0, d = readdir(dir))) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		if (ret->n == HOST_LIST_MAX)
			return -E2BIG;
		if (strv_add(ret, d->d_name) < 0)
			return -ENOMEM;
	}
	return -errno;
}

int host_files_names(int fd, struct strv *ret)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	int r;

	if (!dir) {
		r = -errno;
		if (own >= 0)
			(void)close(own);
		return r;
	}
	r = add_names(dir, ret);
	(void)closedir(dir);
	return r;
}

static int list(struct host_source *source, const char *path, struct strv *ret)
{
	const struct files *s = files_of(source);
	AUTO_CLOSE int fd = -1;

	if (s->live && host_live_has(path))
		return -ENODATA;
	fd = open_dir(s, path);
	return fd < 0 ? fd : host_files_names(fd, ret);
}

static int read_link(struct host_source *source, const char *path, struct buf *ret)
{
	const struct files *s = files_of(source);
	AUTO_CLOSE int fd = opened(s, path, open_path(s, path, O_PATH | O_NOFOLLOW));
	char target[HOST_LINK_MAX];
	ssize_t n;

	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", target, sizeof(target));
	if (n < 0 || (size_t)n == sizeof(target))
		return -EINVAL;
	buf_append(ret, target, (size_t)n);
	return buf_error(ret);
}

static void close_files(struct host_source *source)
{
	struct files *s = (struct files *)(void *)source;

	host_live_close(s->live);
	if (s->root_fd >= 0)
		(void)close(s->root_fd);
	free(s);
}

static bool is_running_system(int fd)
{
	struct stat root, st;

	return stat("/", &root) == 0 && fstat(fd, &st) == 0 && root.st_dev == st.st_dev &&
	       root.st_ino == st.st_ino;
}

int host_files_open(int root_fd, struct host_source **ret, struct error *e)
{
	static const struct host_source_ops ops = {
		.kind = kind,
		.read = read_file,
		.list = list,
		.link = read_link,
		.close = close_files,
	};
	struct files *s = calloc(1, sizeof(*s));

	if (!s) {
		(void)close(root_fd);
		return error_nomem(e);
	}
	s->root_fd = root_fd;
	s->source = (struct host_source){ .ops = &ops, .is_live = is_running_system(root_fd) };
	s->source.is_partial = !s->source.is_live;
	if (s->source.is_live && !(s->live = host_live_new(read_now, s))) {
		close_files(&s->source);
		return error_nomem(e);
	}
	*ret = &s->source;
	return 0;
}
