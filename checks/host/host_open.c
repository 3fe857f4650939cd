/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_open.h"

#include "host_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* openat2() gives up with EAGAIN when something is renamed under it (openat2(2)). */
#define RESOLVE_TRIES 16

struct host {
	int root_fd;
	bool live;
	char *root;
	struct host_memory *memory;
};

/*
 * openat() is not enough for a foreign root: an absolute link, or one that climbs
 * with .., would be followed on the machine that reads.  The running system needs
 * no such care, and may be older than openat2().
 */
static int open_path(const struct host *h, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)flags | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;

	if (h->live) {
		fd = open(path, flags | O_CLOEXEC);
		return fd < 0 ? -errno : (int)fd;
	}
	for (int i = 0; i < RESOLVE_TRIES; i++) {
		fd = syscall(SYS_openat2, h->root_fd, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return fd < 0 ? -errno : (int)fd;
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

static bool is_kernel_path(const char *path)
{
	return parse_has_prefix(path, "/sys/") || parse_has_prefix(path, "/proc/");
}

/* A link to what was not captured, or a file that stands for a directory. */
static bool is_captured_name(const struct host *h, const char *path)
{
	AUTO_CLOSE int fd = h->live ? -1 : open_path(h, path, O_PATH | O_NOFOLLOW);

	return fd >= 0;
}

/* Nothing is found at @path: is that known, or could it not be seen? */
static int weigh_absence(const struct host *h, const char *path)
{
	AUTO_FREE char *dir = strdup(path);
	char *slash;

	if (!dir)
		return -ENOMEM;
	if (is_captured_name(h, path))
		return -ENODATA;
	while ((slash = strrchr(dir, '/')) && slash > dir) {
		AUTO_CLOSE int fd = -1;

		*slash = '\0';
		fd = open_path(h, dir, O_PATH | O_DIRECTORY);
		if (fd < 0 && !h->live)
			return -ENODATA;
		if (fd >= 0)
			return h->live && is_kernel_path(path) && !is_kernel_fs(fd) ? -ENODATA
										    : -ENOENT;
	}
	return is_kernel_path(path) ? -ENODATA : -ENOENT;
}

static int opened(const struct host *h, const char *path, int fd)
{
	return fd == -ENOENT || fd == -ENOTDIR ? weigh_absence(h, path) : fd;
}

int host_open_name(const struct host *h, const char *path)
{
	return opened(h, path, open_path(h, path, O_PATH | O_NOFOLLOW));
}

int host_open_file(const struct host *h, const char *path)
{
	AUTO_CLOSE int name = open_path(h, path, O_PATH);
	struct stat st;

	if (name < 0)
		return opened(h, path, name);
	/* Looked at before it is opened: opening a device node acts on the device. */
	if (fstat(name, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return opened(h, path, open_path(h, path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
}

int host_open_dir(const struct host *h, const char *path)
{
	int fd = opened(h, path, open_path(h, path, O_RDONLY | O_DIRECTORY));

	if (fd >= 0 && h->live && is_kernel_path(path) && !is_kernel_fs(fd)) {
		(void)close(fd);
		return -ENODATA;
	}
	return fd;
}

static bool is_running_system(int fd)
{
	struct stat root, st;

	return stat("/", &root) == 0 && fstat(fd, &st) == 0 && root.st_dev == st.st_dev &&
	       root.st_ino == st.st_ino;
}

/* A folder with nothing of a host in it is a typing error, not a host of which nothing is known. */
static int require_host_tree(const struct host *h, struct error *e)
{
	static const char *const tops[] = {
		"/proc", "/sys", "/etc", "/boot", "/lib", "/usr", "/var"
	};

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		AUTO_CLOSE int fd = open_path(h, tops[i], O_PATH | O_DIRECTORY);

		if (fd >= 0)
			return 0;
		if (fd == -ENOSYS)
			return error_set(
				e, fd,
				"reading a foreign root needs openat2(): Linux 5.6 or newer");
	}
	return error_set(
		e, -EINVAL,
		"root %s holds none of proc, sys, etc, boot, lib, usr, var: not a host's tree",
		h->root);
}

int host_open(const char *root, struct host **ret, struct error *e)
{
	AUTO_HOST struct host *h = calloc(1, sizeof(*h));
	int r;

	if (!h)
		return error_nomem(e);
	h->root_fd = -1;
	h->root = strdup(root);
	h->memory = calloc(1, sizeof(*h->memory));
	if (!h->root || !h->memory)
		return error_nomem(e);
	h->root_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (h->root_fd < 0)
		return error_set(e, -errno, "cannot open root %s: %s", root, strerror(errno));
	h->live = is_running_system(h->root_fd);
	r = h->live ? 0 : require_host_tree(h, e);
	if (r < 0)
		return r;
	*ret = TAKE(h);
	return 0;
}

void host_close(struct host *h)
{
	if (!h)
		return;
	if (h->root_fd >= 0)
		(void)close(h->root_fd);
	if (h->memory)
		host_memory_done(h->memory);
	free(h->memory);
	free(h->root);
	free(h);
}

void host_close_p(struct host **h)
{
	host_close(*h);
}

struct host_memory *host_memory(const struct host *h)
{
	return h->memory;
}

bool host_is_live(const struct host *h)
{
	return h->live;
}

const char *host_root(const struct host *h)
{
	return h->root;
}
