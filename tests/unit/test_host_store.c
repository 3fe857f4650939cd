/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../checks/host/host_helper.h"
#include "../../checks/host/host_index.h"
#include "../../checks/host/host_store.h"

#include "tree.h"

#include <sriovctl/error.h>

#include <signal.h>

static int parse(const char *text, struct host_store **ret, struct error *e)
{
	EXPECT(host_store_new(ret, NULL) == 0);
	return host_index_parse(text, strlen(text), *ret, e);
}

static void expect_refused(const char *text, const char *why)
{
	AUTO_STORE struct host_store *s = NULL;
	struct error e = { 0 };

	EXPECT(parse(text, &s, &e) == -EINVAL);
	if (!strstr(e.text, why))
		printf("# %s\n", e.text);
	EXPECT(strstr(e.text, why));
}

#define FIRST "sriovctl capture 1\n"

TEST(an_index_says_the_line_that_is_wrong)
{
	expect_refused("", "line 1: ");
	expect_refused("sriovctl capture 2\n", "line 1: ");
	expect_refused(FIRST "all /a\nsome /b\n", "line 3: no statement");
	expect_refused(FIRST "read EWHAT /b\n", "line 2: read names no error");
	expect_refused(FIRST "read /b\n", "line 2: read names no error");
	expect_refused(FIRST "absent b\n", "line 2: a path is not absolute");
	expect_refused(FIRST "absent /b/\n", "line 2: a path is not absolute");
	expect_refused(FIRST "absent /b/../c\n", "line 2: a path is not absolute");
	expect_refused(FIRST "absent /b\\x20c\n", "line 2: a path is not spelled");
	expect_refused(FIRST "absent /b\\x1\n", "line 2: a path is not spelled");
	expect_refused(FIRST "all /b\nabsent /b\n", "line 3: contradicts");
	expect_refused(FIRST "absent /b\nall /b/c\n", "line 3: the path is below");
	expect_refused(FIRST "read EIO /b\nread EIO /b\n", "line 3: contradicts");
	expect_refused(FIRST "list EIO /b\n", "line 2: contradicts");
	expect_refused(FIRST "all /b", "line 2: does not end");
	expect_refused(FIRST "all /a\npartial\n", "line 3: no statement");
}

static void expect_printed(const char *text)
{
	AUTO_STORE struct host_store *s = NULL;
	AUTO_BUF struct buf out = { 0 };

	EXPECT(parse(text, &s, NULL) == 0);
	EXPECT(host_index_print(s, &out) == 0);
	if (!same(buf_text(&out), text))
		printf("# %s# %s", buf_text(&out), text);
	EXPECT(same(buf_text(&out), text));
}

TEST(an_index_is_printed_as_it_was)
{
	expect_printed(FIRST);
	expect_printed(FIRST "partial\n");
	expect_printed(FIRST "all /a\nname /a/b\nfile /a/c\nother /a/d\nblind EACCES /a/e\n"
			     "absent /b\nread EFBIG /c\nfile /d\nlist ENOENT /d\n"
			     "read EINVAL /e\\x0a\\x5c\\xff f\n");
}

static void open_index(const char *text, struct host **ret)
{
	AUTO_TREE struct tree t = { 0 };

	tree_make(&t);
	tree_put(&t, "/.sriovctl/index", text);
	tree_put(&t, "/proc/cmdline", "quiet\n");
	tree_put_link(&t, "/proc/up", "../../../../proc/cmdline");
	tree_put_link(&t, "/proc/absolute", "/proc/cmdline");
	tree_put_link(&t, "/proc/loop", "loop");
	tree_put_link(&t, "/proc/dangling", "missing");
	tree_put_link(&t, "/proc/unknown", "../etc/x");
	EXPECT(host_open(t.dir, ret, NULL) == 0);
}

static int attr_error(const struct host *h, const char *path)
{
	AUTO_BUF struct buf text = { 0 };

	return host_attr(h, &text, NULL, "%s", path);
}

TEST(what_was_refused_is_refused_again)
{
	AUTO_HOST struct host *h = NULL;

	open_index(FIRST "absent /proc/missing\nread ETIMEDOUT /proc/slow\n"
			 "blind EACCES /root\nname /proc/seen\nlist EPERM /proc\n",
		   &h);
	EXPECT(!host_is_partial(h) && !host_is_live(h));
	EXPECT(attr_error(h, "/proc/missing") == -ENOENT);
	EXPECT(attr_error(h, "/proc/missing/below") == -ENOENT);
	EXPECT(attr_error(h, "/proc/slow") == -ETIMEDOUT);
	EXPECT(attr_error(h, "/root/x") == -EACCES);
	EXPECT(attr_error(h, "/proc/seen") == -ENOMEDIUM && host_exists(h, "/proc/seen") == 0);
	EXPECT(attr_error(h, "/proc/other") == -ENOMEDIUM);
	EXPECT(attr_error(h, "/proc") == -EINVAL);
	EXPECT(host_exists(h, "/proc/other") == -ENOMEDIUM);
	EXPECT(same(host_why(h, -ENOMEDIUM), "not captured in this root"));
	EXPECT(same(host_why(h, -ENODATA), "hidden from this process"));
	EXPECT(strstr(host_why(h, -ETIMEDOUT), "holds its lock"));
}

TEST(links_are_followed_within_the_root)
{
	AUTO_HOST struct host *h = NULL;

	open_index(FIRST "absent /proc/missing\n", &h);
	EXPECT(attr_error(h, "/proc/up") == -EIO || attr_error(h, "/proc/up") == 0);
	EXPECT(attr_error(h, "/proc/loop") == -ELOOP);
	EXPECT(attr_error(h, "/proc/dangling") == -ENOENT);
	EXPECT(host_exists(h, "/proc/dangling") == 0);
	EXPECT(attr_error(h, "/proc/unknown") == -ENOMEDIUM);
}

/* --- the process that reads ------------------------------------------------------------ */

static int read_or_hang(const void *arg, const char *path, size_t max, struct buf *ret)
{
	(void)arg;
	while (strcmp(path, "hang") == 0)
		(void)pause();
	if (strcmp(path, "die") == 0)
		_exit(3);
	for (size_t i = 0; i < max; i++)
		buf_append(ret, path, 1);
	return strcmp(path, "refuse") == 0 ? -EACCES : buf_error(ret);
}

TEST(who_hangs_is_given_up_and_the_next_answers)
{
	struct host_helper h = { .read = read_or_hang };
	AUTO_BUF struct buf text = { 0 };
	pid_t first;

	EXPECT(host_helper_read(&h, "a", 3, 5000, &text) == 0 && same(buf_text(&text), "aaa"));
	first = h.pid;
	EXPECT(host_helper_read(&h, "b", 1 << 20, 5000, &text) == 0 && text.len == 3 + (1 << 20));
	EXPECT(host_helper_read(&h, "refuse", 1, 5000, &text) == -EACCES);
	EXPECT(h.pid == first);
	EXPECT(host_helper_read(&h, "hang", 1, 100, &text) == -ETIMEDOUT);
	EXPECT(host_helper_read(&h, "a", 1, 5000, &text) == 0 && h.pid != first);
	EXPECT(host_helper_read(&h, "die", 1, 5000, &text) == -EIO);
	EXPECT(host_helper_read(&h, "a", 1, 5000, &text) == 0);
	host_helper_close(&h);
	EXPECT(h.pid == 0);
}

/* Or who waits for the end of the program's output would wait for the one that hangs. */
TEST(who_hangs_holds_nothing_open)
{
	struct host_helper h = { .read = read_or_hang };
	AUTO_BUF struct buf text = { 0 };
	int ends[2];
	char byte;

	EXPECT(pipe(ends) == 0);
	EXPECT(host_helper_read(&h, "a", 1, 5000, &text) == 0);
	(void)close(ends[1]);
	EXPECT(read(ends[0], &byte, 1) == 0);
	(void)close(ends[0]);
	host_helper_close(&h);
}
