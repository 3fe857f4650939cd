/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of two hosts: what both tell is not known, and that is told. */
#include "imported.h"

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
