/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pciconf_path.h>

#include "pciconf_find.h"

#include <sriovctl/buf.h>
#include <sriovctl/pciconf.h>

#include <linux/pci_regs.h>

#define AER_SIZE     (PCI_ERR_COR_MASK + 4)
#define PAYLOAD_MIN  128u
#define PAYLOAD_LAST 5 /* 4096 bytes; above it, values are reserved */

int pciconf_aer(const struct pciconf *c, struct pciconf_aer *ret)
{
	uint16_t at;
	int r = pciconf_find_ext(c, PCI_EXT_CAP_ID_ERR, AER_SIZE, &at);

	if (r < 0)
		return r;
	*ret = (struct pciconf_aer){
		.uncorrectable = pciconf_u32(c, at + PCI_ERR_UNCOR_STATUS) &
				 ~pciconf_u32(c, at + PCI_ERR_UNCOR_MASK),
		.correctable = pciconf_u32(c, at + PCI_ERR_COR_STATUS) &
			       ~pciconf_u32(c, at + PCI_ERR_COR_MASK),
	};
	return 0;
}

/* --- names ------------------------------------------------------------------------------ */

static const char *const uncorrectable_names[32] = {
	[0] = "Undefined",   [4] = "DLP",
	[5] = "SDES",	     [12] = "TLP",
	[13] = "FCP",	     [14] = "CmpltTO",
	[15] = "CmpltAbrt",  [16] = "UnxCmplt",
	[17] = "RxOF",	     [18] = "MalfTLP",
	[19] = "ECRC",	     [20] = "UnsupReq",
	[21] = "ACSViol",    [22] = "UncorrIntErr",
	[23] = "BlockedTLP", [24] = "AtomicOpBlocked",
	[25] = "TLPBlocked", [26] = "PoisonTLPBlocked",
};

static const char *const correctable_names[32] = {
	[0] = "RxErr",	  [6] = "BadTLP",	   [7] = "BadDLLP",	[8] = "Rollover",
	[12] = "Timeout", [13] = "AdvNonFatalErr", [14] = "CorrIntErr", [15] = "HeaderOF",
};

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
	control = pciconf_u16(c, at + PCI_EXP_DEVCTL);
	*ret = (struct pciconf_payload){
		.capable = bytes_of(pciconf_u32(c, at + PCI_EXP_DEVCAP) & PCI_EXP_DEVCAP_PAYLOAD),
		.set = bytes_of((control & PCI_EXP_DEVCTL_PAYLOAD) >> 5),
		.read_request = bytes_of((control & PCI_EXP_DEVCTL_READRQ) >> 12),
	};
	return 0;
}
