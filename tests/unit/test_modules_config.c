/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test_modules.h"

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

static void expect_config(const struct modules *m, const char *name, const char *blacklist_source,
			  const char *install, const char *install_source, bool blocks)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };

	EXPECT(modules_lookup(m, name, &info, NULL) == 0);
	EXPECT(same(info.blacklist_source, blacklist_source));
	EXPECT(same(info.install, install));
	EXPECT(same(info.install_source, install_source));
	EXPECT(info.blocks == blocks);
	EXPECT(info.config_error == 0);
}

TEST(blacklist_and_install)
{
	AUTO_TREE struct tree t = { 0 };
	const struct modules *m;

	machine(&t);
	tree_put(&t, "/etc/modprobe.d/a.conf",
		 "# blacklist xfs\nblacklist nouveau\nthis is no directive\nblacklist\n"
		 "install vfio-pci /bin/false\n"
		 "install dccp \\\n  /bin/true\n"
		 "install soft /sbin/modprobe --ignore-install soft && true\n"
		 "install snd-* /bin/false\n"
		 "alias ipv6 off\n");
	tree_put(&t, "/usr/lib/modprobe.d/b.conf", "blacklist vfio_pci\n");
	tree_put(&t, "/usr/lib/modprobe.d/README", "blacklist ice\n");
	m = get(&t);
	expect_config(m, "nouveau", "/etc/modprobe.d/a.conf", NULL, NULL, false);
	expect_config(m, "xfs", NULL, NULL, NULL, false);
	expect_config(m, "ice", NULL, NULL, NULL, false);
	expect_config(m, "vfio_pci", "/usr/lib/modprobe.d/b.conf", "install vfio_pci /bin/false",
		      "/etc/modprobe.d/a.conf", true);
	expect_config(m, "dccp", NULL, "install dccp /bin/true", "/etc/modprobe.d/a.conf", true);
	expect_config(m, "soft", NULL, "install soft /sbin/modprobe --ignore-install soft && true",
		      "/etc/modprobe.d/a.conf", false);
	expect_config(m, "snd-pcm", NULL, "install snd_* /bin/false", "/etc/modprobe.d/a.conf",
		      true);
	expect_config(m, "ipv6", NULL, "alias ipv6 off", "/etc/modprobe.d/a.conf", true);
}

TEST(blocked_dependency)
{
	AUTO_TREE struct tree t = { 0 };

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	tree_put(&t, "/etc/modprobe.d/a.conf", "install vfio /bin/true\n");
	expect_config(get(&t), "vfio-pci", NULL, "install vfio /bin/true", "/etc/modprobe.d/a.conf",
		      true);
	expect_config(get(&t), "iommufd", NULL, NULL, NULL, false);
}

static void expect_option(const struct modules *m, const char *module, const char *param,
			  const char *value, const char *source)
{
	AUTO_BUF struct buf v = { 0 }, s = { 0 };
	int r = modules_option(m, module, param, &v, &s, NULL);

	EXPECT(r == (value ? 0 : -ENOENT));
	EXPECT(same(buf_text(&v), value ? value : ""));
	EXPECT(same(buf_text(&s), source ? source : ""));
}

TEST(options)
{
	AUTO_TREE struct tree t = { 0 };
	const struct modules *m;

	machine(&t);
	tree_put(&t, "/etc/modprobe.d/z.conf",
		 "options vfio-pci ids=8086:1572 disable-vga=1 nointxmask\n");
	tree_put(&t, "/usr/lib/modprobe.d/b.conf",
		 "options vfio_iommu_type1 allow_unsafe_interrupts=1\n"
		 "options vfio_pci ids=\"1111:2222 x\" text=\"a b\" idsx=3\n");
	tree_put(&t, "/usr/lib/modprobe.d/z.conf", "options vfio enable_unsafe_noiommu_mode=1\n");
	tree_put_link(&t, "/etc/modprobe.d/c.conf", "/dev/null");
	tree_put(&t, "/usr/lib/modprobe.d/c.conf", "options iommufd allow_unsafe_interrupts=1\n");
	m = get(&t);
	expect_option(m, "vfio_iommu_type1", "allow_unsafe_interrupts", "1",
		      "/usr/lib/modprobe.d/b.conf");
	expect_option(m, "vfio-pci", "ids", "8086:1572", "/etc/modprobe.d/z.conf");
	expect_option(m, "vfio-pci", "text", "a b", "/usr/lib/modprobe.d/b.conf");
	expect_option(m, "vfio-pci", "disable_vga", "1", "/etc/modprobe.d/z.conf");
	expect_option(m, "vfio-pci", "nointxmask", "1", "/etc/modprobe.d/z.conf");
	expect_option(m, "vfio-pci", "id", NULL, NULL);
	/* Hidden by a file of the same name, and by a link to /dev/null. */
	expect_option(m, "vfio", "enable_unsafe_noiommu_mode", NULL, NULL);
	expect_option(m, "iommufd", "allow_unsafe_interrupts", NULL, NULL);
}

/* The machine without @dir and the directory above it. */
static const struct modules *get_without(struct tree *t, const char *dir, const char *above)
{
	const char *const dirs[] = { dir, above };

	machine(t);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		AUTO_BUF struct buf path = { 0 };

		buf_printf(&path, "%s%s", t->dir, dirs[i]);
		EXPECT(rmdir(buf_text(&path)) == 0);
	}
	return get(t);
}

TEST(config_of_the_administrator_not_captured)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf v = { 0 }, s = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	const struct modules *m = get_without(&t, "/etc/modprobe.d", "/etc");

	EXPECT(modules_lookup(m, "vfio", &info, NULL) == 0);
	EXPECT(info.config_error == -ENODATA);
	EXPECT(modules_option(m, "vfio", "b", &v, &s, NULL) == -ENODATA);
}

/* /run is no part of a captured root. */
TEST(config_of_a_boot_not_captured)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf v = { 0 }, s = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	const struct modules *m = get_without(&t, "/run/modprobe.d", "/run");

	EXPECT(modules_lookup(m, "vfio", &info, NULL) == 0);
	EXPECT(info.config_error == 0);
	EXPECT(modules_option(m, "vfio", "b", &v, &s, NULL) == -ENOENT);
}

/* In a mount namespace of its own, where this machine's command line says bad things. */
static int with_other_cmdline(const struct tree *t)
{
	AUTO_BUF struct buf path = { 0 }, v = { 0 }, s = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	const struct modules *m = NULL;

	buf_printf(&path, "%s/cmdline", t->dir);
	if (unshare(CLONE_NEWNS) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return 77;
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount(buf_text(&path), "/proc/cmdline", NULL, MS_BIND, NULL) < 0)
		return 77;
	if (modules_get(t->h, &m, NULL) < 0 || modules_lookup(m, "vfio_pci", &info, NULL) < 0)
		return 1;
	if (info.blacklist || modules_option(m, "vfio", "evil", &v, &s, NULL) != -ENOENT)
		return 2;
	if (modules_option(m, "vfio", "good", &v, &s, NULL) != 0 ||
	    modules_option(m, "vfio", "last", &v, &s, NULL) != 0)
		return 3;
	return 0;
}

TEST(command_line_of_this_machine_does_not_leak)
{
	AUTO_TREE struct tree t = { 0 };
	int status = -1;
	pid_t pid;

	machine(&t);
	tree_put(&t, "/cmdline", "quiet modprobe.blacklist=vfio_pci,x vfio.evil=1 vfio.evil=2\n");
	tree_put(&t, "/etc/modprobe.d/a.conf", "options vfio good=1\nblacklist other\n");
	tree_put(&t, "/etc/modprobe.d/b.conf", "options vfio last=1\n");
	pid = fork();
	if (pid == 0) {
		int r = with_other_cmdline(&t);

		host_close(t.h);
		_exit(r);
	}
	EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		TEST_SKIP("needs a mount namespace");
	EXPECT(WEXITSTATUS(status) == 0);
}
