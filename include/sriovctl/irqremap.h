/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupt remapping, which is apart from DMA remapping: each can be on without the
 * other.  On Arm it is the work of a GIC's ITS, and the chips alone tell.  Decided by the names of
 * the interrupt chips, else by what makes it impossible, else by the kernel log.
 */
#ifndef SRIOVCTL_IRQREMAP_H
#define SRIOVCTL_IRQREMAP_H

#include <sriovctl/base.h>

struct error;
struct host;

enum irqremap_state { IRQREMAP_OFF, IRQREMAP_ON, IRQREMAP_UNKNOWN };

/* Why it is off, as far as that can be told. */
enum irqremap_cause {
	IRQREMAP_CAUSE_NONE,  /* it is not, or nobody knows */
	IRQREMAP_NO_TABLE,    /* firmware describes no unit that could */
	IRQREMAP_CMDLINE,     /* a word of the command line; @detail is it */
	IRQREMAP_NOT_OFFERED, /* DMAR without INTR_REMAP */
	IRQREMAP_REFUSED,     /* the kernel drops the table; @detail says why */
	IRQREMAP_BROKEN,      /* a chipset with an erratum; @detail names it */
	IRQREMAP_LEFT_OFF,    /* with the whole IOMMU; @detail names what for */
	IRQREMAP_HARDWARE,    /* a unit cannot; @detail names it */
	IRQREMAP_IOAPIC,      /* an I/O APIC that no unit of the table covers; @detail names it */
	IRQREMAP_KERNEL,      /* built without */
	IRQREMAP_NO_ITS,      /* Arm: another chip than an ITS takes them; @detail names it */
};

struct irqremap {
	enum irqremap_state state;
	const char *source; /* of the state */
	char *observed;
	enum irqremap_cause cause;
	const char *cause_source;
	char *detail;
	/* A function with VFs whose own interrupt is not remapped although others are; or NULL. */
	char *outsider;
	/* One of which no interrupt is seen, while other devices have plain ones; or NULL. */
	char *unseen;
};

int irqremap_get(const struct host *h, const struct irqremap **ret, struct error *e) MUST_USE;
void irqremap_done(struct irqremap *r);

#endif
