/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the tests of modules.h: a machine of which all was captured, and a few modules. */
#ifndef TESTS_TEST_MODULES_H
#define TESTS_TEST_MODULES_H

#include "tree.h"

#include <sriovctl/modules.h>

#include <fcntl.h>
#include <sys/wait.h>

#define RELEASE "6.1.0-test"
#define MODULES "/lib/modules/" RELEASE

/* Of a machine of which everything asked for was captured, and that has nothing. */
static inline void machine(struct tree *t)
{
	tree_make(t);
	tree_put(t, "/proc/sys/kernel/osrelease", RELEASE "\n");
	tree_put(t, "/proc/modules", "");
	tree_put_dir(t, "/sys/module");
	tree_put_dir(t, "/lib/modules");
	tree_put_dir(t, "/etc/modprobe.d");
	tree_put_dir(t, "/run/modprobe.d");
	tree_put_dir(t, "/usr/local/lib/modprobe.d");
	tree_put_dir(t, "/usr/lib/modprobe.d");
	tree_put_dir(t, "/lib/modprobe.d");
	tree_open(t);
}

static inline bool run(const char *dir, const char *const *argv)
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
static inline bool machine_modules(const struct tree *t)
{
	static const char *const cc[] = { "gcc", "-c", "vfio.c", "vfio-pci.c", "iommufd.c", NULL };
	const char *const depmod[] = { "/sbin/depmod", "-b", t->dir, RELEASE, NULL };
	static const char modinfo[] = "vfio_iommu_type1.license=GPL\0"
				      "vfio_iommu_type1.alias=pci:v00001d0f*";
	static const char *const names[] = { "vfio", "vfio-pci", "iommufd" };
	AUTO_BUF struct buf dir = { 0 }, from = { 0 }, to = { 0 };

	buf_printf(&dir, "%s" MODULES "/kernel", t->dir);
	tree_put(t, MODULES "/kernel/vfio.c",
		 "int vfio_core;\n"
		 "const char s[] __attribute__((section(\"__ksymtab_strings\"))) = \"vfio_core\";\n"
		 "const char i[] __attribute__((section(\".modinfo\"))) = \"license=GPL\";\n");
	tree_put(t, MODULES "/kernel/vfio-pci.c",
		 "extern int vfio_core;\nint *p = &vfio_core;\n"
		 "const char i[] __attribute__((section(\".modinfo\"))) =\n"
		 "\"vermagic=" RELEASE " SMP\\0alias=pci:v00008086d*sv*sd*bc*sc*i*\";\n");
	tree_put(t, MODULES "/kernel/iommufd.c",
		 "const char i[] __attribute__((section(\".modinfo\"))) =\n"
		 "\"vermagic=other\\0version=1.15.4\\0srcversion=2A6B\\0intree=Y\";\n");
	tree_put(t, MODULES "/modules.builtin", "kernel/drivers/vfio/vfio_iommu_type1.ko\n");
	tree_put(t, MODULES "/modules.order", "");
	tree_put_bytes(t, MODULES "/modules.builtin.modinfo", modinfo, sizeof(modinfo));
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

static inline const struct modules *get(const struct tree *t)
{
	const struct modules *m = NULL;

	EXPECT(modules_get(t->h, &m, NULL) == 0);
	return m;
}

#endif
