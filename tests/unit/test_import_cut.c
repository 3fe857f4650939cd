/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of which people, terminals and filters left something out: what that was is unknown. */
#include "judged.h"

#include <sriovctl/parse.h>

#include <errno.h>

#define CPUS "Architecture: x86_64\nVendor ID: GenuineIntel\nCPU(s): 1\n"

TEST(flags_of_a_processor_that_were_cut_deny_none)
{
	static const struct {
		const char *text;
		enum verdict verdict;
	} cases[] = {
		{ .text = CPUS "Flags: fpu cx16 lahf_lm ept\n", .verdict = VERDICT_FAIL },
		{ .text = CPUS "Flags: fpu cx16 lahf_lm\n", .verdict = VERDICT_UNKNOWN },
		{ .text = CPUS "Flags: fpu cx16 lahf_lm cmp_legacy\n", .verdict = VERDICT_UNKNOWN },
		{ .text = CPUS "Flags: fpu cx1\n", .verdict = VERDICT_UNKNOWN },
		{ .text = CPUS "Flags: fpu cx1\n6 vmx lahf_lm ept\n", .verdict = VERDICT_UNKNOWN },
		{ .text = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu cx16 "
			  "lahf_lm ept\n",
		  .verdict = VERDICT_FAIL },
		{ .text = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu cx1\n",
		  .verdict = VERDICT_UNKNOWN },
		{ .text = "$ cat /proc/cpuinfo\nprocessor\t: 0\nvendor_id\t: GenuineIntel\n"
			  "flags\t\t: fpu cx1\n$ \n",
		  .verdict = VERDICT_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_IMPORTED struct imported v = { 0 };

		EXPECT(judged(imported_text(&v, cases[i].text), "cpu.virtualization", "host",
			      cases[i].verdict));
	}
}

TEST(a_bios_that_was_not_shown_is_not_empty)
{
	static const char system[] =
		"Handle 0x0001, DMI type 1, 27 bytes\nSystem Information\n"
		"\tManufacturer: Example Systems Inc.\n\tProduct Name: Rack Server 9\n";
	static const char bios[] = "Handle 0x0000, DMI type 0, 24 bytes\nBIOS Information\n"
				   "\tVendor: Example Systems Inc.\n\tVersion: 2.1.0\n";
	AUTO_IMPORTED struct imported none = { 0 }, half = { 0 }, empty = { 0 };
	AUTO_BUF struct buf text = { 0 };

	EXPECT(judged(imported_text(&none, system), "firmware.smbios", "host", VERDICT_UNKNOWN));
	buf_printf(&text, "%s%s", bios, system);
	EXPECT(judged(imported_text(&half, buf_text(&text)), "firmware.smbios", "host",
		      VERDICT_UNKNOWN));
	buf_clear(&text);
	buf_printf(&text, "%s\tRelease Date: Not Specified\n%s", bios, system);
	EXPECT(judged(imported_text(&empty, buf_text(&text)), "firmware.smbios", "host",
		      VERDICT_FAIL));
}

TEST(a_routing_of_interrupts_counts_by_its_whole_name)
{
	static const struct {
		const char *name;
		enum verdict verdict;
	} cases[] = { { .name = "cluster x2apic", .verdict = VERDICT_PASS },
		      { .name = "cluster x2ap", .verdict = VERDICT_UNKNOWN },
		      { .name = "physical", .verdict = VERDICT_UNKNOWN } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf text = { 0 };

		buf_printf(&text,
			   "[    0.000000] x86/fpu: x87 FPU will use FXSAVE\n"
			   "[    0.271099] APIC: Switched APIC routing to: %s\n",
			   cases[i].name);
		EXPECT(judged(imported_text(&v, buf_text(&text)), "x2apic.active", "host",
			      cases[i].verdict));
	}
}

TEST(a_card_whose_ids_are_not_known_may_be_in_the_table)
{
	AUTO_IMPORTED struct imported v = { 0 };
	const struct host *h = imported_text(
		&v, "[    1.000000] igb 0000:0a:00.0: added PHC on eth0\n"
		    "[    1.100000] igb 0000:0a:00.0 eno1: renamed from eth0\n"
		    "[    1.200000] pci 0000:0a:00.0: VF(n) BAR0 space: [mem 0x0-0xff 64bit] "
		    "(contains BAR0 for 8 VFs)\n");

	EXPECT(judged(h, "pf.firmware_compat", "0000:0a:00.0", VERDICT_UNKNOWN));
}

/* --- logs ------------------------------------------------------------------------------------ */

#define AT(time, text) "[    " time "] " text "\n"
#define BEGIN                                                                     \
	AT("0.000000", "Linux version 6.1.0-test (builder@host) (gcc) #1 SMP")    \
	AT("0.000000", "x86/fpu: x87 FPU will use FXSAVE")                        \
	AT("0.010000", "ACPI: FACP 0x000000007B7FE000 0000F4 (v04 EXAMPL TABLE)") \
	AT("0.010000", "ACPI: HPET 0x000000007B7FB000 0000F4 (v04 EXAMPL TABLE)") \
	AT("0.010000", "ACPI: APIC 0x000000007B7FC000 0000C4 (v01 EXAMPL TABLE)")
#define HASH AT("0.020000", "Dentry cache hash table entries: 131072 (order: 8, 1048576 bytes)")
#define CARD                                                                   \
	AT("0.500100", "pci 0000:3b:00.0: [8086:1521] type 00 class 0x020000") \
	AT("0.500200", "pci 0000:3b:00.0: reg 0x10: [mem 0x90000000-0x900fffff]")
#define VFS                                                                                     \
	AT("0.500300", "pci 0000:3b:00.0: reg 0x184: [mem 0x00000000-0x00003fff 64bit pref]")   \
	AT("0.500400", "pci 0000:3b:00.0: VF(n) BAR0 space: [mem 0x00000000-0x0001ffff 64bit] " \
		       "(contains BAR0 for 8 VFs)")
#define END                                                                              \
	AT("0.600000", "pci_bus 0000:3a: resource 4 [mem 0x90000000-0x9fffffff window]") \
	AT("1.600000", "Freeing unused kernel image (initmem) memory: 2792K")
#define GAP "[...]\n"

static bool log_says(const char *text, const char *id, const char *subject, enum verdict verdict)
{
	AUTO_IMPORTED struct imported v = { 0 };

	return judged(imported_text(&v, text), id, subject, verdict);
}

TEST(what_was_left_out_of_a_log_may_have_been_there)
{
	/* The tables, a unit at work, and the place of VF BARs. */
	EXPECT(log_says(BEGIN HASH END, "iommu.firmware", "host", VERDICT_FAIL));
	EXPECT(log_says(BEGIN HASH END, "iommu.active", "host", VERDICT_FAIL));
	EXPECT(log_says(BEGIN, "iommu.firmware", "host", VERDICT_UNKNOWN));
	EXPECT(log_says(BEGIN GAP HASH END, "iommu.firmware", "host", VERDICT_UNKNOWN));
	EXPECT(log_says(BEGIN HASH "<snip>\n" END, "iommu.active", "host", VERDICT_UNKNOWN));
	/* Behind and before all is nothing between. */
	EXPECT(log_says(GAP BEGIN HASH END GAP, "iommu.active", "host", VERDICT_FAIL));
	/* Somebody looked for "linux" and "kernel", and for ACPI. */
	EXPECT(log_says(BEGIN END, "iommu.active", "host", VERDICT_FAIL));
	EXPECT(log_says(BEGIN CARD VFS END, "pf.vf_mmio", "0000:3b:00.0", VERDICT_FAIL));
	EXPECT(log_says(BEGIN CARD VFS GAP END, "pf.vf_mmio", "0000:3b:00.0", VERDICT_UNKNOWN));
}

#define DMAR AT("0.010000", "ACPI: DMAR 0x000000007B7FD000 0000C4 (v01 EXAMPL TABLE)")

TEST(silence_of_a_log_that_was_looked_through_is_none)
{
	EXPECT(log_says(DMAR BEGIN, "irq.remapping", "host", VERDICT_UNKNOWN));
	EXPECT(log_says(BEGIN DMAR HASH AT("0.3", "smp: Brought up 1 node, 8 CPUs") END,
			"irq.remapping", "host", VERDICT_FAIL));
	EXPECT(log_says(BEGIN DMAR AT("0.3", "smp: Brought up 1 node, 8 CPUs") END, "irq.remapping",
			"host", VERDICT_UNKNOWN));
	EXPECT(log_says(BEGIN DMAR HASH GAP AT("0.3", "smp: Brought up 1 node, 8 CPUs") END,
			"irq.remapping", "host", VERDICT_UNKNOWN));
}

/* As a terminal of @width shows a text: broken, or cut. */
static void show(const char *text, size_t width, bool is_cut, struct buf *ret)
{
	const char *line;
	size_t len;

	while (parse_line(&text, &line, &len)) {
		size_t n = len < width ? len : width;

		buf_append(ret, line, n);
		for (line += n, len -= n; !is_cut && len > 0; line += n, len -= n) {
			n = len < width ? len : width;
			buf_puts(ret, "\n");
			buf_append(ret, line, n);
		}
		buf_puts(ret, "\n");
	}
}

TEST(lines_of_a_terminal_are_put_together_or_left_out)
{
	static const char log[] = BEGIN DMAR HASH AT(
		"0.300000",
		"smp: Brought up 1 node, 8 CPUs, and some more of what it is to be long")
		AT("0.400000", "DMAR-IR: x2apic is to be used, it says here in a line that is long")
			AT("0.500000", "DMAR-IR: Enabled IRQ remapping in x2apic mode")
				CARD VFS END;
	AUTO_BUF struct buf broken = { 0 }, cut = { 0 };

	show(log, 66, false, &broken);
	show(log, 50, true, &cut);
	EXPECT(log_says(buf_text(&broken), "irq.remapping", "host", VERDICT_PASS));
	EXPECT(log_says(buf_text(&broken), "pf.vf_mmio", "0000:3b:00.0", VERDICT_FAIL));
	EXPECT(log_says(buf_text(&cut), "irq.remapping", "host", VERDICT_UNKNOWN));
	EXPECT(log_says(buf_text(&cut), "iommu.firmware", "host", VERDICT_UNKNOWN));
}

/* --- lspci ------------------------------------------------------------------------------------ */

#define BLOCK(at, rest)                                                                \
	at " Ethernet controller: Intel Corporation I350 Gigabit Network Connection\n" \
	   "\tControl: I/O- Mem+ BusMaster+\n\tStatus: Cap+ 66MHz-\n"                  \
	   "\tCapabilities: [40] Power Management version 3\n"                         \
	   "\tCapabilities: [a0] Express (v2) Endpoint, MSI 00\n" rest
#define MORE   "\tCapabilities: [100 v1] Alternative Routing-ID Interpretation (ARI)\n"
#define DRIVER "\tKernel driver in use: igb\n"

TEST(a_block_ends_with_an_empty_line_before_a_later_function)
{
	static const struct {
		const char *text;
		enum verdict capability, driver;
	} cases[] = {
		{ .text = BLOCK("3b:00.0", MORE) "\n" BLOCK("3b:00.1", DRIVER),
		  .capability = VERDICT_FAIL,
		  .driver = VERDICT_FAIL },
		/* Several that were cut, and the same twice. */
		{ .text = BLOCK("3b:00.0", MORE) BLOCK("3b:00.1", DRIVER),
		  .capability = VERDICT_UNKNOWN,
		  .driver = VERDICT_UNKNOWN },
		{ .text = BLOCK("3b:00.0", MORE) "--\n" BLOCK("3b:00.1", DRIVER),
		  .capability = VERDICT_UNKNOWN,
		  .driver = VERDICT_UNKNOWN },
		{ .text = BLOCK("3b:00.0", MORE) "\t[...]\n\n" BLOCK("3b:00.1", DRIVER),
		  .capability = VERDICT_UNKNOWN,
		  .driver = VERDICT_UNKNOWN },
		{ .text = BLOCK("3b:00.0", MORE) "\n" BLOCK("3b:00.0", MORE),
		  .capability = VERDICT_UNKNOWN,
		  .driver = VERDICT_UNKNOWN },
		/* A text that was stretched. */
		{ .text = BLOCK("3b:00.0", MORE) "\n" BLOCK("3b:00.1", "\n" DRIVER),
		  .capability = VERDICT_UNKNOWN,
		  .driver = VERDICT_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct host *h = imported_text(&v, cases[i].text);

		EXPECT(judged(h, "pf.sriov_capability", "0000:3b:00.0", cases[i].capability));
		EXPECT(judged(h, "pf.driver", "0000:3b:00.0", cases[i].driver));
	}
}

#define CAPABILITY "\tCapabilities: [100 v1] Single Root I/O Virtualization (SR-IOV)\n"
#define CONTROL	   "\t\tIOVCtl:\tEnable- Migration- Interrupt- MSE- ARIHierarchy-\n"
#define NUMBERS                                                                              \
	"\t\tInitial VFs: 8, Total VFs: 8, Number of VFs: 0, Function Dependency Link: 00\n" \
	"\t\tVF offset: 128, stride: 4, Device ID: 1520\n"

TEST(vfs_are_none_where_the_register_was_printed)
{
	AUTO_IMPORTED struct imported whole = { 0 }, part = { 0 };

	EXPECT(judged(imported_text(&whole, BLOCK("3b:00.0", CAPABILITY CONTROL NUMBERS)),
		      "vf.present", "0000:3b:00.0", VERDICT_NA));
	EXPECT(judged(imported_text(&part, BLOCK("3b:00.0", CAPABILITY NUMBERS)), "vf.present",
		      "0000:3b:00.0", VERDICT_UNKNOWN));
}

TEST(a_copy_without_any_function_that_could_have_vfs_may_have_lost_them)
{
	AUTO_IMPORTED struct imported bridge = { 0 }, card = { 0 };

	EXPECT(judged(imported_text(&bridge, "00:1c.0 PCI bridge: Intel Corporation Device a110\n"),
		      "kernel.compat", "host", VERDICT_UNKNOWN));
	EXPECT(judged(imported_text(&card, BLOCK("3b:00.0", MORE "\tKernel modules: igb\n")),
		      "kernel.compat", "host", VERDICT_NA));
}

/* --- what programs do to a text --------------------------------------------------------------- */

static void put_lines(const char *before, const char *text, struct buf *ret)
{
	const char *line;
	size_t len;

	while (parse_line(&text, &line, &len)) {
		buf_puts(ret, before);
		buf_append(ret, line, len);
		buf_puts(ret, "\n");
	}
}

static void put_wide(const char *text, struct buf *ret)
{
	static const char zero;

	buf_append(ret, "\xff\xfe", 2);
	for (; *text; text++) {
		buf_append(ret, text, 1);
		buf_append(ret, &zero, 1);
	}
}

#define LISTING BLOCK("3b:00.0", MORE) "\n" BLOCK("3b:00.1", DRIVER)

static bool tells_of_driver(const struct buf *text, enum verdict verdict)
{
	AUTO_IMPORTED struct imported v = { 0 };

	imported_put_bytes(&v, "/given.txt", buf_text(text), text->len);
	return judged(imported_host(&v), "pf.driver", "0000:3b:00.0", verdict);
}

TEST(quotes_and_indentations_are_taken_off)
{
	static const char *const before[] = { "> ", ">", "> > ", ">> ", "    ", "\t", "\xc2\xa0 " };
	AUTO_BUF struct buf mark = { 0 }, wide = { 0 }, reply = { 0 }, other = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		AUTO_BUF struct buf text = { 0 };

		put_lines(before[i], LISTING, &text);
		EXPECT(tells_of_driver(&text, VERDICT_FAIL));
	}
	buf_puts(&mark, "\xef\xbb\xbf" LISTING);
	EXPECT(tells_of_driver(&mark, VERDICT_FAIL));
	put_wide(LISTING, &wide);
	EXPECT(tells_of_driver(&wide, VERDICT_FAIL));
	/* Who writes between quotes may have left some out. */
	put_lines("> ", BLOCK("3b:00.0", MORE), &reply);
	buf_puts(&reply, "I see.\n\n");
	put_lines("> ", BLOCK("3b:00.1", DRIVER), &reply);
	EXPECT(tells_of_driver(&reply, VERDICT_UNKNOWN));
	/* What is quoted in somebody's own is another's. */
	put_lines("> ", BLOCK("3b:00.0", "\tKernel driver in use: vfio-pci\n"), &other);
	buf_puts(&other, LISTING);
	EXPECT(tells_of_driver(&other, VERDICT_FAIL));
}

#define IN_GROUP(name, group)                                                         \
	name " Ethernet controller: x\n\tControl: I/O- Mem+\n\tStatus: Cap+ 66MHz-\n" \
	     "\tIOMMU group: " group "\n\n"

TEST(the_next_function_may_be_in_the_group_of_the_last_one)
{
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_STRV struct strv names = { 0 };
	const struct host *h = imported_text(&v, IN_GROUP("3a:00.0", "0") IN_GROUP("3b:00.0", "1"));

	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups/0/devices") == 0);
	EXPECT(host_list(h, &names, NULL, "/sys/kernel/iommu_groups/1/devices") == -ENODATA);
}

/* "Initial VFs: 64, Total VFs: 6" of 64, at a width that other lines have too. */
TEST(the_last_word_of_a_line_that_a_terminal_cut_is_none)
{
	static const char wide[] =
		BLOCK("3b:00.0", CAPABILITY CONTROL
		      "\t\tInitial VFs: 64, Function Dependency Link: 00, Total VFs: 64\n"
		      "\t\tSupported Page Size: 00000553, System Page Size: 00000001\n"
		      "\t\tRegion 0: Memory at 0000000090000000 (64-bit, prefetchable)\n"
		      "\t\tRegion 3: Memory at 0000000090400000 (64-bit, prefetchable)\n"
		      "\t\tVF Migration: offset: 00000000, BIR: 0, and what is beyond this\n");
	AUTO_IMPORTED struct imported whole = { 0 }, cut = { 0 };
	struct pciconf_sriov s = { 0 };
	struct pciconf c = { 0 };
	AUTO_BUF struct buf text = { 0 };

	EXPECT(pciconf_read(imported_text(&whole, wide), "0000:3b:00.0", &c, NULL) == 0);
	EXPECT(pciconf_sriov(&c, &s) == 0 && s.total_vfs == 64);
	show(wide, strlen("\t\tInitial VFs: 64, Function Dependency Link: 00, Total VFs: 6"), true,
	     &text);
	EXPECT(pciconf_read(imported_text(&cut, buf_text(&text)), "0000:3b:00.0", &c, NULL) == 0);
	EXPECT(pciconf_sriov(&c, &s) == -ENODATA);
}

#define VF(rest)                                                                       \
	"2: enp59s0f0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP\n" \
	"    link/ether 02:00:00:00:00:44 brd ff:ff:ff:ff:ff:ff\n"                     \
	"    vf 0     link/ether 02:00:00:00:00:45 brd ff:ff:ff:ff:ff:ff" rest "\n"

TEST(a_line_of_a_vf_that_was_cut_tells_nothing)
{
	static const char *const cut[] = { VF(", spoof checking on, link-state auto, trust o"),
					   VF(", vlan 10"),
					   VF(", spoof checking on, link-state auto,") };
	AUTO_IMPORTED struct imported unsafe = { 0 }, safe = { 0 };

	EXPECT(judged(imported_text(&unsafe, VF(", spoof checking off, trust on")), "vf.policy",
		      "0000:3b:00.0", VERDICT_FAIL));
	EXPECT(judged(imported_text(&safe, VF(", spoof checking on, trust on")), "vf.policy",
		      "0000:3b:00.0", VERDICT_PASS));
	for (size_t i = 0; i < ARRAY_SIZE(cut); i++) {
		AUTO_IMPORTED struct imported v = { 0 };

		EXPECT(!judged(imported_text(&v, cut[i]), "vf.policy", "0000:3b:00.0",
			       VERDICT_PASS));
	}
}
