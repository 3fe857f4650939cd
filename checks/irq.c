/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interrupts: remapped, so that a device can only raise its own. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/interrupts.h>
#include <sriovctl/irqremap.h>
#include <sriovctl/iommu.h>
#include <sriovctl/kernel.h>
#include <sriovctl/machine.h>

#include <errno.h>
#include <string.h>

static enum verdict fail_no_table(const struct host *h, struct finding *f)
{
	finding_follows(f, "iommu.firmware");
	return finding_fail(f, remedy_irqremap_actor(h, IRQREMAP_NO_TABLE),
			    "interrupts are not remapped: there is no IOMMU that could");
}

static enum verdict fail_ioapic(const struct host *h, const struct irqremap *r, struct finding *f)
{
	finding_remedy(f,
		       "Update the firmware; if it is the newest, report the table to the vendor.");
	if (iommu_kind(h) == IOMMU_AMD)
		finding_remedy(f,
			       "On AMD, ivrs_ioapic= on the kernel command line can add what the "
			       "table lacks.");
	return finding_fail(f, remedy_irqremap_actor(h, r->cause),
			    "interrupts are not remapped: %s", r->detail);
}

static enum verdict fail_no_its(const struct host *h, const struct irqremap *r, struct finding *f)
{
	if (machine_is_guest(h))
		finding_remedy(f, "Give this guest an interrupt controller with an ITS (QEMU: "
				  "-machine virt,gic-version=3,its=on).");
	else
		finding_remedy(f, "Use a platform whose PCI interrupts go through the ITS of a "
				  "GICv3 or newer; this one is fit for trusted guests only.");
	return finding_fail(f, ACTOR_HARDWARE,
			    "interrupts are not remapped: they come by %s and no ITS, so that any "
			    "device can raise any of them",
			    r->detail);
}

/* The kernel could, and does not want to on this machine. */
static enum verdict fail_by_kernel(const struct irqremap *r, enum actor actor, struct finding *f)
{
	if (r->cause == IRQREMAP_LEFT_OFF) {
		finding_follows(f, "iommu.active");
		return finding_fail(
			f, actor,
			"interrupts are not remapped: the kernel leaves the whole IOMMU "
			"off, for %s",
			r->detail);
	}
	finding_remedy(f, "Use a platform without this erratum; this one is fit for trusted guests "
			  "only.");
	return finding_fail(f, actor,
			    "interrupts are not remapped: the kernel leaves it off for an erratum "
			    "of %s",
			    r->detail);
}

/* Off, and why. */
static enum verdict explain_off(const struct host *h, const struct irqremap *r, struct finding *f)
{
	enum actor actor = remedy_irqremap_actor(h, r->cause);

	switch (r->cause) {
	case IRQREMAP_NO_TABLE:
		return fail_no_table(h, f);
	case IRQREMAP_CMDLINE:
		/* What switches the whole of an AMD IOMMU off is told by iommu.active. */
		if (iommu_kind(h) == IOMMU_AMD && strstr(r->detail, "iommu="))
			f->follows = "iommu.active";
		remedy_cmdline_remove(f, h, r->detail);
		return finding_fail(
			f, actor,
			"interrupts are not remapped: %s on the command line switches it off",
			r->detail);
	case IRQREMAP_NOT_OFFERED:
		remedy_setup(f, h, PLATFORM_INTREMAP);
		finding_remedy(f,
			       "If it is so already, update the firmware: its DMAR table lacks the "
			       "INTR_REMAP flag.");
		return finding_fail(
			f, actor,
			"interrupts are not remapped: firmware does not offer it in the "
			"DMAR table");
	case IRQREMAP_REFUSED:
		finding_follows(f, "iommu.firmware");
		return finding_fail(
			f, actor,
			"interrupts are not remapped: the kernel drops the firmware's table "
			"(%s)",
			r->detail);
	case IRQREMAP_LEFT_OFF:
	case IRQREMAP_BROKEN:
		return fail_by_kernel(r, actor, f);
	case IRQREMAP_HARDWARE:
		finding_remedy(f,
			       "Use a platform whose every IOMMU can remap interrupts; this one is "
			       "fit for trusted guests only.");
		return finding_fail(f, actor, "interrupts are not remapped: the unit %s cannot",
				    r->detail);
	case IRQREMAP_IOAPIC:
		return fail_ioapic(h, r, f);
	case IRQREMAP_NO_ITS:
		return fail_no_its(h, r, f);
	case IRQREMAP_KERNEL:
		finding_remedy(f, "Boot a kernel that was built with CONFIG_IRQ_REMAP.");
		return finding_fail(f, actor,
				    "interrupts are not remapped: this kernel was built "
				    "without it");
	case IRQREMAP_CAUSE_NONE:
		break;
	}
	finding_remedy(f, "Read what the kernel logged about DMAR-IR or AMD-Vi at boot "
			  "(journalctl -k -b), and update the firmware.");
	return finding_fail(f, actor,
			    "interrupts are not remapped; neither the firmware's "
			    "tables nor the command line say why");
}

/* How the chips are named that remap. */
static const char *wanted_chip(const struct host *h)
{
	return machine_is_arm(h) ? "ITS-" : "IR-";
}

/*
 * Before 6.3 VFIO looks on Arm at the domains of all devices, and refuses each where one of
 * them is not an ITS's (kernel/irq/irqdomain.c, irq_domain_check_msi_remap()).  On x86 it asks
 * the IOMMU's driver whether remapping is on.
 */
static bool wants_all(const struct host *h, const struct irqremap *r, struct finding *f,
		      enum verdict *ret)
{
	const struct interrupts *v = NULL;
	const struct interrupt *plain;
	const struct kernel *k = NULL;

	plain = interrupts_get(h, &v, NULL) == 0 ? interrupts_first(v, INTERRUPT_PLAIN) : NULL;
	if (!plain || !plain->is_msi ||
	    (kernel_get(h, &k, NULL) == 0 && kernel_is_at_least(k, 6, 3)))
		return false;
	finding_note(f, r->source, wanted_chip(h), "%s (interrupt %u)", plain->chip, plain->number);
	/* Its kernels are called 5.14 and have much of later ones. */
	if (!k || strstr(k->release, ".el9")) {
		finding_remedy(f, "Bind a VF to vfio-pci and open it: VFIO refuses it where it "
				  "still looks at all devices.");
		*ret = finding_unknown(f,
				       "interrupts are remapped, but not those of all devices, "
				       "and whether VFIO of this kernel wants that is not known");
		return true;
	}
	finding_remedy(f,
		       "Boot a kernel from 6.3 on, which looks at each device by itself, or "
		       "switch off the device whose interrupts come by %s.",
		       plain->chip);
	*ret = finding_fail(f, ACTOR_OS,
			    "interrupts are remapped, but not those of all devices, "
			    "and VFIO of this kernel then refuses every one");
	return true;
}

static enum verdict judge_on(const struct host *h, const struct irqremap *r, struct finding *f)
{
	AUTO_BUF struct buf observed = { 0 };
	const char *source;
	enum verdict v;

	if (r->outsider) {
		finding_note(f, r->source, wanted_chip(h), "an interrupt of %s that is not",
			     r->outsider);
		finding_remedy(f, "Move the card to a slot below a unit that remaps, or report the "
				  "firmware's table to the vendor.");
		return finding_fail(f, ACTOR_HARDWARE,
				    "interrupts are remapped, but not those of %s", r->outsider);
	}
	if (r->unseen) {
		finding_note(f, r->source, wanted_chip(h), "no interrupt of %s", r->unseen);
		finding_remedy(f, "Bring %s up, so that it has an interrupt, and check again.",
			       r->unseen);
		return finding_unknown(f,
				       "some interrupts are remapped and some are not; those of "
				       "%s are not seen",
				       r->unseen);
	}
	if (machine_is_arm(h) && wants_all(h, r, f, &v))
		return v;
	if (iommu_state(h, &source, &observed) == IOMMU_OFF) {
		finding_note(f, source, NULL, "%s", buf_text(&observed));
		return finding_pass(f,
				    "interrupts are remapped, although DMA is not translated: %s",
				    r->observed);
	}
	return finding_pass(f, "interrupts are remapped: %s", r->observed);
}

/* Hypervisors give a guest no IOMMU unless they are told to; on the guest itself it would show. */
static bool is_plain_guest(const struct host *h)
{
	return host_is_partial(h) && machine_is_guest(h) && iommu_kind(h) == IOMMU_NONE;
}

static enum verdict judge_unknown(const struct host *h, struct finding *f)
{
	const struct interrupts *v = NULL;
	const struct interrupt *plain;
	int r = interrupts_get(h, &v, NULL);

	plain = r == 0 ? interrupts_first(v, INTERRUPT_PLAIN) : NULL;
	/* On the machine itself there always are some, which tell. */
	if (r < 0 && machine_is_arm(h) && host_is_partial(h))
		return finding_na(f, "on Arm there is no remapping: an ITS keeps interrupts apart, "
				     "which shows by those in use, and none was captured");
	if (is_plain_guest(h))
		return finding_na(f, "a guest of which no IOMMU was captured: remapping is its "
				     "host's");
	if (r < 0)
		finding_unread(f, h, "/sys/kernel/irq", r);
	if (plain) {
		finding_note(f, v->source, NULL, "%s (interrupt %u)", plain->chip, plain->number);
		finding_remedy(f,
			       "Read the ACPI tables, as root: they tell whether this guest has a "
			       "virtual IOMMU.");
		return finding_unknown(f,
				       "a guest's interrupts are not remapped; whether it has an "
				       "IOMMU that could is not known");
	}
	if (r == 0 && !plain) {
		finding_note(f, v->source, NULL, "no interrupt of a PCI device");
		finding_remedy(
			f, "Bring a PCI device up, so that it has an interrupt, and check again.");
	}
	return finding_unknown(f, "whether interrupts are remapped is not visible here");
}

static enum verdict run_remapping(const struct check_input *in, struct finding *f)
{
	const struct irqremap *r = NULL;
	int err = irqremap_get(in->host, &r, NULL);

	if (err < 0)
		return finding_nomem(f);
	if (r->state != IRQREMAP_ON &&
	    remedy_ask_xen(f, in->host,
			   "xl dmesg has \"Interrupt remapping enabled\" where it remaps"))
		return finding_unknown(f,
				       "interrupts are Xen's: whether it remaps them is not seen "
				       "from here");
	if (r->state != IRQREMAP_UNKNOWN)
		finding_note(f, r->source, wanted_chip(in->host), "%s", r->observed);
	/* Where the cause decided the state it is noted already. */
	if (r->cause != IRQREMAP_CAUSE_NONE && r->state != IRQREMAP_ON &&
	    r->cause_source != r->source)
		finding_note(f, r->cause_source, NULL, "%s", r->detail);
	switch (r->state) {
	case IRQREMAP_ON:
		return judge_on(in->host, r, f);
	case IRQREMAP_OFF:
		return explain_off(in->host, r, f);
	case IRQREMAP_UNKNOWN:
		break;
	}
	return judge_unknown(in->host, f);
}

static const struct check checks[] = {
	{
		.id = "irq.remapping",
		.title = "interrupt remapping is active",
		.severity = SEVERITY_REQUIRED,
		.needs = NEED_X86_OR_ARM,
		.run = run_remapping,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Switch interrupt remapping on.",
		.impact = "VFIO refuses devices; with its unsafe switch a guest can send any "
			  "interrupt "
			  "to the host.",
		.reference = "Intel VT-d specification, chapter 5; AMD 48882, 2.2.5; Arm IHI 0069, "
			     "chapter 5; Linux drivers/vfio/vfio_iommu_type1.c",
	},
};
CHECK_GROUP(irq_checks, checks);
