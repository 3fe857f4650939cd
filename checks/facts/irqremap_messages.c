/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "irqremap_messages.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/machine.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>

#include <stdio.h>

#define VENDOR_INTEL 0x8086
#define VENDOR_AMD   0x1022

/* Intel SDM volume 3, 11.11.1: 0xfee in the upper bits; VT-d specification, 5.1.5.2: bit 4. */
#define MESSAGE_X86	   0xfee00000u
#define MESSAGE_X86_MASK   0xfff00000u
#define MESSAGE_REMAPPABLE 0x10u
/* Exceptions have the vectors below (Intel SDM volume 3, 6.2): no interrupt of a device. */
#define FIRST_VECTOR 0x10u
#define VECTOR	     0xffu
/* One that was left so by firmware proves nothing. */
#define SEVERAL 2

struct messages {
	size_t remappable, plain, impossible;
	char example[80];
};

static void count_message(const char *name, const struct pciconf_msi *m, struct messages *ret)
{
	if (!m->enabled || m->address > UINT32_MAX ||
	    (m->address & MESSAGE_X86_MASK) != MESSAGE_X86)
		return;
	if (m->address & MESSAGE_REMAPPABLE)
		ret->remappable++;
	else if ((m->data & VECTOR) < FIRST_VECTOR)
		ret->impossible++;
	else
		ret->plain++;
	(void)snprintf(ret->example, sizeof(ret->example), "MSI of %s: address 0x%llx, data 0x%x",
		       name, (unsigned long long)m->address, m->data);
}

/* Is it a machine of this vendor, by the IOMMU or else by its host bridge? */
static bool is_platform_of(const struct pcidevs *v, enum iommu_kind known, enum iommu_kind kind,
			   uint16_t vendor)
{
	if (known != IOMMU_NONE)
		return known == kind;
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].id_error == 0 && v->items[i].vendor == vendor &&
		    pcidev_is_bridge(&v->items[i]))
			return true;
	return false;
}

/*
 * The messages that the kernel wrote into functions show what they are.  VT-d has a form of its
 * own; AMD-Vi has not, and counts entries of a table in place of vectors, from 0 on.
 */
enum irqremap_state irqremap_messages_state(const struct host *h, struct buf *observed)
{
	enum irqremap_state state;
	const struct pciconf *c = NULL;
	const struct pcidevs *v = NULL;
	struct messages n = { 0 };
	struct pciconf_msi m;
	enum iommu_kind kind = iommu_kind(h);

	/* On the machine itself the chips tell, and a guest's messages are its hypervisor's. */
	if (!host_is_partial(h) || machine_is_guest(h) || pcidevs_get(h, &v, NULL) < 0)
		return IRQREMAP_UNKNOWN;
	for (size_t i = 0; i < v->n; i++)
		if (pciconf_get(h, v->items[i].name, &c, NULL) == 0 && pciconf_msi(c, &m) == 0)
			count_message(v->items[i].name, &m, &n);
	if (n.remappable > 0 && n.plain == 0)
		state = IRQREMAP_ON;
	else if (n.impossible >= SEVERAL && n.plain == 0 &&
		 is_platform_of(v, kind, IOMMU_AMD, VENDOR_AMD))
		state = IRQREMAP_ON;
	else if (n.plain >= SEVERAL && n.remappable == 0 && n.impossible == 0 &&
		 is_platform_of(v, kind, IOMMU_INTEL, VENDOR_INTEL))
		state = IRQREMAP_OFF;
	else
		return IRQREMAP_UNKNOWN;
	buf_puts(observed, n.example);
	return state;
}
