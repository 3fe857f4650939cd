/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/irqremap.h>

#include "irqremap_messages.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/dmi.h>
#include <sriovctl/error.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/interrupts.h>
#include <sriovctl/iommu.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Has the function an interrupt of this kind?  Newer kernels name the chip after it. */
static bool has_chip(const struct interrupts *v, enum interrupt_kind kind, const char *bdf)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].kind == kind && strstr(v->items[i].chip, bdf))
			return true;
	return false;
}

/*
 * The same by the list of the function's vectors: one of another chip's, such as that of
 * Intel VMD, is not remapped either.  -ENODATA: there is no such list.
 */
static int look_at_vectors(const struct host *h, const struct interrupts *v, const char *bdf,
			   bool *ret_outside, bool *ret_inside)
{
	AUTO_STRV struct strv numbers = { 0 };
	uint64_t number;
	int r = host_list(h, &numbers, NULL, PCIDEV_PATH "/%s/msi_irqs", bdf);

	for (size_t i = 0; r == 0 && i < numbers.n; i++) {
		const struct interrupt *it;

		if (parse_u64(numbers.items[i], 10, UINT32_MAX, &number) < 0)
			continue;
		it = interrupts_find(v, (uint32_t)number);
		if (it && it->kind != INTERRUPT_REMAPPED)
			*ret_outside = true;
		if (it && it->kind == INTERRUPT_REMAPPED)
			*ret_inside = true;
	}
	return r == 0 || r == -ENOENT ? 0 : -ENODATA;
}

static char *copy_name(const struct host *h, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		(void)host_nomem(h, NULL);
	return copy;
}

/*
 * Remapping is decided per interrupt domain: a function that no unit covers stays outside.
 * One with VFs that does is @ret->outsider; one without an interrupt of its own, while others have
 * plain ones, may: @ret->unseen.
 */
static void find_outsider(const struct host *h, const struct interrupts *v, struct irqremap *ret)
{
	const struct interrupt *plain = interrupts_first(v, INTERRUPT_PLAIN);
	const struct pcidevs *devices = NULL;

	if (pcidevs_get(h, &devices, NULL) < 0)
		return;
	for (size_t i = 0; !ret->outsider && i < devices->n; i++) {
		const struct pcidev *d = &devices->items[i];
		bool outside = has_chip(v, INTERRUPT_PLAIN, d->name);
		bool inside = has_chip(v, INTERRUPT_REMAPPED, d->name);

		if (!d->is_vf && !d->shows_totalvfs)
			continue;
		if (look_at_vectors(h, v, d->name, &outside, &inside) < 0)
			inside = false;
		if (outside)
			ret->outsider = copy_name(h, d->name);
		else if (!inside && !ret->unseen && plain && plain->is_msi)
			ret->unseen = copy_name(h, d->name);
	}
}

static void describe(const struct interrupts *v, enum interrupt_kind kind, struct buf *ret)
{
	const struct interrupt *first = interrupts_first(v, kind);

	buf_printf(ret, "%s (interrupt %u); %zu remapped, %zu plain", first->chip, first->number,
		   interrupts_count(v, INTERRUPT_REMAPPED), interrupts_count(v, INTERRUPT_PLAIN));
}

/* In a guest plain chips are no news: what matters is whether it has an IOMMU of its own. */
static bool plain_is_proof(const struct host *h)
{
	const struct firmware *f = NULL;

	if (!machine_is_guest(h) || iommu_kind(h) != IOMMU_NONE)
		return true;
	return firmware_get(h, &f, NULL) == 0 && f->dmar_error == -ENOENT &&
	       f->ivrs_error == -ENOENT;
}

/*
 * Hyper-V's remapping covers the I/O APIC and not the PCI devices it passes through, which
 * have a chip of their own (drivers/iommu/hyperv-iommu.c, drivers/pci/controller/pci-hyperv.c).
 * Where there is none of them, the I/O APIC's chip has the name that is a proof elsewhere.
 */
static bool is_hyperv(const struct host *h, const struct interrupts *v)
{
	const struct interrupt *first = interrupts_first(v, INTERRUPT_REMAPPED);

	for (size_t i = 0; i < v->n; i++)
		if (parse_has_prefix(v->items[i].chip, "Hyper-V"))
			return true;
	return !first->is_msi && machine_is_guest(h) && iommu_kind(h) == IOMMU_NONE;
}

static void state_by_chips(const struct host *h, struct irqremap *ret, struct buf *observed)
{
	const struct interrupts *v = NULL;

	if (interrupts_get(h, &v, NULL) < 0)
		return;
	if (interrupts_count(v, INTERRUPT_REMAPPED) > 0 && !is_hyperv(h, v)) {
		find_outsider(h, v, ret);
		ret->state = IRQREMAP_ON;
		describe(v, INTERRUPT_REMAPPED, observed);
	} else if (interrupts_count(v, INTERRUPT_PLAIN) > 0 && plain_is_proof(h)) {
		ret->state = IRQREMAP_OFF;
		describe(v, INTERRUPT_PLAIN, observed);
	} else {
		return;
	}
	ret->source = v->source;
}

static void set_cause(struct irqremap *r, enum irqremap_cause cause, const char *source,
		      const char *detail)
{
	r->cause = cause;
	r->cause_source = source;
	r->detail = strdup(detail);
}

/* drivers/iommu/intel/irq_remapping.c: every I/O APIC must be behind a unit. */
static void cause_by_ioapics(const struct firmware *f, struct irqremap *ret)
{
	AUTO_BUF struct buf detail = { 0 };

	if (f->madt_error < 0 || f->madt.damage || f->dmar.damage)
		return;
	for (size_t i = 0; i < f->madt.n_ioapics; i++) {
		uint8_t id = f->madt.ioapics[i].id;

		if (acpi_dmar_covers_ioapic(&f->dmar, id))
			continue;
		buf_printf(&detail, "I/O APIC %u of the MADT is behind no unit", id);
		set_cause(ret, IRQREMAP_IOAPIC, FIRMWARE_TABLES "/DMAR", buf_text(&detail));
		return;
	}
}

static void cause_by_dmar(const struct firmware *f, struct irqremap *ret)
{
	if (f->dmar.refused)
		set_cause(ret, IRQREMAP_REFUSED, FIRMWARE_TABLES "/DMAR", f->dmar.refused);
	else if (!f->dmar.checksum_ok)
		return;
	else if (!f->dmar.intr_remap)
		set_cause(ret, IRQREMAP_NOT_OFFERED, FIRMWARE_TABLES "/DMAR",
			  "the INTR_REMAP flag is clear");
	else
		cause_by_ioapics(f, ret);
}

static void cause_by_ivrs(const struct firmware *f, struct irqremap *ret)
{
	if (f->ivrs.refused)
		set_cause(ret, IRQREMAP_REFUSED, FIRMWARE_TABLES "/IVRS", f->ivrs.refused);
	else if (f->madt_error == 0 && !f->ivrs.damage && !f->madt.damage &&
		 acpi_ivrs_check_ioapics(&f->ivrs, &f->madt) == ACPI_IVRS_IOAPICS_MISSING)
		set_cause(ret, IRQREMAP_IOAPIC, FIRMWARE_TABLES "/IVRS",
			  "the table does not list every I/O APIC of the MADT, that of the south "
			  "bridge among them");
}

static void cause_by_firmware(const struct host *h, struct irqremap *ret)
{
	const struct firmware *f = NULL;

	if (firmware_get(h, &f, NULL) < 0)
		return;
	if (f->dmar_error == 0)
		cause_by_dmar(f, ret);
	else if (f->ivrs_error == 0)
		cause_by_ivrs(f, ret);
	else if (f->dmar_error == -ENOENT && f->ivrs_error == -ENOENT)
		set_cause(ret, IRQREMAP_NO_TABLE, FIRMWARE_TABLES, "neither DMAR nor IVRS");
}

/* AMD's driver brings remapping up only together with the IOMMU; Intel's does not care. */
static void cause_by_cmdline(const struct host *h, struct irqremap *ret)
{
	static const char *const off[] = { "on", "off" };
	const struct cmdline *c = NULL;
	const char *word = NULL;

	if (cmdline_get(h, &c, NULL) < 0)
		return;
	if (cmdline_last_item(c, "intremap", off, 2) == 1)
		word = "intremap=off";
	/* Which of two words that contradict each other came last is not looked at. */
	else if (cmdline_value(c, "nointremap") && cmdline_last_item(c, "intremap", off, 2) != 0)
		word = "nointremap";
	else if (cmdline_value(c, "noapic"))
		word = "noapic";
	else if (cmdline_value(c, "nolapic"))
		word = "nolapic";
	else if (cmdline_value(c, "disableapic"))
		word = "disableapic";
	else if (iommu_kind(h) == IOMMU_AMD && cmdline_has_item(c, "amd_iommu", "off"))
		word = "amd_iommu=off";
	else if (iommu_kind(h) == IOMMU_AMD && cmdline_has_item(c, "iommu", "off"))
		word = "iommu=off";
	if (word)
		set_cause(ret, IRQREMAP_CMDLINE, CMDLINE_PATH, word);
}

/*
 * Chipsets of the 5500 series lose interrupts that are remapped, and Linux does not remap them
 * (arch/x86/kernel/early-quirks.c, intel_remapping_check).
 */
static bool has_erratum(const struct host *h, const struct pcidev *d)
{
	uint64_t revision;

	if (d->id_error < 0 || d->class_error < 0 || d->vendor != 0x8086 ||
	    d->class >> 8 != PCIDEV_CLASS_HOST_BRIDGE ||
	    (d->device != 0x3403 && d->device != 0x3405 && d->device != 0x3406))
		return false;
	if (host_attr_u64(h, 16, &revision, NULL, PCIDEV_PATH "/%s/revision", d->name) < 0)
		return false;
	return revision <= 0x13 || (d->device == 0x3405 && revision == 0x22);
}

static void cause_by_chipset(const struct host *h, struct irqremap *ret)
{
	const struct pcidevs *v = NULL;
	const char *reason = iommu_left_off_by(h);

	if (reason) {
		set_cause(ret, IRQREMAP_LEFT_OFF, PCIDEV_PATH, reason);
		return;
	}
	for (size_t i = 0; pcidevs_get(h, &v, NULL) == 0 && i < v->n; i++) {
		AUTO_BUF struct buf detail = { 0 };
		const struct pcidev *d = &v->items[i];

		if (!has_erratum(h, d))
			continue;
		buf_printf(&detail, "the host bridge %s (8086:%04x)", d->name, d->device);
		set_cause(ret, IRQREMAP_BROKEN, PCIDEV_PATH, buf_text(&detail));
		return;
	}
}

/* One unit that cannot is enough: the kernel then remaps nowhere. */
static void cause_by_hardware(const struct host *h, struct irqremap *ret)
{
	const struct iommu_units *units = NULL;

	if (iommu_units_get(h, &units, NULL) < 0)
		return;
	for (size_t i = 0; i < units->n; i++) {
		const struct iommu_unit *u = &units->items[i];

		if (u->kind == IOMMU_INTEL && u->registers_error == 0 &&
		    !(u->ecap & IOMMU_ECAP_IR)) {
			set_cause(ret, IRQREMAP_HARDWARE, IOMMU_CLASS, u->name);
			return;
		}
	}
}

static void cause_by_kernel(const struct host *h, struct irqremap *ret)
{
	const struct kconfig *k = NULL;

	if (kconfig_get(h, &k, NULL) == 0 && kconfig_ask(k, "IRQ_REMAP") == KCONFIG_OFF)
		set_cause(ret, IRQREMAP_KERNEL, "kernel configuration", "IRQ_REMAP is not set");
}

static void find_cause(const struct host *h, struct irqremap *ret)
{
	static void (*const by[])(const struct host *h, struct irqremap *ret) = {
		cause_by_firmware, cause_by_cmdline, cause_by_chipset,
		cause_by_hardware, cause_by_kernel,
	};

	for (size_t i = 0; ret->cause == IRQREMAP_CAUSE_NONE && i < ARRAY_SIZE(by); i++)
		by[i](h, ret);
}

/*
 * What the IVRS lacks of I/O APICs ivrs_ioapic= can add, and the kernel does for some models
 * (drivers/iommu/amd/quirks.c).
 */
static bool may_be_repaired(const struct host *h)
{
	static const char *const models[] = { "Inspiron 7375", "Latitude 5495", "Aspire A315-41",
					      "81FB" };
	const struct cmdline *c = NULL;
	const struct dmi *d = NULL;

	if (cmdline_get(h, &c, NULL) < 0 ? !host_is_partial(h)
					 : cmdline_value(c, "ivrs_ioapic") != NULL)
		return true;
	if (dmi_get(h, &d, NULL) < 0 || !d->product.text)
		return true;
	return PARSE_IS_ONE_OF(d->product.text, models);
}

/* Where no chip tells, what makes remapping impossible does. */
static void state_by_cause(const struct host *h, struct irqremap *ret, struct buf *observed)
{
	bool repairable = ret->cause == IRQREMAP_IOAPIC && strstr(ret->cause_source, "IVRS") &&
			  may_be_repaired(h);

	if (ret->cause == IRQREMAP_CAUSE_NONE || repairable)
		return;
	ret->state = IRQREMAP_OFF;
	ret->source = ret->cause_source;
	buf_puts(observed, ret->detail ? ret->detail : "");
}

static void state_by_log(const struct host *h, struct irqremap *ret, struct buf *observed)
{
	static const char *const on[] = { "Enabled IRQ remapping in ",
					  "AMD-Vi: Interrupt remapping enabled",
					  /* A fault that only a unit finds which remaps. */
					  "Blocked a compatibility format interrupt request" };
	static const char *const off[] = { "AMD-Vi: Disabling interrupt remapping",
					   "Failed to enable irq remapping",
					   /* The table is dropped, for interrupts too (dmar.c). */
					   "DMAR: Parse DMAR table failure" };

	ret->source = "kernel log";
	for (size_t i = 0; i < ARRAY_SIZE(on); i++)
		if (klog_find(h, observed, "%s", on[i])) {
			ret->state = IRQREMAP_ON;
			return;
		}
	for (size_t i = 0; i < ARRAY_SIZE(off); i++)
		if (klog_find(h, observed, "%s", off[i])) {
			ret->state = IRQREMAP_OFF;
			return;
		}
}

/*
 * Each of the two prints its line whenever it has switched remapping on; a boot that was seen
 * without one, up to where it would have been, had it not.
 */
static void state_by_silence(const struct host *h, struct irqremap *ret, struct buf *observed)
{
	enum iommu_kind kind = iommu_kind(h);
	const struct klog *log = NULL;

	if ((kind != IOMMU_INTEL && kind != IOMMU_AMD) || klog_get(h, &log, NULL) < 0 ||
	    !klog_reaches(log->text, kind == IOMMU_INTEL ? KLOG_PROCESSORS : KLOG_DEVICES))
		return;
	ret->state = IRQREMAP_OFF;
	ret->source = log->source;
	buf_puts(observed, "the log of the boot has no line that it was switched on");
}

/* Of the causes above none is Arm's, where an ITS is there or is not, and is never off. */
static void cause_on_arm(const struct host *h, struct irqremap *ret)
{
	const struct interrupts *v = NULL;
	const struct interrupt *plain;

	if (ret->state != IRQREMAP_OFF || interrupts_get(h, &v, NULL) < 0)
		return;
	plain = interrupts_first(v, INTERRUPT_PLAIN);
	if (plain)
		set_cause(ret, IRQREMAP_NO_ITS, v->source, plain->chip);
}

static int read_irqremap(const struct host *h, struct irqremap *ret, struct error *e)
{
	AUTO_BUF struct buf observed = { 0 };

	ret->state = IRQREMAP_UNKNOWN;
	ret->source = "";
	state_by_chips(h, ret, &observed);
	if (ret->state == IRQREMAP_UNKNOWN) {
		ret->state = irqremap_messages_state(h, &observed);
		ret->source = PCIDEV_PATH;
	}
	if (machine_is_arm(h))
		cause_on_arm(h, ret);
	else if (ret->state != IRQREMAP_ON)
		find_cause(h, ret);
	if (ret->state == IRQREMAP_UNKNOWN)
		state_by_cause(h, ret, &observed);
	if (ret->state == IRQREMAP_UNKNOWN)
		state_by_log(h, ret, &observed);
	if (ret->state == IRQREMAP_UNKNOWN)
		state_by_silence(h, ret, &observed);
	ret->observed = buf_take(&observed);
	if (!ret->observed || (ret->cause != IRQREMAP_CAUSE_NONE && !ret->detail)) {
		irqremap_done(ret);
		return error_nomem(e);
	}
	return 0;
}
HOST_FACT_DEFINE(irqremap, read_irqremap)

void irqremap_done(struct irqremap *r)
{
	free(r->observed);
	free(r->detail);
	free(r->outsider);
	free(r->unseen);
	*r = (struct irqremap){ 0 };
}
