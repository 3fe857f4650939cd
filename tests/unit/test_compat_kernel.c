/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults of kernels: whose kernel it is, and what is told of its branch. */
#include <sriovctl/compat_judge.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/kernel.h>
#include <sriovctl/version_kernel.h>

#include "test.h"

#include <string.h>

static const struct compat_table *tables[] = { &compat_built_in };
static const struct compat built_in = { .tables = tables, .n = 1 };

static bool has(const struct compat_hits *v, const char *id)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(compat_text(v->items[i].table, v->items[i].row->id), id) == 0)
			return true;
	return false;
}

static void judge(const struct compat_function *of, const char *release, const char *build,
		  struct compat_kernel *ret)
{
	struct compat_function f = *of;
	struct version_kernel k;

	EXPECT(version_kernel_parse(release, build, NULL, &k, NULL) == 0);
	f.release = release;
	f.kernel = &k;
	EXPECT(compat_judge_kernel(&built_in, &f, ret) == 0);
}

static const struct compat_function ice = {
	.vendor = 0x8086, .device = 0x1592, .driver = "ice", .tree = COMPAT_IN_TREE
};
static const struct compat_function i40e = {
	.vendor = 0x8086, .device = 0x1572, .driver = "i40e", .tree = COMPAT_IN_TREE
};

TEST(upstreams_own_kernel_has_what_its_branch_fixed_later)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

	judge(&i40e, "6.1.78", NULL, &k);
	EXPECT(has(&k.faults, "linux-i40e-6.1.79") && has(&k.faults, "linux-i40e-6.1.155"));
	EXPECT(!has(&k.faults, "linux-i40e-6.1.72") && has(&k.free, "linux-i40e-6.1.72"));
	EXPECT(k.maybe.n == 0 && !has(&k.untold, "linux-i40e-6.1.72"));
}

TEST(a_release_with_all_fixes_has_no_fault)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

	judge(&i40e, "6.1.192", NULL, &k);
	EXPECT(k.faults.n == 0 && k.maybe.n == 0 && k.free.n > 20 && k.untold.n == 0);
}

TEST(a_branch_that_never_got_the_fix_may_have_the_fault)
{
	const struct compat_function cx5 = {
		.vendor = 0x15b3, .device = 0x1017, .driver = "mlx5_core", .tree = COMPAT_IN_TREE
	};
	const struct compat_function hns3 = {
		.vendor = 0x19e5, .device = 0xa222, .driver = "hns3", .tree = COMPAT_IN_TREE
	};
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

	judge(&cx5, "6.1.192", NULL, &k);
	judge(&hns3, "6.1.0-40-amd64", "#1 SMP Debian 6.1.192-3 (2026-11-01)", &k);
	EXPECT(has(&k.untold, "linux-mlx5_core-6.12.75") && has(&k.untold, "linux-hns3-6.12.10"));
	EXPECT(!has(&k.free, "linux-mlx5_core-6.12.75") && k.faults.n == 0);
}

TEST(a_branch_that_is_newer_than_mainlines_fix_is_free)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

	judge(&i40e, "6.12.1", NULL, &k);
	EXPECT(has(&k.free, "linux-i40e-6.1.79") && has(&k.faults, "linux-i40e-6.1.155"));
	EXPECT(k.untold.n == 0);
}

TEST(of_another_branch_nothing_is_told)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

	judge(&i40e, "5.15.178", NULL, &k);
	EXPECT(has(&k.untold, "linux-i40e-6.1.155") && k.maybe.n == 0);
	/* But that branch itself is named by some. */
	EXPECT(has(&k.free, "linux-i40e-5.15.8"));
}

TEST(newer_than_the_first_release_that_was_whole)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

	judge(&i40e, "6.19.9", NULL, &k);
	EXPECT(has(&k.free, "linux-i40e-5.10.20") && has(&k.free, "linux-i40e-6.1.155"));
	EXPECT(k.faults.n == 0);
}

/* What a stable release fixed was in mainline before, and so is in the next release of that. */
TEST(mainline_is_the_next_release_after_the_stable_one)
{
	static const struct {
		const char *driver, *release, *row;
		bool is_free;
	} all[] = {
		{ "sfc", "5.18.12", "linux-sfc-5.18.13", false },
		{ "sfc", "5.18.13", "linux-sfc-5.18.13", true },
		{ "sfc", "5.19.1", "linux-sfc-5.18.13", true },
		{ "ixgbe", "5.19.0", "linux-ixgbe-5.18.15", true },
		{ "i40e", "6.1.0", "linux-i40e-6.0.7", true },
		{ "i40e", "5.19.17", "linux-i40e-6.0.7", false },
		{ "qede", "6.3.0", "linux-qede-6.1.22", true },
		{ "qede", "6.2.16", "linux-qede-6.1.22", false },
		{ "ice", "6.8.0", "linux-ice-6.7.10", true },
		{ "ice", "6.12.0", "linux-ice-6.11.4", true },
		{ "mlx5_core", "6.15.0", "linux-mlx5_core-6.1.134", true },
		{ "mlx5_core", "6.14.0", "linux-mlx5_core-6.1.134", false },
		/* 6.12.34 alone of its branch has it, which no changelog here tells. */
		{ "hisi-acc-vfio-pci", "6.12.0", "linux-hisi-acc-vfio-pci-6.1.191", false },
		{ "hisi-acc-vfio-pci", "6.16.0", "linux-hisi-acc-vfio-pci-6.1.191", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct compat_function f = { .driver = all[i].driver,
						   .tree = COMPAT_IN_TREE };
		AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

		judge(&f, all[i].release, NULL, &k);
		if (has(&k.free, all[i].row) != all[i].is_free)
			(void)fprintf(stderr, "# %s: %s\n", all[i].release, all[i].row);
		EXPECT(has(&k.free, all[i].row) == all[i].is_free);
	}
}

TEST(a_distribution_may_have_brought_fixes_back)
{
	AUTO_COMPAT_KERNEL struct compat_kernel debian = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel rhel = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel own = { 0 };

	judge(&i40e, "6.1.0-18-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)",
	      &debian);
	EXPECT(debian.faults.n == 0 && has(&debian.maybe, "linux-i40e-6.1.79"));
	EXPECT(has(&debian.free, "linux-i40e-6.1.72"));
	judge(&i40e, "5.14.0-427.13.1.el9_4.x86_64", NULL, &rhel);
	EXPECT(rhel.faults.n == 0 && rhel.untold.n > 0);
	judge(&i40e, "6.1.78-mine", NULL, &own);
	EXPECT(own.faults.n == 0 && has(&own.maybe, "linux-i40e-6.1.79"));
}

TEST(a_distributions_own_range_is_of_its_kernels_alone)
{
	const struct compat_function cx4 = {
		.vendor = 0x15b3, .device = 0x1013, .driver = "mlx5_core", .tree = COMPAT_IN_TREE
	};
	const struct compat_function cx5 = {
		.vendor = 0x15b3, .device = 0x1017, .driver = "mlx5_core", .tree = COMPAT_IN_TREE
	};
	static const struct {
		const char *release;
		bool is_bad;
	} all[] = {
		{ .release = "5.15.0-202.135.2.el9uek.x86_64", .is_bad = true },
		{ .release = "5.15.0-203.146.3.el8uek.x86_64", .is_bad = true },
		{ .release = "5.15.0-203.146.4.el8uek.x86_64" },
		{ .release = "5.15.0-105.125.6.el8uek.x86_64" },
		{ .release = "5.15.0-202-generic" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };
		AUTO_COMPAT_KERNEL struct compat_kernel other = { 0 };

		judge(&cx4, all[i].release, NULL, &k);
		EXPECT(has(&k.faults, "uek-5.15.0-200-cx4") == all[i].is_bad);
		judge(&cx5, all[i].release, NULL, &other);
		EXPECT(!has(&other.faults, "uek-5.15.0-200-cx4"));
	}
}

TEST(a_vendors_driver_has_not_the_faults_of_the_kernels)
{
	struct compat_function own = ice, unknown = ice;
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel in = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel any = { 0 };

	own.tree = COMPAT_OUT_OF_TREE;
	judge(&own, "6.1.20", NULL, &k);
	EXPECT(!has(&k.faults, "linux-ice-6.1.22") && has(&k.faults, "linux-pci-6.1.165-2"));
	judge(&ice, "6.1.20", NULL, &in);
	EXPECT(has(&in.faults, "linux-ice-6.1.22"));
	unknown.tree = COMPAT_ANY_TREE;
	judge(&unknown, "6.1.20", NULL, &any);
	EXPECT(has(&any.maybe, "linux-ice-6.1.22") && !has(&any.faults, "linux-ice-6.1.22"));
}

TEST(a_fault_of_a_configuration)
{
	struct kconfig off = { .source = (char[]){ "s" },
			       .text = (char[]){ "# CONFIG_ICE_SWITCHDEV is not set\n" } };
	struct kconfig on = { .source = (char[]){ "s" },
			      .text = (char[]){ "CONFIG_ICE_SWITCHDEV=y\n" } };
	AUTO_COMPAT_KERNEL struct compat_kernel without = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel with = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel unknown = { 0 };
	struct compat_function f = ice;

	f.config = &off;
	judge(&f, "6.12.60", NULL, &without);
	EXPECT(has(&without.faults, "linux-ice-6.12.101"));
	f.config = &on;
	judge(&f, "6.12.60", NULL, &with);
	EXPECT(!has(&with.faults, "linux-ice-6.12.101") && !has(&with.maybe, "linux-ice-6.12.101"));
	judge(&ice, "6.12.60", NULL, &unknown);
	EXPECT(has(&unknown.maybe, "linux-ice-6.12.101"));
}

TEST(older_than_the_fault_is)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel later = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel rhel = { 0 };

	/* From 6.7 on. */
	judge(&ice, "6.6.9", NULL, &k);
	EXPECT(has(&k.free, "linux-ice-6.7.10"));
	judge(&ice, "6.7.9", NULL, &later);
	EXPECT(has(&later.faults, "linux-ice-6.7.10"));
	/* Under whose old number there may be the driver of a newer one. */
	judge(&ice, "5.14.0-427.13.1.el9_4.x86_64", NULL, &rhel);
	EXPECT(has(&rhel.untold, "linux-ice-6.7.10"));
}

TEST(a_number_of_upstream_says_not_that_the_drivers_are_as_old)
{
	static const struct {
		const char *release, *build;
		bool is_free;
	} all[] = {
		{ .release = "5.14.21-150500.55.62-default" },
		{ .release = "6.4.0-150600.23.47-default" },
		{ .release = "6.5.0-1023-oem" },
		{ .release = "6.6.56-somebodys" },
		{ .release = "4.19.0+1" },
		{ .release = "6.1.112-122.189.amzn2023.x86_64" },
		{ .release = "6.6.9-200.fc39.x86_64", .is_free = true },
		{ .release = "6.1.0-18-amd64",
		  .build = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)",
		  .is_free = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };

		judge(&ice, all[i].release, all[i].build, &k);
		EXPECT(has(&k.free, "linux-ice-6.7.10") == all[i].is_free);
		EXPECT(has(&k.untold, "linux-ice-6.7.10") != all[i].is_free);
	}
}

TEST(too_old_for_vfs_at_all)
{
	const struct compat_function cx4 = {
		.vendor = 0x15b3, .device = 0x1013, .driver = "mlx5_core", .tree = COMPAT_IN_TREE
	};
	AUTO_COMPAT_KERNEL struct compat_kernel old = { 0 };
	AUTO_COMPAT_KERNEL struct compat_kernel rhel = { 0 };

	judge(&cx4, "4.4.302", NULL, &old);
	EXPECT(has(&old.faults, "first-cx4"));
	judge(&cx4, "3.10.0-1160.el7.x86_64", NULL, &rhel);
	EXPECT(has(&rhel.maybe, "first-cx4") && rhel.faults.n == 0);
}

TEST(grave_ones_come_first)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };
	size_t n = 0;

	judge(&i40e, "5.15.178", NULL, &k);
	while (n < k.untold.n && k.untold.items[n].row->weight == COMPAT_GRAVE)
		n++;
	EXPECT(n >= 2 && n < k.untold.n);
	for (; n < k.untold.n; n++)
		EXPECT(k.untold.items[n].row->weight == COMPAT_FAULT);
}

TEST(each_row_counts_once_for_many_functions)
{
	AUTO_COMPAT_KERNEL struct compat_kernel k = { 0 };
	size_t n;

	judge(&i40e, "6.1.78", NULL, &k);
	n = k.faults.n;
	judge(&i40e, "6.1.78", NULL, &k);
	EXPECT(k.faults.n == n);
}

/* --- drivers and BIOSes -------------------------------------------------------------------- */

static enum compat_verdict of_driver(const char *driver, const char *version, enum compat_tree tree,
				     uint16_t device, const struct kconfig *config)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	const struct compat_function f = { .vendor = 0x8086,
					   .device = device,
					   .driver = driver,
					   .driver_version = version,
					   .tree = tree,
					   .config = config };

	EXPECT(compat_judge_driver(&built_in, &f, &j, NULL) == 0);
	return j.verdict;
}

TEST(versions_of_drivers)
{
	struct kconfig preempt = { .source = (char[]){ "s" },
				   .text = (char[]){ "CONFIG_PREEMPT=y\n" } };
	struct kconfig voluntary = { .source = (char[]){ "s" },
				     .text = (char[]){ "# CONFIG_PREEMPT is not set\n" } };
	/* Where a kernel is made for real time, CONFIG_PREEMPT is off. */
	struct kconfig rt = { .source = (char[]){ "s" },
			      .text = (char[]){ "# CONFIG_PREEMPT is not set\n"
						"CONFIG_PREEMPT_RT=y\n" } };
	const enum compat_tree out = COMPAT_OUT_OF_TREE;

	EXPECT(of_driver("ice", "2.6.4", out, 0x1592, NULL) == COMPAT_IS_BAD);
	EXPECT(of_driver("ice", "1.15.4", out, 0x1592, NULL) == COMPAT_FITS);
	EXPECT(of_driver("ice", "2.9.0", out, 0x1592, NULL) == COMPAT_TOO_NEW);
	EXPECT(of_driver("ice", "0.8.1", out, 0x1592, NULL) == COMPAT_NOT_COVERED);
	EXPECT(of_driver("ice", "latest", out, 0x1592, NULL) == COMPAT_UNREADABLE);
	EXPECT(of_driver("i40e", "2.28.7", out, 0x1572, &preempt) == COMPAT_IS_BAD);
	EXPECT(of_driver("i40e", "2.28.7", out, 0x1572, &voluntary) == COMPAT_FITS);
	EXPECT(of_driver("i40e", "2.28.7", out, 0x1572, &rt) == COMPAT_IS_BAD);
	EXPECT(of_driver("i40e", "2.28.7", out, 0x1572, NULL) == COMPAT_MAY_BE_BAD);
	EXPECT(of_driver("i40e", "2.8.20-k", COMPAT_IN_TREE, 0x15ff, NULL) == COMPAT_IS_BAD);
	EXPECT(of_driver("i40e", "2.8.20-k", COMPAT_IN_TREE, 0x1572, NULL) != COMPAT_IS_BAD);
	EXPECT(of_driver("mlx5_core", "4.3-1.0.1", out, 0x1592, NULL) == COMPAT_TOO_OLD);
	EXPECT(of_driver("mlx5_core", "23.07-0.5.1", out, 0x1592, NULL) == COMPAT_IS_BAD);
	EXPECT(of_driver("mlx5_core", "26.04-0.8.6", out, 0x1592, NULL) == COMPAT_FITS);
	EXPECT(of_driver("nobody", "1.0", out, 0x1592, NULL) == COMPAT_NO_ROWS);
}

TEST(a_bios_is_judged_by_a_sites_own_rows)
{
	static const char own[] =
		"{ \"schema\": 1, \"rows\": [ { \"id\": \"b\", \"judges\": \"bios\", \"says\": "
		"\"bad\", \"vendor\": \"Dell Inc.\", \"product\": \"PowerEdge R750\", "
		"\"version\": {\"below\": \"1.6.5\"}, \"fault\": \"f\", \"source\": \"s\", "
		"\"sure\": \"verified\" }, { \"id\": \"m\", \"judges\": \"bios\", \"says\": "
		"\"minimum\", \"vendor\": \"Dell Inc.\", \"product\": \"PowerEdge R750\", "
		"\"version\": {\"from\": \"1.8.2\"}, \"fault\": \"f\", \"source\": \"s\", "
		"\"sure\": \"verified\" } ] }";
	static const struct {
		const char *vendor, *product, *version;
		enum compat_verdict verdict;
	} all[] = {
		{ .vendor = "Dell Inc.",
		  .product = "PowerEdge R750",
		  .version = "1.10.2",
		  .verdict = COMPAT_FITS },
		{ .vendor = "Dell Inc.",
		  .product = "PowerEdge R750",
		  .version = "1.7.4",
		  .verdict = COMPAT_TOO_OLD },
		{ .vendor = "Dell Inc.",
		  .product = "PowerEdge R750",
		  .version = "1.2.4",
		  .verdict = COMPAT_IS_BAD },
		{ .vendor = "Dell Inc.",
		  .product = "PowerEdge R750",
		  .version = "A12",
		  .verdict = COMPAT_UNREADABLE },
		{ .vendor = "Dell Inc.",
		  .product = "PowerEdge R650",
		  .version = "1.2.4",
		  .verdict = COMPAT_NO_ROWS },
		{ .verdict = COMPAT_NO_ROWS },
	};
	struct compat_table *over = NULL;
	AUTO_COMPAT struct compat c = { 0 };

	EXPECT(compat_parse(own, strlen(own), "own", &compat_built_in, &over, NULL) == 0);
	EXPECT(compat_over(&built_in, &c, NULL) == 0 && compat_add(&c, over, NULL) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };

		EXPECT(compat_judge_bios(&c, all[i].vendor, all[i].product, all[i].version, &j,
					 NULL) == 0);
		EXPECT(j.verdict == all[i].verdict);
	}
}
