/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test_modules.h"

#include <sriovctl/finding.h>

#define UNSAFE	  "/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts"
#define NOIOMMU	  "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode"
#define CONFIG	  "/boot/config-" RELEASE
#define MODPROBED "/etc/modprobe.d/a.conf"

/* A fact of a host is read once: the host is opened again, so that each answer is a new one. */
static enum verdict ask(struct tree *t, const char *id, const char *says)
{
	const struct check *c = check_find(id);
	struct check_input in = { 0 };
	struct finding f = { 0 };
	enum verdict v = VERDICT_MAX;
	bool is_said;

	host_close(TAKE(t->h));
	tree_open(t);
	in.host = t->h;
	EXPECT(c != NULL);
	if (c)
		v = c->run(&in, &f);
	EXPECT(f.error == 0 && f.summary);
	EXPECT(v != VERDICT_UNKNOWN || (f.remedy.n > 0 && f.n_evidence > 0));
	is_said = !says || (f.summary && strstr(f.summary, says));
	for (size_t i = 0; !is_said && i < f.n_evidence; i++)
		is_said =
			strstr(f.evidence[i].source, says) || strstr(f.evidence[i].observed, says);
	EXPECT(is_said);
	if (!is_said)
		printf("# %s: %s\n", id, f.summary);
	finding_done(&f);
	return v;
}

/* type1 is built in; vfio, vfio-pci and iommufd are loadable. */
static bool ready(struct tree *t)
{
	machine(t);
	tree_put(t, "/proc/cmdline", "quiet\n");
	tree_put(t, "/proc/sys/kernel/modules_disabled", "0\n");
	tree_put(t, UNSAFE, "N\n");
	return machine_modules(t);
}

static void drop(const struct tree *t, const char *path)
{
	AUTO_BUF struct buf full = { 0 };

	buf_printf(&full, "%s%s", t->dir, path);
	EXPECT(remove(buf_text(&full)) == 0);
}

static void load(const struct tree *t, const char *module)
{
	AUTO_BUF struct buf path = { 0 };

	buf_printf(&path, "/sys/module/%s/initstate", module);
	tree_put(t, buf_text(&path), "live\n");
}

TEST(a_quiet_machine_passes)
{
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	EXPECT(ask(&t, "vfio.available", NULL) == VERDICT_PASS);
	EXPECT(ask(&t, "vfio.safe", NULL) == VERDICT_PASS);
}

/* --- vfio.safe ------------------------------------------------------------------------------ */

TEST(no_scratch_directory_is_no_safety)
{
	AUTO_TREE struct tree t = { 0 };
	const char *old = getenv("TMPDIR");
	AUTO_FREE char *copy = old ? strdup(old) : NULL;

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	tree_put(&t, MODPROBED, "options iommufd allow_unsafe_interrupts=1\n");
	EXPECT(ask(&t, "vfio.safe", MODPROBED) == VERDICT_FAIL);
	EXPECT(setenv("TMPDIR", "/nonexistent", 1) == 0);
	EXPECT(ask(&t, "vfio.safe", NULL) == VERDICT_UNKNOWN);
	EXPECT(ask(&t, "vfio.available", NULL) == VERDICT_UNKNOWN);
	/* Loaded, where only the next load would be unsafe. */
	load(&t, "iommufd");
	tree_put(&t, "/sys/module/iommufd/parameters/allow_unsafe_interrupts", "N\n");
	EXPECT(ask(&t, "vfio.safe", NULL) == VERDICT_UNKNOWN);
	EXPECT((copy ? setenv("TMPDIR", copy, 1) : unsetenv("TMPDIR")) == 0);
	EXPECT(ask(&t, "vfio.safe", MODPROBED) == VERDICT_FAIL);
}

TEST(an_error_of_this_machine_is_never_an_absence)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf value = { 0 }, source = { 0 };
	const struct modules *m;

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	tree_put(&t, MODPROBED, "options vfio a=1\n");
	load(&t, "vfio");
	EXPECT(setenv("TMPDIR", "/nonexistent", 1) == 0);
	m = get(&t);
	EXPECT(modules_lookup(m, "vfio", &info, NULL) == 0 && info.config_error == -EIO);
	EXPECT(modules_option(m, "vfio", "a", &value, &source, NULL) == -EIO);
	EXPECT(modules_install_option(m, "a", &value, &source, NULL) == -EIO);
	EXPECT(modules_resolve(m, "pci:v00008086d0", &names, NULL) == -EIO);
	EXPECT(unsetenv("TMPDIR") == 0);
}

TEST(what_was_not_seen_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	load(&t, "vfio");
	/* This module can be built without its switch; a captured root does not prove that. */
	EXPECT(ask(&t, "vfio.safe", "/sys/module/vfio/parameters") == VERDICT_UNKNOWN);
	tree_put_dir(&t, "/sys/module/vfio/parameters");
	EXPECT(ask(&t, "vfio.safe", "/sys/module/vfio/parameters") == VERDICT_UNKNOWN);
	tree_put(&t, NOIOMMU, "N\n");
	EXPECT(ask(&t, "vfio.safe", NULL) == VERDICT_PASS);
	/* This one cannot. */
	load(&t, "iommufd");
	tree_put_dir(&t, "/sys/module/iommufd/parameters");
	EXPECT(ask(&t, "vfio.safe", "/sys/module/iommufd/parameters") == VERDICT_UNKNOWN);
}

TEST(a_live_module_without_its_folder_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	tree_put(&t, "/proc/modules", "iommufd 1 0 - Live 0x0\n");
	EXPECT(ask(&t, "vfio.safe", "/sys/module/iommufd/parameters") == VERDICT_UNKNOWN);
}

TEST(loadable_is_not_unloaded)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_MODULES_INFO struct modules_info info = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	drop(&t, UNSAFE);
	drop(&t, "/sys/module/vfio_iommu_type1/parameters");
	drop(&t, "/sys/module/vfio_iommu_type1");
	drop(&t, "/sys/module");
	drop(&t, "/sys");
	drop(&t, "/proc/modules");
	EXPECT(ask(&t, "vfio.safe", NULL) == VERDICT_UNKNOWN);
	EXPECT(modules_lookup(get(&t), "iommufd", &info, NULL) == 0);
	EXPECT(info.state == MODULES_LOADABLE && info.kernel_error < 0);
	/* It may be loaded in spite of what keeps it from being loaded. */
	EXPECT(ask(&t, "vfio.available", NULL) == VERDICT_PASS);
	tree_put(&t, MODPROBED, "install vfio-pci /bin/false\n");
	EXPECT(ask(&t, "vfio.available", "/proc/modules") == VERDICT_UNKNOWN);
}

TEST(install_lines_pass_parameters)
{
	static const struct {
		const char *line;
		enum verdict verdict;
	} rows[] = {
		{ "install iommufd /sbin/modprobe --ignore-install iommufd "
		  "allow_unsafe_interrupts=1\n",
		  VERDICT_FAIL },
		{ "install ice modprobe vfio enable-unsafe-noiommu-mode=1; modprobe -i ice\n",
		  VERDICT_FAIL },
		{ "install ice modprobe -i ice; "
		  "echo Y > /sys/module/vfio/parameters/enable_unsafe_noiommu_mode\n",
		  VERDICT_FAIL },
		{ "install ice modprobe vfio 'enable_'\"unsafe_\"noiommu_mode\n", VERDICT_FAIL },
		{ "install ice modprobe vfio enable_unsafe_noiommu_mode=0\n", VERDICT_PASS },
		{ "install ice modprobe -i ice # enable_unsafe_noiommu_mode=1\n", VERDICT_PASS },
		{ "install vfio /sbin/modprobe --ignore-install vfio $CMDLINE_OPTS\n",
		  VERDICT_PASS },
		{ "install vfio /bin/false\n", VERDICT_PASS },
		{ "install vfio /usr/local/sbin/load-vfio\n", VERDICT_UNKNOWN },
		{ "install vfio modprobe -i vfio $EXTRA\n", VERDICT_UNKNOWN },
		{ "install ice /usr/local/sbin/load-ice\n", VERDICT_PASS },
	};
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum verdict v;

		tree_put(&t, MODPROBED, rows[i].line);
		v = ask(&t, "vfio.safe", rows[i].verdict == VERDICT_PASS ? NULL : MODPROBED);
		EXPECT(v == rows[i].verdict);
		if (v != rows[i].verdict)
			printf("# %s: %s", verdict_name(v), rows[i].line);
	}
}

/* Each without the folder of a loaded vfio, so that only the configuration could answer. */
TEST(a_cut_configuration_proves_nothing)
{
	static const struct {
		const char *config;
		enum verdict verdict;
	} rows[] = {
		{ "CONFIG_VFIO=m\n# CONFIG_VFIO_NOIOMMU is not set\n", VERDICT_PASS },
		{ "CONFIG_VFIO=m\n", VERDICT_UNKNOWN },
		{ "CONFIG_VFIO=m\nCONFIG_VFIO_NOIOMMU=y\n", VERDICT_UNKNOWN },
	};
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	load(&t, "vfio");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		tree_put(&t, CONFIG, rows[i].config);
		EXPECT(ask(&t, "vfio.safe", NULL) == rows[i].verdict);
	}
	/* A symbol that is not named is believed of a module that is nowhere, not of another. */
	tree_put(&t, CONFIG,
		 "CONFIG_VFIO=m\n# CONFIG_VFIO_NOIOMMU is not set\n# CONFIG_IOMMUFD is not set\n");
	tree_put(&t, MODPROBED, "options iommufd allow_unsafe_interrupts=1\n");
	EXPECT(ask(&t, "vfio.safe", MODPROBED) == VERDICT_FAIL);
	tree_put(&t, CONFIG, "CONFIG_VFIO=m\n# CONFIG_VFIO_NOIOMMU is not set\n");
	EXPECT(ask(&t, "vfio.safe", MODPROBED) == VERDICT_FAIL);
	drop(&t, MODULES "/kernel/iommufd.ko");
	EXPECT(ask(&t, "vfio.safe", CONFIG) == VERDICT_PASS);
}

TEST(the_command_line_comes_last)
{
	static const struct {
		const char *options, *cmdline;
		enum verdict verdict;
	} rows[] = {
		{ "options vfio enable_unsafe_noiommu_mode=1\n",
		  "vfio.enable_unsafe_noiommu_mode=0\n", VERDICT_PASS },
		{ "options vfio enable_unsafe_noiommu_mode=0\n",
		  "vfio.enable_unsafe_noiommu_mode=1\n", VERDICT_FAIL },
		{ "", "vfio.enable_unsafe_noiommu_mode\n", VERDICT_FAIL },
		{ "", "vfio.enable_unsafe_noiommu_mode=maybe\n", VERDICT_UNKNOWN },
		{ "options vfio enable_unsafe_noiommu_mode=maybe\n", "quiet\n", VERDICT_UNKNOWN },
	};
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		tree_put(&t, MODPROBED, rows[i].options);
		tree_put(&t, "/proc/cmdline", rows[i].cmdline);
		EXPECT(ask(&t, "vfio.safe", NULL) == rows[i].verdict);
	}
	drop(&t, "/proc/cmdline");
	EXPECT(ask(&t, "vfio.safe", NULL) == VERDICT_UNKNOWN);
}

/* --- vfio.available ------------------------------------------------------------------------- */

TEST(module_blacklist)
{
	static const struct {
		const char *cmdline;
		enum verdict verdict;
	} rows[] = {
		{ "module_blacklist=vfio_pci\n", VERDICT_FAIL },
		/* What it depends on. */
		{ "module_blacklist=ice,vfio\n", VERDICT_FAIL },
		{ "module_blacklist=vfio_p,vfio_\n", VERDICT_PASS },
		/* The last word is the list. */
		{ "module_blacklist=vfio_pci module_blacklist=ice\n", VERDICT_PASS },
		{ "module_blacklist=ice module_blacklist=vfio\n", VERDICT_FAIL },
	};
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		tree_put(&t, "/proc/cmdline", rows[i].cmdline);
		EXPECT(ask(&t, "vfio.available", NULL) == rows[i].verdict);
	}
	/* What is in the kernel already does not have to be loaded. */
	load(&t, "vfio");
	EXPECT(ask(&t, "vfio.available", NULL) == VERDICT_PASS);
}

TEST(install_commands)
{
	static const struct {
		const char *command;
		enum verdict verdict;
	} rows[] = {
		{ "/bin/false # no modprobe of this", VERDICT_FAIL },
		{ "/bin/sh -c \"exit 1\"", VERDICT_FAIL },
		{ "/bin/echo disabled", VERDICT_FAIL },
		{ "/bin/echo \"modprobe -i vfio_pci\"", VERDICT_FAIL },
		{ "/dev/null", VERDICT_FAIL },
		{ "\"/bin/false\"", VERDICT_FAIL },
		{ "{ /bin/false; }", VERDICT_FAIL },
		{ "(exit 1)", VERDICT_FAIL },
		{ "test 1 = 0", VERDICT_FAIL },
		{ "\"\"", VERDICT_FAIL },
		{ "/usr/local/sbin/load-vfio", VERDICT_UNKNOWN },
		{ "/bin/false || modprobe -i vfio_pci", VERDICT_UNKNOWN },
		{ ">/dev/null modprobe -i vfio_pci", VERDICT_UNKNOWN },
		{ "modprobe ice", VERDICT_UNKNOWN },
		{ "modprobe -r -i vfio_pci", VERDICT_UNKNOWN },
		{ "modprobe vfio_pci", VERDICT_UNKNOWN },
		{ "/sbin/modprobe --ignore-install vfio-pci $CMDLINE_OPTS", VERDICT_PASS },
		{ "{ modprobe -q -i vfio_pci ids=8086:1572 && echo ok; }", VERDICT_PASS },
		{ "/bin/sh -c 'modprobe -i vfio_pci'", VERDICT_PASS },
	};
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_BUF struct buf line = { 0 };
		enum verdict v;

		buf_printf(&line, "install vfio-pci %s\n", rows[i].command);
		tree_put(&t, MODPROBED, buf_text(&line));
		v = ask(&t, "vfio.available",
			rows[i].verdict == VERDICT_UNKNOWN ? MODPROBED : NULL);
		EXPECT(v == rows[i].verdict);
		if (v != rows[i].verdict)
			printf("# %s: %s", verdict_name(v), buf_text(&line));
	}
	tree_put(&t, MODPROBED, "install vfio /usr/local/sbin/load-vfio\n");
	EXPECT(ask(&t, "vfio.available", MODPROBED) == VERDICT_UNKNOWN);
}

TEST(a_file_that_cannot_be_read_may_lack_its_signature)
{
	AUTO_TREE struct tree t = { 0 };

	if (!ready(&t))
		TEST_SKIP("needs gcc and depmod");
	tree_put(&t, "/sys/module/module/parameters/sig_enforce", "Y\n");
	EXPECT(ask(&t, "vfio.available", "only signed modules") == VERDICT_FAIL);
	tree_put(&t, MODULES "/kernel/vfio-pci.ko", "damaged");
	EXPECT(ask(&t, "vfio.available", "vfio-pci.ko") == VERDICT_UNKNOWN);
}
