/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <sriovctl/iommu_words.h>

#include <sriovctl/cmdline.h>

#include <string.h>

#define INTEL	IOMMU_WORDS_INTEL
#define AMD	IOMMU_WORDS_AMD
#define ARM	IOMMU_WORDS_ARM
#define NOTHING IOMMU_WORDS_UNKNOWN

/* What is wrong with a command line: the words that are named, in order, with a part of why. */
static const struct {
	const char *line;
	enum iommu_words_platform at;
	struct {
		const char *word, *effect;
	} faults[3];
} cases[] = {
	/* Those that are right. */
	{ .line = "quiet root=/dev/sda1", .at = NOTHING },
	{ .line = "intel_iommu=on iommu=pt", .at = INTEL },
	{ .line = "intel-iommu=on,sm_on,igfx_off", .at = INTEL },
	{ .line = "intel_iommu=on intel_iommu=on", .at = INTEL },
	{ .line = "iommu=pt iommu.passthrough=1", .at = AMD },
	{ .line = "iommu.strict=0 iommu.passthrough=off", .at = ARM },
	{ .line = "iommu.strict=0", .at = NOTHING },
	{ .line = "amd_iommu=force_enable amd_iommu_intr=vapic", .at = AMD },
	{ .line = "intremap=no_x2apic_optout,nosid", .at = INTEL },
	{ .line = "intel_iommu=on", .at = IOMMU_WORDS_ANY },
	{ .line = "arm-smmu-v3.disable_bypass=0", .at = ARM },
	{ .line = "vfio_iommu_type1.allow_unsafe_interrupts=0 iommufd.x=1", .at = INTEL },
	{ .line = "s390_iommu=strict", .at = IOMMU_WORDS_OTHER },
	{ .line = "init=/sbin/iommu -- amd_iommu=on", .at = INTEL },
	/* Words of another platform. */
	{ .line = "intel_iommu=on", .at = AMD, .faults = { { "intel_iommu=on", "AMD-Vi" } } },
	{ .line = "intel_iommu=off", .at = AMD, .faults = { { "intel_iommu=off", "nothing" } } },
	{ .line = "amd_iommu=off", .at = INTEL, .faults = { { "amd_iommu=off", "Intel VT-d" } } },
	{ .line = "iommu=pt", .at = ARM, .faults = { { "iommu=pt", "Arm" } } },
	{ .line = "intremap=on", .at = ARM, .faults = { { "intremap=on", "Arm" } } },
	{ .line = "nointremap", .at = ARM, .faults = { { "nointremap", "Arm" } } },
	{ .line = "arm-smmu.disable_bypass=1",
	  .at = AMD,
	  .faults = { { "arm-smmu.disable_bypass=1", "AMD-Vi" } } },
	{ .line = "intremap=nopost", .at = AMD, .faults = { { "intremap=nopost", "AMD-Vi" } } },
	{ .line = "intel_iommu=on",
	  .at = IOMMU_WORDS_X86,
	  .faults = { { "intel_iommu=on", "neither" } } },
	/* Words that are none. */
	{ .line = "amd_iommu=on", .at = AMD, .faults = { { "amd_iommu=on", "without a word" } } },
	{ .line = "intel_iommu=pt", .at = INTEL, .faults = { { "intel_iommu=pt", "iommu=pt" } } },
	{ .line = "intel_iommu=on,igfx-off",
	  .at = INTEL,
	  .faults = { { "intel_iommu=igfx-off", "\"igfx_off\" may be meant" } } },
	{ .line = "iommu=on", .at = INTEL, .faults = { { "iommu=on", "switches nothing on" } } },
	{ .line = "iommu=1", .at = INTEL, .faults = { { "iommu=1", "GART" } } },
	{ .line = "iommu=memaper=2", .at = AMD, .faults = { { "iommu=memaper=2", "GART" } } },
	{ .line = "iommu=passthrough",
	  .at = AMD,
	  .faults = { { "iommu=passthrough", "iommu=pt" } } },
	{ .line = "intel_iomu=on",
	  .at = INTEL,
	  .faults = { { "intel_iomu=on", "\"intel_iommu\" may be meant" } } },
	{ .line = "inte_iommu=on",
	  .at = INTEL,
	  .faults = { { "inte_iommu=on", "\"intel_iommu\" may be meant" } } },
	{ .line = "iommu.pt=1", .at = INTEL, .faults = { { "iommu.pt=1", "no word of" } } },
	{ .line = "intel_iommu", .at = INTEL, .faults = { { "intel_iommu", "no value" } } },
	{ .line = "iommu.strict=2", .at = ARM, .faults = { { "iommu.strict=2", "0 or 1" } } },
	{ .line = "iommu.passthrough", .at = ARM, .faults = { { "iommu.passthrough", "0 or 1" } } },
	/* Words that undo each other. */
	{ .line = "intel_iommu=on intel_iommu=off",
	  .at = INTEL,
	  .faults = { { "intel_iommu=on", "contradicts intel_iommu=off, which wins" } } },
	{ .line = "intel_iommu=off intel_iommu=on iommu=pt",
	  .at = INTEL,
	  .faults = { { "intel_iommu=off", "contradicts intel_iommu=on, which wins" } } },
	{ .line = "intremap=off nointremap intremap=on",
	  .at = INTEL,
	  .faults = { { "intremap=off", "intremap=on, which wins" },
		      { "nointremap", "intremap=on, which wins" } } },
	{ .line = "iommu=off intel_iommu=on",
	  .at = INTEL,
	  .faults = { { "intel_iommu=on", "contradicts iommu=off" } } },
	{ .line = "iommu.passthrough=0 iommu=pt",
	  .at = INTEL,
	  .faults = { { "iommu.passthrough=0", "iommu=pt, which wins" } } },
	{ .line = "iommu.strict=0 intel_iommu=on,strict",
	  .at = INTEL,
	  .faults = { { "iommu.strict=0", "intel_iommu=strict, which wins" } } },
	{ .line = "intel_iommu=off iommu=pt",
	  .at = INTEL,
	  .faults = { { "iommu=pt", "nothing to do beside intel_iommu=off" } } },
	{ .line = "amd_iommu=off iommu.strict=1",
	  .at = AMD,
	  .faults = { { "iommu.strict=1", "nothing to do beside amd_iommu=off" } } },
	{ .line = "nox2apic x2apic_phys",
	  .at = INTEL,
	  .faults = { { "x2apic_phys", "contradicts nox2apic" } } },
	{ .line = "intel_iommu=on amd_iommu=on iommu=1",
	  .at = INTEL,
	  .faults = { { "amd_iommu=on", "Intel VT-d" }, { "iommu=1", "GART" } } },
};

static void judge(size_t i)
{
	AUTO_CMDLINE struct cmdline c = { 0 };
	AUTO_IOMMU_WORDS struct iommu_words w = { 0 };
	size_t n = 0;
	bool ok = cmdline_parse(cases[i].line, &c) == 0 &&
		  iommu_words_judge(&c, cases[i].at, &w) == 0;

	while (n < ARRAY_SIZE(cases[i].faults) && cases[i].faults[n].word)
		n++;
	ok = ok && w.n == n;
	for (size_t k = 0; ok && k < n; k++)
		ok = strcmp(w.items[k].word, cases[i].faults[k].word) == 0 &&
		     strstr(w.items[k].effect, cases[i].faults[k].effect);
	EXPECT(ok);
	if (ok)
		return;
	printf("# %s\n", cases[i].line);
	for (size_t k = 0; k < w.n; k++)
		printf("#   %s %s\n", w.items[k].word, w.items[k].effect);
}

TEST(each_word_is_judged_as_the_kernel_reads_it)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		judge(i);
}

/* What can be taken out whole, and what has to be corrected. */
TEST(only_whole_words_are_void)
{
	AUTO_CMDLINE struct cmdline c = { 0 };
	AUTO_IOMMU_WORDS struct iommu_words w = { 0 };

	EXPECT(cmdline_parse("amd_iommu=on intel_iommu=on,pt inte_iommu=on", &c) == 0);
	EXPECT(iommu_words_judge(&c, INTEL, &w) == 0);
	EXPECT(w.n == 3 && w.items[0].is_void && !w.items[1].is_void && !w.items[2].is_void);
	EXPECT(w.n_words == 3);
}

TEST(of_an_unknown_platform_some_words_are_undecidable)
{
	AUTO_CMDLINE struct cmdline c = { 0 };
	AUTO_IOMMU_WORDS struct iommu_words w = { 0 };

	EXPECT(cmdline_parse("quiet intel_iommu=on iommu.strict=1", &c) == 0);
	EXPECT(iommu_words_judge(&c, NOTHING, &w) == 0);
	EXPECT(w.n == 0 && w.undecidable && strcmp(w.undecidable, "intel_iommu=on") == 0);
}
