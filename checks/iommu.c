/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DMA remapping: described by firmware, run by the kernel, and in which mode. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/iommu.h>

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/finding.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/irqremap.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>
#include <sriovctl/pcidev.h>

#include <errno.h>
#include <string.h>

#define DMAR_PATH FIRMWARE_TABLES "/DMAR"
#define IVRS_PATH FIRMWARE_TABLES "/IVRS"

/* --- iommu.firmware ------------------------------------------------------------ */

static enum verdict fail_refused(struct finding *f, const char *path, const char *why)
{
	finding_note(f, path, "a table the kernel takes", "%s", why);
	finding_remedy(f,
		       "Update the firmware; if it is the newest, report the table to the vendor.");
	return finding_fail(f, ACTOR_FIRMWARE, "the kernel drops the firmware's IOMMU table: %s",
			    why);
}

/* Damage that hides the units, and that the kernel may take otherwise than we do. */
static enum verdict unknown_damaged(struct finding *f, const char *path, const char *damage)
{
	finding_note(f, path, "a unit", "none before the damage: %s",
		     damage ? damage : "it is cut");
	finding_remedy(f, "Copy the table again; if it is the same, update the firmware.");
	return finding_unknown(f, "the firmware's IOMMU table is damaged");
}

static enum verdict judge_dmar(const struct acpi_dmar *d, struct finding *f)
{
	if (d->refused)
		return fail_refused(f, DMAR_PATH, d->refused);
	if (!d->checksum_ok) {
		finding_note(f, DMAR_PATH, "a correct checksum", "a wrong checksum");
		finding_remedy(f, "Copy the table again; if it is the same, update the firmware.");
		return finding_unknown(f, "the DMAR table is damaged: its checksum is wrong");
	}
	if (d->n_units == 0)
		return unknown_damaged(f, DMAR_PATH, d->damage);
	finding_note(f, DMAR_PATH, "a DRHD", "%zu units, host address width %u", d->n_units,
		     d->address_width);
	if (d->damage)
		finding_note(f, DMAR_PATH, NULL, "%s", d->damage);
	return finding_pass(f, "firmware describes Intel VT-d: %zu unit%s in the DMAR table",
			    d->n_units, d->n_units == 1 ? "" : "s");
}

static enum verdict judge_ivrs(const struct acpi_ivrs *v, struct finding *f)
{
	if (v->refused)
		return fail_refused(f, IVRS_PATH, v->refused);
	if (v->n_units == 0)
		return unknown_damaged(f, IVRS_PATH, v->damage);
	finding_note(f, IVRS_PATH, "an IVHD", "%zu units of type 0x%x", v->n_units, v->ivhd_type);
	if (v->damage)
		finding_note(f, IVRS_PATH, NULL, "%s", v->damage);
	return finding_pass(f, "firmware describes AMD-Vi: %zu unit%s in the IVRS table",
			    v->n_units, v->n_units == 1 ? "" : "s");
}

static enum verdict fail_absent(const struct host *h, struct finding *f)
{
	finding_note(f, FIRMWARE_TABLES, "DMAR, IVRS, IORT with an SMMU, or VIOT", "no such table");
	if (firmware_is_off_by_cmdline(h)) {
		finding_note(f, CMDLINE_PATH, "no such word", "acpi=off");
		remedy_cmdline_remove(f, h, "acpi=off");
		return finding_fail(f, ACTOR_CMDLINE,
				    "the kernel looks at no ACPI table: acpi=off on the command "
				    "line");
	}
	if (machine_is_guest(h)) {
		finding_remedy(f, "Give this guest a virtual IOMMU (QEMU: %s).",
			       machine_is_arm(h) ? "-machine virt,iommu=smmuv3"
						 : "-device intel-iommu,intremap=on,eim=on with "
						   "-machine q35,kernel-irqchip=split");
		return finding_fail(f, remedy_iommu_actor(h), "this guest has no virtual IOMMU");
	}
	remedy_setup(f, h, PLATFORM_IOMMU);
	return finding_fail(
		f, ACTOR_FIRMWARE,
		"firmware describes no IOMMU: it is off in setup, or the machine has none");
}

/* What the kernel logs of a table that it does not take. */
static bool is_dropped(const struct host *h, struct finding *f)
{
	static const char *const lines[] = { "DMAR: Parse DMAR table failure",
					     "IVRS invalid checksum" };
	AUTO_BUF struct buf line = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!klog_find(h, &line, "%s", lines[i]))
			continue;
		finding_note(f, "kernel log", "a table the kernel takes", "%s", buf_text(&line));
		finding_remedy(f, "Update the firmware; if it is the newest, report the table to "
				  "the vendor.");
		return true;
	}
	return false;
}

/* A table that is there and cannot be read, or of which nothing is known. */
static enum verdict judge_unread(const struct host *h, const struct firmware *fw, struct finding *f)
{
	const struct irqremap *ir = NULL;

	AUTO_BUF struct buf observed = { 0 };
	const char *source;

	if (is_dropped(h, f))
		return finding_fail(f, ACTOR_FIRMWARE,
				    "the kernel drops the firmware's IOMMU table");
	/* An ITS is no unit of an IOMMU. */
	if (!machine_is_arm(h) && irqremap_get(h, &ir, NULL) == 0 && ir->state == IRQREMAP_ON) {
		finding_note(f, ir->source, "IR-", "%s", ir->observed);
		return finding_pass(f, "interrupts are remapped, which takes a unit that firmware "
				       "describes");
	}
	if (iommu_state(h, &source, &observed) == IOMMU_ON) {
		finding_note(f, source, NULL, "%s", buf_text(&observed));
		return finding_pass(
			f, "DMA is translated, which takes a unit that firmware describes");
	}
	if (klog_find(h, &observed, "DMAR: DRHD base: ")) {
		finding_note(f, "kernel log", "a DRHD", "%s", buf_text(&observed));
		return finding_pass(f, "firmware describes Intel VT-d, as the kernel logged");
	}
	if (host_is_partial(h) && machine_is_guest(h) && iommu_kind(h) == IOMMU_NONE)
		return finding_na(f,
				  "a guest of which no IOMMU was captured: there is one only where "
				  "its hypervisor was told to give it");
	if (host_exists(h, DMAR_PATH) == 0)
		finding_unread(f, h, DMAR_PATH, fw->dmar_error);
	else if (host_exists(h, IVRS_PATH) == 0)
		finding_unread(f, h, IVRS_PATH, fw->ivrs_error);
	else
		finding_unread(f, h, FIRMWARE_TABLES, fw->dmar_error);
	if (fw->dmar_error == -EACCES || fw->ivrs_error == -EACCES)
		return finding_unknown(f,
				       "firmware has an IOMMU table; whether it can be used takes "
				       "root to read");
	return finding_unknown(f, "whether firmware describes an IOMMU is not known");
}

static enum verdict judge_tables(const struct host *h, struct finding *f)
{
	const struct firmware *fw = NULL;

	if (firmware_get(h, &fw, NULL) < 0)
		return finding_nomem(f);
	if (fw->dmar_error == 0)
		return judge_dmar(&fw->dmar, f);
	if (fw->ivrs_error == 0)
		return judge_ivrs(&fw->ivrs, f);
	if (fw->iort_error == 0 && fw->iort_smmus > 0) {
		finding_note(f, FIRMWARE_TABLES "/IORT", "an SMMU", "%zu", fw->iort_smmus);
		return finding_pass(f, "firmware describes %zu Arm SMMUs in the IORT table",
				    fw->iort_smmus);
	}
	if (fw->viot_error == 0 && fw->viot_iommu) {
		finding_note(f, FIRMWARE_TABLES "/VIOT", "a virtio IOMMU", "present");
		return finding_pass(f, "the hypervisor describes a virtio IOMMU in the VIOT table");
	}
	if (fw->tree_error == 0) {
		finding_note(f, fw->tree_iommu, "an IOMMU", "present");
		return finding_pass(f, "the device tree describes an IOMMU");
	}
	/* Xen takes the DMAR's name away, so that its first domain leaves the units alone. */
	if (remedy_ask_xen(f, h,
			   "xl dmesg has \"I/O virtualisation enabled\" where firmware "
			   "describes units and Xen runs them"))
		return finding_unknown(f,
				       "Xen keeps the IOMMU to itself, with the firmware's table");
	if (fw->dmar_error == -ENOENT && fw->ivrs_error == -ENOENT && fw->tree_error == -ENOENT &&
	    (fw->iort_error == -ENOENT || fw->iort_error == 0) &&
	    (fw->viot_error == -ENOENT || fw->viot_error == 0))
		return fail_absent(h, f);
	return judge_unread(h, fw, f);
}

static enum verdict run_firmware(const struct check_input *in, struct finding *f)
{
	const struct iommu_units *units = NULL;

	if (iommu_units_get(in->host, &units, NULL) < 0 || units->n == 0)
		return judge_tables(in->host, f);
	finding_note(f, IOMMU_CLASS, "a unit", "%zu, the first is %s", units->n,
		     units->items[0].name);
	return finding_pass(f, "%s: the kernel runs %zu unit%s that firmware describes",
			    iommu_kind_name(units->items[0].kind), units->n,
			    units->n == 1 ? "" : "s");
}

/* --- iommu.active -------------------------------------------------------------- */

/*
 * Before 5.18 the software's bounce buffers, when they were asked for, ended the search for an
 * IOMMU (arch/x86/kernel/pci-swiotlb.c, IOMMU_INIT_FINISH).
 */
static const char *word_for_bouncing(const struct host *h, const struct cmdline *c)
{
	static const char *const soft[] = { "soft" };
	const struct kernel *k = NULL;

	if (kernel_get(h, &k, NULL) < 0 || kernel_is_at_least(k, 5, 18))
		return NULL;
	if (cmdline_last_item(c, "iommu", soft, 1) == 0)
		return "iommu=soft";
	return cmdline_has_item(c, "swiotlb", "force") ? "swiotlb=force" : NULL;
}

/* The word that has the kernel leave this IOMMU alone; NULL without any. */
static const char *word_that_disables(const struct host *h, enum iommu_kind kind)
{
	static const char *const intel[] = { "on", "off" };
	static const char *const off[] = { "off" };
	const struct cmdline *c = NULL;

	if (cmdline_get(h, &c, NULL) < 0 || (kind != IOMMU_INTEL && kind != IOMMU_AMD))
		return NULL;
	if (kind == IOMMU_INTEL && cmdline_last_item(c, "intel_iommu", intel, 2) == 1)
		return "intel_iommu=off";
	if (kind == IOMMU_AMD && cmdline_last_item(c, "amd_iommu", off, 1) == 0)
		return "amd_iommu=off";
	if (cmdline_last_item(c, "iommu", off, 1) == 0)
		return "iommu=off";
	/* Without a local APIC there is no vector for the unit's own interrupt. */
	if (cmdline_value(c, "nolapic"))
		return "nolapic";
	if (cmdline_value(c, "disableapic"))
		return "disableapic";
	return word_for_bouncing(h, c);
}

/* The symbol without which the kernel cannot drive this IOMMU; NULL when it can, or for all we
 * know. */
static const char *missing_symbol(const struct host *h, enum iommu_kind kind)
{
	const struct kconfig *k = NULL;

	if (kconfig_get(h, &k, NULL) < 0)
		return NULL;
	if (kind == IOMMU_INTEL && kconfig_ask(k, "INTEL_IOMMU") == KCONFIG_OFF)
		return "INTEL_IOMMU";
	if (kind == IOMMU_AMD && kconfig_ask(k, "AMD_IOMMU") == KCONFIG_OFF)
		return "AMD_IOMMU";
	if (kind == IOMMU_SMMU && !kconfig_is_on(k, "ARM_SMMU") &&
	    kconfig_ask(k, "ARM_SMMU_V3") == KCONFIG_OFF)
		return "ARM_SMMU_V3";
	if (kind == IOMMU_VIRTIO && kconfig_ask(k, "VIRTIO_IOMMU") == KCONFIG_OFF)
		return "VIRTIO_IOMMU";
	return NULL;
}

/* Intel's driver alone may be built to wait for a word; Debian has a choice of its own. */
static bool waits_for_word(const struct host *h, enum iommu_kind kind)
{
	static const char *const on[] = { "on", "off" };
	const struct cmdline *c = NULL;
	const struct kconfig *k = NULL;

	if (kind != IOMMU_INTEL || cmdline_get(h, &c, NULL) < 0 ||
	    cmdline_last_item(c, "intel_iommu", on, 2) == 0)
		return false;
	return kconfig_get(h, &k, NULL) < 0 ||
	       (!kconfig_is_on(k, "INTEL_IOMMU_DEFAULT_ON") &&
		!kconfig_is_on(k, "INTEL_IOMMU_DEFAULT_ON_INTGPU_OFF"));
}

static enum verdict explain_by_log(struct finding *f, const struct host *h, enum iommu_kind kind)
{
	static const char *const lines[] = {
		"No supported address widths",
		"Parse DMAR table failure",
		"DMAR: Failed to",
		"AMD-Vi: Disabl",
		"IVRS invalid checksum",
	};
	AUTO_BUF struct buf line = { 0 };

	finding_remedy(f, "Read what the kernel logged about DMAR, AMD-Vi or arm-smmu at boot "
			  "(journalctl -k -b), and update the firmware.");
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!klog_find(h, &line, "%s", lines[i]))
			continue;
		finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
		return finding_fail(f, ACTOR_VENDOR, "the kernel could not start %s: \"%s\"",
				    iommu_kind_name(kind), buf_text(&line));
	}
	return finding_fail(f, ACTOR_VENDOR,
			    "firmware describes %s, and the kernel did not start it; neither its "
			    "command line nor its configuration says why",
			    iommu_kind_name(kind));
}

static enum verdict fail_left_off(const struct host *h, const char *device, struct finding *f)
{
	finding_note(f, PCIDEV_PATH, NULL, "%s is the graphics of Stoney Ridge", device);
	remedy_cmdline_add(f, h, "amd_iommu=force_enable");
	return finding_fail(
		f, ACTOR_CMDLINE,
		"DMA is not translated: the kernel leaves the IOMMU of Stoney Ridge off "
		"unless amd_iommu=force_enable is given");
}

static enum verdict fail_waiting(const struct host *h, struct finding *f, enum iommu_kind kind)
{
	const struct kconfig *k = NULL;

	finding_note(f, CMDLINE_PATH, "intel_iommu=on", "no such word");
	remedy_cmdline_add(f, h, "intel_iommu=on");
	if (kconfig_get(h, &k, NULL) < 0)
		return finding_fail(
			f, ACTOR_CMDLINE,
			"DMA is not translated, and the command line does not ask for it, as "
			"many kernels want it for %s",
			iommu_kind_name(kind));
	return finding_fail(
		f, ACTOR_CMDLINE,
		"DMA is not translated: this kernel leaves %s off unless intel_iommu=on "
		"is given",
		iommu_kind_name(kind));
}

/* The table is there, and the kernel does without it. */
static const char *refused_table(const struct host *h)
{
	const struct firmware *fw = NULL;

	if (firmware_get(h, &fw, NULL) < 0)
		return NULL;
	if (fw->dmar_error == 0)
		return fw->dmar.refused;
	return fw->ivrs_error == 0 ? fw->ivrs.refused : NULL;
}

static enum verdict explain_off(const struct host *h, struct finding *f)
{
	enum iommu_kind kind = iommu_kind(h);
	const char *word = word_that_disables(h, kind);
	const char *symbol = missing_symbol(h, kind);

	if (kind == IOMMU_NONE) {
		finding_follows(f, "iommu.firmware");
		return finding_fail(f, remedy_iommu_actor(h),
				    "DMA is not translated: there is no IOMMU the kernel knows of");
	}
	if (refused_table(h)) {
		finding_follows(f, "iommu.firmware");
		return finding_fail(f, ACTOR_FIRMWARE,
				    "DMA is not translated: the kernel drops the firmware's table");
	}
	if (word) {
		finding_note(f, CMDLINE_PATH, "no such word", "%s", word);
		remedy_cmdline_remove(f, h, word);
		return finding_fail(f, ACTOR_CMDLINE,
				    "DMA is not translated: %s on the command line switches %s off",
				    word, iommu_kind_name(kind));
	}
	if (symbol) {
		finding_note(f, "kernel configuration", NULL, "CONFIG_%s is not set", symbol);
		finding_remedy(f, "Boot a kernel that was built with CONFIG_%s.", symbol);
		return finding_fail(f, ACTOR_OS,
				    "DMA is not translated: this kernel cannot drive %s",
				    iommu_kind_name(kind));
	}
	if (waits_for_word(h, kind))
		return fail_waiting(h, f, kind);
	if (iommu_left_off_by(h))
		return fail_left_off(h, iommu_left_off_by(h), f);
	return explain_by_log(f, h, kind);
}

/* The one can be on while the other is off: whoever sees "DMAR-IR enabled" should not be misled. */
static void note_remapping(const struct host *h, struct finding *f)
{
	const struct irqremap *r = NULL;

	if (irqremap_get(h, &r, NULL) == 0 && r->state == IRQREMAP_ON)
		finding_note(f, r->source, NULL, "interrupts are remapped all the same: %s",
			     r->observed);
}

/* Groups that no unit made may be VFIO's own; else they could not be read. */
static enum verdict judge_unknown(const struct host *h, struct finding *f)
{
	const struct iommu_groups *groups = NULL;
	int r = iommu_groups_get(h, &groups, NULL);

	if (r < 0) {
		finding_unread(f, h, IOMMU_GROUPS, r);
		return finding_unknown(f, "whether the kernel translates DMA is not known");
	}
	finding_note(f, IOMMU_CLASS, "the unit that made the groups", "none of %zu groups has one",
		     groups->n_groups);
	finding_remedy(f,
		       "Look whether /sys/bus/pci/devices/*/iommu leads to a unit: groups without "
		       "one are made by VFIO for devices that are not translated.");
	return finding_unknown(f, "there are groups, and no unit that would translate for them");
}

static enum verdict run_active(const struct check_input *in, struct finding *f)
{
	AUTO_BUF struct buf observed = { 0 };
	const char *source;
	enum iommu_state state = iommu_state(in->host, &source, &observed);

	if (state != IOMMU_ON &&
	    remedy_ask_xen(
		    f, in->host,
		    "xl info has hvm_directio in virt_caps, and xl dmesg \"I/O virtualisation "
		    "enabled\", where it translates"))
		return finding_unknown(f,
				       "Xen keeps the IOMMU to itself: whether it translates the "
				       "DMA of guests is not seen from here");
	if (state == IOMMU_UNKNOWN)
		return judge_unknown(in->host, f);
	finding_note(f, source, "PCI functions in groups", "%s", buf_text(&observed));
	if (state == IOMMU_OFF) {
		note_remapping(in->host, f);
		return explain_off(in->host, f);
	}
	return finding_pass(f, "the kernel translates DMA: %s", buf_text(&observed));
}

static const struct check checks[] = {
	{
		.id = "iommu.firmware",
		.title = "firmware describes an IOMMU",
		.severity = SEVERITY_REQUIRED,
		.run = run_firmware,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Switch the IOMMU on in firmware setup.",
		.impact =
			"Without an IOMMU a VF's owner can read and write all memory of the host.",
		.reference =
			"Intel VT-d specification, chapter 8 (DMAR); AMD 48882, chapter 5 (IVRS); "
			"Arm DEN 0049 (IORT)",
	},
	{
		.id = "iommu.active",
		.title = "the kernel translates the DMA of PCI devices",
		.severity = SEVERITY_REQUIRED,
		.run = run_active,
		.actor = ACTOR_CMDLINE,
		.remedy = "Have the kernel start the IOMMU.",
		.impact = "VFIO refuses every device, or a VF's owner can reach all memory.",
		.reference = "Linux Documentation/ABI/testing/sysfs-kernel-iommu_groups; "
			     "Documentation/admin-guide/kernel-parameters.txt, intel_iommu",
	},
};
CHECK_GROUP(iommu_checks, checks);
