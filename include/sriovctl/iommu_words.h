/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of the kernel command line about IOMMUs and interrupt remapping that do not do what
 * they seem to: unknown ones, those for another platform, those that another word undoes.
 * By the parsers of Linux 4.18 to 6.19 (arch/x86/kernel/pci-dma.c, drivers/iommu/iommu.c,
 * intel/iommu.c, amd/init.c, irq_remapping.c), which compare only the beginnings of items and
 * ignore what they do not know.  Words about anything else are not looked at.
 */
#ifndef SRIOVCTL_IOMMU_WORDS_H
#define SRIOVCTL_IOMMU_WORDS_H

#include <sriovctl/base.h>

struct cmdline;

enum iommu_words_platform {
	IOMMU_WORDS_UNKNOWN, /* nothing tells what platform it is */
	IOMMU_WORDS_ANY,     /* x86 that has no IOMMU, and could be given either */
	IOMMU_WORDS_INTEL,
	IOMMU_WORDS_AMD,
	IOMMU_WORDS_X86, /* another IOMMU than those two */
	IOMMU_WORDS_ARM,
	IOMMU_WORDS_OTHER,
};

struct iommu_words_fault {
	char *word;   /* as it would be said of it alone: "amd_iommu=on" */
	char *effect; /* what it really does: "is not known to the kernel, and ignored" */
	/* It does nothing, so that it can be taken out; else another has to go, or be spelled. */
	bool is_void;
};

struct iommu_words {
	struct iommu_words_fault *items;
	size_t n;
	size_t n_words;	   /* that are about it at all */
	char *undecidable; /* a word that only some platform knows; NULL: none, or it is known */
};

/* 0 or -ENOMEM. */
int iommu_words_judge(const struct cmdline *c, enum iommu_words_platform at,
		      struct iommu_words *ret) MUST_USE;
void iommu_words_done(struct iommu_words *w);
#define AUTO_IOMMU_WORDS CLEANUP(iommu_words_done)

#endif
