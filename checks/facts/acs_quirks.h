/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the kernel judges by what their vendors told it, before it looks at
 * their registers (drivers/pci/quirks.c, pci_dev_acs_enabled[], as of 6.18).  A kernel of
 * the version that stands with a rule, or a later one, has it; an older one may.
 */
#ifndef CHECKS_FACTS_ACS_QUIRKS_H
#define CHECKS_FACTS_ACS_QUIRKS_H

#include <sriovctl/pciconf.h>

/* What the rules of the table ask about a function. */
struct acs_subject {
	uint16_t vendor, device;
	bool express;
	enum pciconf_type type; /* of an express one */
	bool multifunction, on_root_bus;
	bool ivrs; /* firmware describes an AMD IOMMU */
};

enum acs_quirk_kind {
	ACS_QUIRK_NONE,
	ACS_QUIRK_ISOLATES,
	ACS_QUIRK_SHARES,
	ACS_QUIRK_BY_KERNEL, /* isolates when the kernel managed to set chipset registers */
	ACS_QUIRK_DWORDS,    /* the registers are 32 bits wide, so control is at 8 */
};

struct acs_quirk {
	enum acs_quirk_kind kind;
	unsigned major, minor; /* kernels from this one on are known to have the rule */
};
struct acs_quirk acs_quirks_find(const struct acs_subject *s);

#endif
