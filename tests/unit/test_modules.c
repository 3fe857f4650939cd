/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test_modules.h"

#include <sriovctl/modules_guest.h>

#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include <errno.h>

static void expect_state(const struct modules *m, const char *name, enum modules_state state,
			 const char *source)
{
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	struct error e = { 0 };
	int r = modules_lookup(m, name, &info, &e);

	EXPECT(r == 0);
	EXPECT(info.state == state);
	EXPECT(same(info.source, source));
	if (r < 0 || info.state != state || !same(info.source, source))
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

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	tree_put(&t, "/proc/modules",
		 "snd_pcm 1 0 - Live 0x0000000000000000\nsnd_seq 1 0 - Unloading "
		 "0x0000000000000000\n"
		 "xfs 1 1 libcrc32c, Live 0x0\n");
	tree_put(&t, "/sys/module/ice/initstate", "live\n");
	tree_put(&t, "/sys/module/snd_seq/initstate", "going\n");
	tree_put(&t, "/sys/module/kvm/parameters/x", "Y\n");
	m = get(&t);
	EXPECT(modules_have_dir(m) == 0);
	EXPECT(same(modules_dir(m), MODULES));
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

	machine(&t);
	if (!machine_modules(&t))
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
	tree_put_link(&t, "/lib", "/usr/lib");
	expect_state(get(&t), "iommufd", MODULES_LOADABLE, MODULES "/kernel/iommufd.ko");
}

/* The file went and depmod was not run: modprobe would fail. */
TEST(stale_index)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	buf_printf(&path, "%s" MODULES "/kernel/iommufd.ko", t.dir);
	EXPECT(unlink(buf_text(&path)) == 0);
	expect_state(get(&t), "iommufd", MODULES_MISSING, MODULES "/kernel/iommufd.ko");
}

TEST(no_package)
{
	AUTO_TREE struct tree t = { 0 };
	const struct modules *m;

	machine(&t);
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

	machine(&t);
	buf_printf(&path, "%s/lib/modules", t.dir);
	EXPECT(rmdir(buf_text(&path)) == 0);
	buf_clear(&path);
	buf_printf(&path, "%s/lib/modprobe.d", t.dir);
	EXPECT(rmdir(buf_text(&path)) == 0);
	tree_put(&t, "/sys/module/ice/initstate", "live\n");
	m = get(&t);
	EXPECT(modules_have_dir(m) == -ENODATA);
	EXPECT(lookup_code(m, "vfio-pci") == -ENODATA);
	EXPECT(modules_resolve(m, "pci:v00008086d0000", &names, NULL) == -ENODATA);
	expect_state(m, "ice", MODULES_LOADED, "/sys/module/ice/initstate");
}

/* The folder of a module that was loaded may have been copied without its state. */
TEST(a_folder_in_part_is_not_that_of_a_built_in_module)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };

	machine(&t);
	buf_printf(&path, "%s/proc/modules", t.dir);
	EXPECT(unlink(buf_text(&path)) == 0);
	tree_put(&t, "/sys/module/ice/parameters/x", "0\n");
	EXPECT(lookup_code(get(&t), "ice") == -ENODATA);
}

TEST(release_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };
	const struct modules *m;

	machine(&t);
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

	machine(&t);
	tree_put(&t, "/proc/sys/kernel/osrelease", "../../etc\n");
	EXPECT(lookup_code(get(&t), "vfio-pci") < 0);
}

TEST(resolve)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv names = { 0 };
	const struct modules *m;

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_resolve(m, "pci:v00008086d00001572sv00sd00bc02sc00i00", &names, NULL) == 0);
	EXPECT(names.n == 1 && same(names.items[0], "vfio_pci"));
	EXPECT(modules_resolve(m, "pci:v00001d0fd0000", &names, NULL) == 0);
	EXPECT(names.n == 1 && same(names.items[0], "vfio_iommu_type1"));
	EXPECT(modules_resolve(m, "pci:v000015b3d00001572", &names, NULL) == -ENOENT);
}

TEST(inspect)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_MODULES_FILE struct modules_file f = { 0 };
	const struct modules *m;

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_lookup(m, "vfio-pci", &info, NULL) == 0);
	EXPECT(modules_inspect(m, &info, &f, NULL) == 0);
	EXPECT(!f.is_signed && !f.signer);
	EXPECT(same(f.vermagic, RELEASE " SMP"));
	EXPECT(!f.is_intree && !f.version && !f.srcversion);
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

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_lookup(m, "iommufd", &info, NULL) == 0);
	EXPECT(host_read(t.h, 1 << 20, &file, NULL, "%s", info.source) == 0);
	buf_append(&file, trailer, sizeof(trailer) - 1);
	tree_put_bytes(&t, MODULES "/kernel/iommufd.ko", file.data, file.len);
	EXPECT(modules_inspect(m, &info, &f, NULL) == 0);
	EXPECT(f.is_signed);
	EXPECT(same(f.signer, "Test key"));
	EXPECT(same(f.vermagic, "other"));
	EXPECT(f.is_intree && same(f.version, "1.15.4") && same(f.srcversion, "2A6B"));
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

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	m = get(&t);
	EXPECT(modules_lookup(m, "iommufd", &info, NULL) == 0);
	EXPECT(host_read(t.h, 1 << 20, &file, NULL, "%s", info.source) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		AUTO_MODULES_FILE struct modules_file f = { 0 };
		AUTO_BUF struct buf copy = { 0 };

		buf_append(&copy, file.data, file.len);
		memset(copy.data + at[i], at[i] == 62 ? 0 : 0xff, 2);
		tree_put_bytes(&t, MODULES "/kernel/iommufd.ko", copy.data, copy.len);
		EXPECT(modules_inspect(m, &info, &f, NULL) < 0);
	}
	tree_put(&t, MODULES "/kernel/iommufd.ko", "");
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

		machine(&t);
		tree_put_bytes(&t, MODULES "/modules.dep.bin", rows[i].text, rows[i].len);
		EXPECT(lookup_code(get(&t), "abc") == -EBADMSG);
	}
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

TEST(of_a_guest)
{
	AUTO_MODULES_GUEST struct modules_guest *g = NULL;
	AUTO_TREE struct tree t = { 0 };
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf dir = { 0 }, nothing = { 0 };
	struct error e = { 0 };

	machine(&t);
	if (!machine_modules(&t))
		return;
	buf_printf(&dir, "%s" MODULES, t.dir);
	EXPECT(modules_guest_open(buf_text(&dir), &g, NULL) == 0);
	EXPECT(modules_guest_resolve(g, "pci:v00008086d000010CAsv0sd0bc02sc00i00", &names, NULL) ==
	       0);
	EXPECT(names.n == 1 && same(names.items[0], "vfio_pci"));
	strv_done(&names);
	/* Built in. */
	EXPECT(modules_guest_resolve(g, "pci:v00001d0fd0000EC20sv0sd0bc02sc00i00", &names, NULL) ==
	       0);
	strv_done(&names);
	EXPECT(modules_guest_resolve(g, "pci:v000015B3d00001016sv0sd0bc02sc00i00", &names, NULL) ==
	       -ENOENT);
	EXPECT(modules_guest_has(g, "vfio-pci", NULL) == 0);
	EXPECT(modules_guest_has(g, "vfio_iommu_type1", NULL) == 0);
	EXPECT(modules_guest_has(g, "igbvf", NULL) == -ENOENT);
	buf_printf(&nothing, "%s/lib", t.dir);
	modules_guest_close(TAKE(g));
	EXPECT(modules_guest_open(buf_text(&nothing), &g, &e) == -ENOENT);
	EXPECT(strstr(e.text, "modules.alias.bin") && strstr(e.text, "/lib/modules/RELEASE"));
	tree_put(&t, MODULES "/modules.alias.bin", "no index");
	EXPECT(modules_guest_open(buf_text(&dir), &g, &e) == -EBADMSG);
}
