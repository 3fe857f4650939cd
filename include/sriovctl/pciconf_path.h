/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a configuration space says of what travels its link: the errors that were seen (PCI
 * Express Base Specification, 7.8.4, Advanced Error Reporting) and how large a packet may
 * be (7.5.3.3 and 7.5.3.4, Device Capabilities and Control).  Errors as in
 * sriovctl/pciconf.h.
 */
#ifndef SRIOVCTL_PCICONF_PATH_H
#define SRIOVCTL_PCICONF_PATH_H

#include <sriovctl/base.h>

struct buf;
struct pciconf;

/* Bits of the status registers, which stay until somebody clears them, less the masked ones. */
struct pciconf_aer {
	uint32_t uncorrectable, correctable;
};
/* -ENODATA: none of the bits that are known stands, and not all are known. */
int pciconf_aer(const struct pciconf *c, struct pciconf_aer *ret) MUST_USE;
/* The name of one; NULL: it has none. */
const char *pciconf_aer_name(unsigned bit, bool is_correctable);
/* The names of bits, as lspci has them: "MalfTLP, CmpltTO". */
void pciconf_aer_names(uint32_t uncorrectable, uint32_t correctable, struct buf *ret);

/* Bytes; 0: a reserved value. */
struct pciconf_payload {
	unsigned capable, set; /* of data in a packet that is sent */
	unsigned read_request;
};
int pciconf_payload(const struct pciconf *c, struct pciconf_payload *ret) MUST_USE;

#endif
