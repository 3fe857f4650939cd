/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/cpuinfo.h>

#include "tree.h"

static const char intel[] = "processor\t: 0\n"
			    "vendor_id\t: GenuineIntel\n"
			    "cpu family\t: 6\n"
			    "apicid\t\t: 0\n"
			    "initial apicid\t: 511\n"
			    "flags\t\t: fpu vme vmx x2apic svm_lock\n"
			    "vmx flags\t: vnmi preemption_timer svm\n"
			    "\n"
			    "processor\t: 1\n"
			    "vendor_id\t: GenuineIntel\n"
			    "apicid\t\t: 258\n"
			    "flags\t\t: hypervisor\n"
			    "\n";

TEST(of_x86)
{
	struct cpuinfo c = { 0 };

	EXPECT(cpuinfo_parse(intel, &c) == 0);
	EXPECT(c.arch == CPUINFO_X86 && same(c.vendor, "GenuineIntel"));
	EXPECT(c.n_cpus == 2 && c.max_apicid == 258);
	cpuinfo_done(&c);
}

TEST(flags_are_whole_words_of_the_first_processor)
{
	struct cpuinfo c = { 0 };

	EXPECT(cpuinfo_parse(intel, &c) == 0);
	EXPECT(cpuinfo_has(&c, "fpu") && cpuinfo_has(&c, "vmx") && cpuinfo_has(&c, "x2apic"));
	EXPECT(cpuinfo_has(&c, "svm_lock") && !cpuinfo_has(&c, "svm"));
	EXPECT(!cpuinfo_has(&c, "apic") && !cpuinfo_has(&c, "x2"));
	EXPECT(!cpuinfo_has(&c, "vnmi") && !cpuinfo_has(&c, "hypervisor"));
	cpuinfo_done(&c);
}

static const struct {
	const char *what, *text;
	enum cpuinfo_arch arch;
	const char *vendor;
	unsigned n_cpus;
} rows[] = {
	{ .what = "kernel 2.6, without apicid",
	  .text = "processor\t: 0\nvendor_id\t: AuthenticAMD\nflags\t\t: fpu svm\n",
	  .arch = CPUINFO_X86,
	  .vendor = "AuthenticAMD",
	  .n_cpus = 1 },
	{ .what = "cut off before the flags",
	  .text = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6",
	  .arch = CPUINFO_X86,
	  .vendor = "GenuineIntel",
	  .n_cpus = 1 },
	{ .what = "saved without vendor",
	  .text = "processor : 0\nflags : fpu vmx\n",
	  .arch = CPUINFO_X86,
	  .vendor = "",
	  .n_cpus = 1 },
	{ .what = "a value that is empty",
	  .text = "processor\t: 0\nvendor_id\t:\nflags\t\t:\n",
	  .arch = CPUINFO_X86,
	  .vendor = "",
	  .n_cpus = 1 },
	{ .what = "arm64",
	  .text = "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\n"
		  "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\nprocessor\t: 1\n"
		  "CPU implementer\t: 0x41\n",
	  .arch = CPUINFO_ARM,
	  .vendor = "",
	  .n_cpus = 2 },
	{ .what = "32-bit arm",
	  .text = "processor\t: 0\nmodel name\t: ARMv7 Processor rev 4 (v7l)\n"
		  "CPU implementer\t: 0x41\n\nHardware\t: BCM2835\n",
	  .arch = CPUINFO_ARM,
	  .vendor = "",
	  .n_cpus = 1 },
	{ .what = "riscv",
	  .text = "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\n",
	  .arch = CPUINFO_OTHER,
	  .vendor = "",
	  .n_cpus = 1 },
	{ .what = "powerpc",
	  .text = "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n",
	  .arch = CPUINFO_OTHER,
	  .vendor = "",
	  .n_cpus = 1 },
};

TEST(architectures)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cpuinfo c = { 0 };

		EXPECT(cpuinfo_parse(rows[i].text, &c) == 0);
		EXPECT(c.arch == rows[i].arch && c.n_cpus == rows[i].n_cpus);
		EXPECT(same(c.vendor, rows[i].vendor));
		if (c.arch != rows[i].arch || c.n_cpus != rows[i].n_cpus)
			printf("# %s\n", rows[i].what);
		cpuinfo_done(&c);
	}
}

TEST(without_flags_there_is_none)
{
	struct cpuinfo c = { 0 };

	EXPECT(cpuinfo_parse("processor\t: 0\n", &c) == 0);
	EXPECT(!cpuinfo_has(&c, "vmx") && !cpuinfo_has(&c, " ") && c.max_apicid == 0);
	cpuinfo_done(&c);
}

TEST(an_apicid_that_is_no_number_is_passed_over)
{
	struct cpuinfo c = { 0 };

	EXPECT(cpuinfo_parse("processor\t: 0\napicid\t: -1\napicid\t: 7\napicid\t: 3\napicid\t: "
			     "99999999999\n",
			     &c) == 0);
	EXPECT(c.max_apicid == 7);
	cpuinfo_done(&c);
}

TEST(text_that_names_no_processor_is_refused)
{
	static const char *const texts[] = { "",
					     "\n\n",
					     "vendor_id\t: GenuineIntel\n",
					     "processors\t: 4\n",
					     "processor 0\n",
					     "processor 0: version = FF\n" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct cpuinfo c = { 0 };

		EXPECT(cpuinfo_parse(texts[i], &c) == -EINVAL);
	}
}

TEST(of_a_host)
{
	AUTO_TREE struct tree t = { 0 };
	const struct cpuinfo *c = NULL;

	TREE(&t, { .path = "/proc/cpuinfo", .text = intel });
	EXPECT(cpuinfo_get(t.h, &c, NULL) == 0);
	EXPECT(c && c->n_cpus == 2);
}
