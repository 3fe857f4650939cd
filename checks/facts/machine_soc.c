/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_soc.h"

#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>

/* The ids with a name in the PCI ID repository; those of a vendor's add-in cards are not here. */
static const struct {
	uint16_t vendor, first, last;
	bool is_bridge; /* a bridge on bus 0: others of the vendor are on cards and boards */
} parts[] = {
	{ .vendor = 0x13b5, .last = 0xffff, .is_bridge = true }, /* Arm */
	{ .vendor = 0x177d, .first = 0xa000, .last = 0xa0ff },	 /* Cavium ThunderX */
	{ .vendor = 0x1912,
	  .first = 0x0020,
	  .last = 0x00ff,
	  .is_bridge = true },					 /* Renesas R-Car */
	{ .vendor = 0x1957, .first = 0xe100, .last = 0xe1ff },	 /* NXP Layerscape LS1028A */
	{ .vendor = 0x19e5, .first = 0xa120, .last = 0xa12f },	 /* HiSilicon Kunpeng */
	{ .vendor = 0x1c36, .last = 0xffff, .is_bridge = true }, /* Annapurna Labs */
	{ .vendor = 0x1d87, .last = 0xffff, .is_bridge = true }, /* Rockchip */
	{ .vendor = 0x1def, .first = 0xe000, .last = 0xe1ff },	 /* Ampere */
};

static bool is_root_bridge(const struct pcidev *d)
{
	struct bdf at;

	return pcidev_is_bridge(d) && parse_bdf(d->name, &at) == 0 && at.bus == 0;
}

bool machine_soc_is_arm(const struct host *h)
{
	const struct pcidevs *v = NULL;

	if (pcidevs_get(h, &v, NULL) < 0)
		return false;
	for (size_t i = 0; i < v->n; i++) {
		const struct pcidev *d = &v->items[i];

		for (size_t k = 0; d->id_error == 0 && k < ARRAY_SIZE(parts); k++)
			if (d->vendor == parts[k].vendor && parts[k].first <= d->device &&
			    d->device <= parts[k].last &&
			    (!parts[k].is_bridge || is_root_bridge(d)))
				return true;
	}
	return false;
}
