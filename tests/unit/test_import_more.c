/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals, trees of lspci, tables that iasl printed, transcripts of several files. */
#include "imported.h"

#include <errno.h>
#include <string.h>

#define GROUP(bdf) PCIDEV_PATH "/" bdf "/iommu_group"

TEST(a_journal_is_the_kernels_log_of_its_last_boot)
{
	static const char export[] = "__CURSOR=s=1\n_BOOT_ID=a\n_TRANSPORT=kernel\n"
				     "_SOURCE_MONOTONIC_TIMESTAMP=7000000\n"
				     "MESSAGE=pci 0000:3b:00.0: Adding to iommu group 3\n\n"
				     "__CURSOR=s=2\nMESSAGE=pci 0000:3b:00.1: Adding to iommu "
				     "group 7\n_TRANSPORT=kernel\n_BOOT_ID=b\n"
				     "_SOURCE_MONOTONIC_TIMESTAMP=9000000\n\n"
				     "__CURSOR=s=3\n_BOOT_ID=b\n_TRANSPORT=stdout\n"
				     "MESSAGE=pci 0000:3b:00.2: Adding to iommu group 7\n";
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_BUF struct buf group = { 0 };
	const struct host *h = imported_text(&v, export);

	EXPECT(host_link_name(h, &group, NULL, GROUP("0000:3b:00.1")) == 0);
	EXPECT(strcmp(buf_text(&group), "7") == 0);
	/* Of the boot before, and of a program that wrote as the kernel does. */
	EXPECT(host_link_name(h, &group, NULL, GROUP("0000:3b:00.0")) < 0);
	EXPECT(host_link_name(h, &group, NULL, GROUP("0000:3b:00.2")) < 0);
}

#define RECORD(transport, message)                                                   \
	"{\"__CURSOR\":\"s=1\",\"_BOOT_ID\":\"b\",\"_TRANSPORT\":\"" transport "\"," \
	"\"_SOURCE_MONOTONIC_TIMESTAMP\":\"9000000\",\"MESSAGE\":" message "}\n"

TEST(a_journal_in_json_says_the_same)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(
		&v, RECORD("kernel", "\"pci 0000:3b:00.1: Adding to iommu group 7\"")
			    RECORD("stdout", "\"pci 0000:3b:00.2: Adding to iommu group 7\"")
				    RECORD("kernel", "[112,99,105]") "{\"__CURSOR\":\"cut");

	EXPECT(host_exists(h, GROUP("0000:3b:00.1")) == 0);
	EXPECT(host_exists(h, GROUP("0000:3b:00.2")) < 0);
}

TEST(the_host_before_a_kernels_message_is_none_of_it)
{
	AUTO_IMPORTED struct imported v = { 0 };

	EXPECT(host_exists(imported_text(&v, "[    9.000001] host kernel: pci 0000:3b:00.1: "
					     "Adding to iommu group 7\n"),
			   GROUP("0000:3b:00.1")) == 0);
}

TEST(a_tree_of_lspci_tells_functions_and_what_leads_where)
{
	static const char drawn[] =
		"-+-[0000:80]---01.0-[81]--\n"
		" \\-[0000:00]-+-00.0  Intel Corporation Device 09a2\n"
		"             +-01.0-[3a-3c]----00.0-[3b-3c]--+-00.0-[3c]--+-00.0  Intel "
		"Corporation Device 1521\n"
		"             |                               |            \\-00.1  Intel "
		"Corporation Device 1521\n"
		"             |                               \\-01.0-[3d]--\n"
		"             \\-1f.0  Intel Corporation Device 0998\n";
	static const char *const there[] = { "0000:80:01.0", "0000:00:00.0", "0000:00:01.0",
					     "0000:3a:00.0", "0000:3b:00.0", "0000:3c:00.0",
					     "0000:3c:00.1", "0000:3b:01.0", "0000:00:1f.0" };
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, drawn);
	const struct pcidevs *devices = NULL;

	EXPECT(pcidevs_get(h, &devices, NULL) == 0 && devices->n == ARRAY_SIZE(there));
	for (size_t i = 0; devices && i < ARRAY_SIZE(there); i++)
		EXPECT(pcidevs_find(devices, there[i]));
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3a:00.0/secondary_bus_number", "59"));
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3a:00.0/subordinate_bus_number", "60"));
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3c:00.1/device", "0x1521"));
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:3c:00.1/secondary_bus_number") == -ENODATA);
}

TEST(what_is_no_tree_draws_none)
{
	AUTO_IMPORTED struct imported v = { 0 };

	(void)imported_text(&v, " +-01.0-[3a]----00.0  Intel Corporation\n"
				"-[0000]-+-00.0\n-[0000:zz]-+-00.0\n");
	EXPECT(v.taken == 0);
}

TEST(a_table_that_iasl_printed_ends_with_its_bytes)
{
	static const char printed[] =
		"[000h 0000   4]  Signature : \"DMAR\"    [DMA Remapping table]\n\n"
		"Raw Table Data: Length 48 (0x30)\n\n"
		"    0000: 44 4D 41 52 30 00 00 00 01 00 45 58 41 4D 50 4C  // DMAR0.....EXAMPL\n"
		"    0010: 54 41 42 4C 45 20 20 20 01 00 00 00 45 58 4D 50  // TABLE   ....EXMP\n"
		"    0020: 01 00 00 00 26 01 00 00 00 00 00 00 00 00 00 00  // ....&...........\n";
	AUTO_IMPORTED struct imported v = { 0 }, cut = { 0 };
	AUTO_BUF struct buf table = { 0 };

	EXPECT(host_read(imported_text(&v, printed), 4096, &table, NULL,
			 "/sys/firmware/acpi/tables/DMAR") == 0);
	EXPECT(table.len == 48 && memcmp(table.data, "DMAR\x30", 5) == 0);
	(void)imported_text(&cut, "Raw Table Data: Length 48 (0x30)\n\n    0000: 44 4D 41 52\n");
	EXPECT(cut.taken == 0);
}

TEST(several_files_are_shown_with_their_names)
{
	static const char shown[] = "==> /sys/bus/pci/devices/0000:3b:00.0/resource <==\n"
				    "0x0000000090000000 0x00000000900fffff 0x0000000000040200\n"
				    "\n"
				    "==> /sys/devices/pci0000:3a/0000:3a:00.0/numa_node <==\n"
				    "1\n"
				    "# grep . /sys/bus/pci/devices/*/numa_node\n"
				    "/sys/bus/pci/devices/0000:3b:00.0/numa_node:0\n"
				    "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode:N\n"
				    "and more\n";
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, shown);

	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3b:00.0/resource",
			     "0x0000000090000000 0x00000000900fffff 0x0000000000040200"));
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3a:00.0/numa_node", "1"));
	EXPECT(imported_says(h, PCIDEV_PATH "/0000:3b:00.0/numa_node", "0"));
	EXPECT(imported_says(h, "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "N"));
}
