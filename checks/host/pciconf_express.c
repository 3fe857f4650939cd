/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pciconf_express.h>

#include <sriovctl/pciconf.h>

#include "pciconf_find.h"

#include <errno.h>
#include <linux/pci_regs.h>

/* drivers/pci/access.c, pcie_cap_has_lnkctl(): others have no link of their own. */
static bool has_link(enum pciconf_type type)
{
	switch (type) {
	case PCICONF_ENDPOINT:
	case PCICONF_LEGACY_ENDPOINT:
	case PCICONF_ROOT_PORT:
	case PCICONF_UPSTREAM:
	case PCICONF_DOWNSTREAM:
	case PCICONF_PCIE_TO_PCI:
	case PCICONF_PCI_TO_PCIE:
		return true;
	case PCICONF_INTEGRATED_ENDPOINT:
	case PCICONF_EVENT_COLLECTOR:
	default:
		return false;
	}
}

#define LINK_CAP (PCI_EXP_LNKCAP_SLS | PCI_EXP_LNKCAP_MLW)
#define LINK_STATE                                                                           \
	(PCI_EXP_LNKSTA_CLS | PCI_EXP_LNKSTA_NLW | PCI_EXP_LNKSTA_LT | PCI_EXP_LNKSTA_LBMS | \
	 PCI_EXP_LNKSTA_LABS)

static void decode_link(const struct pciconf *c, uint16_t at, struct pciconf_express *x)
{
	uint32_t cap = pciconf_u32(c, at + PCI_EXP_LNKCAP);
	uint16_t status = pciconf_u16(c, at + PCI_EXP_LNKSTA);

	x->max_speed = cap & PCI_EXP_LNKCAP_SLS;
	x->max_width = (cap & PCI_EXP_LNKCAP_MLW) >> 4;
	x->cur_speed = status & PCI_EXP_LNKSTA_CLS;
	x->cur_width = (status & PCI_EXP_LNKSTA_NLW) >> PCI_EXP_LNKSTA_NLW_SHIFT;
	x->training = status & PCI_EXP_LNKSTA_LT;
	x->bandwidth_changed = status & PCI_EXP_LNKSTA_LBMS;
	x->autonomous_change = status & PCI_EXP_LNKSTA_LABS;
	if (x->version >= 2)
		x->target_speed = pciconf_u16(c, at + PCI_EXP_LNKCTL2) & PCI_EXP_LNKCTL2_TLS;
	if (!pciconf_knows(c, at + PCI_EXP_LNKCAP, LINK_CAP) ||
	    !pciconf_knows(c, at + PCI_EXP_LNKSTA, LINK_STATE))
		x->link_error = -ENODATA;
}

static void decode_ari(const struct pciconf *c, uint16_t at, struct pciconf_express *x)
{
	x->ari_forwarding_capable = pciconf_u32(c, at + PCI_EXP_DEVCAP2) & PCI_EXP_DEVCAP2_ARI;
	x->ari_forwarding = pciconf_u16(c, at + PCI_EXP_DEVCTL2) & PCI_EXP_DEVCTL2_ARI;
	if (!pciconf_knows(c, at + PCI_EXP_DEVCAP2, PCI_EXP_DEVCAP2_ARI) ||
	    !pciconf_knows(c, at + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ARI))
		x->ari_error = -ENODATA;
}

/* Up to the last register that is decoded. */
static size_t express_size(const struct pciconf_express *x)
{
	if (x->version >= 2)
		return x->has_link ? PCI_CAP_EXP_ENDPOINT_SIZEOF_V2
				   : PCI_CAP_EXP_RC_ENDPOINT_SIZEOF_V2;
	return x->has_link ? PCI_CAP_EXP_ENDPOINT_SIZEOF_V1 : PCI_EXP_DEVCTL;
}

int pciconf_express(const struct pciconf *c, struct pciconf_express *ret)
{
	struct pciconf_express x = { 0 };
	uint16_t at, flags;
	int r = pciconf_find(c, PCI_CAP_ID_EXP, PCI_EXP_DEVCTL, &at);

	if (r == 0 && !pciconf_knows(c, at + PCI_EXP_FLAGS, PCI_EXP_FLAGS_TYPE))
		r = -ENODATA;
	if (r < 0)
		return r;
	flags = pciconf_u16(c, at + PCI_EXP_FLAGS);
	x.type = (flags & PCI_EXP_FLAGS_TYPE) >> 4;
	x.version = flags & PCI_EXP_FLAGS_VERS;
	x.flr = pciconf_u32(c, at + PCI_EXP_DEVCAP) & PCI_EXP_DEVCAP_FLR;
	x.has_link = has_link(x.type);
	r = pciconf_require_whole(c, at, express_size(&x));
	if (r < 0)
		return r;
	if (x.has_link)
		decode_link(c, at, &x);
	if (x.version >= 2)
		decode_ari(c, at, &x);
	else if (!pciconf_knows(c, at + PCI_EXP_FLAGS, PCI_EXP_FLAGS_VERS))
		x.ari_error = -ENODATA;
	*ret = x;
	return 0;
}
