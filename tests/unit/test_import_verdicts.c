/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is concluded from texts, and what is not, where that takes more than one layer. */
#include "judged.h"

#include <sriovctl/machine.h>

#include <string.h>

#define LINK                                                                 \
	"7: enp59s0f0: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP\n" \
	"    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
#define VF(number, mac, trust)                                                        \
	"    vf " number " link/ether " mac " brd ff:ff:ff:ff:ff:ff, spoof checking " \
	"on, link-state auto, trust " trust "\n"

TEST(vfs_of_which_only_the_pf_tells_are_judged_by_what_it_has_set)
{
	AUTO_IMPORTED struct imported good = { 0 }, zero = { 0 }, twice = { 0 };
	const struct host *h = imported_text(&good, LINK VF("0", "02:00:00:00:00:45", "off")
							    VF("1", "02:00:00:00:00:46", "off"));

	EXPECT(judged(h, "vf.mac", "0000:3b:00.0", VERDICT_PASS));
	EXPECT(judged(h, "vf.policy", "0000:3b:00.0", VERDICT_PASS));
	/* They are there, and their functions were not seen. */
	EXPECT(judged(h, "vf.present", "0000:3b:00.0", VERDICT_UNKNOWN));
	/* The worst of them counts, wherever it stands. */
	h = imported_text(&zero, LINK VF("0", "02:00:00:00:00:45", "off")
					 VF("1", "00:00:00:00:00:00", "off")
						 VF("2", "02:00:00:00:00:47", "off"));
	EXPECT(judged(h, "vf.mac", "0000:3b:00.0", VERDICT_FAIL));
	h = imported_text(&twice, LINK VF("0", "02:00:00:00:00:45", "off")
					  VF("1", "02:00:00:00:00:45", "off"));
	EXPECT(judged(h, "vf.mac", "0000:3b:00.0", VERDICT_FAIL));
}

#define PF                                                                                \
	"0c:00.0 Ethernet controller: Broadcom Inc. and subsidiaries BCM57840 (rev 11)\n" \
	"\tCapabilities: [1c0 v1] Single Root I/O Virtualization (SR-IOV)\n"              \
	"\t\tIOVCtl:\tEnable- Migration- Interrupt- MSE- ARIHierarchy+\n"                 \
	"\t\tInitial VFs: 64, Total VFs: 64, Number of VFs: 0, Function Dependency "      \
	"Link: 00\n"                                                                      \
	"\t\tVF offset: 8, stride: 1, Device ID: 16ad\n"                                  \
	"\tKernel driver in use: bnx2x\n\n"
#define VIRTUAL                                                                               \
	".0 Ethernet controller: Broadcom Inc. and subsidiaries NetXtreme II BCM57840 10/20 " \
	"Gigabit "                                                                            \
	"Ethernet Virtual Function\n"

TEST(vfs_of_another_moment_than_their_pf_are_its_all_the_same)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(&v, PF "0c:01" VIRTUAL "0c:09" VIRTUAL);

	EXPECT(judged(h, "vf.present", "0000:0c:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(h, "vf.mac", "0000:0c:01.0", VERDICT_UNKNOWN));
	/* Of this one the PF was not sent: that does not make it one of another host. */
	EXPECT(judged(h, "vf.mac", "0000:0c:09.0", VERDICT_UNKNOWN));
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:0c:01.0/physfn") == 0);
	EXPECT(host_exists(h, PCIDEV_PATH "/0000:0c:09.0/physfn") == -ENODATA);
}

#define NUMBERED(bus)                                                                   \
	bus ":00.0 Ethernet controller: Intel Corporation I350 Gigabit (rev 01)\n"      \
	    "\tCapabilities: [a0] Express (v2) Endpoint, MSI 00\n"                      \
	    "\t\tLnkCap2: Supported Link Speeds: 2.5-5GT/s, Crosslink- Retimer- DRS-\n" \
	    "\tKernel driver in use: igb\n\n"
#define GROUP "05:00.0 SATA controller: Intel Corporation SATA\n\tIOMMU group: 3\n\n"

TEST(an_lspci_that_would_tell_groups_and_tells_none_has_seen_none)
{
	static const char many[] = NUMBERED("01") NUMBERED("02") NUMBERED("03") NUMBERED("04");
	AUTO_IMPORTED struct imported none = { 0 }, few = { 0 }, some = { 0 };
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf text = { 0 };

	EXPECT(judged(imported_text(&none, many), "iommu.active", "host", VERDICT_FAIL));
	/* What somebody made shorter may have lost more than functions. */
	EXPECT(judged(imported_text(&few, NUMBERED("01") NUMBERED("02")), "iommu.active", "host",
		      VERDICT_UNKNOWN));
	buf_printf(&text, "%s%s", many, GROUP);
	EXPECT(host_list(imported_text(&some, buf_text(&text)), &names, NULL,
			 "/sys/kernel/iommu_groups") == 0);
	EXPECT(names.n == 1);
}

#define ASKED "ixgbe 0000:04:00.0: "

TEST(the_kernels_refusal_is_what_became_of_the_vfs)
{
	AUTO_IMPORTED struct imported refused = { 0 }, asked = { 0 };

	EXPECT(judged(imported_text(&refused, ASKED "SR-IOV enabled with 1 VFs\n" ASKED
						    "not enough MMIO resources for SR-IOV\n"),
		      "vf.present", "0000:04:00.0", VERDICT_FAIL));
	/* Said before it is tried. */
	EXPECT(!judged(imported_text(&asked, ASKED "SR-IOV enabled with 1 VFs\n"), "vf.present",
		       "0000:04:00.0", VERDICT_PASS));
}

#define IB     "[    3.4] pci 0000:66:00.0: [15b3:1021] type 00 class 0x020700\n"
#define MODULE "[    8.7] mlx5_core 0000:66:00.0: Port module event: module 0, "

TEST(a_port_without_a_name_may_have_no_cable)
{
	AUTO_IMPORTED struct imported off = { 0 }, on = { 0 };

	EXPECT(judged(imported_text(&off, IB MODULE "Cable plugged\n" MODULE "Cable unplugged\n"),
		      "pf.carrier", "0000:66:00.0", VERDICT_FAIL));
	/* With one there need not be carrier. */
	EXPECT(judged(imported_text(&on, IB MODULE "Cable unplugged\n" MODULE "Cable plugged\n"),
		      "pf.carrier", "0000:66:00.0", VERDICT_UNKNOWN));
}

TEST(rows_of_vfs_show_a_kernel_that_has_them)
{
	AUTO_IMPORTED struct imported vf = { 0 }, plain = { 0 };
	const struct host *h = imported_text(
		&vf, "[    1.0] pci 0000:00:02.0: VF BAR 2 [mem 0x4020000000-0x40ffffffff 64bit "
		     "pref]: assigned\n[    2.0] igb 0000:03:00.0: Using MSI-X interrupts. 9 rx "
		     "queue(s), 9 tx queue(s)\n");

	EXPECT(judged(h, "kernel.sriov", "host", VERDICT_PASS));
	h = imported_text(&plain, "[    1.0] pci 0000:00:02.0: BAR 2 [mem 0x4020000000-"
				  "0x40ffffffff 64bit pref]: assigned\n");
	EXPECT(judged(h, "kernel.sriov", "host", VERDICT_UNKNOWN));
}

TEST(a_kernel_that_died_in_the_iommu_has_none)
{
	static const char oops[] = "[    6.6] Oops: 0002 [#1] SMP PTI\n"
				   "[    6.6] RIP: 0010:intel_iommu_init+0xed0/0x1136\n";
	AUTO_IMPORTED struct imported dead = { 0 }, warned = { 0 };

	EXPECT(judged(imported_text(&dead, oops), "iommu.active", "host", VERDICT_FAIL));
	/* A warning has such a line as well, and the kernel goes on. */
	EXPECT(judged(imported_text(&warned, strchr(oops, '\n') + 1), "iommu.active", "host",
		      VERDICT_UNKNOWN));
}

#define PROCESSOR(family) \
	"Handle 0x0004, DMI type 4, 48 bytes\nProcessor Information\n\tFamily: " family "\n"

TEST(the_processors_family_tells_an_arm_machine)
{
	AUTO_IMPORTED struct imported arm = { 0 }, other = { 0 };

	EXPECT(judged(imported_text(&arm, PROCESSOR("ARMv8")), "x2apic.active", "host",
		      VERDICT_NA));
	EXPECT(judged(imported_text(&other, PROCESSOR("Other")), "x2apic.active", "host",
		      VERDICT_UNKNOWN));
}

TEST(the_device_tree_names_real_machines_and_virtual_ones)
{
	AUTO_IMPORTED struct imported board = { 0 }, virtual = { 0 };
	const struct machine *m = NULL;

	EXPECT(judged(imported_text(&board, "[    0.0] Machine model: ARM Juno (r2)\n"),
		      "host.guest", "host", VERDICT_PASS));
	EXPECT(machine_get(imported_text(&virtual, "[    0.0] Machine model: linux,dummy-virt\n"),
			   &m, NULL) == 0);
	EXPECT(m && m->guest_error == 0 && m->is_guest);
}

#define PORT(window)                                                       \
	"00:01.0 PCI bridge: Intel Corporation Device 2030 (rev 04)\n"     \
	"\tBus: primary=00, secondary=0c, subordinate=0c, sec-latency=0\n" \
	"\tMemory behind bridge: 90000000-900fffff [size=1M] [32-bit]\n"   \
	"\tPrefetchable memory behind bridge: " window "\n"                \
	"\tCapabilities: [40] Express (v2) Root Port (Slot+), MSI 00\n"    \
	"\tKernel driver in use: pcieport\n\n"
#define ADDRESSED                                                                         \
	"0c:00.0 Ethernet controller: Broadcom Inc. and subsidiaries BCM57840 (rev 11)\n" \
	"\tCapabilities: [1c0 v1] Single Root I/O Virtualization (SR-IOV)\n"              \
	"\t\tIOVCtl:\tEnable- Migration- Interrupt- MSE- ARIHierarchy+\n"                 \
	"\t\tInitial VFs: 64, Total VFs: 64, Number of VFs: 0, Function Dependency "      \
	"Link: 00\n"                                                                      \
	"\t\tVF offset: 8, stride: 1, Device ID: 16ad\n"                                  \
	"\t\tSupported Page Size: 000005ff, System Page Size: 00000001\n"                 \
	"\t\tRegion 0: Memory at 0000039fffc00000 (64-bit, prefetchable)\n"               \
	"\t\tVF Migration: offset: 00000000, BIR: 0\n"                                    \
	"\tKernel driver in use: bnx2x\n\n"

TEST(an_address_that_no_port_lets_through_is_no_space)
{
	AUTO_IMPORTED struct imported in = { 0 }, out = { 0 }, closed = { 0 }, alone = { 0 };

	EXPECT(judged(
		imported_text(&in, PORT("0000039fff000000-0000039fffffffff [size=16M]") ADDRESSED),
		"pf.vf_mmio", "0000:0c:00.0", VERDICT_PASS));
	EXPECT(judged(
		imported_text(&out, PORT("0000039ffe000000-0000039ffeffffff [size=16M]") ADDRESSED),
		"pf.vf_mmio", "0000:0c:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(imported_text(&closed, PORT("[disabled] [64-bit]") ADDRESSED), "pf.vf_mmio",
		      "0000:0c:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(imported_text(&alone, ADDRESSED), "pf.vf_mmio", "0000:0c:00.0",
		      VERDICT_PASS));
}

TEST(vfs_show_that_vfio_was_told_to_make_some)
{
	static const char on[] = "08:00.0 Ethernet controller: Intel Corporation I350 (rev 01)\n"
				 "\tCapabilities: [160 v1] Single Root I/O Virtualization "
				 "(SR-IOV)\n"
				 "\t\tIOVCtl:\tEnable+ Migration- Interrupt- MSE+ ARIHierarchy+\n"
				 "\t\tInitial VFs: 8, Total VFs: 8, Number of VFs: 2, Function "
				 "Dependency Link: 00\n"
				 "\tKernel driver in use: vfio-pci\n\n";
	AUTO_IMPORTED struct imported some = { 0 }, none = { 0 };
	AUTO_BUF struct buf off = { 0 };

	EXPECT(judged(imported_text(&some, on), "pf.driver", "0000:08:00.0", VERDICT_UNKNOWN));
	buf_puts(&off, on);
	memcpy(strstr(off.data, "Enable+"), "Enable-", 7);
	EXPECT(judged(imported_text(&none, off.data), "pf.driver", "0000:08:00.0", VERDICT_FAIL));
}

#define CUT                                                                                 \
	"3b:00.0 Ethernet controller [0200]: Intel Corporation X710 [8086:1572] (rev 02)\n" \
	"\tCapabilities: [160 v1] Single Root I/O Virtualization (SR-IOV)\n"                \
	"\t\tIOVCtl:\tEnable+ Migration- Interrupt- MSE+ ARIHierarchy+\n"                   \
	"\t\tInitial VFs: 64, Total VFs: 64, Number of VFs: 4, Function Dependency "        \
	"Link: 00\n"
#define TOTAL "root@a:~# cat " PCIDEV_PATH "/0000:3b:00.0/sriov_totalvfs\n64\n"
#define NUM   "root@a:~# cat " PCIDEV_PATH "/0000:3b:00.0/sriov_numvfs\n0\n"

TEST(what_was_cut_off_is_not_denied)
{
	AUTO_IMPORTED struct imported cut = { 0 };
	const struct host *h;

	imported_put(&cut, "/lspci", CUT);
	imported_put(&cut, "/version", "Linux version 6.1.192 (a@b) (gcc) #1 SMP\n");
	h = imported_host(&cut);
	EXPECT(judged(h, "vf.persistent", "0000:3b:00.0", VERDICT_UNKNOWN));
	EXPECT(judged(h, "kernel.compat", "host", VERDICT_UNKNOWN));
}

static bool says_now(const struct host *h)
{
	AUTO_REPORT struct report r = { 0 };
	AUTO_STRV struct strv only = { 0 };
	struct report_options o = { 0 };

	EXPECT(strv_add(&only, "pf.sriov_capability") == 0);
	o.only = only;
	EXPECT(report_run(h, &o, &r, NULL) == 0 && r.n_results == 1);
	EXPECT(r.n_results == 1 && r.results[0].verdict == VERDICT_PASS);
	return r.n_results == 1 && strstr(r.results[0].finding.summary, "0 now");
}

TEST(a_count_of_vfs_is_told_where_it_is_known)
{
	AUTO_IMPORTED struct imported total = { 0 }, both = { 0 };

	EXPECT(!says_now(imported_text(&total, TOTAL)));
	EXPECT(says_now(imported_text(&both, TOTAL NUM)));
}
