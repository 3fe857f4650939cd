/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is put together, from folders and tar files, and what is told of it. */
#include "imported.h"
#include "nomem.h"

#include <sriovctl/capture.h>
#include <sriovctl/host_make.h>

#include <fcntl.h>

TEST(what_was_put_first_stays)
{
	AUTO_HOST_MAKE struct host_make *m = NULL;
	AUTO_HOST struct host *h = NULL;
	AUTO_STRV struct strv names = { 0 };

	EXPECT(host_make_new(&m, NULL) == 0);
	host_make_text(m, "one", "/proc/cmdline");
	host_make_text(m, "two", "/proc/cmdline");
	host_make_text(m, "below a file", "/proc/cmdline/x");
	host_make_link(m, "../two", "/sys/class/%s", "net");
	host_make_absent(m, "/sys/bus/a");
	host_make_name(m, "/sys/bus/b");
	host_make_all(m, "/sys/kernel");
	host_make_text(m, "later", "/sys/kernel/c");
	EXPECT(host_make_knows(m, "/proc/cmdline") && host_make_knows(m, "/sys/bus/a"));
	EXPECT(!host_make_knows(m, "/proc/cpuinfo"));
	EXPECT(host_make_open(m, "test", &h, NULL) == 0 && host_is_partial(h));
	EXPECT(imported_says(h, "/proc/cmdline", "one"));
	EXPECT(host_exists(h, "/sys/bus/a") == -ENOENT && host_exists(h, "/sys/bus/b") == 0);
	EXPECT(host_exists(h, "/sys/bus/c") == -ENODATA &&
	       host_exists(h, "/sys/kernel/d") == -ENOENT);
	EXPECT(host_list(h, &names, NULL, "/sys/kernel") == 0 && names.n == 1);
	EXPECT(host_list(h, &names, NULL, "/sys/bus") == -ENODATA);
	EXPECT(!imported_says(h, "/sys/bus/b", ""));
}

TEST(a_tree_is_found_below_any_folder)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h;

	imported_put(&v, "/case/of/today/proc/cmdline", "quiet\n");
	imported_put(&v, "/case/of/today/sys/bus/pci/devices/0000:00:00.0/vendor", "0x8086\n");
	tree_put_link(&v.files, "/case/of/today/sys/bus/pci/devices/0000:00:00.0/driver", "../x");
	imported_put(&v, "/case/of/today/etc/modprobe.d/a.conf", "options vfio x=1\n");
	imported_put(&v, "/case/of/today/etc/shadow", "root:secret\n");
	h = imported_host(&v);
	EXPECT(imported_says(h, "/proc/cmdline", "quiet"));
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:00:00.0/vendor", "0x8086"));
	/* It was copied whole. */
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:00:00.0/device") == -ENOENT);
	EXPECT(host_exists(h, "/etc/modprobe.d/a.conf") == 0 && host_exists(h, "/etc/shadow") < 0);
}

TEST(a_sosreport_picks_and_denies_nothing)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h;

	imported_put(&v, "/sos/proc/cmdline", "quiet\n");
	imported_put(&v, "/sos/sos_commands/pci/lspci_-nnvv",
		     "3b:00.0 Ethernet controller [0200]: Intel Corporation [8086:1572]\n");
	imported_put(&v, "/sos/sos_commands/networking/ethtool_-i_eno1",
		     "driver: i40e\nfirmware-version: 9.4\nbus-info: 0000:3b:00.0\n");
	h = imported_host(&v);
	EXPECT(imported_says(h, "/proc/cmdline", "quiet"));
	EXPECT(host_exists(h, "/proc/interrupts") == -ENODATA);
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3b:00.0/device", "0x1572"));
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.0/net/eno1") == 0);
}

TEST(each_member_is_told)
{
	AUTO_IMPORTED struct imported v = { 0 };
	bool seen = false;

	imported_put(&v, "/a.txt", "3b:00.0 Ethernet controller: x\n");
	imported_put(&v, "/b.txt", "nothing of interest\n");
	(void)imported_host(&v);
	EXPECT(v.told.n == 2 && v.taken == 1);
	for (size_t i = 0; i < v.told.n; i++)
		seen = seen || strstr(v.told.items[i], "a.txt: lspci (1 function)");
	EXPECT(seen);
}

/* NULs, lines without an end, and bytes of no text. */
TEST(junk_is_read_as_nothing)
{
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_BUF struct buf text = { 0 };

	for (unsigned i = 0; i < 300000; i++) {
		char c = (char)(i * 7919u >> 3);

		buf_append(&text, &c, 1);
	}
	imported_put_bytes(&v, "/random", text.data, text.len);
	memset(text.data, '\0', text.len);
	imported_put_bytes(&v, "/nuls", text.data, text.len);
	memset(text.data, '[', text.len);
	imported_put_bytes(&v, "/line", text.data, text.len);
	(void)imported_host(&v);
	EXPECT(v.told.n == 3 && v.taken == 0);
}

TEST(a_capture_of_an_import_says_the_same)
{
	static const char text[] = "3b:00.0 Ethernet controller: x\n\tControl: I/O-\n"
				   "\tCapabilities: [70] MSI-X: Enable+ Count=5 Masked-\n";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, text);
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 };
	AUTO_HOST struct host *again = NULL;
	AUTO_CLOSE int fd = -1;
	struct pciconf_msix msix = { 0 };
	struct pciconf c = { 0 };
	uint16_t at;

	tree_make(&t);
	tree_path(&t, "/c.tar.gz", &path);
	fd = open(buf_text(&path), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	EXPECT(fd >= 0 && capture_write(h, "", 0, fd, NULL) == 0);
	EXPECT(host_open(buf_text(&path), &again, NULL) == 0);
	EXPECT(again && pciconf_read(again, "0000:3b:00.0", &c, NULL) == 0);
	EXPECT(pciconf_msix(&c, &msix) == 0 && msix.table_size == 5);
	EXPECT(pciconf_cap(&c, 0x14, &at) == -ENODATA);
}

TEST(a_mask_that_does_not_fit_is_refused)
{
	AUTO_HOST_MAKE struct host_make *m = NULL;
	AUTO_HOST struct host *h = NULL;
	uint8_t space[64] = { 0x86, 0x80 };
	struct pciconf c;

	EXPECT(host_make_new(&m, NULL) == 0);
	host_make_file(m, space, sizeof(space), PCIDEV_PATH "/0000:00:00.0/config");
	host_make_file(m, space, 10, HOST_MAKE_ANSWERS "/known/0000:00:00.0");
	EXPECT(host_make_open(m, "test", &h, NULL) == 0);
	EXPECT(pciconf_read(h, "0000:00:00.0", &c, NULL) == -EBADMSG);
}

/* Every allocation fails once: a clean error, or a host with all that there is to know. */
static int import_all(const char *dir)
{
	static const char *const facts[] = { PCIDEV_PATH "/0000:3b:00.0/config",
					     PCIDEV_PATH "/0000:3b:00.0/driver",
					     PCIDEV_PATH "/0000:3b:00.0/iommu_group",
					     PCIDEV_PATH "/0000:3b:00.0/class",
					     HOST_MAKE_ANSWERS "/known/0000:3b:00.0",
					     HOST_MAKE_ANSWERS "/links/0.9",
					     "/sys/kernel/iommu_groups/0/devices/0000:3b:00.0",
					     "/proc/sys/kernel/osrelease",
					     "/proc/cmdline",
					     "/var/log/dmesg" };
	AUTO_BUNDLE struct bundle *b = NULL;
	AUTO_STRV struct strv told = { 0 };
	AUTO_HOST struct host *h = NULL;
	struct error e = { 0 };
	int r = bundle_new(&b, &e);

	if (r == 0)
		r = bundle_add(b, dir, &e);
	if (r == 0)
		r = import_run(b, "test", &h, &told, &e);
	nomem_disarm();
	EXPECT(r == 1 || (r == -ENOMEM && e.text[0]));
	for (size_t i = 0; r == 1 && i < ARRAY_SIZE(facts); i++) {
		EXPECT(host_exists(h, "%s", facts[i]) == 0);
		if (host_exists(h, "%s", facts[i]) < 0)
			printf("# %s is lost\n", facts[i]);
	}
	EXPECT(r < 0 || told.n == 4);
	return r < 0 ? r : 0;
}

TEST(without_memory_there_is_no_host)
{
	AUTO_IMPORTED struct imported v = { 0 };
	unsigned all, seen = 0;

	imported_put(&v, "/a",
		     "3b:00.0 Ethernet controller: Intel Corporation x\n"
		     "\tCapabilities: [70] MSI-X: Enable+ Count=5 Masked-\n"
		     "\tKernel driver in use: ice\n");
	imported_put(&v, "/b",
		     "[    0.000000] Linux version 6.1 (x)\n"
		     "[    0.1] Command line: quiet\n"
		     "[    0.2] pci 0000:3b:00.0: Adding to iommu group 0\n");
	imported_put(&v, "/c", "2: e: <UP> mtu 1500\n    vf 0 MAC 02:00:00:00:00:01\n");
	imported_put(&v, "/proc/cmdline", "quiet\n");
	nomem_arm(0);
	EXPECT(import_all(v.files.dir) == 0);
	all = memory.n;
	for (unsigned n = 1; n <= all; n++) {
		nomem_arm(n);
		seen += import_all(v.files.dir) == -ENOMEM;
	}
	/* What is given back larger than it had to be, or sorted slowly, is no failure. */
	EXPECT(seen > all - 20);
}

TEST(too_many_functions_are_nothing)
{
	AUTO_IMPORTED struct imported v = { 0 }, more = { 0 };
	AUTO_BUF struct buf text = { 0 };

	for (unsigned k = 0; k < 2100; k++)
		buf_printf(&text, "%02x:%02x.%u Ethernet controller [0200]: X [8086:1572]\n",
			   k >> 8, k >> 3 & 0x1f, k & 7);
	(void)imported_text(&v, buf_text(&text));
	EXPECT(v.taken == 0);
	imported_put(&more, "/lspci", buf_text(&text));
	imported_put(&more, "/version", "Linux version 6.1.0 (a@b) #1 SMP\n");
	(void)imported_host(&more);
	EXPECT(more.taken == 1);
}
