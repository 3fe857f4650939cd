/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/persist.h>

#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include "tree.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define NOBODY	 65534
#define MANIFEST "/etc/sriovctl/installed"
#define UNIT	 "/etc/systemd/system/sriovctl-provision.service"
#define LINK	 "/etc/systemd/system/multi-user.target.wants/sriovctl-provision.service"
#define RULES	 "/etc/udev/rules.d/80-sriovctl.rules"

/* A root that has the program, and a file of somebody else's; in memory, as all is flushed. */
static void make_root(struct tree *t)
{
	strncpy(t->dir, "/dev/shm/sriovctl-test.XXXXXX", sizeof(t->dir) - 1);
	if (!mkdtemp(t->dir))
		tree_make(t);
	tree_put(t, "/usr/sbin/sriovctl", "");
	tree_put(t, "/etc/systemd/system/other.service", "other\n");
}

/* --- what is below a folder: paths, modes, contents ----------------------------------------- */

static struct strv *seen;
static size_t seen_below;

static int see(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	AUTO_BUF struct buf line = { 0 };
	char text[4096] = "";
	ssize_t n = 0;

	(void)ftw;
	if (type == FTW_SL) {
		n = readlink(path, text, sizeof(text) - 1);
	} else if (type == FTW_F) {
		AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

		n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	}
	EXPECT(n >= 0);
	/* What was installed is told in the order in which that was done. */
	if (strcmp(path + seen_below, MANIFEST) == 0)
		text[0] = '\0';
	buf_printf(&line, "%s %o %s\n", path + seen_below, st->st_mode, text);
	return strv_take(seen, buf_take(&line));
}

static void look(const struct tree *t, struct buf *ret)
{
	AUTO_STRV struct strv all = { 0 };

	buf_clear(ret);
	seen = &all;
	seen_below = strlen(t->dir);
	EXPECT(nftw(t->dir, see, 16, FTW_PHYS) == 0);
	strv_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		buf_puts(ret, all.items[i]);
	EXPECT(buf_error(ret) == 0);
}

static bool reads(const struct tree *t, const char *path, const char *text)
{
	AUTO_BUF struct buf full = { 0 };
	char found[4096] = "";
	AUTO_CLOSE int fd = -1;

	buf_printf(&full, "%s%s", t->dir, path);
	fd = open(buf_text(&full), O_RDONLY | O_CLOEXEC);
	return fd >= 0 && read(fd, found, sizeof(found) - 1) >= 0 && strstr(found, text) &&
	       (*text || !*found);
}

static bool is_there(const struct tree *t, const char *path)
{
	AUTO_BUF struct buf full = { 0 };
	struct stat st;

	buf_printf(&full, "%s%s", t->dir, path);
	return lstat(buf_text(&full), &st) == 0;
}

static int plans(const struct tree *t, const char *spec, struct error *e)
{
	AUTO_PERSIST struct persist *p = NULL;

	return persist_plan(t->dir, spec, false, &p, e);
}

/* How many changes it made, or a negative errno. */
static int keep(const struct tree *t, const char *spec, bool replace, struct error *e)
{
	AUTO_PERSIST struct persist *p = NULL;
	int r = persist_plan(t->dir, spec, replace, &p, e);

	if (r == 0)
		r = persist_carry_out(p, e);
	return r < 0 ? r : (int)persist_changes(p)->n;
}

TEST(installs_and_removes_exactly)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf before = { 0 }, after = { 0 };

	make_root(&t);
	look(&t, &before);
	EXPECT(keep(&t, "one", false, NULL) > 0);
	EXPECT(reads(&t, PERSIST_SPEC, "one"));
	EXPECT(reads(&t, UNIT, "ExecStart=/usr/sbin/sriovctl provision --boot\n"));
	EXPECT(reads(&t, RULES, "SYSTEMD_WANTS"));
	EXPECT(is_there(&t, LINK));
	look(&t, &after);
	EXPECT(strstr(buf_text(&after), PERSIST_SPEC " 100600 one\n") != NULL);
	EXPECT(keep(&t, "one", false, NULL) == 0);
	EXPECT(keep(&t, "two", false, NULL) == 1);
	EXPECT(reads(&t, PERSIST_SPEC, "two"));
	EXPECT(keep(&t, NULL, false, NULL) > 0);
	look(&t, &after);
	EXPECT(strcmp(buf_text(&before), buf_text(&after)) == 0);
	EXPECT(keep(&t, NULL, false, NULL) == 0);
}

TEST(dry_plan_changes_nothing)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf before = { 0 }, after = { 0 };
	AUTO_PERSIST struct persist *p = NULL;

	make_root(&t);
	look(&t, &before);
	EXPECT(persist_plan(t.dir, "one", false, &p, NULL) == 0);
	EXPECT(strv_has(persist_changes(p), "write " PERSIST_SPEC));
	EXPECT(strv_has(persist_changes(p), "link " LINK));
	look(&t, &after);
	EXPECT(strcmp(buf_text(&before), buf_text(&after)) == 0);
}

TEST(units_of_a_package_are_only_enabled)
{
	AUTO_TREE struct tree t = { 0 };

	make_root(&t);
	tree_put(&t, "/usr/lib/systemd/system/sriovctl-provision.service", "shipped\n");
	tree_put(&t, "/usr/lib/udev/rules.d/80-sriovctl.rules", "shipped\n");
	EXPECT(keep(&t, "one", false, NULL) > 0);
	EXPECT(!is_there(&t, UNIT));
	EXPECT(!is_there(&t, RULES));
	EXPECT(is_there(&t, LINK));
	EXPECT(is_there(&t, "/etc/systemd/system/sriovctl-carrier.service"));
}

/* A package that comes later makes the copies superfluous. */
TEST(copies_go_when_a_package_brings_them)
{
	AUTO_TREE struct tree t = { 0 };

	make_root(&t);
	EXPECT(keep(&t, "one", false, NULL) > 0);
	tree_put(&t, "/usr/lib/systemd/system/sriovctl-provision.service", "shipped\n");
	EXPECT(keep(&t, "one", false, NULL) == 2);
	EXPECT(!is_there(&t, UNIT));
	EXPECT(is_there(&t, LINK));
}

TEST(what_was_edited_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf before = { 0 }, after = { 0 };
	struct error e = { 0 };

	make_root(&t);
	EXPECT(keep(&t, "one", false, NULL) > 0);
	tree_put(&t, PERSIST_SPEC, "by hand");
	look(&t, &before);
	EXPECT(keep(&t, "two", false, &e) == -EEXIST);
	EXPECT(strstr(e.text, PERSIST_SPEC " is not as sriovctl installed it") != NULL);
	EXPECT(keep(&t, NULL, false, &e) == -EEXIST);
	look(&t, &after);
	EXPECT(strcmp(buf_text(&before), buf_text(&after)) == 0);
	EXPECT(keep(&t, "two", true, NULL) == 1);
	EXPECT(reads(&t, PERSIST_SPEC, "two"));
	tree_put(&t, RULES, "mine\n");
	EXPECT(keep(&t, NULL, false, NULL) == -EEXIST);
	EXPECT(keep(&t, NULL, true, NULL) > 0);
	EXPECT(!is_there(&t, RULES));
}

/* As cloud-init's write_files leaves it. */
TEST(an_equal_file_is_taken_over)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf all = { 0 };

	make_root(&t);
	tree_put(&t, PERSIST_SPEC, "one");
	EXPECT(keep(&t, "one", false, NULL) > 0);
	look(&t, &all);
	EXPECT(strstr(buf_text(&all), PERSIST_SPEC " 100600 one\n") != NULL);
	EXPECT(keep(&t, "two", false, NULL) == 1);
}

TEST(links_lead_nowhere_outside)
{
	AUTO_TREE struct tree t = { 0 }, outside = { 0 };
	AUTO_BUF struct buf before = { 0 }, after = { 0 };
	struct error e = { 0 };

	make_root(&t);
	tree_make(&outside);
	look(&outside, &before);
	tree_put_link(&t, "/etc/udev", outside.dir);
	tree_put_link(&t, "/etc/sriovctl", "../../../../../..");
	EXPECT(keep(&t, "one", false, &e) < 0 || is_there(&t, "/provision.json"));
	look(&outside, &after);
	EXPECT(strcmp(buf_text(&before), buf_text(&after)) == 0);
	EXPECT(!is_there(&outside, "/rules.d"));
}

/* Whoever makes VFs first learns before that they could not be kept. */
TEST(a_folder_that_cannot_be_made_is_found_by_the_plan)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf before = { 0 }, after = { 0 };
	struct error e = { 0 };

	make_root(&t);
	tree_put_link(&t, "/etc/sriovctl", "elsewhere");
	look(&t, &before);
	EXPECT(plans(&t, "one", &e) == -ELOOP);
	EXPECT(strstr(e.text, "/etc/sriovctl is a link to elsewhere, which is not there"));
	look(&t, &after);
	EXPECT(strcmp(buf_text(&before), buf_text(&after)) == 0);
}

TEST(what_may_not_be_written_is_found_by_the_plan)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf etc = { 0 };
	struct error e = { 0 };

	make_root(&t);
	EXPECT(plans(&t, "one", &e) == 0);
	buf_printf(&etc, "%s/etc", t.dir);
	EXPECT(chmod(t.dir, 0755) == 0 && chmod(buf_text(&etc), 0555) == 0);
	EXPECT(geteuid() != 0 || seteuid(NOBODY) == 0);
	EXPECT(plans(&t, "one", &e) == -EACCES);
	EXPECT(getuid() != 0 || seteuid(0) == 0);
	EXPECT(strstr(e.text, "nothing was changed: /etc"));
	EXPECT(chmod(buf_text(&etc), 0755) == 0);
}

/* The last name of a path is somebody's link: what it leads to is left alone. */
TEST(a_link_in_place_of_a_file_is_no_file)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	make_root(&t);
	tree_put(&t, "/etc/sriovctl/real", "precious");
	tree_put_link(&t, PERSIST_SPEC, "real");
	EXPECT(keep(&t, "one", false, &e) == -EEXIST);
	EXPECT(keep(&t, "one", true, NULL) > 0);
	EXPECT(reads(&t, "/etc/sriovctl/real", "precious"));
	EXPECT(reads(&t, PERSIST_SPEC, "one"));
}

TEST(a_root_without_program_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	tree_make(&t);
	tree_put_dir(&t, "/etc");
	EXPECT(keep(&t, "one", false, &e) == -ENOEXEC);
	EXPECT(strstr(e.text, "/usr/sbin") != NULL);
	EXPECT(!is_there(&t, "/etc/sriovctl"));
}

TEST(a_damaged_manifest_is_told)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	make_root(&t);
	tree_put(&t, MANIFEST, "sriovctl-installed 1\nfile 0 relative\n");
	EXPECT(keep(&t, "one", false, &e) == -EBADMSG);
	EXPECT(strstr(e.text, "/etc/sriovctl/installed: line 2") != NULL);
}

/* --- a run that ends anywhere ---------------------------------------------------------------- */

/* True: it was killed on the way, at the system call @at of those that it makes. */
static bool keep_until(const struct tree *t, const char *spec, unsigned at)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(3);
		(void)raise(SIGSTOP);
		_exit(keep(t, spec, false, NULL) < 0);
	}
	EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	/* Each is stopped at twice, before and after. */
	for (unsigned i = 0; i < 2 * at; i++) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) < 0 || waitpid(pid, &status, 0) != pid)
			break;
		if (WIFEXITED(status)) {
			EXPECT(WEXITSTATUS(status) == 0);
			return false;
		}
	}
	(void)kill(pid, SIGKILL);
	EXPECT(waitpid(pid, &status, 0) == pid);
	return WIFSIGNALED(status);
}

/* The spec is the one before or the one after, whole. */
static bool is_spec_whole(const struct tree *t, const char *before, const char *after)
{
	if (!is_there(t, PERSIST_SPEC))
		return !before || !after;
	return (before && reads(t, PERSIST_SPEC, before)) ||
	       (after && reads(t, PERSIST_SPEC, after));
}

/* Each run that is cut off is followed by one that is not, of either kind. */
static void cut_everywhere(const char *before, const char *after)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf bare = { 0 }, whole = { 0 }, now = { 0 };
	bool was_cut = true;
	unsigned at = 1;

	make_root(&t);
	look(&t, &bare);
	EXPECT(keep(&t, after ? after : before, false, NULL) > 0);
	look(&t, &whole);
	for (; was_cut && at < 2000; at++) {
		EXPECT(keep(&t, NULL, false, NULL) >= 0);
		EXPECT(!before || keep(&t, before, false, NULL) > 0);
		was_cut = keep_until(&t, after, at);
		EXPECT(is_spec_whole(&t, before, after));
		/* Enabled is only what is there to be started. */
		EXPECT(!is_there(&t, PERSIST_SPEC) || (is_there(&t, LINK) && is_there(&t, UNIT)));
		if (at % 2 == 0) {
			EXPECT(keep(&t, after ? after : before, false, NULL) >= 0);
			look(&t, &now);
			EXPECT(strcmp(buf_text(&whole), buf_text(&now)) == 0);
		}
		EXPECT(keep(&t, NULL, false, NULL) >= 0);
		look(&t, &now);
		EXPECT(strcmp(buf_text(&bare), buf_text(&now)) == 0);
	}
	/* Less would mean that nothing was tried. */
	EXPECT(!was_cut && at > 50);
}

TEST(cut_off_while_it_installs)
{
	cut_everywhere(NULL, "one");
}

TEST(cut_off_while_it_installs_another)
{
	cut_everywhere("one", "another");
}

TEST(cut_off_while_it_removes)
{
	cut_everywhere("one", NULL);
}
