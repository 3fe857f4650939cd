/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A root for host_open() that a test makes as it goes: directories on the way to a file
 * appear by themselves, and AUTO_TREE removes everything.
 */
#ifndef TESTS_TEST_TREE_H
#define TESTS_TEST_TREE_H

#include "test.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
	char dir[32];
	struct host *h;
};

static inline void tree_parents(char *path, size_t from)
{
	for (char *p = path + from + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(path, 0755);
		*p = '/';
	}
}

/* @path below the tree, with its directories made. */
static inline void tree_path(const struct tree *t, const char *path, struct buf *ret)
{
	buf_puts(ret, t->dir);
	buf_puts(ret, path);
	tree_parents(ret->data, strlen(t->dir));
}

static inline void tree_put_bytes(const struct tree *t, const char *path, const void *data,
				  size_t len)
{
	AUTO_BUF struct buf full = { 0 };
	FILE *f;

	tree_path(t, path, &full);
	f = fopen(buf_text(&full), "we");
	EXPECT(f != NULL);
	if (!f)
		return;
	EXPECT(fwrite(data, 1, len, f) == len);
	EXPECT(fclose(f) == 0);
}

static inline void tree_put(const struct tree *t, const char *path, const char *text)
{
	tree_put_bytes(t, path, text, strlen(text));
}

static inline void tree_put_dir(const struct tree *t, const char *path)
{
	AUTO_BUF struct buf full = { 0 };

	tree_path(t, path, &full);
	(void)mkdir(buf_text(&full), 0755);
}

static inline void tree_put_link(const struct tree *t, const char *path, const char *target)
{
	AUTO_BUF struct buf full = { 0 };

	tree_path(t, path, &full);
	EXPECT(symlink(target, buf_text(&full)) == 0);
}

/* host_open() wants some directory of a host: the caller puts it before tree_open(). */
static inline void tree_make(struct tree *t)
{
	strncpy(t->dir, "/tmp/sriovctl-test.XXXXXX", sizeof(t->dir) - 1);
	EXPECT(mkdtemp(t->dir) != NULL);
}

static inline void tree_open(struct tree *t)
{
	EXPECT(host_open(t->dir, &t->h, NULL) == 0);
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_close(struct tree *t)
{
	host_close(t->h);
	if (t->dir[0])
		(void)nftw(t->dir, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
#define AUTO_TREE CLEANUP(tree_close)

#endif
