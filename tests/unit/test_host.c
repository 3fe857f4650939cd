/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/host.h>

#include "tree_attr.h"

#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>

/* A test that hangs is ended by this signal, and so fails. */
#define SECONDS 10

/* --- opening ------------------------------------------------------------------------ */

static int open_code(const char *root, struct error *e)
{
	AUTO_HOST struct host *h = NULL;

	return host_open(root, &h, e);
}

TEST(a_root_is_a_folder_with_something_of_a_host)
{
	static const char *const tops[] = {
		"/proc", "/sys", "/etc", "/boot", "/lib", "/usr", "/var"
	};

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		AUTO_TREE struct tree t = { 0 };

		tree_make(&t);
		tree_put_dir(&t, tops[i]);
		EXPECT(open_code(t.dir, NULL) == 0);
	}
}

TEST(other_folders_are_refused_with_the_reason)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	tree_make(&t);
	tree_put(&t, "/photos/proc", "x");
	tree_put(&t, "/proc", "a file");
	EXPECT(open_code(t.dir, &e) == -EINVAL);
	EXPECT(strstr(e.text, t.dir) && strstr(e.text, "not a host's tree"));
}

TEST(what_is_neither_folder_nor_capture_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	TREE(&t, { .path = "/file", .text = "x" });
	buf_printf(&path, "%s/file", t.dir);
	EXPECT(open_code(buf_text(&path), NULL) == -EINVAL);
	buf_puts(&path, "s");
	EXPECT(open_code(buf_text(&path), NULL) == -ENOENT);
	EXPECT(open_code("/dev/null", NULL) == -EINVAL);
}

TEST(the_running_system_is_known_by_its_root_whatever_it_is_called)
{
	static const char *const names[] = { "/", "//", "/proc/..", "/proc/self/root" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		AUTO_HOST struct host *h = NULL;

		EXPECT(host_open(names[i], &h, NULL) == 0);
		EXPECT(h && host_is_live(h) && same(host_root(h), names[i]));
	}
}

TEST(any_other_root_is_foreign)
{
	AUTO_TREE struct tree t = { 0 };

	tree_new(&t);
	EXPECT(!host_is_live(t.h));
	EXPECT(same(host_root(t.h), t.dir));
}

/* --- absence ------------------------------------------------------------------------- */

TEST(foreign_absence_counts_where_the_folder_was_captured)
{
	static const struct {
		const char *path;
		int code;
	} rows[] = {
		{ .path = "/sys/class/iommu/dmar0", .code = -ENOENT },
		{ .path = "/sys/class/net", .code = -ENOENT },
		{ .path = "/sys/class/net/eth0", .code = -ENODATA },
		{ .path = "/etc/modprobe.d", .code = -ENODATA },
		{ .path = "/proc/cmdline", .code = -ENOENT },
		/* A file stands where a folder should: what is in that one is not known. */
		{ .path = "/sys/kernel/x", .code = -ENODATA },
	};
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/sys/class/iommu" }, { .path = "/sys/kernel", .text = "" });
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_STRV struct strv names = { 0 };
		AUTO_BUF struct buf text = { 0 };

		EXPECT(tree_code(&t, rows[i].path) == rows[i].code);
		EXPECT(host_exists(t.h, "%s", rows[i].path) == rows[i].code);
		EXPECT(host_list(t.h, &names, NULL, "%s", rows[i].path) == rows[i].code);
		EXPECT(host_link_name(t.h, &text, NULL, "%s", rows[i].path) == rows[i].code);
	}
}

TEST(a_captured_link_to_what_was_not_captured_is_not_absence)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv names = { 0 };

	TREE(&t, { .path = "/etc/modprobe.d/vfio.conf", .link = "/opt/site/vfio.conf" },
	     { .path = "/sys/class/net", .link = "../devices/net" });
	EXPECT(tree_code(&t, "/etc/modprobe.d/vfio.conf") == -ENODATA);
	EXPECT(tree_code(&t, "/sys/class/net/eth0/address") == -ENODATA);
	EXPECT(host_list(t.h, &names, NULL, "/sys/class/net") == -ENODATA);
}

TEST(a_name_exists_wherever_it_leads)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/file", .text = "" }, { .path = "/proc/dir" },
	     { .path = "/proc/link", .link = "nowhere" });
	EXPECT(host_exists(t.h, "/proc/file") == 0);
	EXPECT(host_exists(t.h, "/proc/%s", "dir") == 0);
	EXPECT(host_exists(t.h, "/proc/link") == 0);
	EXPECT(host_exists(t.h, "/proc/other") == -ENOENT);
}

TEST(the_error_says_why_it_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };
	struct error e = { 0 };

	tree_new(&t);
	EXPECT(host_attr(t.h, &text, &e, "/sys/x/y") == -ENODATA);
	EXPECT(e.code == -ENODATA && same(e.text, "/sys/x/y: not captured in this root"));
	EXPECT(host_attr(t.h, &text, &e, "/proc/x") == -ENOENT);
	EXPECT(parse_has_prefix(e.text, "/proc/x: "));
}

/* In a process with a mount namespace of its own; 2: the system does not let us. */
static int with_mask(const char *masked, int (*test)(const struct host *h))
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		AUTO_HOST struct host *h = NULL;

		if (unshare(CLONE_NEWNS) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
			_exit(2);
		if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount("tmpfs", masked, "tmpfs", 0, NULL) < 0)
			_exit(2);
		_exit(host_open("/", &h, NULL) == 0 && test(h) == 0 ? 0 : 1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
									       : 1;
}

/* As containers hide it: an empty tmpfs. */
static int expect_hidden(const struct host *h)
{
	AUTO_STRV struct strv names = { 0 };

	return host_exists(h, "/sys/firmware/acpi/tables/DMAR") == -ENODATA &&
			       host_list(h, &names, NULL, "/sys/firmware") == -ENODATA &&
			       host_exists(h, "/sys/kernel/no-such-name") == -ENOENT
		       ? 0
		       : -1;
}

TEST(what_a_container_masks_is_not_known)
{
	AUTO_HOST struct host *h = NULL;
	int code;

	EXPECT(host_open("/", &h, NULL) == 0);
	if (host_exists(h, "/sys/kernel/no-such-name") != -ENOENT)
		TEST_SKIP("/sys is masked here");
	code = with_mask("/sys/firmware", expect_hidden);
	if (code == 2)
		TEST_SKIP("needs the right to mount");
	EXPECT(code == 0);
}

TEST(live_absence_counts_in_the_kernels_own_trees)
{
	AUTO_HOST struct host *h = NULL;

	EXPECT(host_open("/", &h, NULL) == 0);
	EXPECT(host_exists(h, "/proc/no-such-name") == -ENOENT);
	EXPECT(host_exists(h, "/proc/no/such/name") == -ENOENT);
	EXPECT(host_exists(h, "/etc/no/such/name") == -ENOENT);
}

/* --- containment ---------------------------------------------------------------------- */

TEST(links_never_lead_out_of_a_foreign_root)
{
	static const char *const targets[] = {
		"/etc/passwd",
		"/proc/self/root/etc/passwd",
		"../../../../../../../../../../etc/passwd",
		"../proc/../../etc/../../../../etc/passwd",
		"/proc/self/fd/0",
		"/proc/self/cwd",
	};

	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		AUTO_TREE struct tree t = { 0 };

		TREE(&t, { .path = "/etc/link", .link = targets[i] });
		EXPECT(tree_code(&t, "/etc/link") == -ENODATA);
	}
}

TEST(paths_never_climb_out_of_a_foreign_root)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/etc/motd", .text = "ours\n" });
	EXPECT(tree_code(&t, "/../../../../../../../../etc/passwd") < 0);
	EXPECT(tree_reads(&t, "/../../../../etc/motd", "ours"));
}

TEST(links_within_a_foreign_root_are_followed)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/usr/lib/os-release", .text = "ID=debian\n" },
	     { .path = "/etc/os-release", .link = "../usr/lib/os-release" },
	     { .path = "/lib", .link = "/usr/lib" },
	     { .path = "/etc/far", .link = "../../../../../usr/lib/os-release" });
	EXPECT(tree_reads(&t, "/etc/os-release", "ID=debian"));
	EXPECT(tree_reads(&t, "/lib/os-release", "ID=debian"));
	EXPECT(tree_reads(&t, "/etc/far", "ID=debian"));
}

TEST(magic_links_of_a_mounted_proc_are_not_followed)
{
	AUTO_TREE struct tree t = { 0 };
	pid_t pid;
	int status = 0;

	tree_new(&t);
	pid = fork();
	if (pid == 0) {
		AUTO_BUF struct buf proc = { 0 };

		buf_printf(&proc, "%s/proc", t.dir);
		if (unshare(CLONE_NEWNS) < 0 ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount("proc", buf_text(&proc), "proc", 0, NULL) < 0)
			_exit(2);
		/* The root that was opened before is in the namespace before. */
		host_close(TAKE(t.h));
		tree_open(&t);
		_exit(tree_code(&t, "/proc/self/root/etc/passwd") == -ELOOP &&
				      tree_code(&t, "/proc/version") == 0
			      ? 0
			      : 1);
	}
	EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		TEST_SKIP("needs the right to mount");
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(a_link_to_itself_is_an_error)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/a", .link = "a" }, { .path = "/proc/b", .link = "b/c" });
	EXPECT(tree_code(&t, "/proc/a") == -ELOOP);
	EXPECT(tree_code(&t, "/proc/b") == -ELOOP);
}

/* --- what is no regular file ------------------------------------------------------------ */

TEST(a_fifo_is_refused_and_does_not_block)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	tree_new(&t);
	buf_printf(&path, "%s/proc/fifo", t.dir);
	EXPECT(mkfifo(buf_text(&path), 0600) == 0);
	(void)alarm(SECONDS);
	EXPECT(tree_code(&t, "/proc/fifo") == -EINVAL);
	(void)alarm(0);
}

TEST(a_socket_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	tree_new(&t);
	(void)snprintf(name.sun_path, sizeof(name.sun_path), "%s/proc/socket", t.dir);
	EXPECT(bind(fd, (const struct sockaddr *)&name, sizeof(name)) == 0);
	EXPECT(tree_code(&t, "/proc/socket") == -EINVAL);
	(void)close(fd);
}

TEST(a_device_is_refused)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	tree_new(&t);
	buf_printf(&path, "%s/proc/zero", t.dir);
	if (mknod(buf_text(&path), S_IFCHR | 0600, makedev(1, 5)) < 0)
		TEST_SKIP("needs the right to make a device node");
	EXPECT(tree_code(&t, "/proc/zero") == -EINVAL);
}

TEST(a_folder_is_no_file)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/dir" });
	EXPECT(tree_code(&t, "/proc/dir") == -EINVAL);
}

TEST(a_file_without_permission_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	if (geteuid() == 0)
		TEST_SKIP("root may read everything");
	TREE(&t, { .path = "/proc/secret", .text = "x" });
	buf_printf(&path, "%s/proc/secret", t.dir);
	EXPECT(chmod(buf_text(&path), 0) == 0);
	EXPECT(tree_code(&t, "/proc/secret") == -EACCES);
}
