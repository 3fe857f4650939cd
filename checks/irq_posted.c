/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Posted interrupts: an IOMMU that delivers a VF's interrupt to a running guest by itself.  It
 * takes every unit of the IOMMU, remapping, and KVM.  The rows PIN, NPI and PIW of
 * /proc/interrupts are there without any of it, and prove nothing.
 */
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
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

enum ability { ABILITY_NO, ABILITY_YES, ABILITY_UNKNOWN };

static void note_cap(struct finding *f, const char *source, const char *unit, uint64_t cap)
{
	finding_note(f, source, "bit 59 (PI) of cap set", "%s: cap 0x%llx", unit,
		     (unsigned long long)cap);
}

/*
 * What the kernel printed of each unit as it parsed the table: "DMAR: dmar0: reg_base_addr
 * fed90000 ver 1:0 cap d2008c222f0606 ecap f00f5a" (drivers/iommu/intel/dmar.c), also where
 * the unit is not used afterwards.  A log that has lost its beginning may lack units.
 */
static bool logs_unit_without(const struct host *h, struct finding *f)
{
	const struct klog *k = NULL;
	const char *p;

	if (klog_get(h, &k, NULL) < 0)
		return false;
	for (p = k->text; (p = strstr(p, ": reg_base_addr ")); p++) {
		const char *cap = strstr(p, " cap ");
		size_t line = strcspn(p, "\n"), name = 0;
		AUTO_BUF struct buf digits = { 0 }, unit = { 0 };
		uint64_t value;

		if (!cap || (size_t)(cap - p) > line)
			continue;
		cap += strlen(" cap ");
		buf_append(&digits, cap, strspn(cap, "0123456789abcdef"));
		while (p - name > k->text && p[-(ptrdiff_t)name - 1] > ' ')
			name++;
		buf_append(&unit, p - name, name);
		if (parse_u64(finding_text(f, &digits), 16, UINT64_MAX, &value) < 0 ||
		    value & IOMMU_CAP_PI)
			continue;
		note_cap(f, "kernel log", finding_text(f, &unit), value);
		return true;
	}
	return false;
}

/* One unit that cannot is enough (intel/irq_remapping.c, set_irq_posting_cap). */
static enum ability ability_of_intel(const struct host *h, struct finding *f)
{
	const struct iommu_units *units = NULL;
	const struct firmware *fw = NULL;
	size_t n = 0;

	if (iommu_units_get(h, &units, NULL) < 0 || units->n == 0)
		return logs_unit_without(h, f) ? ABILITY_NO : ABILITY_UNKNOWN;
	for (size_t i = 0; i < units->n; i++) {
		const struct iommu_unit *u = &units->items[i];

		if (u->kind != IOMMU_INTEL || u->registers_error < 0)
			continue;
		n++;
		note_cap(f, IOMMU_CLASS, u->name, u->cap);
		if (!(u->cap & IOMMU_CAP_PI))
			return ABILITY_NO;
	}
	/* A unit that is not used for DMA shows no registers, and counts all the same. */
	if (n == units->n && firmware_get(h, &fw, NULL) == 0 && fw->dmar_error == 0 &&
	    !fw->dmar.damage && n == fw->dmar.n_units)
		return ABILITY_YES;
	return logs_unit_without(h, f) ? ABILITY_NO : ABILITY_UNKNOWN;
}

static bool can_by_efr(struct finding *f, const char *source, const char *unit, uint64_t efr)
{
	const uint64_t need = ACPI_IVRS_EFR_GA | ACPI_IVRS_EFR_GAM_VAPIC;

	finding_note(f, source, "bits 7 (GASup) and 21 (GAMSup) set", "%s: EFR 0x%llx", unit,
		     (unsigned long long)efr);
	return (efr & need) == need;
}

static enum ability ability_of_amd(const struct host *h, struct finding *f)
{
	AUTO_BUF struct buf line = { 0 };
	const struct iommu_units *units = NULL;
	bool all_known = iommu_units_get(h, &units, NULL) == 0 && units->n > 0;

	for (size_t i = 0; units && i < units->n; i++) {
		const struct iommu_unit *u = &units->items[i];

		if (u->kind != IOMMU_AMD || u->registers_error < 0)
			all_known = false;
		else if (!can_by_efr(f, IOMMU_CLASS, u->name, u->efr))
			return ABILITY_NO;
	}
	if (all_known)
		return ABILITY_YES;
	/* The kernel prints it once it has switched the feature on. */
	if (!klog_find(h, &line, "AMD-Vi: Virtual APIC enabled"))
		return ABILITY_UNKNOWN;
	finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
	return ABILITY_YES;
}

/* The word that switches posting off, and leaves remapping on; NULL without any. */
static const char *word_against(const struct host *h, enum iommu_kind kind)
{
	static const char *const posting[] = { "nopost" }, *const modes[] = { "legacy", "vapic" };
	const struct cmdline *c = NULL;

	if (cmdline_get(h, &c, NULL) < 0)
		return NULL;
	if (kind == IOMMU_INTEL && cmdline_last_item(c, "intremap", posting, 1) == 0)
		return "intremap=nopost";
	if (kind == IOMMU_AMD && cmdline_last_item(c, "amd_iommu_intr", modes, 2) == 0)
		return "amd_iommu_intr=legacy";
	return NULL;
}

/* The entries of the tables are written 16 bytes at a time. */
static bool lacks_cx16(const struct host *h, struct finding *f)
{
	const struct cpuinfo *cpu = NULL;

	if (cpuinfo_get(h, &cpu, NULL) < 0 || !cpu->has_flags || cpuinfo_has(cpu, "cx16"))
		return false;
	finding_note(f, CPUINFO_PATH, "flag cx16", "no such flag");
	return true;
}

/* Is it known that neither the command line nor the CPU stands in the way? */
static bool knows_obstacles(const struct host *h, struct finding *f)
{
	const struct cpuinfo *cpu = NULL;
	const struct cmdline *c = NULL;
	int r = cmdline_get(h, &c, NULL);
	const char *path = CMDLINE_PATH;

	if (r == 0) {
		path = CPUINFO_PATH;
		r = cpuinfo_get(h, &cpu, NULL);
	}
	if (r == 0 && !cpu->has_flags)
		r = -ENODATA;
	if (r < 0)
		finding_unread(f, h, path, r);
	return r == 0;
}

static enum verdict judge_kvm(const struct host *h, enum iommu_kind kind, struct finding *f)
{
	const char *module = kind == IOMMU_AMD ? "kvm_amd" : "kvm_intel";
	const char *param = kind == IOMMU_AMD ? "avic" : "enable_apicv";
	const char *path = finding_path(f, "/sys/module/%s/parameters/%s", module, param);
	AUTO_BUF struct buf text = { 0 };
	bool on;
	int r = host_attr(h, &text, NULL, "%s", path);

	if (r == 0)
		r = parse_bool(buf_text(&text), &on);
	if (r == -ENODATA && host_exists(h, "/sys/module/%s", module) == -ENOENT)
		r = -ENOENT;
	if (r == -ENOENT) {
		finding_note(f, path, "Y", "absent: %s is not loaded", module);
		finding_remedy(f, "Load %s, and check again.", module);
	} else if (r < 0) {
		finding_unread(f, h, path, r);
	}
	if (r < 0)
		return finding_unknown(f, "the IOMMU can post interrupts; whether KVM has it do so "
					  "is not known");
	finding_note(f, path, "Y", "%s", buf_text(&text));
	if (on)
		return finding_pass(f, "the IOMMU posts interrupts, and KVM makes use of it");
	finding_remedy(
		f,
		"Put \"options %s %s=1\" into a file of /etc/modprobe.d and load %s anew; if "
		"it stays N, the CPU has no such feature, or firmware has it off.",
		module, param, module);
	return finding_fail(f, ACTOR_OS, "the IOMMU could post interrupts, and %s of KVM is off",
			    param);
}

/* What of the host stands in the way, apart from the units. */
static enum verdict judge_able(const struct host *h, enum iommu_kind kind, enum ability able,
			       struct finding *f)
{
	const char *word = word_against(h, kind);
	const struct irqremap *r = NULL;

	if (irqremap_get(h, &r, NULL) < 0)
		return finding_nomem(f);
	if (r->state == IRQREMAP_OFF) {
		finding_note(f, r->source, "IR-", "%s", r->observed);
		finding_follows(f, "irq.remapping");
		return finding_fail(f, remedy_irqremap_actor(h, r->cause),
				    "interrupts are not posted: they are not even remapped");
	}
	if (word) {
		finding_note(f, CMDLINE_PATH, "no such word", "%s", word);
		remedy_cmdline_remove(f, h, word);
		return finding_fail(f, ACTOR_CMDLINE,
				    "interrupts are not posted: %s on the command line", word);
	}
	if (lacks_cx16(h, f)) {
		finding_remedy(f, "Use a processor with CMPXCHG16B.");
		return finding_fail(f, ACTOR_HARDWARE,
				    "interrupts are not posted: the CPU cannot "
				    "write 16 bytes at once");
	}
	if (able == ABILITY_YES && r->state == IRQREMAP_ON && !knows_obstacles(h, f))
		return finding_unknown(f, "the IOMMU can post interrupts; whether the command line "
					  "or the CPU keeps it from that is not known");
	if (able == ABILITY_YES && r->state == IRQREMAP_ON)
		return judge_kvm(h, kind, f);
	finding_unread(f, h, able == ABILITY_YES ? "/sys/kernel/irq" : IOMMU_CLASS, -ENODATA);
	return finding_unknown(f, able == ABILITY_YES
					  ? "the IOMMU can post interrupts; whether they are "
					    "remapped is not known"
					  : "whether all units of the IOMMU can post interrupts is "
					    "not known");
}

static enum verdict run_posted(const struct check_input *in, struct finding *f)
{
	enum iommu_kind kind = iommu_kind(in->host);
	const struct irqremap *r = NULL;
	enum ability able = ABILITY_UNKNOWN;
	AUTO_BUF struct buf line = { 0 };

	if (machine_is_xen_control(in->host))
		return finding_na(f, "the IOMMU is Xen's: the kernel posts no interrupts");
	if (kind == IOMMU_NONE && klog_find(in->host, &line, "DMAR: Host address width"))
		kind = IOMMU_INTEL;
	if (kind == IOMMU_NONE && klog_find(in->host, &line, "AMD-Vi: Virtual APIC enabled"))
		kind = IOMMU_AMD;
	if (kind == IOMMU_INTEL)
		able = ability_of_intel(in->host, f);
	else if (kind == IOMMU_AMD)
		able = ability_of_amd(in->host, f);
	else if (kind != IOMMU_NONE)
		return finding_na(f, "%s posts no interrupts", iommu_kind_name(kind));
	else if (irqremap_get(in->host, &r, NULL) == 0 && r->cause == IRQREMAP_NO_TABLE)
		return finding_na(f, "there is no IOMMU that could post interrupts");
	if (able != ABILITY_NO)
		return judge_able(in->host, kind, able, f);
	finding_remedy(f, "Nothing has to be done: VFs work without it, and a guest's interrupts "
			  "go through the host. Newer platforms have it.");
	return finding_fail(f, ACTOR_HARDWARE,
			    "interrupts are not posted: a unit of the IOMMU "
			    "cannot");
}

static const struct check checks[] = {
	{
		.id = "irq.posted",
		.title = "the IOMMU can post interrupts to guests, and KVM has it do so",
		.severity = SEVERITY_INFO,
		.needs = NEED_X86,
		.run = run_posted,
		.actor = ACTOR_HARDWARE,
		.remedy = "Switch posted interrupts on.",
		.impact = "Each interrupt of a VF costs its guest an exit to the host.",
		.reference =
			"Intel VT-d specification, 5.2 (CAP_REG.PI); AMD 48882, 2.2.5.3; Linux "
			"arch/x86/kvm/vmx/posted_intr.c, arch/x86/kvm/svm/avic.c",
	},
};
CHECK_GROUP(irq_posted_checks, checks);
