/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PCI Express capability of a configuration space (sriovctl/pciconf.h): what kind of function
 * it is, and its link (PCI Express Base Specification, 7.5.3).
 */
#ifndef SRIOVCTL_PCICONF_EXPRESS_H
#define SRIOVCTL_PCICONF_EXPRESS_H

#include <sriovctl/base.h>

struct pciconf;

/* PCI Express Capabilities register, bits 7:4; other values are reserved. */
enum pciconf_type {
	PCICONF_ENDPOINT = 0,
	PCICONF_LEGACY_ENDPOINT = 1,
	PCICONF_ROOT_PORT = 4,
	PCICONF_UPSTREAM = 5,
	PCICONF_DOWNSTREAM = 6,
	PCICONF_PCIE_TO_PCI = 7,
	PCICONF_PCI_TO_PCIE = 8,
	PCICONF_INTEGRATED_ENDPOINT = 9,
	PCICONF_EVENT_COLLECTOR = 10,
};

struct pciconf_express {
	enum pciconf_type type;
	unsigned version; /* of the capability */
	bool flr;
	bool has_link; /* what a function or its version does not have is 0 and false below */
	/* 0, or -ENODATA: what follows of the link, or of ARI, is not known. */
	int link_error, ari_error;
	/* Speed index as in LnkCap: 1 = 2.5, 2 = 5, 3 = 8, 4 = 16, 5 = 32, 6 = 64 GT/s; 0: none. */
	unsigned max_speed, max_width, cur_speed, cur_width;
	bool training, bandwidth_changed, autonomous_change; /* LnkSta 11, 14, 15 */
	unsigned target_speed;				     /* LnkCtl2; 0: not there */
	bool ari_forwarding_capable, ari_forwarding;	     /* DevCap2 5, DevCtl2 5 */
};
int pciconf_express(const struct pciconf *c, struct pciconf_express *ret) MUST_USE;

#endif
