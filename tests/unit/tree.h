/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A root for host_open() that a test makes as it goes: directories on the way to a file
 * appear by themselves, and AUTO_TREE removes everything.  Or a whole root as a table of
 * rows: a file with its text, a link with its target, or, with neither, a directory.
 */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include "test.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
	char dir[32];
	struct host *h;
};

/* @path below the tree, with its directories made. */
static inline void tree_path(const struct tree *t, const char *path, struct buf *ret)
{
	buf_puts(ret, t->dir);
	buf_puts(ret, path);
	for (char *p = ret->data + strlen(t->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(ret->data, 0755);
		*p = '/';
	}
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

struct tree_row {
	const char *path, *text, *link;
	size_t len; /* of the text; 0: as far as its NUL */
};

static inline void tree_put_rows(const struct tree *t, const struct tree_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (rows[i].text)
			tree_put_bytes(t, rows[i].path, rows[i].text,
				       rows[i].len ? rows[i].len : strlen(rows[i].text));
		else if (rows[i].link)
			tree_put_link(t, rows[i].path, rows[i].link);
		else
			tree_put_dir(t, rows[i].path);
	}
}

/* The root with an empty /proc, which makes it a host's; the test adds to it as it likes. */
static inline void tree_new(struct tree *t)
{
	tree_make(t);
	tree_put_dir(t, "/proc");
	tree_open(t);
}

static inline void tree_build(struct tree *t, const struct tree_row *rows, size_t n)
{
	tree_new(t);
	tree_put_rows(t, rows, n);
}

/* AUTO_TREE struct tree t = { 0 }; TREE(&t, { .path = "/proc/cmdline", .text = "quiet" }); */
#define TREE(t, ...)                                             \
	do {                                                     \
		const struct tree_row rows_[] = { __VA_ARGS__ }; \
		tree_build(t, rows_, ARRAY_SIZE(rows_));         \
	} while (0)

static inline bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

#endif
