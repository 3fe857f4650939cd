/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capacity_window.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/pcitree.h>
#include <sriovctl/pf.h>

#include <linux/pci_regs.h>

#define MEGABYTE_END 0xfffffu

struct window {
	uint64_t first, last; /* @first behind @last: it is closed */
};

/* Base and limit are the upper halves of 32 bits, and of 64 with the registers behind them. */
static bool read_window(const struct pciconf *c, size_t base, bool is_prefetchable,
			struct window *ret)
{
	uint32_t both = pciconf_u32(c, base);

	/* Zero in all bits is what nobody has set yet. */
	if (!pciconf_knows(c, base, UINT32_MAX) || both == 0)
		return false;
	*ret = (struct window){ .first = (both & PCI_MEMORY_RANGE_MASK & UINT16_MAX) << 16,
				.last = (both & 0xfff00000u) | MEGABYTE_END };
	if (!is_prefetchable || (both & PCI_PREF_RANGE_TYPE_MASK) != PCI_PREF_RANGE_TYPE_64)
		return true;
	if (!pciconf_knows(c, PCI_PREF_BASE_UPPER32, UINT32_MAX) ||
	    !pciconf_knows(c, PCI_PREF_LIMIT_UPPER32, UINT32_MAX))
		return false;
	ret->first |= (uint64_t)pciconf_u32(c, PCI_PREF_BASE_UPPER32) << 32;
	ret->last |= (uint64_t)pciconf_u32(c, PCI_PREF_LIMIT_UPPER32) << 32;
	return true;
}

static bool holds(const struct window *w, uint64_t address)
{
	return w->first <= address && address <= w->last;
}

bool capacity_window_shuts_out(const struct host *h, const struct pf *pf)
{
	const struct pciconf *c = NULL;
	AUTO_BUF struct buf port = { 0 };
	struct window memory, prefetchable;

	if (pf->sriov_error < 0 || pcitree_parent(h, pf->dev->name, &port, NULL) < 0 ||
	    pciconf_get(h, buf_text(&port), &c, NULL) < 0 || !pciconf_is_bridge(c) ||
	    !read_window(c, PCI_MEMORY_BASE, false, &memory) ||
	    !read_window(c, PCI_PREF_MEMORY_BASE, true, &prefetchable))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(pf->sriov.bar); i++) {
		const struct pciconf_vf_bar *bar = &pf->sriov.bar[i];

		if (bar->exists && bar->address != 0 && !holds(&memory, bar->address) &&
		    !holds(&prefetchable, bar->address))
			return true;
	}
	return false;
}
