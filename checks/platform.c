/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine itself: processor, firmware identity, bare metal or guest. */
#include "areas.h"
#include "remedy.h"

#include <sriovctl/buf.h>
#include <sriovctl/cpuinfo.h>
#include <sriovctl/dmi.h>
#include <sriovctl/finding.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/machine.h>
#include <sriovctl/smt.h>

#include <errno.h>
#include <string.h>

#define KVM_OBJECT "/sys/devices/virtual/misc/kvm"

/* Intel SDM volume 4, table 2-2: IA32_FEATURE_CONTROL; AMD APM volume 2, 15.30.1: VM_CR. */
#define MSR_FEATURE_CONTROL 0x3au
#define FEATURE_LOCKED	    (1u << 0)
#define FEATURE_VMX	    (1u << 2)
#define MSR_VM_CR	    0xc0010114u
#define VM_CR_SVMDIS	    (1u << 4)
/* The processor's own word, which the kernel's flag no longer is once it cleared it. */
#define CPUID_VMX_BIT (1u << 5) /* leaf 1, ECX */
#define CPUID_SVM_BIT (1u << 2) /* leaf 0x80000001, ECX */

static enum verdict fail_locked(const struct host *h, struct finding *f, const char *name)
{
	remedy_setup(f, h, PLATFORM_VTX);
	return finding_fail(f, ACTOR_FIRMWARE, "the CPU has %s, and firmware has locked it off",
			    name);
}

/* The flag is there.  Older kernels leave it there although firmware locked the feature off. */
static enum verdict judge_flag(const struct host *h, struct finding *f, bool intel)
{
	const char *name = intel ? "VMX" : "SVM";
	const struct kernel *k = NULL;
	uint64_t msr;
	bool off;

	finding_note(f, CPUINFO_PATH, NULL, "flag %s", intel ? "vmx" : "svm");
	if (host_msr(h, intel ? MSR_FEATURE_CONTROL : MSR_VM_CR, &msr, NULL) == 0) {
		off = intel ? (msr & FEATURE_LOCKED) && !(msr & FEATURE_VMX) : msr & VM_CR_SVMDIS;
		finding_note(f, intel ? "MSR 0x3a" : "MSR 0xc0010114", NULL, "0x%llx",
			     (unsigned long long)msr);
		if (off)
			return fail_locked(h, f, name);
		return finding_pass(f, "the CPU offers %s, and firmware has not locked it off",
				    name);
	}
	/* arch/x86/kernel/cpu/feat_ctl.c since 5.6; arch/x86/kernel/cpu/amd.c since 6.7. */
	if (kernel_get(h, &k, NULL) == 0 && kernel_is_at_least(k, intel ? 5 : 6, intel ? 6 : 7)) {
		finding_note(f, "kernel release", NULL, "%s", k->release);
		return finding_pass(f,
				    "the CPU offers %s; this kernel drops the flag where firmware "
				    "locks it off",
				    name);
	}
	finding_remedy(f, "Load kvm_%s, or load msr and run the check as root.",
		       intel ? "intel" : "amd");
	return finding_unknown(f, "the CPU has %s; whether firmware locks it off is not visible",
			       name);
}

/*
 * Xen shows its first domain neither flag.  Of guests with hardware's help, "hvm-3.0-x86_64", it
 * tells in its capabilities where it can run them (Xen's arch/x86/setup.c).
 */
#define XEN_CAPABILITIES "/sys/hypervisor/properties/capabilities"

static enum verdict judge_xen(const struct host *h, struct finding *f)
{
	AUTO_BUF struct buf text = { 0 };
	int r = host_attr(h, &text, NULL, XEN_CAPABILITIES);

	if (r < 0) {
		finding_unread(f, h, XEN_CAPABILITIES, r);
		(void)remedy_ask_xen(f, h, "xl info has hvm in xen_caps where it can run guests");
		return finding_unknown(f, "Xen keeps VMX and SVM to itself; whether it has them is "
					  "not known");
	}
	finding_note(f, XEN_CAPABILITIES, "hvm-", "%s", buf_text(&text));
	if (strstr(buf_text(&text), "hvm-"))
		return finding_pass(f, "Xen runs guests by VMX or SVM");
	remedy_setup(f, h, PLATFORM_VTX);
	return finding_fail(f, ACTOR_FIRMWARE,
			    "Xen can run no guests by VMX or SVM: the CPU lacks "
			    "them, or firmware has them off");
}

/* No flag: the CPU lacks the feature, or the kernel dropped the flag. */
static enum verdict judge_no_flag(const struct host *h, struct finding *f)
{
	AUTO_BUF struct buf line = { 0 };
	uint32_t r[4];

	finding_note(f, CPUINFO_PATH, "flag vmx or svm", "neither");
	if (klog_find(h, &line, "VMX (outside TXT) disabled by BIOS") ||
	    klog_find(h, &line, "SVM disabled (by BIOS)")) {
		finding_note(f, "kernel log", NULL, "%s", buf_text(&line));
		return fail_locked(h, f, strstr(buf_text(&line), "VMX") ? "VMX" : "SVM");
	}
	if (host_cpuid(h, 1, r) == 0 && (r[2] & CPUID_VMX_BIT))
		return fail_locked(h, f, "VMX");
	if (host_cpuid(h, 0x80000001u, r) == 0 && (r[2] & CPUID_SVM_BIT))
		return fail_locked(h, f, "SVM");
	if (machine_is_guest(h))
		return finding_na(f, "a guest whose hypervisor offers no nested virtualization");
	remedy_setup(f, h, PLATFORM_VTX);
	return finding_fail(
		f, ACTOR_FIRMWARE, "%s",
		host_is_partial(h) ? "neither VMX nor SVM: the CPU lacks it, or firmware has it off"
				   : "the CPU has neither VMX nor SVM");
}

static enum verdict run_virtualization(const struct check_input *in, struct finding *f)
{
	const struct cpuinfo *cpu = NULL;
	int r;

	/* KVM makes this object only after it has switched the feature on once. */
	if (host_exists(in->host, KVM_OBJECT) == 0) {
		finding_note(f, KVM_OBJECT, NULL, "present");
		return finding_pass(f, "KVM runs: the CPU's virtualization works");
	}
	if (machine_is_xen_control(in->host))
		return judge_xen(in->host, f);
	r = cpuinfo_get(in->host, &cpu, NULL);
	if (r < 0 && host_is_partial(in->host) && machine_is_guest(in->host))
		return finding_na(f, "a guest: what its processor may do is up to its hypervisor");
	if (r < 0) {
		finding_unread(f, in->host, CPUINFO_PATH, r);
		return finding_unknown(f, "the CPU's flags are not known");
	}
	if (!cpu->has_flags) {
		finding_unread(f, in->host, CPUINFO_PATH, -ENODATA);
		return finding_unknown(f,
				       "the CPU's flags are not in what there is of " CPUINFO_PATH);
	}
	if (cpuinfo_has(cpu, "vmx"))
		return judge_flag(in->host, f, true);
	if (cpuinfo_has(cpu, "svm"))
		return judge_flag(in->host, f, false);
	return judge_no_flag(in->host, f);
}

static void note_smt_control(const struct host *h, struct finding *f)
{
	static const char path[] = "/sys/devices/system/cpu/smt/control";
	AUTO_BUF struct buf text = { 0 };

	if (host_attr(h, &text, NULL, "%s", path) == 0)
		finding_note(f, path, NULL, "%s", buf_text(&text));
}

static enum verdict run_smt(const struct check_input *in, struct finding *f)
{
	const char *as = machine_is_guest(in->host) ? ", as the hypervisor shows it" : "";
	const struct smt *s = NULL;
	int r = smt_get(in->host, &s, NULL);

	if (r < 0) {
		finding_unread(f, in->host, "/sys/devices/system/cpu", r);
		return finding_unknown(f, "how many threads share a core is not known");
	}
	finding_note(f, s->source, NULL, s->n_cores ? "%u processors on %u cores" : "%u processors",
		     s->n_cpus, s->n_cores);
	note_smt_control(in->host, f);
	if (s->min_threads != s->max_threads)
		return finding_pass(f, "%u to %u threads share a core%s", s->min_threads,
				    s->max_threads, as);
	if (s->max_threads == 1)
		return finding_pass(f, "each thread has a core of its own%s", as);
	return finding_pass(f, "%u threads share a core%s", s->max_threads, as);
}

struct smbios_texts {
	bool has_empty, has_unread;
};

static void note_text(struct finding *f, const struct dmi *d, const char *what,
		      const struct dmi_text *t, struct smbios_texts *texts)
{
	finding_note(f, d->source, NULL, "%s: %s", what,
		     t->text	    ? t->text
		     : t->is_unread ? "not known"
				    : "none");
	texts->has_unread = texts->has_unread || t->is_unread;
	texts->has_empty = texts->has_empty || (!t->is_unread && (!t->text || t->filler));
}

static enum verdict run_smbios(const struct check_input *in, struct finding *f)
{
	const struct dmi *d = NULL;
	struct smbios_texts texts = { 0 };
	int r = dmi_get(in->host, &d, NULL);

	if (r == -ENOENT) {
		finding_note(f, "/sys/class/dmi/id", NULL, "absent");
		return finding_na(f, "this firmware has no SMBIOS");
	}
	if (r < 0) {
		finding_unread(f, in->host, "/sys/class/dmi/id", r);
		return finding_unknown(f, "vendor, product and BIOS version could not be read");
	}
	note_text(f, d, "vendor", &d->vendor, &texts);
	note_text(f, d, "product", &d->product, &texts);
	note_text(f, d, "BIOS version", &d->bios_version, &texts);
	note_text(f, d, "BIOS date", &d->bios_date, &texts);
	if (texts.has_empty)
		return finding_fail(f, ACTOR_VENDOR,
				    "the vendor left parts of vendor, product, BIOS version and "
				    "date empty");
	if (texts.has_unread)
		return finding_unknown(f, "not all of vendor, product, BIOS version and date is "
					  "known");
	return finding_pass(f, "%s %s, BIOS %s of %s", d->vendor.text, d->product.text,
			    d->bios_version.text, d->bios_date.text);
}

static enum verdict run_guest(const struct check_input *in, struct finding *f)
{
	const struct machine *m = NULL;

	if (machine_get(in->host, &m, NULL) < 0 || m->guest_error < 0) {
		finding_unread(f, in->host, CPUINFO_PATH, m ? m->guest_error : -ENOMEM);
		return finding_unknown(f,
				       "neither the CPU nor SMBIOS says whether this is a guest");
	}
	finding_note(f, m->guest_source, NULL, "%s", m->guest_observed);
	if (!m->is_guest)
		return finding_pass(f, "bare metal%s",
				    m->is_xen_control ? ", as the first domain of Xen" : "");
	return finding_pass(f, "a guest%s%s", *m->hypervisor ? " of " : "", m->hypervisor);
}

static const struct check checks[] = {
	{
		.id = "cpu.virtualization",
		.title = "the CPU offers VMX or SVM, and firmware has not locked it off",
		.severity = SEVERITY_RECOMMENDED,
		.needs = NEED_X86,
		.run = run_virtualization,
		.actor = ACTOR_FIRMWARE,
		.remedy = "Switch the CPU's virtualization on in firmware setup.",
		.impact = "No guest can run at hardware speed, so no VF can be given to one.",
		.reference = "Intel SDM volume 3, 24.7; AMD APM volume 2, 15.4",
	},
	{
		.id = "cpu.smt",
		.title = "it is known how many threads share a core",
		.severity = SEVERITY_INFO,
		.run = run_smt,
		.actor = ACTOR_OS,
		.remedy = "Run the check on the host itself.",
		.impact = "Two queues whose interrupts go to threads of one core share its speed.",
		.reference = "Linux Documentation/ABI/testing/sysfs-devices-system-cpu, topology "
			     "and smt",
	},
	{
		.id = "firmware.smbios",
		.title = "firmware names vendor, product, BIOS version and BIOS date",
		.severity = SEVERITY_INFO,
		.run = run_smbios,
		.actor = ACTOR_VENDOR,
		.remedy = "Ask the vendor for firmware that fills in its SMBIOS structures.",
		.impact = "Firmware cannot be compared with what is known of its versions.",
		.reference = "DMTF DSP0134 (SMBIOS), 7.1 and 7.2",
	},
	{
		.id = "host.guest",
		.title = "it is known whether this host is bare metal or a guest",
		.severity = SEVERITY_INFO,
		.run = run_guest,
		.actor = ACTOR_OS,
		.remedy = "Run the check on the host itself.",
		.impact = "In a guest, VFs need a virtual IOMMU, and firmware is the hypervisor's.",
		.reference = "Intel SDM volume 2, CPUID leaf 1, ECX bit 31",
	},
};
CHECK_GROUP(platform_checks, checks);
