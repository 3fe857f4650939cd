/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of which people, terminals and filters left something out: what that was is unknown. */
#include "judged.h"

#include <sriovctl/cpuinfo.h>

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
