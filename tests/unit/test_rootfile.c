/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../provision/rootdir.h"
#include "../../provision/rootfile.h"

#include <sriovctl/error.h>

#include "tree.h"

#include <fcntl.h>

#define OLD "old\n"
#define NEW "new\n"

/* What a file of the tree has; NULL: it is not there. */
static bool has(const struct tree *t, const char *path, const char *text)
{
	AUTO_BUF struct buf full = { 0 };
	char is[64] = "";
	FILE *f;

	buf_printf(&full, "%s%s", t->dir, path);
	f = fopen(buf_text(&full), "re");
	if (!f)
		return !text;
	(void)!fread(is, 1, sizeof(is) - 1, f);
	(void)fclose(f);
	return text && strcmp(is, text) == 0;
}

static int put(const struct tree *t, const char *path, const char *before, const char *after,
	       struct error *e)
{
	AUTO_ROOTDIR struct rootdir root = ROOTDIR_CLOSED;
	AUTO_BUF struct buf was = { 0 }, is = { 0 };
	const struct rootfile f = {
		.path = path,
		.before = before ? &was : NULL,
		.after = after ? &is : NULL,
		.backup = ".bak",
		.mode = 0640,
	};

	buf_puts(&was, before ? before : "");
	buf_puts(&is, after ? after : "");
	EXPECT(rootdir_open(t->dir, &root, NULL) == 0);
	EXPECT(!root.is_own);
	return rootfile_write(&root, &f, e);
}

static mode_t mode_of(const struct tree *t, const char *path)
{
	AUTO_BUF struct buf full = { 0 };
	struct stat st = { 0 };

	buf_printf(&full, "%s%s", t->dir, path);
	EXPECT(stat(buf_text(&full), &st) == 0);
	return st.st_mode & 07777;
}

TEST(an_old_file_is_replaced_and_kept)
{
	AUTO_BUF struct buf full = { 0 };
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/etc/a", .text = OLD });
	buf_printf(&full, "%s/etc/a", t.dir);
	EXPECT(chmod(buf_text(&full), 0604) == 0);
	EXPECT(put(&t, "/etc/a", OLD, NEW, NULL) == 0);
	EXPECT(has(&t, "/etc/a", NEW) && has(&t, "/etc/a.bak", OLD));
	EXPECT(mode_of(&t, "/etc/a") == 0604 && mode_of(&t, "/etc/a.bak") == 0604);
	/* Again: nothing is to be done, and the backup stays. */
	EXPECT(put(&t, "/etc/a", OLD, NEW, NULL) == 0 && has(&t, "/etc/a.bak", OLD));
	EXPECT(put(&t, "/etc/a", NEW, NULL, NULL) == 0 && has(&t, "/etc/a", NULL));
	EXPECT(put(&t, "/etc/a", NEW, NULL, NULL) == 0);
}

TEST(a_new_file_gets_its_folders)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/usr" });
	EXPECT(put(&t, "/usr/lib/x/y.d/f", NULL, NEW, NULL) == 0);
	EXPECT(has(&t, "/usr/lib/x/y.d/f", NEW) && mode_of(&t, "/usr/lib/x/y.d/f") == 0640);
	EXPECT(put(&t, "/none/f", NEW, NULL, NULL) == 0);
}

TEST(what_changed_meanwhile_is_left_alone)
{
	struct error e = { 0 };
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/etc/a", .text = "other\n" }, { .path = "/etc/d/x", .text = "" });
	EXPECT(put(&t, "/etc/a", OLD, NEW, &e) == -ESTALE && strstr(e.text, "/etc/a"));
	EXPECT(put(&t, "/etc/a", NULL, NEW, &e) == -ESTALE);
	EXPECT(put(&t, "/etc/b", OLD, NEW, &e) == -ESTALE);
	EXPECT(put(&t, "/etc/d", OLD, NEW, &e) == -EINVAL);
	EXPECT(has(&t, "/etc/a", "other\n") && has(&t, "/etc/a.bak", NULL) &&
	       has(&t, "/etc/b", NULL));
}

TEST(links_lead_to_where_they_would_on_that_system)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/real/a", .text = OLD }, { .path = "/etc/a", .link = "/real/a" },
	     { .path = "/etc/up", .link = "../../../../../../../real/b" },
	     { .path = "/real/b", .text = OLD }, { .path = "/dir", .link = "/../../real" },
	     { .path = "/etc/loop", .link = "loop" }, { .path = "/above", .link = ".." },
	     { .path = "/here", .link = "etc/." }, { .path = "/folder", .link = "../etc/" });
	EXPECT(put(&t, "/etc/a", OLD, NEW, NULL) == 0 && has(&t, "/real/a", NEW));
	EXPECT(put(&t, "/etc/up", OLD, NEW, NULL) == 0 && has(&t, "/real/b", NEW));
	EXPECT(put(&t, "/dir/c", NULL, NEW, NULL) == 0 && has(&t, "/real/c", NEW));
	EXPECT(put(&t, "/etc/loop", OLD, NEW, NULL) == -ELOOP);
	EXPECT(put(&t, "/above", NULL, NEW, NULL) == -EISDIR);
	EXPECT(put(&t, "/here", NULL, NEW, NULL) == -EISDIR);
	EXPECT(put(&t, "/folder", NULL, NEW, NULL) == -EISDIR);
	EXPECT(has(&t, "/real/a.bak", OLD) && has(&t, "/etc/a.bak", NULL));
}

TEST(new_folders_are_open_to_all_whatever_the_umask_is)
{
	AUTO_TREE struct tree t = { 0 };
	const mode_t mask = umask(077);

	tree_new(&t);
	EXPECT(put(&t, "/etc/a/b/file", NULL, NEW, NULL) == 0);
	(void)umask(mask);
	EXPECT(has(&t, "/etc/a/b/file", NEW));
	EXPECT(mode_of(&t, "/etc/a") == 0755 && mode_of(&t, "/etc/a/b") == 0755);
}

TEST(a_link_that_cannot_be_leaves_nothing)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_ROOTDIR struct rootdir root = ROOTDIR_CLOSED;
	AUTO_BUF struct buf left = { 0 };

	TREE(&t, { .path = "/etc/link/file", .text = OLD });
	EXPECT(rootdir_open(t.dir, &root, NULL) == 0);
	EXPECT(rootdir_link(&root, "/etc/link", "elsewhere", NULL) < 0);
	EXPECT(has(&t, "/etc/link/file", OLD));
	EXPECT(rootdir_read_link(&root, "/etc/.link.sriovctl-new", &left, NULL) == -ENOENT);
	EXPECT(rootdir_link(&root, "/etc/other", "elsewhere", NULL) == 0);
	EXPECT(rootdir_read_link(&root, "/etc/other", &left, NULL) == 0);
	EXPECT(same(buf_text(&left), "elsewhere"));
}
