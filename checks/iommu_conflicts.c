/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line says about IOMMUs, word by word, and what it really does. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/cmdline.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/finding.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/iommu_words.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>

#include <sriovctl/buf.h>

#include <errno.h>
#include <string.h>

static bool firmware_has_none(const struct host *h)
{
	const struct firmware *fw = NULL;

	return firmware_get(h, &fw, NULL) == 0 && fw->dmar_error == -ENOENT &&
	       fw->ivrs_error == -ENOENT;
}

/* Where no IOMMU shows: a machine can only be given that of its CPU's vendor, a guest any. */
static enum iommu_words_platform platform_without(const struct host *h)
{
	const struct cpuinfo *cpu = NULL;
	AUTO_BUF struct buf line = { 0 };

	if (machine_is_arm(h))
		return IOMMU_WORDS_ARM;
	if (machine_is_not_x86(h))
		return IOMMU_WORDS_OTHER;
	if (machine_is_guest(h))
		return firmware_has_none(h) ? IOMMU_WORDS_ANY : IOMMU_WORDS_UNKNOWN;
	if (cpuinfo_get(h, &cpu, NULL) == 0 && strcmp(cpu->vendor, "GenuineIntel") == 0)
		return IOMMU_WORDS_INTEL;
	if (cpu &&
	    (strcmp(cpu->vendor, "AuthenticAMD") == 0 || strcmp(cpu->vendor, "HygonGenuine") == 0))
		return IOMMU_WORDS_AMD;
	/* Printed by the parser of the table (intel/dmar.c), or where the unit works (amd/init.c).
	 */
	if (klog_find(h, &line, "DMAR: Host address width"))
		return IOMMU_WORDS_INTEL;
	if (klog_find(h, &line, "AMD-Vi: Interrupt remapping enabled") ||
	    klog_find(h, &line, "AMD-Vi: Virtual APIC enabled"))
		return IOMMU_WORDS_AMD;
	return IOMMU_WORDS_UNKNOWN;
}

static enum iommu_words_platform platform_of(const struct host *h)
{
	switch (iommu_kind(h)) {
	case IOMMU_INTEL:
		return IOMMU_WORDS_INTEL;
	case IOMMU_AMD:
		return IOMMU_WORDS_AMD;
	case IOMMU_SMMU:
		return IOMMU_WORDS_ARM;
	case IOMMU_VIRTIO:
	case IOMMU_OTHER:
		if (machine_is_arm(h))
			return IOMMU_WORDS_ARM;
		return machine_is_not_x86(h) ? IOMMU_WORDS_OTHER : IOMMU_WORDS_X86;
	case IOMMU_NONE:
	case IOMMU_KIND_MAX:
		break;
	}
	return platform_without(h);
}

/* What takes out a word that does nothing; another is for a person to correct. */
static void add_remedies(const struct host *h, const struct iommu_words *w, struct finding *f)
{
	AUTO_BUF struct buf words = { 0 };

	for (size_t i = 0; i < w->n; i++) {
		if (w->items[i].is_void)
			buf_printf(&words, "%s%s", words.len ? " " : "", w->items[i].word);
		else
			finding_remedy(f,
				       "Correct \"%s\" on the kernel command line, or take it out.",
				       w->items[i].word);
	}
	if (words.len)
		remedy_cmdline_remove(f, h, finding_text(f, &words));
}

static enum verdict judge_faults(const struct host *h, const struct iommu_words *w,
				 struct finding *f)
{
	for (size_t i = 0; i < w->n; i++)
		finding_note(f, CMDLINE_PATH, NULL, "%s %s", w->items[i].word, w->items[i].effect);
	add_remedies(h, w, f);
	if (w->n == 1)
		return finding_fail(f, ACTOR_CMDLINE, "%s %s", w->items[0].word,
				    w->items[0].effect);
	return finding_fail(f, ACTOR_CMDLINE,
			    "%zu words about the IOMMU do not do what they seem to: %s %s", w->n,
			    w->items[0].word, w->items[0].effect);
}

static enum verdict run_conflicts(const struct check_input *in, struct finding *f)
{
	AUTO_IOMMU_WORDS struct iommu_words w = { 0 };
	const struct cmdline *c = NULL;
	int r = cmdline_get(in->host, &c, NULL);

	if (r < 0) {
		finding_unread(f, in->host, CMDLINE_PATH, r);
		return finding_unknown(f, "the kernel command line is not known");
	}
	if (iommu_words_judge(c, platform_of(in->host), &w) < 0)
		return finding_nomem(f);
	if (w.n > 0)
		return judge_faults(in->host, &w, f);
	if (w.undecidable) {
		finding_note(f, CMDLINE_PATH, NULL, "%s", w.undecidable);
		finding_unread(f, in->host, CPUINFO_PATH, -ENODATA);
		return finding_unknown(f,
				       "whether %s does anything depends on the platform, which is "
				       "not known",
				       w.undecidable);
	}
	if (w.n_words == 0) {
		finding_note(f, CMDLINE_PATH, NULL, "no word about the IOMMU");
		return finding_pass(f, "the command line has no word about the IOMMU");
	}
	finding_note(f, CMDLINE_PATH, NULL, "%zu about the IOMMU, none in vain", w.n_words);
	return finding_pass(f, "each word about the IOMMU is known, and none contradicts another");
}

static const struct check checks[] = {
	{
		.id = "iommu.conflicts",
		.title = "no word about the IOMMU is unknown, contradictory or without effect",
		.severity = SEVERITY_RECOMMENDED,
		.run = run_conflicts,
		.actor = ACTOR_CMDLINE,
		.remedy = "Correct the kernel command line.",
		.impact = "Whoever reads the command line believes in something that is not so, "
			  "and the next change of it surprises.",
		.reference = "Linux Documentation/admin-guide/kernel-parameters.txt, amd_iommu, "
			     "intel_iommu, intremap, iommu",
	},
};
CHECK_GROUP(iommu_conflicts_checks, checks);
