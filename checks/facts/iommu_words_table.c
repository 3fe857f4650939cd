/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "iommu_words_item.h"

static const struct iommu_words_option intel_options[] = {
	{ .name = "on" },
	{ .name = "off" },
	{ .name = "igfx_off" },
	{ .name = "intgpu_off" }, /* Debian's */
	{ .name = "forcedac" },
	{ .name = "strict" },
	{ .name = "sp_off" },
	{ .name = "sm_on" },
	{ .name = "sm_off" },
	{ .name = "tboot_noforce" },
	{ .name = "nobounce" }, /* 5.4 to 5.12 */
	{ .name = "ecs_off" },	/* to 4.20 */
	{ .name = "pasid28" },
	{ .name = "pt", .effect = "is no option, and ignored: iommu=pt is one" },
};

static const struct iommu_words_option amd_options[] = {
	{ .name = "off" },
	{ .name = "fullflush" },
	{ .name = "force_isolation" },
	{ .name = "force_enable" },
	{ .name = "pgtbl_v1" },
	{ .name = "pgtbl_v2" },
	{ .name = "irtcachedis" },
	{ .name = "nohugepages" },
	{ .name = "v2_pgsizes_only" },
	{ .name = "on", .effect = "is no option, and ignored: AMD's IOMMU is on without a word" },
	{ .name = "pt", .effect = "is no option, and ignored: iommu=pt is one" },
};

static const struct iommu_words_option x86_options[] = {
	{ .name = "off" },
	{ .name = "force" },
	{ .name = "noforce" },
	{ .name = "pt" },
	{ .name = "nopt" },
	{ .name = "soft" },
	{ .name = "biomerge" },
	{ .name = "merge" },
	{ .name = "nomerge" },
	{ .name = "panic" },
	{ .name = "nopanic" },
	{ .name = "forcesac" },
	{ .name = "allowdac" },
	{ .name = "nodac" },
	{ .name = "usedac" },
	{ .name = "calgary" },
	{ .name = "fullflush", .effect = IOMMU_WORDS_GART },
	{ .name = "nofullflush", .effect = IOMMU_WORDS_GART },
	{ .name = "noagp", .effect = IOMMU_WORDS_GART },
	{ .name = "noaperture", .effect = IOMMU_WORDS_GART },
	{ .name = "memaper", .effect = IOMMU_WORDS_GART },
	{ .name = "leak", .effect = IOMMU_WORDS_GART },
	{ .name = "allowed", .effect = IOMMU_WORDS_GART },
	{ .name = "on", .effect = "is no option, and switches nothing on" },
	{ .name = "passthrough", .effect = "is no option, and ignored: iommu=pt is one" },
};

static const struct iommu_words_option intremap_options[] = {
	{ .name = "on" },
	{ .name = "off" },
	{ .name = "nosid", .reader = IOMMU_WORDS_READER_INTEL },
	{ .name = "no_x2apic_optout", .reader = IOMMU_WORDS_READER_INTEL },
	{ .name = "nopost", .reader = IOMMU_WORDS_READER_INTEL },
	{ .name = "posted_msi", .reader = IOMMU_WORDS_READER_INTEL },
};

static const struct iommu_words_option amd_intr_options[] = {
	{ .name = "legacy" },
	{ .name = "vapic" },
};

const struct iommu_words_key iommu_words_keys[] = {
#define LIST(array) .form = IOMMU_WORDS_FORM_LIST, .options = (array), .n = ARRAY_SIZE(array)
	{ .name = "intel_iommu", .reader = IOMMU_WORDS_READER_INTEL, LIST(intel_options) },
	{ .name = "amd_iommu", .reader = IOMMU_WORDS_READER_AMD, LIST(amd_options) },
	{ .name = "amd_iommu_intr", .reader = IOMMU_WORDS_READER_AMD, LIST(amd_intr_options) },
	{ .name = "iommu", .reader = IOMMU_WORDS_READER_X86, LIST(x86_options) },
	{ .name = "intremap", .reader = IOMMU_WORDS_READER_X86, LIST(intremap_options) },
#undef LIST
	{ .name = "amd_iommu_dump",
	  .form = IOMMU_WORDS_FORM_FLAG,
	  .reader = IOMMU_WORDS_READER_AMD },
	{ .name = "nointremap", .form = IOMMU_WORDS_FORM_FLAG, .reader = IOMMU_WORDS_READER_X86 },
	{ .name = "nox2apic", .form = IOMMU_WORDS_FORM_FLAG, .reader = IOMMU_WORDS_READER_X86 },
	{ .name = "x2apic_phys", .form = IOMMU_WORDS_FORM_FLAG, .reader = IOMMU_WORDS_READER_X86 },
	{ .name = "iommu.passthrough", .form = IOMMU_WORDS_FORM_BOOL },
	{ .name = "iommu.strict", .form = IOMMU_WORDS_FORM_BOOL },
	{ .name = "iommu.forcedac", .form = IOMMU_WORDS_FORM_BOOL },
	{ .name = "arm-smmu.disable_bypass",
	  .form = IOMMU_WORDS_FORM_BOOL,
	  .reader = IOMMU_WORDS_READER_ARM },
	{ .name = "arm-smmu-v3.disable_bypass",
	  .form = IOMMU_WORDS_FORM_BOOL,
	  .reader = IOMMU_WORDS_READER_ARM },
};

const size_t iommu_words_n_keys = ARRAY_SIZE(iommu_words_keys);
