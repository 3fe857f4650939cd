/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules of a machine that this process takes for its own: nothing is loaded that is one. */
#include "test_modules.h"

#include <sriovctl/error.h>
#include <sriovctl/modules_load.h>

#include <sys/utsname.h>

/* What came of it in a process that has @t for its root; false: it may not. */
static bool load(const struct tree *t, const char *name, struct error *ret)
{
	int fds[2], status = -1;
	ssize_t n = 0;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		struct error e = { 0 };

		if (chroot(t->dir) < 0 || chdir("/") < 0)
			_exit(77);
		e.code = modules_load(name, &e);
		_exit(write(fds[1], &e, sizeof(e)) != (ssize_t)sizeof(e));
	}
	(void)close(fds[1]);
	if (pid > 0)
		n = read(fds[0], ret, sizeof(*ret));
	(void)close(fds[0]);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 &&
	       n == (ssize_t)sizeof(*ret);
}

/* The modules are those of the kernel that runs. */
static bool make(struct tree *t)
{
	AUTO_BUF struct buf path = { 0 };
	struct utsname u;

	machine(t);
	if (uname(&u) < 0 || !machine_modules(t))
		return false;
	buf_printf(&path, "/lib/modules/%s", u.release);
	tree_put_link(t, buf_text(&path), RELEASE);
	return true;
}

TEST(one_that_is_not_there)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	if (!make(&t) || !load(&t, "no-such", &e))
		TEST_SKIP("no modules can be made, or no root be changed");
	EXPECT(e.code == -ENOENT);
	EXPECT(same(e.text, "the running kernel has no module no-such"));
}

TEST(one_that_is_built_in)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	if (!make(&t) || !load(&t, "vfio_iommu_type1", &e))
		TEST_SKIP("no modules can be made, or no root be changed");
	EXPECT(e.code == 0);
}

/* No shell, whatever modprobe.d says. */
TEST(one_that_modprobe_would_run_a_command_for)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };
	struct error e = { 0 };

	if (!make(&t))
		TEST_SKIP("no modules can be made");
	tree_put(&t, "/etc/modprobe.d/x.conf", "install iommufd : >/ran\n");
	if (!load(&t, "iommufd", &e))
		TEST_SKIP("no root can be changed");
	EXPECT(e.code == -EPERM && strstr(e.text, "install command"));
	EXPECT(strstr(e.text, "load it by \"modprobe iommufd\" first"));
	tree_path(&t, "/ran", &path);
	EXPECT(access(buf_text(&path), F_OK) < 0);
}

/* It is none that any kernel takes. */
TEST(one_that_the_kernel_refuses)
{
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	if (!make(&t) || !load(&t, "iommufd", &e))
		TEST_SKIP("no modules can be made, or no root be changed");
	EXPECT(e.code < 0 && strstr(e.text, "module iommufd cannot be loaded: "));
}
