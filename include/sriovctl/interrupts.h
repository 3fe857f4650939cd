/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interrupts of a host and the chips that deliver them, from /sys/kernel/irq, else
 * from /proc/interrupts (which lists only those in use).  The chip's name is the kernel's
 * own proof of interrupt remapping: "IR-" begins the name of a chip whose messages go
 * through a remapping table, on Intel and on AMD alike (drivers/iommu/intel/
 * irq_remapping.c, drivers/iommu/amd/iommu.c, kernel/irq/msi.c).  On Arm the ITS of a GIC
 * does so, whose chips are named "ITS-" (drivers/irqchip/irq-gic-v3-its-pci-msi.c,
 * irq-gic-v3-its-msi-parent.c); a frame of a GICv2m or of message-based SPIs does not.
 */
#ifndef SRIOVCTL_INTERRUPTS_H
#define SRIOVCTL_INTERRUPTS_H

#include <sriovctl/base.h>

struct error;
struct host;

enum interrupt_kind {
	INTERRUPT_OTHER,    /* a timer, an IPI, the IOMMU's own fault interrupt, an ARM GIC ... */
	INTERRUPT_PLAIN,    /* a device's, delivered without remapping */
	INTERRUPT_REMAPPED, /* a device's, through a remapping table or an ITS */
};

struct interrupt {
	uint32_t number;
	enum interrupt_kind kind;
	bool is_msi; /* PCI MSI or MSI-X; else an I/O APIC or HPET */
	char *chip, *action;
};

struct interrupts {
	const char *source; /* "/sys/kernel/irq" or "/proc/interrupts" */
	struct interrupt *items;
	size_t n;
};

/* What chip and action say of an interrupt of x86 or Arm. */
enum interrupt_kind interrupts_classify(const char *chip, const char *action, bool *ret_is_msi);

/* /proc/interrupts; 0, -EINVAL when it does not begin with a row of CPUs, or -ENOMEM. */
int interrupts_parse(const char *text, struct interrupts *ret) MUST_USE;
void interrupts_done(struct interrupts *v);
int interrupts_get(const struct host *h, const struct interrupts **ret, struct error *e) MUST_USE;

/* The interrupt of this number, or NULL. */
const struct interrupt *interrupts_find(const struct interrupts *v, uint32_t number);
size_t interrupts_count(const struct interrupts *v, enum interrupt_kind kind);
/* The first of this kind, MSIs first; NULL without any. */
const struct interrupt *interrupts_first(const struct interrupts *v, enum interrupt_kind kind);

#endif
