/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/kernel.h>

#include "tree.h"

#include <zlib.h>

static const struct kernel *kernel_of(struct tree *t, const char *path, const char *text)
{
	const struct kernel *k = NULL;

	TREE(t, { .path = path, .text = text });
	EXPECT(kernel_get(t->h, &k, NULL) == 0);
	return k;
}

TEST(release_and_its_numbers)
{
	static const struct {
		const char *release;
		unsigned major, minor;
	} rows[] = {
		{ .release = "6.1.0-18-amd64", .major = 6, .minor = 1 },
		{ .release = "4.18.0-240.el8.x86_64", .major = 4, .minor = 18 },
		{ .release = "6.12", .major = 6, .minor = 12 },
		{ .release = "7", .major = 7, .minor = 0 },
		{ .release = "5.10-rc1", .major = 5, .minor = 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf text = { 0 };
		const struct kernel *k;

		buf_printf(&text, "%s\n", rows[i].release);
		k = kernel_of(&t, "/proc/sys/kernel/osrelease", buf_text(&text));
		EXPECT(k && same(k->release, rows[i].release));
		EXPECT(k && k->major == rows[i].major && k->minor == rows[i].minor);
	}
}

TEST(release_out_of_proc_version)
{
	AUTO_TREE struct tree t = { 0 };
	const struct kernel *k = kernel_of(&t, "/proc/version",
					   "Linux version 6.1.0-18-amd64 (x@y) (gcc 12) #1 SMP\n");

	EXPECT(k && same(k->release, "6.1.0-18-amd64") && k->major == 6);
}

TEST(what_could_lead_elsewhere_in_a_path_is_no_release)
{
	static const char *const texts[] = { "../../etc", "6.1/../..", "", "custom", ".6", "6..1" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct kernel *k = NULL;

		TREE(&t, { .path = "/proc/sys/kernel/osrelease", .text = texts[i] });
		EXPECT(kernel_get(t.h, &k, NULL) == -EINVAL);
	}
}

TEST(not_captured_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct kernel *k = NULL;
	const struct kconfig *c = NULL;

	tree_make(&t);
	tree_put_dir(&t, "/sys");
	tree_open(&t);
	EXPECT(kernel_get(t.h, &k, NULL) == -ENODATA);
	EXPECT(kconfig_get(t.h, &c, NULL) == -ENODATA);
}

TEST(at_least)
{
	const struct kernel k = { .major = 5, .minor = 10 };

	EXPECT(kernel_is_at_least(&k, 5, 10) && kernel_is_at_least(&k, 5, 9));
	EXPECT(kernel_is_at_least(&k, 4, 99));
	EXPECT(!kernel_is_at_least(&k, 5, 11) && !kernel_is_at_least(&k, 6, 0));
}

static bool is_on(const char *text, const char *symbol)
{
	AUTO_BUF struct buf copy = { 0 };
	struct kconfig k = { 0 };

	buf_puts(&copy, text);
	k.text = copy.data;
	return kconfig_is_on(&k, symbol);
}

TEST(symbols)
{
	static const struct {
		const char *text;
		bool on;
	} rows[] = {
		{ .text = "CONFIG_A=m\nCONFIG_PCI_IOV=y\n", .on = true },
		{ .text = "CONFIG_PCI_IOV=m\n", .on = true },
		{ .text = "CONFIG_PCI_IOV=y", .on = true },
		{ .text = "# CONFIG_PCI_IOV is not set\n", .on = false },
		{ .text = "CONFIG_PCI_IOV=n\n", .on = false },
		{ .text = "#CONFIG_PCI_IOV=y\n", .on = false },
		{ .text = " CONFIG_PCI_IOV=y\n", .on = false },
		{ .text = "CONFIG_PCI_IOV_X=y\n", .on = false },
		{ .text = "CONFIG_PCI_IO=y\n", .on = false },
		{ .text = "CONFIG_PCI_IOV=yes\n", .on = false },
		{ .text = "CONFIG_PCI_IOV=\n", .on = false },
		{ .text = "CONFIG_X=\"\nCONFIG_Y=y\n", .on = false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(is_on(rows[i].text, "PCI_IOV") == rows[i].on);
}

#define RELEASE                                                              \
	{                                                                    \
		.path = "/proc/sys/kernel/osrelease", .text = "6.1.0-test\n" \
	}

TEST(the_configuration_comes_from_where_distributions_put_it)
{
	static const char *const paths[] = { "/boot/config-6.1.0-test",
					     "/lib/modules/6.1.0-test/config",
					     "/usr/lib/modules/6.1.0-test/config" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct kconfig *k = NULL;

		TREE(&t, RELEASE, { .path = "/boot/config-5.10", .text = "CONFIG_B=y\n" },
		     { .path = paths[i], .text = "#\nCONFIG_A=y\n" });
		EXPECT(kconfig_get(t.h, &k, NULL) == 0);
		EXPECT(k && same(k->source, paths[i]) && kconfig_is_on(k, "A"));
	}
}

static void put_gzip(const struct tree *t, const char *path, const char *text)
{
	unsigned char out[256];
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)text,
		       .avail_in = (unsigned)strlen(text),
		       .next_out = out,
		       .avail_out = sizeof(out) };

	EXPECT(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	EXPECT(deflate(&z, Z_FINISH) == Z_STREAM_END);
	tree_put_bytes(t, path, out, z.total_out);
	EXPECT(deflateEnd(&z) == Z_OK);
}

TEST(the_running_kernels_own_copy_is_packed)
{
	AUTO_TREE struct tree t = { 0 };
	const struct kconfig *k = NULL;

	tree_new(&t);
	put_gzip(&t, "/proc/config.gz", "CONFIG_A=y\n");
	EXPECT(kconfig_get(t.h, &k, NULL) == 0);
	EXPECT(k && same(k->source, "/proc/config.gz") && kconfig_is_on(k, "A"));
}

TEST(a_damaged_copy_is_not_known)
{
	static const struct {
		const char *bytes;
		size_t len;
	} rows[] = {
		{ .bytes = "CONFIG_A=y\n", .len = 11 },
		{ .bytes = "", .len = 0 },
		{ .bytes = "\x1f\x8b\x08\0\0\0\0\0\0\3", .len = 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct kconfig *k = NULL;

		tree_new(&t);
		tree_put_bytes(&t, "/proc/config.gz", rows[i].bytes, rows[i].len);
		EXPECT(kconfig_get(t.h, &k, NULL) == -EINVAL);
	}
}

/* Else each symbol would look as if it were off. */
TEST(a_file_without_a_symbol_is_no_configuration)
{
	static const char *const texts[] = { "", "#\n# Linux/x86 6.1\n#\n", "version CONFIG_A=y" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct kconfig *k = NULL;

		TREE(&t, RELEASE, { .path = "/boot/config-6.1.0-test", .text = texts[i] });
		EXPECT(kconfig_get(t.h, &k, NULL) == -ENOENT);
	}
}
