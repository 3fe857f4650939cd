/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test_modules.h"

#include <sriovctl/driver.h>

static void read_driver(const struct tree *t, const char *name, struct driver *ret)
{
	EXPECT(driver_read(t->h, name, "eth0", ret, NULL) == 0);
}

TEST(the_running_kernel_counts_most)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_DRIVER struct driver d = { 0 };

	machine(&t);
	tree_put(&t, "/sys/module/ice/initstate", "live\n");
	tree_put(&t, "/sys/module/ice/version", "1.15.4\n");
	tree_put(&t, "/sys/module/ice/srcversion", "A1B2\n");
	tree_put(&t, "/sys/module/ice/taint", "OE\n");
	tree_put(&t, "/.sriovctl/drvinfo/eth0", "firmware 4.2\nbus 0\ndriver ice\nversion 9-k\n");
	read_driver(&t, "ice", &d);
	EXPECT(d.tree == DRIVER_OUT_OF_TREE && same(d.module, "ice"));
	EXPECT(same(d.version, "1.15.4") && same(d.srcversion, "A1B2"));
	EXPECT(same(d.source, "/sys/module/ice/taint"));
}

TEST(a_version_alone_of_a_copied_tree_tells_not_whose_it_is)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_DRIVER struct driver d = { 0 };

	machine(&t);
	tree_put(&t, "/sys/module/ice/version", "2.6.4\n");
	read_driver(&t, "ice", &d);
	EXPECT(d.tree == DRIVER_TREE_UNKNOWN && same(d.version, "2.6.4"));
}

TEST(a_module_without_foreign_taint_is_of_the_kernel)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_DRIVER struct driver d = { 0 };

	machine(&t);
	tree_put(&t, "/sys/module/mlx5_core/initstate", "live\n");
	tree_put(&t, "/sys/module/mlx5_core/taint", "\n");
	tree_put_link(&t, "/sys/bus/pci/drivers/mlx5/module", "../../../../module/mlx5_core");
	read_driver(&t, "mlx5", &d);
	EXPECT(d.tree == DRIVER_IN_TREE && same(d.module, "mlx5_core"));
	EXPECT(!d.version && !d.srcversion);
}

TEST(what_is_built_in_is_of_the_kernel)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_DRIVER struct driver d = { 0 };

	machine(&t);
	tree_put(&t, "/sys/module/igb/parameters/max_vfs", "0\n");
	read_driver(&t, "igb", &d);
	EXPECT(d.tree == DRIVER_IN_TREE && same(d.source, "/sys/module/igb"));
}

TEST(a_driver_that_is_not_loaded_is_told_by_its_file)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_DRIVER struct driver ours = { 0 }, theirs = { 0 };

	machine(&t);
	if (!machine_modules(&t))
		TEST_SKIP("needs gcc and depmod");
	read_driver(&t, "iommufd", &ours);
	EXPECT(ours.tree == DRIVER_IN_TREE && same(ours.version, "1.15.4"));
	EXPECT(same(ours.source, MODULES "/kernel/iommufd.ko"));
	read_driver(&t, "vfio-pci", &theirs);
	EXPECT(theirs.tree == DRIVER_OUT_OF_TREE && !theirs.version);
}

/* What is loaded may be of another file than the one that stands there now, or be none. */
TEST(what_the_kernel_refuses_to_tell_is_told_by_no_file)
{
	static const char *const refused[] = { "taint", "version", "srcversion" };

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf index = { 0 };
		AUTO_DRIVER struct driver d = { 0 };

		tree_make(&t);
		buf_printf(&index,
			   "sriovctl capture 1\npartial\nall /sys/module/ice\n"
			   "read EACCES /sys/module/ice/%s\n",
			   refused[i]);
		tree_put(&t, "/.sriovctl/index", buf_text(&index));
		tree_put(&t, "/proc/sys/kernel/osrelease", RELEASE "\n");
		tree_put(&t, "/sys/module/ice/parameters/x", "0\n");
		tree_put(&t, MODULES "/modules.builtin", "kernel/drivers/net/ice.ko\n");
		tree_open(&t);
		read_driver(&t, "ice", &d);
		EXPECT(d.tree == DRIVER_TREE_UNKNOWN && !d.version && d.error == -EACCES);
	}
}

/* Of a machine of which only texts were sent. */
static void read_by_ethtool(const char *version, struct driver *ret)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };

	tree_new(&t);
	tree_put(&t, "/proc/sys/kernel/osrelease", RELEASE "\n");
	buf_printf(&text, "firmware 4.20\nbus 0000:01:00.0\ndriver ice\nversion %s\n", version);
	tree_put(&t, "/.sriovctl/drvinfo/eth0", buf_text(&text));
	read_driver(&t, "ice", ret);
}

TEST(ethtool_tells_what_the_driver_calls_itself)
{
	static const struct {
		const char *said, *version;
		enum driver_tree tree;
	} rows[] = {
		{ .said = "2.8.20-k", .version = "2.8.20-k", .tree = DRIVER_IN_TREE },
		{ .said = "1.15.4", .version = "1.15.4" },
		{ .said = RELEASE },
		{ .said = "N/A" },
		{ .said = "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_DRIVER struct driver d = { 0 };

		read_by_ethtool(rows[i].said, &d);
		EXPECT(d.tree == rows[i].tree);
		EXPECT(rows[i].version ? same(d.version, rows[i].version) : !d.version);
	}
}

TEST(a_file_that_is_not_the_loaded_module_tells_nothing)
{
	static const struct {
		const char *vermagic, *loaded, *sys;
		bool is_it;
	} rows[] = {
		{ .vermagic = RELEASE " SMP", .is_it = true },
		{ .vermagic = RELEASE " SMP", .loaded = "1.15.4", .is_it = true },
		{ .vermagic = RELEASE " SMP", .loaded = "N/A", .is_it = true },
		{ .vermagic = RELEASE "-other SMP" },
		{ .vermagic = "5.4.0 SMP" },
		/* The driver of the kernel's tree is loaded. */
		{ .vermagic = RELEASE " SMP", .loaded = RELEASE },
		{ .vermagic = RELEASE " SMP", .loaded = "1.14.13" },
		{ .vermagic = RELEASE " SMP", .sys = "1.14.13" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_BUF struct buf text = { 0 }, answer = { 0 };
		AUTO_DRIVER struct driver d = { 0 };

		tree_new(&t);
		tree_put(&t, "/proc/sys/kernel/osrelease", RELEASE "\n");
		buf_printf(&text, "version 1.15.4\nvermagic %s\n", rows[i].vermagic);
		tree_put(&t, "/.sriovctl/modinfo/ice", buf_text(&text));
		buf_printf(&answer, "firmware 4\nbus 0\ndriver ice\nversion %s\n",
			   rows[i].loaded ? rows[i].loaded : "");
		tree_put(&t, "/.sriovctl/drvinfo/eth0", buf_text(&answer));
		if (rows[i].sys)
			tree_put(&t, "/sys/module/ice/version", rows[i].sys);
		read_driver(&t, "ice", &d);
		EXPECT((d.tree == DRIVER_OUT_OF_TREE) == rows[i].is_it);
	}
}
