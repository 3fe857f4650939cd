/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "imported.h"

#include <sriovctl/klog.h>
#include <sriovctl/machine.h>

#define PF	       "0000:3b:00.0"
#define AT(time, text) "[    " time "] " text "\n"

#define START                                                                                     \
	AT("0.000000", "Linux version 6.1.0-test (builder@host) (gcc) #1 SMP")                    \
	AT("0.000000",                                                                            \
	   "Command line: BOOT_IMAGE=/vmlinuz-6.1.0-test root=/dev/sda1 intel_iommu=on")          \
	AT("0.000000", "x86/fpu: Supporting XSAVE feature 0x001: 'x87 floating point registers'") \
	AT("0.000000", "DMI: Example Systems Inc. Rack Server 9/0X1Y2Z, BIOS 2.1.0 01/02/2023")   \
	AT("0.010000", "ACPI: FACP 0x000000007B7FE000 0000F4 (v04 EXAMPL TABLE)")                 \
	AT("0.010000", "ACPI: DMAR 0x000000007B7FD000 0000C4 (v01 EXAMPL TABLE)")                 \
	AT("0.010000", "ACPI: APIC 0x000000007B7FC000 0000C4 (v01 EXAMPL TABLE)")                 \
	AT("0.020000", "Dentry cache hash table entries: 131072 (order: 8, 1048576 bytes)")
#define FOUND                                                                                  \
	AT("0.500000", "pci_bus 0000:3a: root bus resource [bus 3a-5c]")                       \
	AT("0.500100", "pci " PF ": [8086:1521] type 00 class 0x020000")                       \
	AT("0.500200", "pci " PF ": reg 0x10: [mem 0x90000000-0x900fffff]")                    \
	AT("0.500300", "pci " PF ": reg 0x184: [mem 0x00000000-0x00003fff 64bit pref]")        \
	AT("0.500400", "pci " PF ": VF(n) BAR0 space: [mem 0x00000000-0x0001ffff 64bit pref] " \
		       "(contains BAR0 for 8 VFs)")                                            \
	AT("0.500500", "pci_bus 0000:3a: on NUMA node 1")
#define BEYOND AT("0.600000", "pci_bus 0000:3a: resource 4 [mem 0x90000000-0x9fffffff window]")

static void expect_row(const struct host *h, unsigned n, uint64_t start, bool is_assigned)
{
	const struct pcidevs *v = NULL;
	const struct pcidev *d = NULL;

	EXPECT(pcidevs_get(h, &v, NULL) == 0 && (d = pcidevs_find(v, PF)));
	EXPECT(d && d->rows_error == 0 && d->n_rows == PCIDEV_ROWS_IOV);
	if (!d)
		return;
	EXPECT(d->rows[n].start == start);
	EXPECT(pcidev_row_is_assigned(&d->rows[n]) == is_assigned);
}

TEST(a_boot_tells_of_the_machine)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, START);

	EXPECT(imported_says(h, "/proc/sys/kernel/osrelease", "6.1.0-test"));
	EXPECT(imported_says(h, "/proc/cmdline",
			     "BOOT_IMAGE=/vmlinuz-6.1.0-test root=/dev/sda1 intel_iommu=on"));
	EXPECT(imported_says(h, "/sys/class/dmi/id/sys_vendor", "Example Systems Inc."));
	EXPECT(imported_says(h, "/sys/class/dmi/id/product_name", "Rack Server 9"));
	EXPECT(imported_says(h, "/sys/class/dmi/id/board_name", "0X1Y2Z"));
	EXPECT(imported_says(h, "/sys/class/dmi/id/bios_version", "2.1.0"));
	EXPECT(imported_says(h, "/sys/class/dmi/id/bios_date", "01/02/2023"));
	EXPECT(imported_says(h, "/proc/sys/kernel/arch", "x86_64"));
	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/DMAR") == 0);
	EXPECT(host_exists(h, "/sys/firmware/acpi/tables/IVRS") == -ENOENT);
}

TEST(the_echo_of_the_command_line_is_no_evidence)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, START);
	AUTO_BUF struct buf line = { 0 };

	EXPECT(!klog_find(h, &line, "intel_iommu"));
	EXPECT(klog_find(h, &line, "DMI: Example"));
}

TEST(the_last_of_several_boots_counts)
{
	static const char *const between[] = { "", "-- Reboot --\n", "some other line\n" };

	for (size_t i = 0; i < ARRAY_SIZE(between); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf text = { 0 }, line = { 0 };
		const struct host *h;

		buf_printf(
			&text,
			START AT("9.000000", "pci 0000:01:00.0: Adding to iommu group 7") "%s" AT(
				"0.000000", "Linux version 6.2.0-other (x)")
				AT("1.000000", "eth: hello"),
			between[i]);
		h = imported_text(&v, buf_text(&text));
		EXPECT(imported_says(h, "/proc/sys/kernel/osrelease", "6.2.0-other"));
		EXPECT(host_exists(h, PCIDEV_PATH "/0000:01:00.0") != 0);
		EXPECT(!klog_find(h, &line, "iommu group 7"));
		/* What an earlier boot was told is not this one's. */
		EXPECT(host_exists(h, "/proc/cmdline") == -ENODATA);
	}
}

TEST(stamps_of_all_kinds_are_left_out)
{
	static const char *const texts[] = {
		"[    0.500000] pci " PF ": Adding to iommu group 5\n",
		"<6>[    0.500000] pci " PF ": Adding to iommu group 5\n",
		"[    0.500000][    T1] pci " PF ": Adding to iommu group 5\n",
		"[Mon Jan  2 10:00:00 2023] pci " PF ": Adding to iommu group 5\n",
		"[  +0.000012] pci " PF ": Adding to iommu group 5\n",
		"[Jan02 10:00] pci " PF ": Adding to iommu group 5\n",
		"Jan  2 10:00:00 host kernel: [    0.5] pci " PF ": Adding to iommu group 5\n",
		"2023-01-02T10:00:00+0100 host kernel: pci " PF ": Adding to iommu group 5\r\n",
		"pci " PF ": Adding to iommu group 5\n",
		"[    0.500000] a line that is as long as a mailer lets it be, and then some\n"
		"[    0.600000] iommu: Adding device\n" PF " to group 5\n",
		"[    0.600000] iommu: Adding device " PF " to group 5\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf group = { 0 };
		const struct host *h = imported_text(&v, texts[i]);
		int r = host_link_name(h, &group, NULL, PCIDEV_PATH "/" PF "/iommu_group");

		/* A short line that was not broken is not joined with the next. */
		if (strstr(texts[i], "device\n"))
			EXPECT(r < 0);
		else
			EXPECT(r == 0 && strcmp(buf_text(&group), "5") == 0);
	}
}

TEST(a_line_that_a_mailer_broke_is_whole_again)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(
		&v, "[    0.000000] Linux version 6.1.0-rather-long-name-of-a-kernel-build\n"
		    "(builder@aarch64-builder) (aarch64-linux-gnu-gcc 12.2) #1 SMP\n");

	EXPECT(imported_says(h, "/proc/sys/kernel/arch", "aarch64"));
}

TEST(groups_of_vfio_itself_are_nobodys)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h =
		imported_text(&v, AT("5.000000", "vfio-pci " PF ": Adding to iommu group 0"));

	EXPECT(host_exists(h, PCIDEV_PATH "/" PF "/iommu_group") != 0);
}

TEST(the_last_word_on_a_bar_counts)
{
	static const struct {
		const char *text;
		uint64_t start;
		bool is_assigned;
	} rows[] = {
		{ .text = START FOUND BEYOND },
		{ .text = START FOUND AT("0.550000",
					 "pci " PF
					 ": BAR 7: no space for [mem size 0x00020000 64bit pref]")
			  AT("0.550001",
			     "pci " PF ": BAR 7: failed to assign [mem size 0x00020000]") BEYOND },
		{ .text = START FOUND AT("0.550000",
					 "pci " PF
					 ": BAR 7: no space for [mem size 0x00020000 64bit pref]")
			  AT("0.560000",
			     "pci " PF ": BAR 7: assigned [mem 0x91000000-0x9101ffff 64bit pref]")
				  BEYOND,
		  .start = 0x91000000,
		  .is_assigned = true },
		{ .text = START FOUND AT(
			  "0.560000",
			  "pci " PF ": VF BAR 0 [mem 0x91000000-0x9101ffff 64bit pref]: assigned")
			  BEYOND,
		  .start = 0x91000000,
		  .is_assigned = true },
		{ .text = START FOUND AT("0.560000",
					 "pci " PF
					 ": VF BAR 0 [mem 0x91000000-0x9101ffff 64bit]: assigned")
			  AT("0.570000",
			     "pci " PF ": VF BAR 0 [mem 0x91000000-0x9101ffff 64bit]: releasing")
				  BEYOND },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };

		expect_row(imported_text(&v, rows[i].text), PCIDEV_ROW_VF, rows[i].start,
			   rows[i].is_assigned);
	}
}

#define TRIED                                                                   \
	AT("0.550000", "pci " PF ": BAR 7: no space for [mem size 0x00020000]") \
	AT("0.550001", "pci " PF ": BAR 7: failed to assign [mem size 0x00020000]")
#define AGAIN AT("0.560000", "pci_bus 0000:3a: No. 2 try to assign unassigned res")
#define OTHER                                                            \
	AT("0.400000", "pci_bus 0000:00: root bus resource [bus 00-16]") \
	AT("0.540000", "pci_bus 0000:00: resource 4 [mem 0x80000000-0x8fffffff window]")

/* What is given out below another root bus before says nothing of this one. */
TEST(a_log_that_ends_before_addresses_are_given_has_no_rows)
{
	static const char *const texts[] = { START FOUND, START FOUND TRIED,
					     START FOUND TRIED AGAIN, START FOUND OTHER TRIED AGAIN,
					     START FOUND BEYOND TRIED };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct host *h = imported_text(&v, texts[i]);

		EXPECT(host_exists(h, PCIDEV_PATH "/" PF "/resource") == -ENODATA);
	}
}

/* Nor does what another excerpt of a log tells, between which and this one something is. */
TEST(two_excerpts_of_a_log_are_not_one)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct klog *log = NULL;
	const struct host *h;

	imported_put(&v, "/1.txt", START FOUND TRIED);
	imported_put(&v, "/2.txt", AT("2.0", "io scheduler mq-deadline registered"));
	h = imported_host(&v);
	EXPECT(klog_get(h, &log, NULL) == 0 && !klog_reaches(log->text, KLOG_DEVICES));
	EXPECT(host_exists(h, PCIDEV_PATH "/" PF "/resource") == -ENODATA);
}

TEST(what_the_kernel_found_of_a_function_is_known)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(
		&v, START FOUND AT("0.5005", "pci 0000:3b:00.1: [8086:1533] type 00 class 0x020000")
			    BEYOND);
	struct pciconf_sriov s = { 0 };
	struct pciconf c = { 0 };
	uint16_t at;

	EXPECT(imported_says(h, PCIDEV_PATH "/" PF "/vendor", "0x8086"));
	EXPECT(imported_says(h, PCIDEV_PATH "/" PF "/class", "0x020000"));
	EXPECT(imported_says(h, PCIDEV_PATH "/" PF "/numa_node", "1"));
	EXPECT(pciconf_read(h, PF, &c, NULL) == 0);
	EXPECT(pciconf_sriov(&c, &s) == 0 && s.total_vfs == 8);
	EXPECT(!s.knows_control && !s.knows_places && !s.knows_bars);
	EXPECT(pciconf_ext_cap(&c, 0x000d, &at) == -ENODATA);
	/* Of one with all its BARs told, none of them for VFs, the kernel offers none. */
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3b:00.1/sriov_totalvfs") == -ENOENT);
	EXPECT(host_exists(h, PCIDEV_PATH "/" PF "/sriov_totalvfs") == 0);
}

TEST(a_driver_is_bound_when_it_shows_its_work)
{
	static const struct {
		const char *text, *driver; /* NULL: none is known */
		bool is_absent;
	} rows[] = {
		{ .text = AT("2.0", "igb " PF " eno1: renamed from eth0"), .driver = "igb" },
		{ .text = AT("2.0", "ixgbe " PF ": 63.008 Gb/s available PCIe bandwidth (8.0 GT/s "
				    "PCIe x8 link)"),
		  .driver = "ixgbe" },
		{ .text = AT("2.0", "ixgbe " PF ": not enough MMIO resources for SR-IOV"),
		  .driver = "ixgbe" },
		{ .text = AT("2.0", "ice " PF ": The DDP package was successfully loaded") },
		{ .text = AT("2.0", "ice " PF ": The DDP package was successfully loaded")
			  AT("2.1", "ice: probe of " PF " failed with error -5"),
		  .is_absent = true },
		{ .text = AT("2.1", "ice " PF ": probe with driver ice failed with error -5"),
		  .is_absent = true },
		{ .text = AT("2.1", "mpt3sas " PF ": BAR 1: can't reserve [mem 0x1000-0x1fff]"),
		  .is_absent = true },
		{ .text = AT("2.1", "pci " PF ": vgaarb: renamed from nothing") },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct host *h = imported_text(&v, rows[i].text);
		AUTO_BUF struct buf driver = { 0 };
		int r = host_link_name(h, &driver, NULL, PCIDEV_PATH "/" PF "/driver");

		if (rows[i].driver)
			EXPECT(r == 0 && strcmp(buf_text(&driver), rows[i].driver) == 0);
		else
			EXPECT(r == (rows[i].is_absent ? -ENOENT : -ENODATA));
	}
}

TEST(a_link_without_a_limit_runs_at_all_it_can)
{
	AUTO_IMPORTED struct imported v = { 0 }, limited = { 0 };
	const struct host *h = imported_text(
		&v, AT("2.0", "ice " PF ": 126.024 Gb/s available PCIe bandwidth (16.0 GT/s PCIe "
			      "x8 link)"));

	EXPECT(imported_says(h, PCIDEV_PATH "/" PF "/current_link_speed", "16.0 GT/s PCIe"));
	EXPECT(imported_says(h, PCIDEV_PATH "/" PF "/max_link_width", "8"));
	h = imported_text(&limited, AT("2.0", "ice " PF ": 2.000 Gb/s available PCIe bandwidth, "
					      "limited by 2.5 GT/s PCIe x1 link at 0000:00:01.0 "
					      "(capable of 126.024 Gb/s with 16.0 GT/s PCIe x8 "
					      "link)"));
	EXPECT(imported_says(h, PCIDEV_PATH "/" PF "/max_link_width", "8"));
	EXPECT(host_exists(h, PCIDEV_PATH "/" PF "/current_link_width") == -ENODATA);
}

TEST(a_boot_without_a_group_has_none)
{
	static const char later[] = AT("2.000000", "io scheduler mq-deadline registered");
	AUTO_IMPORTED struct imported whole = { 0 }, cut = { 0 }, torn = { 0 }, grouped = { 0 };
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf text = { 0 };
	const struct host *h;

	buf_printf(&text, START "%s", later);
	h = imported_text(&whole, buf_text(&text));
	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups") == 0 && names.n == 0);
	EXPECT(host_list(imported_text(&cut, START), &names, NULL, "/sys/kernel/iommu_groups") < 0);
	EXPECT(host_list(imported_text(&torn, later), &names, NULL, "/sys/kernel/iommu_groups") <
	       0);
	buf_printf(&text, AT("2.1", "pci %s: Adding to iommu group 0"), PF);
	h = imported_text(&grouped, buf_text(&text));
	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups") == 0 && names.n == 1);
}

TEST(groups_are_whole_when_no_number_lacks)
{
	AUTO_IMPORTED struct imported whole = { 0 }, gap = { 0 };
	AUTO_STRV struct strv names = { 0 };
	const struct host *h = imported_text(
		&whole, AT("2.0", "pci 0000:00:00.0: Adding to iommu group 0")
				AT("2.0", "pci " PF ": Adding to iommu group 1")
					AT("2.0", "pci 0000:3b:00.1: Adding to iommu group 1"));

	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups/1/devices") == 0);
	EXPECT(names.n == 2);
	h = imported_text(&gap, AT("2.0", "pci " PF ": Adding to iommu group 1"));
	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups/1/devices") == -ENODATA);
}

TEST(the_last_words_about_a_link_count)
{
	static const struct {
		const char *text, *carrier; /* NULL: not known */
	} rows[] = {
		{ .text = AT("3.0",
			     "ixgbe " PF " eno1: NIC Link is Up 10 Gbps, Flow Control: None"),
		  .carrier = "1" },
		{ .text = AT("3.0", "igb " PF " eno1: igb: eno1 NIC Link is Up 1000 Mbps Full")
			  AT("3.1", "igb " PF " eno1: igb: eno1 NIC Link is Down"),
		  .carrier = "0" },
		{ .text = AT("3.0", "mlx5_core " PF " eno1: Link down")
			  AT("3.1", "mlx5_core " PF " eno1: Link up"),
		  .carrier = "1" },
		{ .text = AT("3.0",
			     "mlx5_core " PF ": Port module event: module 0, Cable unplugged"),
		  .carrier = "0" },
		{ .text = AT("3.0",
			     "mlx5_core " PF ": Port module event: module 0, Cable plugged") },
		{ .text = AT("3.0", "IPv6: ADDRCONF(NETDEV_UP): eno1: link is not ready") },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf text = { 0 };
		const struct host *h;

		buf_printf(&text, "%s%s%s", START FOUND BEYOND,
			   AT("2.0", "igb " PF " eno1: renamed from eth0"), rows[i].text);
		h = imported_text(&v, buf_text(&text));
		if (rows[i].carrier)
			EXPECT(imported_says(h, PCIDEV_PATH "/" PF "/net/eno1/carrier",
					     rows[i].carrier));
		else
			EXPECT(host_exists(h, PCIDEV_PATH "/" PF "/net/eno1/carrier") < 0);
	}
}
