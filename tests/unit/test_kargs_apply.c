/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/kargs.h>
#include <sriovctl/kargs_apply.h>

#include <sriovctl/error.h>

#include "tree.h"

#define HEAD  "linux /vmlinuz\n"
#define ENTRY "/boot/loader/entries/"

static const struct tree_row rhel[] = {
	{ .path = ENTRY "a.conf", .text = HEAD "options ro b=off\n" },
	{ .path = ENTRY "b.conf", .text = HEAD "options ro\n" },
	{ .path = "/etc/default/grub", .text = "GRUB_CMDLINE_LINUX=\"ro\"\n" },
	{ .path = "/etc/kernel/cmdline", .text = "ro\n" },
};

static bool holds(const struct tree *t, const char *path, const char *text)
{
	AUTO_BUF struct buf is = { 0 };

	return host_read(t->h, 4096, &is, NULL, "%s", path) == 0 &&
	       strcmp(buf_text(&is), text) == 0;
}

static bool is_untouched(const struct tree *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(rhel); i++)
		if (!holds(t, rhel[i].path, rhel[i].text))
			return false;
	return true;
}

static void want(struct kargs *k)
{
	EXPECT(strv_add(&k->add, "a=on") == 0 && strv_add(&k->remove, "b=off") == 0);
}

static int apply(const struct tree *t, const struct kargs *k, const struct kargs_plan *p,
		 struct error *e)
{
	return kargs_apply(t->dir, BOOTCFG_GRUBBY, k, p, e);
}

TEST(all_files_or_none)
{
	AUTO_KARGS struct kargs k = { 0 };

	want(&k);
	/* Each of the four in turn is another one when it is written. */
	for (size_t i = 0; i <= ARRAY_SIZE(rhel); i++) {
		AUTO_KARGS_PLAN struct kargs_plan p = { 0 };
		AUTO_TREE struct tree t = { 0 };
		struct error e = { 0 };
		int r;

		tree_build(&t, rhel, ARRAY_SIZE(rhel));
		EXPECT(kargs_plan_make(t.h, BOOTCFG_GRUBBY, &k, &p, NULL) == 0 && p.n == 4);
		if (i < p.n)
			tree_put(&t, p.edits[i].path, "other\n");
		r = apply(&t, &k, &p, &e);
		EXPECT(r == (i < p.n ? -ESTALE : 0));
		if (i < p.n) {
			EXPECT(holds(&t, p.edits[i].path, "other\n"));
			EXPECT(strstr(e.text, p.edits[i].path));
			tree_put(&t, p.edits[i].path, buf_text(&p.edits[i].before));
			EXPECT(is_untouched(&t));
		}
	}
}

TEST(done_once_there_is_nothing_to_do)
{
	AUTO_KARGS_PLAN struct kargs_plan p = { 0 }, again = { 0 };
	AUTO_KARGS struct kargs k = { 0 };
	AUTO_TREE struct tree t = { 0 };

	want(&k);
	tree_build(&t, rhel, ARRAY_SIZE(rhel));
	EXPECT(kargs_plan_make(t.h, BOOTCFG_GRUBBY, &k, &p, NULL) == 0);
	EXPECT(apply(&t, &k, &p, NULL) == 0);
	EXPECT(holds(&t, ENTRY "a.conf", HEAD "options ro a=on\n"));
	EXPECT(holds(&t, ENTRY "a.conf" KARGS_APPLY_BACKUP, HEAD "options ro b=off\n"));
	EXPECT(holds(&t, "/etc/kernel/cmdline", "ro a=on\n"));
	EXPECT(kargs_plan_make(t.h, BOOTCFG_GRUBBY, &k, &again, NULL) == 0 && again.n == 0);
	/* The same plan again finds all as it has to be. */
	EXPECT(apply(&t, &k, &p, NULL) == 0);
	EXPECT(holds(&t, ENTRY "a.conf" KARGS_APPLY_BACKUP, HEAD "options ro b=off\n"));
}

TEST(a_write_that_does_not_last_is_put_back)
{
	AUTO_KARGS_PLAN struct kargs_plan p = { 0 };
	AUTO_KARGS struct kargs k = { 0 }, other = { 0 };
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	want(&k);
	EXPECT(strv_add(&other.add, "c=on") == 0);
	tree_build(&t, rhel, ARRAY_SIZE(rhel));
	EXPECT(kargs_plan_make(t.h, BOOTCFG_GRUBBY, &k, &p, NULL) == 0);
	/* The plan of one wish, verified by another. */
	EXPECT(apply(&t, &other, &p, &e) == -ESTALE && strstr(e.text, "all is as it was"));
	EXPECT(is_untouched(&t));
}

TEST(two_runs_are_not_at_it_at_once)
{
	AUTO_TREE struct tree t = { 0 }, other = { 0 };
	AUTO_CLOSE int first = -1, second = -1;
	struct error e = { 0 };

	tree_build(&t, rhel, ARRAY_SIZE(rhel));
	tree_build(&other, rhel, ARRAY_SIZE(rhel));
	EXPECT(kargs_apply_lock(t.dir, &first, NULL) == 0);
	EXPECT(kargs_apply_lock(t.dir, &second, &e) == -EBUSY);
	EXPECT(second == -1 && strstr(e.text, "another run") && strstr(e.text, t.dir));
	EXPECT(kargs_apply_lock(other.dir, &second, NULL) == 0);
	base_close(&second);
	base_close(&first);
	EXPECT(kargs_apply_lock(t.dir, &first, NULL) == 0);
	EXPECT(kargs_apply_lock("/proc/version", &second, NULL) == -ENOTDIR);
}

TEST(the_running_kernels_folders_are_known)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/x", .text = "" }, { .path = "/sys" },
	     { .path = "/mounted/proc", .link = "/../../../proc" });
	EXPECT(!kargs_apply_is_mounted(t.dir));
	EXPECT(!kargs_apply_is_mounted("/"));
	EXPECT(!kargs_apply_is_mounted("/proc/version"));
}
