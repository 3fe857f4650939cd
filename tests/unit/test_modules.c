/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/modules.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RELEASE "6.1.0-test"
#define MODULES "/lib/modules/" RELEASE

/* A tree for host_open(), removed with everything in it. */
struct tree {
	char dir[32];
	struct host *h;
};

static void make_parents(char *path, size_t from)
{
	for (char *p = path + from + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(path, 0755);
		*p = '/';
	}
}

static void put_bytes(const struct tree *t, const char *path, const void *data, size_t len)
{
	AUTO_BUF struct buf full = { 0 };
	FILE *f;

	buf_printf(&full, "%s%s", t->dir, path);
	make_parents(full.data, strlen(t->dir));
	f = fopen(buf_text(&full), "we");
	EXPECT(f != NULL);
	if (!f)
		return;
	EXPECT(fwrite(data, 1, len, f) == len);
	EXPECT(fclose(f) == 0);
}

static void put(const struct tree *t, const char *path, const char *text)
{
	put_bytes(t, path, text, strlen(text));
}

static void put_dir(const struct tree *t, const char *path)
{
	AUTO_BUF struct buf full = { 0 };

	buf_printf(&full, "%s%s/", t->dir, path);
	make_parents(full.data, strlen(t->dir));
}

static void put_link(const struct tree *t, const char *path, const char *target)
{
	AUTO_BUF struct buf full = { 0 };

	buf_printf(&full, "%s%s", t->dir, path);
	make_parents(full.data, strlen(t->dir));
	EXPECT(symlink(target, buf_text(&full)) == 0);
}

/* Of a machine of which everything asked for was captured, and that has nothing. */
static void tree_open(struct tree *t)
{
	strncpy(t->dir, "/tmp/test_modules.XXXXXX", sizeof(t->dir) - 1);
	EXPECT(mkdtemp(t->dir) != NULL);
	put(t, "/proc/sys/kernel/osrelease", RELEASE "\n");
	put(t, "/proc/modules", "");
	put_dir(t, "/sys/module");
	put_dir(t, "/lib/modules");
	put_dir(t, "/etc/modprobe.d");
	put_dir(t, "/run/modprobe.d");
	put_dir(t, "/usr/local/lib/modprobe.d");
	put_dir(t, "/usr/lib/modprobe.d");
	put_dir(t, "/lib/modprobe.d");
	EXPECT(host_open(t->dir, &t->h, NULL) == 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void tree_close(struct tree *t)
{
	host_close(t->h);
	if (t->dir[0])
		(void)nftw(t->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
#define AUTO_TREE CLEANUP(tree_close)

static bool run(const char *dir, const char *const *argv)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
		if (chdir(dir) == 0)
			(void)execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* vfio-pci needs vfio, iommufd is alone, vfio_iommu_type1 is built in.  False: no tools for it. */
static bool put_modules(const struct tree *t)
{
	static const char *const cc[] = { "gcc", "-c", "vfio.c", "vfio-pci.c", "iommufd.c", NULL };
	const char *const depmod[] = { "/sbin/depmod", "-b", t->dir, RELEASE, NULL };
	static const char modinfo[] = "vfio_iommu_type1.license=GPL\0"
				      "vfio_iommu_type1.alias=pci:v00001d0f*";
	static const char *const names[] = { "vfio", "vfio-pci", "iommufd" };
	AUTO_BUF struct buf dir = { 0 }, from = { 0 }, to = { 0 };

	buf_printf(&dir, "%s" MODULES "/kernel", t->dir);
	put(t, MODULES "/kernel/vfio.c",
	    "int vfio_core;\n"
	    "const char s[] __attribute__((section(\"__ksymtab_strings\"))) = \"vfio_core\";\n"
	    "const char i[] __attribute__((section(\".modinfo\"))) = \"license=GPL\";\n");
	put(t, MODULES "/kernel/vfio-pci.c",
	    "extern int vfio_core;\nint *p = &vfio_core;\n"
	    "const char i[] __attribute__((section(\".modinfo\"))) =\n"
	    "\"vermagic=" RELEASE " SMP\\0alias=pci:v00008086d*sv*sd*bc*sc*i*\";\n");
	put(t, MODULES "/kernel/iommufd.c",
	    "const char i[] __attribute__((section(\".modinfo\"))) = \"vermagic=other\";\n");
	put(t, MODULES "/modules.builtin", "kernel/drivers/vfio/vfio_iommu_type1.ko\n");
	put(t, MODULES "/modules.order", "");
	put_bytes(t, MODULES "/modules.builtin.modinfo", modinfo, sizeof(modinfo));
	if (!run(buf_text(&dir), cc))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		buf_clear(&from);
		buf_clear(&to);
		buf_printf(&from, "%s/%s.o", buf_text(&dir), names[i]);
		buf_printf(&to, "%s/%s.ko", buf_text(&dir), names[i]);
		EXPECT(rename(buf_text(&from), buf_text(&to)) == 0);
	}
	return run("/", depmod);
}

static const struct modules *get(const struct tree *t)
{
	const struct modules *m = NULL;

	EXPECT(modules_get(t->h, &m, NULL) == 0);
	return m;
}

static bool is(const char *text, const char *expected)
{
	return expected ? text && strcmp(text, expected) == 0 : !text;
}

static void expect_state(const struct modules *m, const char *name, enum modules_state state,
			 const char *source)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	struct error e = { 0 };
	int r = modules_lookup(m, name, &info, &e);

	EXPECT(r == 0);
	EXPECT(info.state == state);
	EXPECT(is(info.source, source));
	if (r < 0 || info.state != state || !is(info.source, source))
		printf("# %s: %d %s\n", name, (int)info.state, r < 0 ? e.text : info.source);
}

static int lookup_code(const struct modules *m, const char *name)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };

	return modules_lookup(m, name, &info, NULL);
}

TEST(states)
{
	AUTO_TREE struct tree t = { 0 };
	const struct modules *m;

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	put(&t, "/proc/modules",
	    "snd_pcm 1 0 - Live 0x0000000000000000\nsnd_seq 1 0 - Unloading 0x0000000000000000\n"
	    "xfs 1 1 libcrc32c, Live 0x0\n");
	put(&t, "/sys/module/ice/initstate", "live\n");
	put(&t, "/sys/module/snd_seq/initstate", "going\n");
	put(&t, "/sys/module/kvm/parameters/x", "Y\n");
	m = get(&t);
	EXPECT(modules_have_dir(m) == 0);
	EXPECT(is(modules_dir(m), MODULES));
	expect_state(m, "vfio-pci", MODULES_LOADABLE, MODULES "/kernel/vfio-pci.ko");
	expect_state(m, "vfio_pci", MODULES_LOADABLE, MODULES "/kernel/vfio-pci.ko");
	expect_state(m, "vfio-iommu-type1", MODULES_BUILTIN, MODULES "/modules.builtin.bin");
	expect_state(m, "snd-pcm", MODULES_LOADED, "/proc/modules");
	expect_state(m, "xfs", MODULES_LOADED, "/proc/modules");
	expect_state(m, "ice", MODULES_LOADED, "/sys/module/ice/initstate");
	expect_state(m, "kvm", MODULES_BUILTIN, "/sys/module/kvm");
	expect_state(m, "snd_seq", MODULES_MISSING, MODULES "/modules.dep.bin");
	expect_state(m, "nonsense", MODULES_MISSING, MODULES "/modules.dep.bin");
	EXPECT(lookup_code(m, "../../etc/passwd") == -EINVAL);
	EXPECT(lookup_code(m, "") == -EINVAL);
}

TEST(merged_usr)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf from = { 0 }, to = { 0 };

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	buf_printf(&from, "%s/lib/modules", t.dir);
	buf_printf(&to, "%s/usr/lib/modules", t.dir);
	EXPECT(rename(buf_text(&from), buf_text(&to)) == 0);
	buf_clear(&from);
	buf_printf(&from, "%s/lib/modprobe.d", t.dir);
	EXPECT(rmdir(buf_text(&from)) == 0);
	buf_clear(&from);
	buf_printf(&from, "%s/lib", t.dir);
	EXPECT(rmdir(buf_text(&from)) == 0);
	put_link(&t, "/lib", "/usr/lib");
	expect_state(get(&t), "iommufd", MODULES_LOADABLE, MODULES "/kernel/iommufd.ko");
}

/* The file went and depmod was not run: modprobe would fail. */
TEST(stale_index)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	buf_printf(&path, "%s" MODULES "/kernel/iommufd.ko", t.dir);
	EXPECT(unlink(buf_text(&path)) == 0);
	expect_state(get(&t), "iommufd", MODULES_MISSING, MODULES "/kernel/iommufd.ko");
}

TEST(no_package)
{
	AUTO_TREE struct tree t = { 0 };
	const struct modules *m;

	tree_open(&t);
	m = get(&t);
	EXPECT(modules_have_dir(m) == -ENOENT);
	expect_state(m, "vfio-pci", MODULES_MISSING, MODULES);
}

TEST(not_captured)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf path = { 0 };
	const struct modules *m;

	tree_open(&t);
	buf_printf(&path, "%s/lib/modules", t.dir);
	EXPECT(rmdir(buf_text(&path)) == 0);
	buf_clear(&path);
	buf_printf(&path, "%s/lib/modprobe.d", t.dir);
	EXPECT(rmdir(buf_text(&path)) == 0);
	put(&t, "/sys/module/ice/initstate", "live\n");
	m = get(&t);
	EXPECT(modules_have_dir(m) == -ENODATA);
	EXPECT(lookup_code(m, "vfio-pci") == -ENODATA);
	EXPECT(modules_resolve(m, "pci:v00008086d0000", &names, NULL) == -ENODATA);
	expect_state(m, "ice", MODULES_LOADED, "/sys/module/ice/initstate");
}

TEST(release_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };
	const struct modules *m;

	tree_open(&t);
	buf_printf(&path, "%s/proc/sys/kernel/osrelease", t.dir);
	EXPECT(unlink(buf_text(&path)) == 0);
	m = get(&t);
	EXPECT(modules_dir(m) == NULL);
	EXPECT(modules_have_dir(m) == -ENODATA);
	EXPECT(lookup_code(m, "vfio-pci") == -ENODATA);
}

TEST(hostile_release)
{
	AUTO_TREE struct tree t = { 0 };

	tree_open(&t);
	put(&t, "/proc/sys/kernel/osrelease", "../../etc\n");
	EXPECT(lookup_code(get(&t), "vfio-pci") < 0);
}

TEST(resolve)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv names = { 0 };
	const struct modules *m;

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_resolve(m, "pci:v00008086d00001572sv00sd00bc02sc00i00", &names, NULL) == 0);
	EXPECT(names.n == 1 && is(names.items[0], "vfio_pci"));
	EXPECT(modules_resolve(m, "pci:v00001d0fd0000", &names, NULL) == 0);
	EXPECT(names.n == 1 && is(names.items[0], "vfio_iommu_type1"));
	EXPECT(modules_resolve(m, "pci:v000015b3d00001572", &names, NULL) == -ENOENT);
}

TEST(inspect)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_MODULES_FILE struct modules_file f = { 0 };
	const struct modules *m;

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_lookup(m, "vfio-pci", &info, NULL) == 0);
	EXPECT(modules_inspect(m, &info, &f, NULL) == 0);
	EXPECT(!f.is_signed && !f.signer);
	EXPECT(is(f.vermagic, RELEASE " SMP"));
}

/* The trailer of scripts/sign-file: signer, key, signature, lengths, magic. */
TEST(inspect_signed)
{
	static const char trailer[] = "Test keySIGN\1\4\1\10\0\0\0\0\0\0\0\4"
				      "~Module signature appended~\n";
	AUTO_TREE struct tree t = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_MODULES_FILE struct modules_file f = { 0 };
	AUTO_BUF struct buf file = { 0 };
	const struct modules *m;

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_lookup(m, "iommufd", &info, NULL) == 0);
	EXPECT(host_read(t.h, info.source, 1 << 20, &file, NULL) == 0);
	buf_append(&file, trailer, sizeof(trailer) - 1);
	put_bytes(&t, MODULES "/kernel/iommufd.ko", file.data, file.len);
	EXPECT(modules_inspect(m, &info, &f, NULL) == 0);
	EXPECT(f.is_signed);
	EXPECT(is(f.signer, "Test key"));
	EXPECT(is(f.vermagic, "other"));
}

/* libkmod's own reaction to these is to assert. */
TEST(inspect_damaged)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_BUF struct buf file = { 0 };
	const struct modules *m;
	/* e_shoff, e_shnum, e_shstrndx of an Elf64_Ehdr */
	static const size_t at[] = { 40, 60, 62 };

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_lookup(m, "iommufd", &info, NULL) == 0);
	EXPECT(host_read(t.h, info.source, 1 << 20, &file, NULL) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		AUTO_MODULES_FILE struct modules_file f = { 0 };
		AUTO_BUF struct buf copy = { 0 };

		buf_append(&copy, file.data, file.len);
		memset(copy.data + at[i], at[i] == 62 ? 0 : 0xff, 2);
		put_bytes(&t, MODULES "/kernel/iommufd.ko", copy.data, copy.len);
		EXPECT(modules_inspect(m, &info, &f, NULL) < 0);
	}
	put(&t, MODULES "/kernel/iommufd.ko", "");
	{
		AUTO_MODULES_FILE struct modules_file f = { 0 };

		EXPECT(modules_inspect(m, &info, &f, NULL) < 0);
	}
}

/* The first ends within its root, which libkmod reads for ever: it must be stopped. */
TEST(damaged_index)
{
	static const struct {
		const char *text;
		size_t len;
	} rows[] = {
		{ "\xb0\x07\xf4\x57\0\2\0\1\x80\0\0\x0czyx", 15 },
		{ "\xb0\x07\xf4\x57\0\2\0\1\x80\0\0\x0fzyx", 15 },
		{ "\xb0\x07\xf4\x57\0\2\0\1", 8 },
		{ "garbage", 7 },
		{ "", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };

		tree_open(&t);
		put_bytes(&t, MODULES "/modules.dep.bin", rows[i].text, rows[i].len);
		EXPECT(lookup_code(get(&t), "abc") == -EBADMSG);
	}
}

static void expect_config(const struct modules *m, const char *name, const char *blacklist_source,
			  const char *install, const char *install_source, bool blocks)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };

	EXPECT(modules_lookup(m, name, &info, NULL) == 0);
	EXPECT(is(info.blacklist_source, blacklist_source));
	EXPECT(is(info.install, install));
	EXPECT(is(info.install_source, install_source));
	EXPECT(info.blocks == blocks);
	EXPECT(info.config_error == 0);
}

TEST(blacklist_and_install)
{
	AUTO_TREE struct tree t = { 0 };
	const struct modules *m;

	tree_open(&t);
	put(&t, "/etc/modprobe.d/a.conf",
	    "# blacklist xfs\nblacklist nouveau\nthis is no directive\nblacklist\n"
	    "install vfio-pci /bin/false\n"
	    "install dccp \\\n  /bin/true\n"
	    "install soft /sbin/modprobe --ignore-install soft && true\n"
	    "install snd-* /bin/false\n"
	    "alias ipv6 off\n");
	put(&t, "/usr/lib/modprobe.d/b.conf", "blacklist vfio_pci\n");
	put(&t, "/usr/lib/modprobe.d/README", "blacklist ice\n");
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

	tree_open(&t);
	if (!put_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	put(&t, "/etc/modprobe.d/a.conf", "install vfio /bin/true\n");
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
	EXPECT(is(buf_text(&v), value ? value : ""));
	EXPECT(is(buf_text(&s), source ? source : ""));
}

TEST(options)
{
	AUTO_TREE struct tree t = { 0 };
	const struct modules *m;

	tree_open(&t);
	put(&t, "/etc/modprobe.d/z.conf",
	    "options vfio-pci ids=8086:1572 disable-vga=1 nointxmask\n");
	put(&t, "/usr/lib/modprobe.d/b.conf",
	    "options vfio_iommu_type1 allow_unsafe_interrupts=1\n"
	    "options vfio_pci ids=\"1111:2222 x\" text=\"a b\" idsx=3\n");
	put(&t, "/usr/lib/modprobe.d/z.conf", "options vfio enable_unsafe_noiommu_mode=1\n");
	put_link(&t, "/etc/modprobe.d/c.conf", "/dev/null");
	put(&t, "/usr/lib/modprobe.d/c.conf", "options iommufd allow_unsafe_interrupts=1\n");
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

TEST(config_not_captured)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 }, v = { 0 }, s = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	const struct modules *m;

	tree_open(&t);
	put(&t, "/etc/modprobe.d/a.conf", "options vfio a=1\n");
	buf_printf(&path, "%s/run/modprobe.d", t.dir);
	EXPECT(rmdir(buf_text(&path)) == 0);
	buf_clear(&path);
	buf_printf(&path, "%s/run", t.dir);
	EXPECT(rmdir(buf_text(&path)) == 0);
	m = get(&t);
	EXPECT(modules_lookup(m, "vfio", &info, NULL) == 0);
	EXPECT(info.config_error == -ENODATA);
	EXPECT(modules_option(m, "vfio", "a", &v, &s, NULL) == 0);
	EXPECT(modules_option(m, "vfio", "b", &v, &s, NULL) == -ENODATA);
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

	tree_open(&t);
	put(&t, "/cmdline", "quiet modprobe.blacklist=vfio_pci,x vfio.evil=1 vfio.evil=2\n");
	put(&t, "/etc/modprobe.d/a.conf", "options vfio good=1\nblacklist other\n");
	put(&t, "/etc/modprobe.d/b.conf", "options vfio last=1\n");
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

TEST(this_machine)
{
	AUTO_HOST struct host *h = NULL;
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	const struct modules *m = NULL;

	EXPECT(host_open("/", &h, NULL) == 0);
	EXPECT(modules_get(h, &m, NULL) == 0);
	EXPECT(modules_lookup(m, "no_such_module_anywhere", &info, NULL) < 0 ||
	       info.state == MODULES_MISSING);
}
