/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/version_kernel.h>

#include <sriovctl/error.h>

#include "test.h"

#include <errno.h>
#include <string.h>

#define DEBIAN(version)                                                                            \
	"Linux version X (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU " \
	"ld (GNU Binutils for Debian) 2.40) #1 SMP PREEMPT_DYNAMIC Debian " version

static const struct {
	const char *release, *build, *signature;
	const char *distribution;
	struct version_release base;
	bool knows_patch, is_exact, is_candidate;
} kernels[] = {
	{ .release = "6.1.0-50-amd64",
	  .build = DEBIAN("6.1.174-1 (2026-05-02)"),
	  .distribution = "Debian",
	  .base = { 6, 1, 174 },
	  .knows_patch = true },
	{ .release = "6.1.0-50-amd64", .distribution = "Debian", .base = { 6, 1, 0 } },
	{ .release = "5.10.0-0.deb10.16-amd64",
	  .build = DEBIAN("5.10.127-2~bpo10+1 (2022-07-28)"),
	  .distribution = "Debian",
	  .base = { 5, 10, 127 },
	  .knows_patch = true },
	{ .release = "6.12.41+deb13-amd64",
	  .build = DEBIAN("6.12.41-1 (2025-08-12)"),
	  .distribution = "Debian",
	  .base = { 6, 12, 41 },
	  .knows_patch = true },
	{ .release = "6.12.41+deb13-amd64",
	  .distribution = "Debian",
	  .base = { 6, 12, 41 },
	  .knows_patch = true },
	/* A kernel of one's own, built on Debian by its compiler. */
	{ .release = "6.6.30",
	  .build = "Linux version 6.6.30 (me@here) (gcc (Debian 12.2.0-14) 12.2.0) #2 SMP",
	  .distribution = "upstream",
	  .base = { 6, 6, 30 },
	  .knows_patch = true,
	  .is_exact = true },
	{ .release = "4.18.0-305.7.1.el8_4.x86_64",
	  .build = "Linux version 4.18.0-305.7.1.el8_4.x86_64 (mockbuild@x) #1 SMP",
	  .distribution = "RHEL",
	  .base = { 4, 18, 0 } },
	{ .release = "5.14.0-362.24.1.el9_3.x86_64", .distribution = "RHEL", .base = { 5, 14, 0 } },
	{ .release = "3.10.0-1160.119.1.el7.x86_64", .distribution = "RHEL", .base = { 3, 10, 0 } },
	{ .release = "5.15.0-100.96.32.el9uek.x86_64",
	  .distribution = "Oracle Linux",
	  .base = { 5, 15, 0 } },
	{ .release = "5.15.0-91-generic",
	  .signature = "Ubuntu 5.15.0-91.101-generic 5.15.131",
	  .distribution = "Ubuntu",
	  .base = { 5, 15, 131 },
	  .knows_patch = true },
	{ .release = "5.15.0-91-generic", .distribution = "Ubuntu", .base = { 5, 15, 0 } },
	{ .release = "6.8.0-1021-nvidia",
	  .signature = "Ubuntu 6.8.0-1021.23-nvidia 6.8.12",
	  .distribution = "Ubuntu",
	  .base = { 6, 8, 12 },
	  .knows_patch = true },
	{ .release = "5.14.21-150400.24.100-default",
	  .distribution = "SUSE",
	  .base = { 5, 14, 21 },
	  .knows_patch = true },
	/* Not Ubuntu's, which has such names too. */
	{ .release = "6.4.0-150600.8.37-azure",
	  .distribution = "SUSE",
	  .base = { 6, 4, 0 },
	  .knows_patch = true },
	{ .release = "6.5.0-1023-oem", .distribution = "Ubuntu", .base = { 6, 5, 0 } },
	{ .release = "6.8.0-1015-something",
	  .build = "Linux version 6.8.0-1015-something (buildd@lcy02) (gcc) #16-Ubuntu SMP",
	  .distribution = "Ubuntu",
	  .base = { 6, 8, 0 } },
	{ .release = "6.5.6-300.fc39.x86_64",
	  .distribution = "Fedora",
	  .base = { 6, 5, 6 },
	  .knows_patch = true },
	{ .release = "6.8.12-4-pve", .distribution = "Proxmox VE", .base = { 6, 8, 0 } },
	{ .release = "6.6.17",
	  .distribution = "upstream",
	  .base = { 6, 6, 17 },
	  .knows_patch = true,
	  .is_exact = true },
	{ .release = "6.8.0-rc3",
	  .distribution = "upstream",
	  .base = { 6, 8, 0 },
	  .knows_patch = true,
	  .is_candidate = true },
	{ .release = "6.9.0-0.rc1.20240327git.14.fc41.x86_64",
	  .distribution = "Fedora",
	  .base = { 6, 9, 0 },
	  .knows_patch = true,
	  .is_candidate = true },
	{ .release = "6.9~rc4-amd64",
	  .build = DEBIAN("6.9~rc4-1~exp1 (2024-04-15)"),
	  .distribution = "Debian",
	  .base = { 6, 9, 0 },
	  .is_candidate = true },
	{ .release = "6.1.90-custom", .base = { 6, 1, 90 }, .knows_patch = true },
};

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

TEST(a_kernel_is_told_by_what_it_says_of_itself)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct version_kernel k = { 0 };

		EXPECT(version_kernel_parse(kernels[i].release, kernels[i].build,
					    kernels[i].signature, &k, NULL) == 0);
		EXPECT(is_same(k.distribution, kernels[i].distribution));
		EXPECT(memcmp(&k.base, &kernels[i].base, sizeof(k.base)) == 0);
		EXPECT(k.knows_patch == kernels[i].knows_patch);
		EXPECT(k.is_exact == kernels[i].is_exact);
		EXPECT(k.is_candidate == kernels[i].is_candidate);
	}
}

TEST(what_is_no_release_is_refused)
{
	static const char *const bad[] = { "", "linux", "6", "6.", "6.1.", ".6.1", "6.70000.1" };
	struct version_release release;
	struct version_kernel k;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct error e = { 0 };

		EXPECT(version_kernel_parse(bad[i], NULL, NULL, &k, &e) == -EINVAL);
		EXPECT(strstr(e.text, bad[i]));
		EXPECT(version_kernel_release(bad[i], &release, &e) == -EINVAL);
	}
	EXPECT(version_kernel_release("6.1.2-3", &release, NULL) == -EINVAL);
	EXPECT(version_kernel_release("6.1.2.3", &release, NULL) == -EINVAL);
	EXPECT(version_kernel_release("6.8", &release, NULL) == 0);
	EXPECT(release.major == 6 && release.minor == 8 && release.patch == 0);
}

/* A fix of 6.8, brought to 6.6.17 and 6.1.78, and to no other branch. */
static const struct {
	const char *release, *build, *signature;
	enum version_has has;
} fixed[] = {
	{ .release = "6.8.0", .has = VERSION_HAS },
	{ .release = "6.12.3", .has = VERSION_HAS },
	{ .release = "6.8.0-rc3", .has = VERSION_MAY_HAVE },
	{ .release = "6.9.0-rc1", .has = VERSION_HAS },
	{ .release = "6.6.17", .has = VERSION_HAS },
	{ .release = "6.6.16", .has = VERSION_LACKS },
	{ .release = "6.7.12", .has = VERSION_LACKS },
	{ .release = "6.1.78-custom", .has = VERSION_HAS },
	{ .release = "6.1.77-custom", .has = VERSION_MAY_HAVE },
	{ .release = "6.1.0-18-amd64", .build = DEBIAN("6.1.76-1"), .has = VERSION_MAY_HAVE },
	{ .release = "6.1.0-19-amd64", .build = DEBIAN("6.1.82-1"), .has = VERSION_HAS },
	{ .release = "6.1.0-19-amd64", .has = VERSION_MAY_HAVE },
	{ .release = "4.18.0-553.el8_10.x86_64", .has = VERSION_MAY_HAVE },
	{ .release = "6.12.0-55.9.1.el10_0.x86_64", .has = VERSION_HAS },
	{ .release = "5.15.0-91-generic",
	  .signature = "Ubuntu 5.15.0-91.101-generic 5.15.131",
	  .has = VERSION_MAY_HAVE },
	{ .release = "6.8.0-31-generic", .has = VERSION_HAS },
};

TEST(a_distribution_never_lacks_a_fix_for_sure)
{
	static const struct version_release mainline = { .major = 6, .minor = 8 };
	static const struct version_release stable[] = {
		{ .major = 6, .minor = 6, .patch = 17 },
		{ .major = 6, .minor = 1, .patch = 78 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		struct version_kernel k = { 0 };

		EXPECT(version_kernel_parse(fixed[i].release, fixed[i].build, fixed[i].signature,
					    &k, NULL) == 0);
		EXPECT(version_kernel_has(&k, &mainline, stable, ARRAY_SIZE(stable)) ==
		       fixed[i].has);
	}
}
