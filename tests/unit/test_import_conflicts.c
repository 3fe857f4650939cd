/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of two hosts: what both tell is not known, and that is told. */
#include "judged.h"

#define BIOS	  "/sys/class/dmi/id/bios_version"
#define OSRELEASE "/proc/sys/kernel/osrelease"

#define MELLANOX                                                                             \
	"3b:00.0 Ethernet controller [0200]: Mellanox MT27800 Family [15b3:1017]\n\tKernel " \
	"driver in use: mlx5_core\n\n"
#define INTEL                                                                                 \
	"3b:00.0 Ethernet controller [0200]: Intel Corporation E810-C [8086:1592] (rev 02)\n" \
	"\tKernel driver in use: ice\n\n"

TEST(two_cards_at_one_address_are_none)
{
	AUTO_IMPORTED struct imported two = { 0 }, same = { 0 };
	const struct host *h = imported_text(&two, MELLANOX INTEL);

	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.0/driver") == -ENODATA);
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.0/vendor") == -ENODATA);
	EXPECT(two.told.n == 2);
	h = imported_text(&same, INTEL INTEL);
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3b:00.0/vendor", "0x8086"));
	EXPECT(same.told.n == 1);
}

#define DMI(version)                                                                   \
	"Handle 0x0000, DMI type 0, 26 bytes\nBIOS Information\n\tVendor: Dell Inc.\n" \
	"\tVersion: " version "\n\n"

TEST(two_machines_have_no_bios)
{
	AUTO_IMPORTED struct imported two = { 0 }, same = { 0 };

	EXPECT(host_exists(imported_text(&two, DMI("1.1.0") DMI("9.9.9")), BIOS) == -ENODATA);
	EXPECT(two.told.n == 2);
	EXPECT(imported_says(imported_text(&same, DMI("1.1.0") DMI("1.1.0")), BIOS, "1.1.0"));
}

#define VERSION(release) "Linux version " release " (a@b) (gcc) #1 SMP\n"
#define LOG(release)	 "[    0.000000] " VERSION(release) "[    1.0] usb 1-1: new device\n"

TEST(a_log_of_another_kernel_leaves_it_open_which_one_runs)
{
	AUTO_IMPORTED struct imported two = { 0 }, both = { 0 };

	imported_put(&two, "/version", VERSION("6.1.192"));
	imported_put(&two, "/log", LOG("6.1.10"));
	EXPECT(host_exists(imported_host(&two), OSRELEASE) == -ENODATA);
	EXPECT(two.told.n == 3);
	/* The older one is of a boot before. */
	imported_put(&both, "/version", VERSION("6.1.192"));
	imported_put(&both, "/log", LOG("6.1.192"));
	imported_put(&both, "/log.1", LOG("6.1.10"));
	EXPECT(imported_says(imported_host(&both), OSRELEASE, "6.1.192"));
}

/* --- one function at two moments ----------------------------------------------------------------
 */

#define MOMENT(vfs, enable, driver, group)                                                         \
	"3b:00.0 Ethernet controller: Mellanox Technologies MT27800 Family [15b3:1017]\n"          \
	"\tControl: I/O- Mem+ BusMaster+\n\tStatus: Cap+ 66MHz-\n\tIOMMU group: " group "\n"       \
	"\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n"                                     \
	"\tCapabilities: [100 v1] Single Root I/O Virtualization (SR-IOV)\n"                       \
	"\t\tIOVCtl:\tEnable" enable " Migration- Interrupt- MSE- ARIHierarchy+\n"                 \
	"\t\tInitial VFs: 8, Total VFs: 8, Number of VFs: " vfs ", Function Dependency Link: 00\n" \
	"\t\tVF offset: 1, stride: 1, Device ID: 1018\n" driver "\n"
#define BEFORE MOMENT("0", "-", "\tKernel driver in use: vfio-pci\n", "33")
#define AFTER  MOMENT("4", "+", "\tKernel driver in use: mlx5_core\n", "35")
#define NONE   MOMENT("0", "-", "\tKernel modules: mlx5_core\n", "33")

TEST(what_two_moments_tell_differently_is_not_known)
{
	AUTO_IMPORTED struct imported one = { 0 }, two = { 0 }, none = { 0 }, same = { 0 };
	const struct host *h;

	h = imported_text(&same, BEFORE BEFORE);
	EXPECT(judged(h, "pf.driver", "0000:3b:00.0", VERDICT_FAIL));
	EXPECT(judged(h, "vf.present", "0000:3b:00.0", VERDICT_NA));
	EXPECT(same.told.n == 1);
	h = imported_text(&one, BEFORE "and after the reboot:\n\n" AFTER);
	EXPECT(judged(h, "pf.driver", "0000:3b:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(h, "vf.present", "0000:3b:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(h, "pf.iommu_group", "0000:3b:00.0", VERDICT_UNKNOWN));
	/* What both tell is. */
	EXPECT(judged(h, "pf.sriov_capability", "0000:3b:00.0", VERDICT_PASS));
	EXPECT(one.told.n == 4);
	imported_put(&two, "/a.txt", AFTER);
	imported_put(&two, "/b.txt", BEFORE);
	h = imported_host(&two);
	EXPECT(judged(h, "pf.driver", "0000:3b:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(h, "vf.present", "0000:3b:00.0", VERDICT_UNKNOWN));
	h = imported_text(&none, NONE AFTER);
	EXPECT(judged(h, "pf.driver", "0000:3b:00.0", VERDICT_UNKNOWN));
}

#define DUMP(status)                                                    \
	"3b:00.0 Ethernet controller [0200]: x [8086:1521]\n"           \
	"00: 86 80 21 15 06 04 " status " 00 01 00 00 02 10 00 80 00\n" \
	"10: 00 00 00 90 00 00 00 00 00 00 00 00 00 00 00 00\n"         \
	"20: 00 00 00 00 00 00 00 00 00 00 00 00 86 80 01 00\n"         \
	"30: 00 00 00 00 40 00 00 00 00 00 00 00 0b 01 00 00\n"

TEST(two_dumps_of_a_function_that_differ_leave_it_open_where_they_do)
{
	static const char headless[] = "\n00: ff ff 21 15 06 04 00 00 01 00 00 02 10 00 80 00\n";
	AUTO_IMPORTED struct imported same = { 0 }, two = { 0 }, lost = { 0 };
	struct pciconf c = { 0 };
	AUTO_BUF struct buf text = { 0 };

	EXPECT(pciconf_read(imported_text(&same, DUMP("10") DUMP("10")), "0000:3b:00.0", &c,
			    NULL) == 0);
	EXPECT(pciconf_knows(&c, 6, 0x10) && same.told.n == 1);
	imported_put(&two, "/a.txt", DUMP("10"));
	imported_put(&two, "/b.txt", DUMP("00"));
	EXPECT(pciconf_read(imported_host(&two), "0000:3b:00.0", &c, NULL) == 0);
	EXPECT(!pciconf_knows(&c, 6, 0x10) && pciconf_knows(&c, 6, 0xef) &&
	       pciconf_knows(&c, 0, UINT32_MAX));
	EXPECT(two.told.n == 3 && strstr(two.told.items[2], "two states of its registers differ"));
	/* What has no header is of another. */
	buf_printf(&text, "%s%s", DUMP("10"), headless);
	EXPECT(pciconf_read(imported_text(&lost, buf_text(&text)), "0000:3b:00.0", &c, NULL) == 0);
	EXPECT(pciconf_knows(&c, 0, UINT32_MAX) && pciconf_knows(&c, 6, 0x10));
}

#define MACHINE(board, bios)                                           \
	"[    0.000000] Linux version 6.1.0-test (a@b) (gcc) #1 SMP\n" \
	"[    0.000000] DMI: " board ", BIOS " bios " 01/02/2023\n"    \
	"[    0.500000] pci 0000:3b:00.0: [8086:1521] type 00 class 0x020000\n"

TEST(logs_of_two_machines_are_of_none)
{
	AUTO_IMPORTED struct imported two = { 0 }, one = { 0 };
	const struct host *h;

	imported_put(&two, "/a.txt", MACHINE("Example Systems Inc. Rack Server 9/0X1Y2Z", "2.1.0"));
	imported_put(&two, "/b.txt", MACHINE("Example Systems Inc. Rack Server 7/0X1Y2Z", "2.1.0"));
	h = imported_host(&two);
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.0") != 0);
	EXPECT(host_exists(h, "/sys/class/dmi/id/product_name") == -ENODATA);
	EXPECT(two.told.n == 3 && strstr(two.told.items[2], "several machines"));
	/* One that was given another BIOS is the same. */
	imported_put(&one, "/a.txt", MACHINE("Example Systems Inc. Rack Server 9/0X1Y2Z", "2.1.0"));
	imported_put(&one, "/b.txt", MACHINE("Example Systems Inc. Rack Server 9/0X1Y2Z", "2.2.0"));
	EXPECT(host_exists(imported_host(&one), PCIDEV_PATH "/0000:3b:00.0") == 0);
}

#define BOOTED(stamp, release, word) \
	stamp "Linux version " release " (a@b) (gcc) #1 SMP\n" stamp "Command line: ro " word "\n"
#define MAPPED(stamp) stamp "DMAR-IR: Enabled IRQ remapping in x2apic mode\n"

static enum verdict remapping(const char *first, const char *second, const char *version)
{
	static const enum verdict verdicts[] = { VERDICT_PASS, VERDICT_UNKNOWN };
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h;

	imported_put(&v, "/a", first);
	imported_put(&v, "/b", second);
	if (version)
		imported_put(&v, "/c", version);
	h = imported_host(&v);
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		if (judged(h, "irq.remapping", "host", verdicts[i]))
			return verdicts[i];
	return VERDICT_MAX;
}

TEST(of_the_logs_of_several_boots_the_last_counts_where_it_is_known)
{
	static const char one[] = BOOTED("Nov 29 08:00:00 h kernel: ", "6.1.9", "a")
		MAPPED("Nov 29 08:00:01 h kernel: ");
	static const char other[] = BOOTED("Nov 30 08:00:00 h kernel: ", "6.1.10", "b");
	static const char bare[] = BOOTED("[    0.0] ", "6.1.9", "a") MAPPED("[    0.1] ");
	static const char another[] = BOOTED("[    0.0] ", "6.1.9", "b");

	EXPECT(remapping(one, other, NULL) == VERDICT_UNKNOWN);
	EXPECT(remapping(other, one, NULL) == VERDICT_UNKNOWN);
	EXPECT(remapping(one, one, NULL) == VERDICT_PASS);
	/* By the clock of the kernel none is the last, unless another kernel runs. */
	EXPECT(remapping(bare, another, NULL) == VERDICT_UNKNOWN);
	EXPECT(remapping(other, bare, NULL) == VERDICT_UNKNOWN);
	EXPECT(remapping(other, bare, VERSION("6.1.9")) == VERDICT_PASS);
	EXPECT(remapping(bare, other, VERSION("6.1.10")) == VERDICT_UNKNOWN);
	/* Without a year the turn of it cannot be told from a year. */
	EXPECT(remapping(BOOTED("Dec 31 08:00:00 h kernel: ", "6.1.9", "a")
				 MAPPED("Dec 31 08:00:00 h kernel: "),
			 BOOTED("Jan  2 08:00:00 h kernel: ", "6.1.9", "b"),
			 NULL) == VERDICT_UNKNOWN);
}
