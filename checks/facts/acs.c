/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acs.h>

#include "acs_quirks.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/error.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pcitree.h>

#include <errno.h>
#include <string.h>

/* include/uapi/linux/pci_regs.h */
#define EXT_CAP_ACS	    0x000d
#define PCI_HEADER_TYPE	    0x0e
#define PCI_HEADER_TYPE_MFD 0x80

void acs_append_bits(struct buf *b, uint16_t mask)
{
	static const struct {
		uint16_t bit;
		const char *name;
	} bits[] = {
		{ .bit = ACS_SOURCE_VALIDATION, .name = "SV" },
		{ .bit = ACS_REQUEST_REDIRECT, .name = "RR" },
		{ .bit = ACS_COMPLETION_REDIRECT, .name = "CR" },
		{ .bit = ACS_UPSTREAM_FORWARDING, .name = "UF" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (mask & bits[i].bit)
			buf_printf(b, " %s", bits[i].name);
}

static struct acs known(enum acs_state state, const char *why)
{
	return (struct acs){ .state = state, .why = why };
}

static struct acs unknown(int error, const char *why)
{
	return (struct acs){ .state = ACS_UNKNOWN, .error = error, .why = why };
}

/* --- the registers --------------------------------------------------------------- */

/* Words that have the kernel leave bits off, or set them otherwise (pci=, since 4.19 and 6.12). */
static bool is_told_otherwise(const struct host *h)
{
	static const char *const words[] = { "disable_acs_redir", "config_acs" };
	const struct cmdline *c = NULL;

	if (cmdline_get(h, &c, NULL) < 0)
		return true;
	return cmdline_last_item(c, "pci", words, ARRAY_SIZE(words)) >= 0;
}

/* Of a device tree (drivers/iommu/of_iommu.c) against an IORT (drivers/acpi/arm64/iort.c). */
bool acs_is_asked_late(const struct host *h)
{
	return machine_is_arm(h) && host_exists(h, FIRMWARE_TABLES) != 0;
}

/* What bits that are off come to once there is an IOMMU. */
static void judge_future(const struct host *h, struct acs *a)
{
	a->future = !is_told_otherwise(h) && !acs_is_asked_late(h);
	a->state = a->future ? ACS_ISOLATES : ACS_UNKNOWN;
	if (a->future)
		a->why = "the kernel will switch the ACS bits on with the IOMMU";
	else if (is_told_otherwise(h))
		a->why = "the kernel command line may keep ACS bits off";
	else
		a->why = "ACS bits are off, and without ACPI the kernel may leave them so";
}

/*
 * The kernel sets the bits while it enumerates, and only where it has found an IOMMU
 * that it will use: without one they say nothing of how it will be.
 */
static struct acs judge_bits(const struct host *h, const struct pciconf_acs *regs)
{
	AUTO_BUF struct buf observed = { 0 };
	const char *source;
	struct acs a = {
		.capable = true,
		.cap = regs->cap,
		.ctrl = regs->ctrl,
		.lacking = ACS_NEEDED & regs->cap & (uint16_t)~regs->ctrl,
		.why = "the needed ACS bits are on",
	};

	if (!a.lacking)
		return a;
	switch (iommu_state(h, &source, &observed)) {
	case IOMMU_ON:
		a.state = ACS_SHARES;
		a.why = "needed ACS bits are off";
		break;
	case IOMMU_OFF:
		judge_future(h, &a);
		break;
	case IOMMU_UNKNOWN:
		a.state = ACS_UNKNOWN;
		a.why = "ACS bits are off, and whether an IOMMU is at work is not known";
		break;
	}
	return a;
}

static struct acs judge_registers(const struct host *h, const struct pciconf *c)
{
	struct pciconf_acs regs;
	int r = pciconf_acs(c, &regs);

	if (r == -ENOENT)
		return known(ACS_SHARES, "no ACS capability");
	if (r < 0)
		return unknown(r, "its extended capabilities are not readable");
	return judge_bits(h, &regs);
}

/* Both registers take 32 bits: the control register is two bytes further on. */
static struct acs judge_dwords(const struct host *h, const struct pciconf *c)
{
	uint16_t at;
	int r = pciconf_ext_cap(c, EXT_CAP_ACS, &at);

	if (r == -ENOENT)
		return known(ACS_SHARES, "no ACS capability");
	if (r == 0 && !pciconf_knows(c, (size_t)at + 8, 0x7f))
		r = -ENODATA;
	if (r < 0 || (size_t)at + 12 > c->len)
		return unknown(r < 0 ? r : -ENODATA, "its extended capabilities are not readable");
	return judge_bits(h, &(struct pciconf_acs){
				     .cap = (uint16_t)pciconf_u32(c, (size_t)at + 4),
				     .ctrl = (uint16_t)pciconf_u32(c, (size_t)at + 8),
			     });
}

static struct acs judge_perhaps_single(const struct host *h, const struct pciconf *c)
{
	struct acs a = judge_registers(h, c);

	return a.state == ACS_ISOLATES
		       ? a
		       : unknown(-ENODATA, "whether there are functions beside it is not known");
}

static struct acs judge_by_type(const struct host *h, const struct pciconf *c,
				const struct acs_subject *s)
{
	if (!s->express)
		return known(ACS_SHARES, "conventional PCI, where a bus is shared");
	switch (s->type) {
	case PCICONF_PCIE_TO_PCI:
	case PCICONF_PCI_TO_PCIE:
		return known(ACS_SHARES, "a bridge to conventional PCI, where a bus is shared");
	case PCICONF_EVENT_COLLECTOR:
		return known(ACS_SHARES, "an event collector, which cannot have ACS");
	case PCICONF_ROOT_PORT:
	case PCICONF_DOWNSTREAM:
		return judge_registers(h, c);
	case PCICONF_ENDPOINT:
	case PCICONF_LEGACY_ENDPOINT:
	case PCICONF_UPSTREAM:
	case PCICONF_INTEGRATED_ENDPOINT:
		if (s->multifunction)
			return judge_registers(h, c);
		if (!pciconf_knows(c, PCI_HEADER_TYPE, PCI_HEADER_TYPE_MFD))
			return judge_perhaps_single(h, c);
		return known(ACS_ISOLATES, "a single function, with none beside it");
	}
	/* Types that the specification does not know are single functions to the kernel. */
	return unknown(-EBADMSG, "of a PCI Express type that is not known");
}

/* --- what the kernel knows besides -------------------------------------------------- */

static const char *group_of(const struct pcidevs *v, const char *name)
{
	const struct pcidev *d = pcidevs_find(v, name);

	return d ? d->group : NULL;
}

/* The override patch makes groups that the hardware does not keep. */
static bool may_be_overridden(const struct host *h)
{
	const struct cmdline *c = NULL;

	return cmdline_get(h, &c, NULL) < 0 || cmdline_value(c, "pcie_acs_override");
}

/*
 * A function below the port in a group that the port is not in shows that the kernel took
 * the path from the port on to be isolated.
 */
static bool kernel_parts(const struct host *h, const struct pcitree_node *port)
{
	AUTO_BUF struct buf observed = { 0 };
	const struct pcitree *t = NULL;
	const struct pcidevs *v = NULL;
	const char *source, *own, *below;

	if (iommu_state(h, &source, &observed) != IOMMU_ON || may_be_overridden(h) ||
	    pcitree_get(h, &t, NULL) < 0 || pcidevs_get(h, &v, NULL) < 0)
		return false;
	own = group_of(v, port->name);
	for (size_t i = 0; own && i < t->n; i++) {
		if (t->nodes[i].parent != port || t->nodes[i].is_vf)
			continue;
		below = group_of(v, t->nodes[i].name);
		if (below && strcmp(own, below) != 0)
			return true;
	}
	return false;
}

/* The kernel sets the registers of the chipset, and prints this once it has. */
static struct acs judge_by_kernel(const struct host *h, const struct pcitree_node *n)
{
	AUTO_BUF struct buf line = { 0 };

	if (kernel_parts(h, n))
		return known(ACS_ISOLATES, "the kernel groups what is below apart from it");
	if (klog_find(h, &line, "%s: Intel PCH root port ACS workaround enabled", n->name))
		return known(ACS_ISOLATES, "the kernel logged that it isolates this chipset port");
	return unknown(0, "a chipset port without ACS, which the kernel may have isolated");
}

static bool is_old(const struct host *h, const struct acs_quirk *q)
{
	const struct kernel *k = NULL;

	return kernel_get(h, &k, NULL) < 0 || !kernel_is_at_least(k, q->major, q->minor);
}

static struct acs judge(const struct host *h, const struct pcitree_node *n, const struct pciconf *c,
			const struct acs_subject *s)
{
	struct acs_quirk q = acs_quirks_find(s);
	struct acs a;

	switch (q.kind) {
	case ACS_QUIRK_NONE:
		a = judge_by_type(h, c, s);
		if (a.state == ACS_SHARES && !a.capable && kernel_parts(h, n))
			return unknown(0, "no ACS, yet the kernel groups what is below apart, by "
					  "a rule that is not known here");
		return a;
	case ACS_QUIRK_DWORDS:
		return judge_dwords(h, c);
	case ACS_QUIRK_BY_KERNEL:
		return judge_by_kernel(h, n);
	case ACS_QUIRK_ISOLATES:
		if (!is_old(h, &q))
			return known(ACS_ISOLATES, "the kernel knows it to isolate");
		a = judge_by_type(h, c, s);
		if (a.state != ACS_SHARES)
			return a;
		return kernel_parts(h, n)
			       ? known(ACS_ISOLATES, "the kernel groups what is below apart")
			       : unknown(0, "later kernels know it to isolate, and this one may");
	case ACS_QUIRK_SHARES:
		break;
	}
	a = judge_by_type(h, c, s);
	if (a.state == ACS_SHARES || !is_old(h, &q))
		return a.state == ACS_SHARES ? a : known(ACS_SHARES, "the kernel takes it not to");
	return unknown(0, "later kernels take it not to isolate");
}

/* --- one function ------------------------------------------------------------------ */

/* Of sysfs, where the ids of a VF are right as well; else of config space. */
static void read_ids(const struct host *h, const char *name, const struct pciconf *c,
		     struct acs_subject *s)
{
	const struct pcidevs *v = NULL;
	const struct pcidev *d = pcidevs_get(h, &v, NULL) == 0 ? pcidevs_find(v, name) : NULL;
	bool known_ids = d && d->id_error == 0;

	s->vendor = known_ids ? d->vendor : pciconf_u16(c, 0);
	s->device = known_ids ? d->device : pciconf_u16(c, 2);
}

static bool has_ivrs(const struct host *h)
{
	const struct firmware *fw = NULL;

	return firmware_get(h, &fw, NULL) == 0 &&
	       (fw->ivrs_error == 0 || fw->ivrs_error == -EACCES);
}

int acs_read(const struct host *h, const struct pcitree_node *n, struct acs *ret, struct error *e)
{
	static const struct pciconf nothing;
	const struct pciconf *c = &nothing;
	struct pciconf_express x = { 0 };
	struct acs_subject s = { 0 };
	int r;

	if (n->is_vf) {
		*ret = known(ACS_ISOLATES, "a VF, which the kernel takes to be isolated");
		return 0;
	}
	r = pciconf_get(h, n->name, &c, e);
	if (r == -ENOMEM)
		return r;
	if (r == 0)
		r = pciconf_express(c, &x);
	if (r < 0 && r != -ENOENT) {
		*ret = unknown(r, "its capabilities are not readable");
		return 0;
	}
	s = (struct acs_subject){
		.express = r == 0,
		.type = x.type,
		.multifunction = pciconf_is_multifunction(c),
		.on_root_bus = n->parent_error == -ENOENT,
		.ivrs = has_ivrs(h),
	};
	read_ids(h, n->name, c, &s);
	*ret = judge(h, n, c, &s);
	return 0;
}
