/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rootfile.h"

#include "rootdir.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LINKS_MAX  40 /* path_resolution(7) */
#define TARGET_MAX 4096
#define TEMPORARY  ".sriovctl-new"
#define LABEL	   "security.selinux"
#define LABEL_MAX  4096

/* A name in a folder that is open. */
struct place {
	int dir;
	char *name;
};

static void place_done(struct place *p)
{
	base_close(&p->dir);
	free(p->name);
	*p = (struct place){ .dir = -1 };
}
#define AUTO_PLACE CLEANUP(place_done)

/* The folder of @path, made where it is missing. */
static int open_folder(const struct rootdir *r, const char *path, bool make)
{
	AUTO_FREE char *dir = strdup(path);
	char *slash = dir ? strrchr(dir, '/') : NULL;
	AUTO_CLOSE int above = -1;
	int fd, code;

	if (!slash)
		return dir ? -EINVAL : -ENOMEM;
	slash[slash == dir] = '\0';
	fd = rootdir_open_in(r, dir, O_RDONLY | O_DIRECTORY);
	if (fd != -ENOENT || !make || strcmp(dir, "/") == 0)
		return fd;
	above = open_folder(r, dir, true);
	if (above < 0)
		return above;
	code = rootdir_make_folder(r, dir, 0755, NULL);
	return code < 0 ? code : rootdir_open_in(r, dir, O_RDONLY | O_DIRECTORY);
}

/* Where the link at @p leads, as a path of the root; NULL: out of memory. */
static char *path_behind(const char *path, const char *target)
{
	struct buf b = { 0 };

	if (target[0] != '/')
		buf_append(&b, path, (size_t)(strrchr(path, '/') + 1 - path));
	buf_puts(&b, target);
	return buf_take(&b);
}

static int find_place(const struct rootdir *r, const char *path, bool make, struct place *ret)
{
	static const char *const folders[] = { "", ".", ".." };
	AUTO_FREE char *at = strdup(path);

	for (int i = 0; at && i < LINKS_MAX; i++) {
		AUTO_PLACE struct place p = { .dir = open_folder(r, at, make) };
		char target[TARGET_MAX];
		char *next;
		ssize_t n;

		if (p.dir < 0)
			return p.dir;
		p.name = strdup(strrchr(at, '/') + 1);
		if (!p.name)
			return -ENOMEM;
		/* No file, and above the root what is outside of it. */
		if (PARSE_IS_ONE_OF(p.name, folders))
			return -EISDIR;
		n = readlinkat(p.dir, p.name, target, sizeof(target) - 1);
		if (n < 0) {
			*ret = p;
			p = (struct place){ .dir = -1 };
			return 0;
		}
		if ((size_t)n == sizeof(target) - 1)
			return -ENAMETOOLONG;
		target[n] = '\0';
		next = path_behind(at, target);
		free(at);
		at = next;
	}
	return at ? -ELOOP : -ENOMEM;
}

static bool is_equal(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(buf_text(a), buf_text(b), a->len) == 0;
}

/* As the old one was: nobody but root gets more rights, and SELinux knows it again. */
static int copy_rights(int from, int to)
{
	char label[LABEL_MAX];
	struct stat st;
	ssize_t n;

	if (fstat(from, &st) < 0)
		return -errno;
	/* A file system of an EFI partition has neither. */
	if ((fchown(to, st.st_uid, st.st_gid) < 0 || fchmod(to, st.st_mode & 07777) < 0) &&
	    errno != EPERM && errno != ENOTSUP)
		return -errno;
	n = fgetxattr(from, LABEL, label, sizeof(label));
	if (n > 0 && fsetxattr(to, LABEL, label, (size_t)n, 0) < 0 && errno != ENOTSUP)
		return -errno;
	return 0;
}

/* @old: whose rights it gets; -1: a new one, of @mode. */
static int put(int dir, const char *name, const struct buf *text, int old, uint32_t mode)
{
	AUTO_BUF struct buf temporary = { 0 };
	AUTO_CLOSE int fd = -1;
	int r;

	/* Its beginning and its end keep it from those who read all files of a folder. */
	buf_printf(&temporary, ".%s" TEMPORARY, name);
	if (buf_error(&temporary) < 0)
		return -ENOMEM;
	if (unlinkat(dir, buf_text(&temporary), 0) < 0 && errno != ENOENT)
		return -errno;
	fd = openat(dir, buf_text(&temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return -errno;
	r = base_write(fd, text->data, text->len);
	if (r == 0 && old >= 0)
		r = copy_rights(old, fd);
	else if (r == 0 && fchmod(fd, mode) < 0)
		r = -errno;
	if (r == 0 && (fsync(fd) < 0 || renameat(dir, buf_text(&temporary), dir, name) < 0))
		r = -errno;
	if (r < 0)
		(void)unlinkat(dir, buf_text(&temporary), 0);
	return r;
}

static int put_backup(const struct place *p, const struct rootfile *f, int old)
{
	AUTO_BUF struct buf name = { 0 };

	if (!f->backup)
		return 0;
	buf_printf(&name, "%s%s", p->name, f->backup);
	if (buf_error(&name) < 0)
		return -ENOMEM;
	return put(p->dir, buf_text(&name), f->before, old, 0);
}

/* The file as it is; -1 in @ret_fd: there is none. */
static int look(const struct place *p, int *ret_fd, struct buf *ret)
{
	struct stat st;
	int fd = openat(p->dir, p->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	*ret_fd = fd;
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? files_read(fd, ROOTDIR_FILE_MAX, ret) : -EINVAL;
}

static int write_place(const struct place *p, const struct rootfile *f, struct error *e)
{
	AUTO_BUF struct buf is = { 0 };
	AUTO_CLOSE int old = -1;
	int r = look(p, &old, &is);

	if (r < 0)
		return r;
	if (old < 0 ? !f->after : f->after && is_equal(&is, f->after))
		return 0;
	if (old < 0 ? f->before != NULL : !f->before || !is_equal(&is, f->before))
		return error_set(e, -ESTALE, "%s was changed meanwhile", f->path);
	r = old >= 0 ? put_backup(p, f, old) : 0;
	if (r == 0 && f->after)
		r = put(p->dir, p->name, f->after, old, f->mode);
	else if (r == 0 && unlinkat(p->dir, p->name, 0) < 0)
		r = -errno;
	return r == 0 && fsync(p->dir) < 0 ? -errno : r;
}

int rootfile_write(const struct rootdir *root, const struct rootfile *f, struct error *e)
{
	AUTO_PLACE struct place p = { .dir = -1 };
	int r = find_place(root, f->path, !f->before && f->after, &p);

	/* Of a folder that is not there, the file is not there either. */
	if (r == -ENOENT && !f->after)
		return 0;
	if (r == 0)
		r = write_place(&p, f, e);
	return r < 0 && r != -ESTALE ? error_set(e, r, "%s: %s", f->path, strerror(-r)) : r;
}
