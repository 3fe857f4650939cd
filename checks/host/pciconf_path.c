/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pciconf_path.h>

#include "pciconf_find.h"

#include <sriovctl/buf.h>
#include <sriovctl/pciconf.h>

#include <errno.h>
#include <linux/pci_regs.h>

#define AER_SIZE     (PCI_ERR_COR_MASK + 4)
#define PAYLOAD_MIN  128u
#define PAYLOAD_LAST 5 /* 4096 bytes; above it, values are reserved */

/* --- names ------------------------------------------------------------------------------ */

/* Bit 0 has no meaning any more. */
static const char *const uncorrectable_names[32] = {
	[4] = "DLP",
	[5] = "SDES",
	[12] = "TLP",
	[13] = "FCP",
	[14] = "CmpltTO",
	[15] = "CmpltAbrt",
	[16] = "UnxCmplt",
	[17] = "RxOF",
	[18] = "MalfTLP",
	[19] = "ECRC",
	[20] = "UnsupReq",
	[21] = "ACSViol",
	[22] = "UncorrIntErr",
	[23] = "BlockedTLP",
	[24] = "AtomicOpBlocked",
	[25] = "TLPBlockedErr",
	[26] = "PoisonTLPBlocked",
};

static const char *const correctable_names[32] = {
	[0] = "RxErr",	  [6] = "BadTLP",	   [7] = "BadDLLP",	[8] = "Rollover",
	[12] = "Timeout", [13] = "AdvNonFatalErr", [14] = "CorrIntErr", [15] = "HeaderOF",
};

/* Is each bit known that has a name and is not masked? */
static bool knows_all(const struct pciconf *c, size_t status, size_t mask,
		      const char *const names[32], uint32_t masked)
{
	for (unsigned i = 0; i < 32; i++)
		if (names[i] && !(masked >> i & 1) &&
		    (!pciconf_knows(c, status, 1u << i) || !pciconf_knows(c, mask, 1u << i)))
			return false;
	return true;
}

/* What stands in a status register for certain; false: more may. */
static bool read_errors(const struct pciconf *c, size_t status, size_t mask,
			const char *const names[32], uint32_t *ret)
{
	uint32_t masked = pciconf_u32(c, mask), standing = pciconf_u32(c, status) & ~masked;

	*ret = 0;
	for (unsigned i = 0; i < 32; i++)
		if (standing >> i & 1 && pciconf_knows(c, status, 1u << i) &&
		    pciconf_knows(c, mask, 1u << i))
			*ret |= 1u << i;
	return knows_all(c, status, mask, names, masked);
}

int pciconf_aer(const struct pciconf *c, struct pciconf_aer *ret)
{
	uint16_t at;
	int r = pciconf_find_ext(c, PCI_EXT_CAP_ID_ERR, AER_SIZE, &at);
	bool is_known;

	if (r < 0)
		return r;
	is_known = read_errors(c, at + PCI_ERR_UNCOR_STATUS, at + PCI_ERR_UNCOR_MASK,
			       uncorrectable_names, &ret->uncorrectable);
	is_known = read_errors(c, at + PCI_ERR_COR_STATUS, at + PCI_ERR_COR_MASK, correctable_names,
			       &ret->correctable) &&
		   is_known;
	/* One that stands is enough. */
	return is_known || ret->uncorrectable || ret->correctable ? 0 : -ENODATA;
}

const char *pciconf_aer_name(unsigned bit, bool is_correctable)
{
	return bit >= 32	? NULL
	       : is_correctable ? correctable_names[bit]
				: uncorrectable_names[bit];
}

static void add_names(uint32_t bits, const char *const names[32], struct buf *ret)
{
	for (unsigned i = 0; i < 32; i++) {
		if (!(bits >> i & 1))
			continue;
		buf_puts(ret, ret->len > 0 ? ", " : "");
		if (names[i])
			buf_puts(ret, names[i]);
		else
			buf_printf(ret, "bit %u", i);
	}
}

void pciconf_aer_names(uint32_t uncorrectable, uint32_t correctable, struct buf *ret)
{
	add_names(uncorrectable, uncorrectable_names, ret);
	add_names(correctable, correctable_names, ret);
}

/* --- packets ---------------------------------------------------------------------------- */

static unsigned bytes_of(unsigned code)
{
	return code > PAYLOAD_LAST ? 0 : PAYLOAD_MIN << code;
}

int pciconf_payload(const struct pciconf *c, struct pciconf_payload *ret)
{
	uint16_t at, control;
	int r = pciconf_find(c, PCI_CAP_ID_EXP, PCI_EXP_DEVSTA + 2, &at);

	if (r < 0)
		return r;
	if (!pciconf_knows(c, at + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_PAYLOAD) ||
	    !pciconf_knows(c, at + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_PAYLOAD | PCI_EXP_DEVCTL_READRQ))
		return -ENODATA;
	control = pciconf_u16(c, at + PCI_EXP_DEVCTL);
	*ret = (struct pciconf_payload){
		.capable = bytes_of(pciconf_u32(c, at + PCI_EXP_DEVCAP) & PCI_EXP_DEVCAP_PAYLOAD),
		.set = bytes_of((control & PCI_EXP_DEVCTL_PAYLOAD) >> 5),
		.read_request = bytes_of((control & PCI_EXP_DEVCTL_READRQ) >> 12),
	};
	return 0;
}
