/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x2APIC: the mode of the local APICs that reaches more than 255 processors. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/cmdline.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/finding.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/iommu.h>
#include <sriovctl/irqremap.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>

#include <errno.h>
#include <string.h>

/* 255 is the broadcast of the older mode (Intel SDM volume 3, 11.12). */
#define LAST_XAPIC_ID 254

/* The header of a table, of which this is all that is looked at. */
#define TABLE_MAX (1u << 20)
#define OEM_AT	  10
#define OEM_LEN	  6

#define MSR_APIC_BASE	 0x1bu
#define APIC_BASE_EXTD	 (1u << 10)
#define CPUID_X2APIC_BIT (1u << 21) /* leaf 1, ECX: the processor's own word */

enum mode { MODE_OFF, MODE_ON, MODE_UNKNOWN };

static uint32_t highest_apic_id(const struct host *h)
{
	const struct cpuinfo *cpu = NULL;
	const struct firmware *fw = NULL;
	uint32_t id = 0;

	if (cpuinfo_get(h, &cpu, NULL) == 0)
		id = cpu->max_apicid;
	if (firmware_get(h, &fw, NULL) == 0 && fw->madt_error == 0 && fw->madt.max_apic_id > id)
		id = fw->madt.max_apic_id;
	return id;
}

static enum mode mode_by_msr(const struct host *h, struct finding *f)
{
	uint64_t base;

	if (host_msr(h, MSR_APIC_BASE, &base, NULL) < 0)
		return MODE_UNKNOWN;
	finding_note(f, "MSR 0x1b", "bit 10 (EXTD) set", "0x%llx", (unsigned long long)base);
	return base & APIC_BASE_EXTD ? MODE_ON : MODE_OFF;
}

enum opt_out { OPT_OUT_NO, OPT_OUT_YES, OPT_OUT_UNKNOWN };

static enum opt_out opt_out(const struct host *h)
{
	static const char *const override[] = { "no_x2apic_optout" };
	const struct firmware *fw = NULL;
	const struct cmdline *c = NULL;

	if (firmware_get(h, &fw, NULL) < 0 || fw->dmar_error < 0 || fw->dmar.refused ||
	    !fw->dmar.checksum_ok)
		return OPT_OUT_UNKNOWN;
	if (!fw->dmar.x2apic_opt_out)
		return OPT_OUT_NO;
	if (cmdline_get(h, &c, NULL) < 0)
		return OPT_OUT_UNKNOWN;
	return cmdline_last_item(c, "intremap", override, 1) < 0 ? OPT_OUT_YES : OPT_OUT_NO;
}

/*
 * With the CPU's flag and remapping active the kernel has one rule left: every unit must
 * carry the wide ids (drivers/iommu/intel/irq_remapping.c intel_prepare_irq_remapping).
 */
static enum mode mode_on_intel(const struct host *h, const struct iommu_units *units,
			       struct finding *f)
{
	const struct firmware *fw = NULL;

	/* A unit that the kernel does not use for DMA shows no registers, and counts all the same.
	 */
	if (opt_out(h) != OPT_OUT_NO || firmware_get(h, &fw, NULL) < 0 ||
	    units->n != fw->dmar.n_units)
		return MODE_UNKNOWN;
	for (size_t i = 0; i < units->n; i++) {
		const struct iommu_unit *u = &units->items[i];

		if (u->kind != IOMMU_INTEL || u->registers_error < 0)
			return MODE_UNKNOWN;
		finding_note(f, IOMMU_CLASS, "bit 4 (EIM) of ecap set", "%s: ecap 0x%llx", u->name,
			     (unsigned long long)u->ecap);
		if (!(u->ecap & IOMMU_ECAP_EIM))
			return MODE_OFF;
	}
	return MODE_ON;
}

/*
 * drivers/iommu/amd/init.c: x2APIC takes 128-bit entries and XTSup, of a block newer than
 * 0x10.  Kernels before 6.1 may also want the unit's MSI registers in its MMIO space.
 */
static enum mode mode_on_amd(const struct host *h, struct finding *f)
{
	const uint64_t need = ACPI_IVRS_EFR_XT | ACPI_IVRS_EFR_GA;
	const struct firmware *fw = NULL;
	const struct kernel *k = NULL;
	enum mode mode = MODE_ON;

	if (firmware_get(h, &fw, NULL) < 0 || fw->ivrs_error < 0 || fw->ivrs.n_units == 0)
		return MODE_UNKNOWN;
	for (size_t i = 0; i < fw->ivrs.n_units; i++) {
		const struct acpi_ivrs_unit *u = &fw->ivrs.units[i];

		finding_note(f, FIRMWARE_TABLES "/IVRS", "bits 2 (XTSup) and 7 (GASup) set",
			     "type 0x%x, EFR 0x%llx", u->type, (unsigned long long)u->efr);
		if ((u->efr & need) != need)
			return MODE_OFF;
		if (!(u->efr & ACPI_IVRS_EFR_MSICAP_MMIO) &&
		    (kernel_get(h, &k, NULL) < 0 || !kernel_is_at_least(k, 6, 1)))
			mode = MODE_UNKNOWN;
	}
	return mode;
}

/* What follows from remapping being active. */
static enum mode mode_by_remapping(const struct host *h, struct finding *f)
{
	const struct cpuinfo *cpu = NULL;
	const struct irqremap *r = NULL;
	const struct iommu_units *units = NULL;

	/* The CPU's flag, which nox2apic takes away, is the other half of it. */
	if (cpuinfo_get(h, &cpu, NULL) < 0 || !cpu->has_flags || irqremap_get(h, &r, NULL) < 0 ||
	    r->state != IRQREMAP_ON)
		return MODE_UNKNOWN;
	if (opt_out(h) == OPT_OUT_YES) {
		finding_note(f, FIRMWARE_TABLES "/DMAR", "X2APIC_OPT_OUT clear", "set");
		return MODE_OFF;
	}
	if (iommu_kind(h) == IOMMU_AMD)
		return mode_on_amd(h, f);
	if (iommu_kind(h) == IOMMU_INTEL && iommu_units_get(h, &units, NULL) == 0)
		return mode_on_intel(h, units, f);
	return MODE_UNKNOWN;
}

/* Of these lines the first that is there decides; the routing line is the kernel's last word. */
static enum mode mode_by_log(const struct host *h, struct finding *f)
{
	static const struct {
		const char *line;
		enum mode mode;
	} lines[] = {
		{ .line = "Switched APIC routing to cluster x2apic", .mode = MODE_ON },
		{ .line = "Switched APIC routing to physical x2apic", .mode = MODE_ON },
		{ .line = "Switched APIC routing to: cluster x2apic", .mode = MODE_ON },
		{ .line = "Switched APIC routing to: physical x2apic", .mode = MODE_ON },
		/* Where firmware had it on already, kernels to 6.7 only settle it. */
		{ .line = "Setting APIC routing to cluster x2apic", .mode = MODE_ON },
		{ .line = "Setting APIC routing to physical x2apic", .mode = MODE_ON },
		{ .line = "APIC routing to UV large system", .mode = MODE_ON },
		{ .line = "APIC routing to: UV large system", .mode = MODE_ON },
		/* By its whole name: what was cut may be any. */
		{ .line = "Switched APIC routing to flat", .mode = MODE_OFF },
		{ .line = "Switched APIC routing to: flat", .mode = MODE_OFF },
		{ .line = "Switched APIC routing to physical flat", .mode = MODE_OFF },
		{ .line = "Switched APIC routing to: physical flat", .mode = MODE_OFF },
		{ .line = "Switched APIC routing to: default", .mode = MODE_OFF },
		{ .line = "Setting APIC routing to flat", .mode = MODE_OFF },
		{ .line = "Setting APIC routing to physical flat", .mode = MODE_OFF },
		{ .line = "x2apic disabled", .mode = MODE_OFF },
		{ .line = "x2apic is disabled because BIOS sets x2apic opt out bit",
		  .mode = MODE_OFF },
		{ .line = "IRQ remapping doesn't support X2APIC mode", .mode = MODE_OFF },
		{ .line = "Enabled IRQ remapping in xapic mode", .mode = MODE_OFF },
		{ .line = "Enabled IRQ remapping in x2apic mode", .mode = MODE_ON },
	};
	AUTO_BUF struct buf line = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!klog_find(h, &line, "%s", lines[i].line))
			continue;
		finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
		return lines[i].mode;
	}
	return MODE_UNKNOWN;
}

/* Names that hypervisors give their tables (OEM ID, ACPI Specification 5.2.6). */
static bool is_hypervisors(const char *oem)
{
	static const char *const names[] = { "BOCHS ", "VMWARE", "VRTUAL", "VBOX  ", "Xen",
					     "XEN",    "QEMU",	 "GOOGLE", "AMAZON" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(oem, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* By its processor or SMBIOS, else by whoever made its tables. */
static bool is_bare_metal(const struct host *h)
{
	static const char *const tables[] = { "DMAR", "IVRS", "APIC" };
	AUTO_BUF struct buf table = { 0 };
	const struct machine *m = NULL;

	if (machine_get(h, &m, NULL) == 0 && m->guest_error == 0)
		return !m->is_guest;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (host_read(h, TABLE_MAX, &table, NULL, FIRMWARE_TABLES "/%s", tables[i]) == 0 &&
		    table.len > OEM_AT + OEM_LEN)
			return !is_hypervisors(buf_text(&table) + OEM_AT);
	return false;
}

/*
 * Of a capture that shows nothing that runs: on bare metal the kernel lets x2APIC be only with
 * remapping that carries it (arch/x86/kernel/apic/apic.c, try_to_enable_x2apic()).
 */
static enum mode mode_by_platform(const struct host *h, struct finding *f)
{
	const struct firmware *fw = NULL;
	const struct irqremap *r = NULL;

	if (!host_is_partial(h) || !is_bare_metal(h) || irqremap_get(h, &r, NULL) < 0)
		return MODE_UNKNOWN;
	if (r->state == IRQREMAP_OFF) {
		finding_note(f, r->source, "remapped interrupts", "%s", r->observed);
		return MODE_OFF;
	}
	if (firmware_get(h, &fw, NULL) < 0)
		return MODE_UNKNOWN;
	if (fw->dmar_error == 0 && fw->dmar.checksum_ok && fw->dmar.x2apic_opt_out &&
	    opt_out(h) != OPT_OUT_NO) {
		finding_note(f, FIRMWARE_TABLES "/DMAR", "X2APIC_OPT_OUT clear", "set");
		return MODE_OFF;
	}
	return fw->ivrs_error == 0 && !fw->ivrs.damage && mode_on_amd(h, f) == MODE_OFF
		       ? MODE_OFF
		       : MODE_UNKNOWN;
}

static enum verdict judge_no_flag(const struct host *h, struct finding *f)
{
	const struct cmdline *c = NULL;
	uint32_t r[4];

	finding_note(f, CPUINFO_PATH, "flag x2apic", "no such flag");
	if (cmdline_get(h, &c, NULL) == 0 && cmdline_value(c, "nox2apic")) {
		finding_note(f, CMDLINE_PATH, "no such word", "nox2apic");
		remedy_cmdline_remove(f, h, "nox2apic");
		return finding_fail(f, ACTOR_CMDLINE,
				    "x2APIC is off by nox2apic on the command line");
	}
	if (host_cpuid(h, 1, r) == 0 && (r[2] & CPUID_X2APIC_BIT)) {
		remedy_setup(f, h, PLATFORM_X2APIC);
		return finding_fail(f, ACTOR_FIRMWARE,
				    "x2APIC is off: the CPU has it, and the kernel dropped it");
	}
	if (machine_is_guest(h)) {
		finding_remedy(f, "Have the hypervisor offer x2APIC to this guest.");
		return finding_fail(f, ACTOR_OS, "the hypervisor offers this guest no x2APIC");
	}
	remedy_setup(f, h, PLATFORM_X2APIC);
	return finding_fail(f, ACTOR_FIRMWARE, "the CPU has no x2APIC, or firmware hides it");
}

static enum verdict explain_off(const struct host *h, struct finding *f)
{
	AUTO_BUF struct buf line = { 0 };
	const struct irqremap *r = NULL;

	if (opt_out(h) == OPT_OUT_YES || klog_find(h, &line, "BIOS sets x2apic opt out bit")) {
		if (!machine_is_guest(h))
			remedy_setup(f, h, PLATFORM_X2APIC);
		remedy_cmdline_add(f, h, "intremap=no_x2apic_optout");
		return finding_fail(f, ACTOR_FIRMWARE,
				    "x2APIC is off: firmware opts out of it in the DMAR table");
	}
	if (irqremap_get(h, &r, NULL) == 0 && r->state == IRQREMAP_OFF) {
		finding_follows(f, "irq.remapping");
		return finding_fail(f, remedy_irqremap_actor(h, r->cause),
				    "x2APIC is off: no interrupt remapping to carry it");
	}
	if (iommu_kind(h) == IOMMU_INTEL || iommu_kind(h) == IOMMU_AMD) {
		remedy_setup(f, h, PLATFORM_X2APIC);
		return finding_fail(f, ACTOR_HARDWARE,
				    "x2APIC is off: the IOMMU does not carry its wide ids");
	}
	remedy_setup(f, h, PLATFORM_X2APIC);
	return finding_fail(f, ACTOR_FIRMWARE, "x2APIC is off");
}

static enum mode find_mode(const struct host *h, const struct cpuinfo *cpu, struct finding *f)
{
	enum mode (*const by[])(const struct host *h, struct finding *f) = {
		mode_by_msr,
		mode_by_remapping,
		mode_by_log,
		mode_by_platform,
	};
	enum mode mode = MODE_UNKNOWN;

	if (cpu && cpu->max_apicid > LAST_XAPIC_ID) {
		finding_note(f, CPUINFO_PATH, NULL, "a processor runs with APIC id %u",
			     cpu->max_apicid);
		return MODE_ON;
	}
	for (size_t i = 0; mode == MODE_UNKNOWN && i < ARRAY_SIZE(by); i++)
		mode = by[i](h, f);
	return mode;
}

static enum verdict fail_not_built(struct finding *f, const struct kconfig *k)
{
	finding_note(f, k->source, "CONFIG_X86_X2APIC=y", "CONFIG_X86_X2APIC is not set");
	finding_remedy(f, "Boot a kernel that was built with CONFIG_X86_X2APIC.");
	return finding_fail(f, ACTOR_OS, "x2APIC is off: this kernel was built without it");
}

static enum verdict run_active(const struct check_input *in, struct finding *f)
{
	const struct cpuinfo *cpu = NULL;
	const struct kconfig *k = NULL;
	int r = cpuinfo_get(in->host, &cpu, NULL);

	if (highest_apic_id(in->host) > LAST_XAPIC_ID)
		finding_raise(f, SEVERITY_REQUIRED);
	if (remedy_ask_xen(f, in->host,
			   "xl dmesg has \"Switched to APIC driver x2apic\" where it is on"))
		return finding_unknown(f, "the local APICs are Xen's, and so is their mode");
	if (r == 0 && cpu->has_flags && !cpuinfo_has(cpu, "x2apic"))
		return judge_no_flag(in->host, f);
	if (kconfig_get(in->host, &k, NULL) == 0 && kconfig_ask(k, "X86_X2APIC") == KCONFIG_OFF)
		return fail_not_built(f, k);
	switch (find_mode(in->host, cpu, f)) {
	case MODE_ON:
		return finding_pass(f, "the local APICs run in x2APIC mode");
	case MODE_OFF:
		return explain_off(in->host, f);
	case MODE_UNKNOWN:
		break;
	}
	if (r < 0 || !cpu->has_flags)
		finding_unread(f, in->host, CPUINFO_PATH, r < 0 ? r : -ENODATA);
	else
		finding_note(f, CPUINFO_PATH, NULL, "flag x2apic: support, not the mode in use");
	finding_remedy(f,
		       host_is_partial(in->host)
			       ? "Add var/log/dmesg and, read as root, the ACPI tables to the root."
			       : "Load the module msr and run the check as root.");
	return finding_unknown(f, "the mode of the local APICs is not visible here");
}

static const struct check checks[] = {
	{
		.id = "x2apic.active",
		.title = "x2APIC mode is active",
		.severity = SEVERITY_RECOMMENDED,
		.needs = NEED_X86,
		.run = run_active,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Switch x2APIC on in firmware setup.",
		.impact = "Processors with APIC ids above 254 stay off, and interrupts to them are "
			  "lost.",
		.reference =
			"Intel SDM volume 3, 11.12; Intel VT-d specification, 8.1 (X2APIC_OPT_OUT)",
	},
};
CHECK_GROUP(x2apic_checks, checks);
