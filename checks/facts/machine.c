/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/machine.h>

#include "machine_soc.h"

#include <sriovctl/buf.h>
#include <sriovctl/dmi.h>
#include <sriovctl/error.h>
#include <sriovctl/firmware.h>
#include <sriovctl/host.h>
#include <sriovctl/interrupts.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* CPUID 1, ECX bit 31: a hypervisor is present; it names itself at leaf 0x40000000. */
#define CPUID_HYPERVISOR_NAME 0x40000000u

static const struct {
	const char *signature, *name;
} signatures[] = {
	{ .signature = "KVMKVMKVM", .name = "KVM" },
	{ .signature = "TCGTCGTCGTCG", .name = "QEMU without KVM" },
	{ .signature = "Microsoft Hv", .name = "Hyper-V" },
	{ .signature = "VMwareVMware", .name = "VMware" },
	{ .signature = "XenVMMXenVMM", .name = "Xen" },
	{ .signature = "ACRNACRNACRN", .name = "ACRN" },
	{ .signature = "bhyve bhyve ", .name = "bhyve" },
	{ .signature = "Jailhouse", .name = "Jailhouse" },
};

/* What virtual machines call themselves in SMBIOS; cloud names alone also stand on bare metal. */
static const struct {
	const char *text, *name;
} products[] = {
	{ .text = "QEMU", .name = "QEMU" },
	{ .text = "KVM", .name = "KVM" },
	{ .text = "VMware", .name = "VMware" },
	{ .text = "VirtualBox", .name = "VirtualBox" },
	{ .text = "Virtual Machine", .name = "Hyper-V" },
	{ .text = "HVM domU", .name = "Xen" },
	{ .text = "Bochs", .name = "QEMU" },
	{ .text = "BHYVE", .name = "bhyve" },
	{ .text = "Parallels", .name = "Parallels" },
	{ .text = "Google Compute Engine", .name = "Google Compute Engine" },
	{ .text = "RHEV Hypervisor", .name = "KVM (RHEV)" },
	{ .text = "oVirt", .name = "KVM (oVirt)" },
	{ .text = "OpenStack", .name = "OpenStack" },
	{ .text = "AHV", .name = "KVM (Nutanix AHV)" },
	{ .text = "CloudStack", .name = "CloudStack" },
	{ .text = "Alibaba Cloud ECS", .name = "Alibaba Cloud" },
	{ .text = "Apple Virtualization", .name = "Apple Virtualization" },
};

static int set_guest(struct machine *m, bool is_guest, const char *name, const char *source,
		     const char *observed)
{
	m->guest_error = 0;
	m->is_guest = is_guest;
	m->hypervisor = strdup(name);
	m->guest_source = strdup(source);
	m->guest_observed = strdup(observed);
	return m->hypervisor && m->guest_source && m->guest_observed ? 0 : -ENOMEM;
}

static const char *name_by_product(const struct dmi *d)
{
	const char *const texts[] = { d->product.text, d->vendor.text, d->board.text };

	for (size_t t = 0; t < ARRAY_SIZE(texts); t++)
		for (size_t i = 0; texts[t] && i < ARRAY_SIZE(products); i++)
			if (strstr(texts[t], products[i].text))
				return products[i].name;
	return NULL;
}

static const char *name_by_cpuid(const struct host *h)
{
	uint32_t r[4];
	char text[13] = "";

	if (host_cpuid(h, CPUID_HYPERVISOR_NAME, r) < 0)
		return NULL;
	memcpy(text, &r[1], 12);
	for (size_t i = 0; i < ARRAY_SIZE(signatures); i++)
		if (parse_has_prefix(text, signatures[i].signature))
			return signatures[i].name;
	return NULL;
}

static const char *guest_name(const struct host *h, const struct dmi *dmi)
{
	const char *name = name_by_cpuid(h);
	AUTO_BUF struct buf line = { 0 };

	if (name)
		return name;
	if (klog_find(h, &line, "Hypervisor detected: KVM"))
		return "KVM";
	name = dmi ? name_by_product(dmi) : NULL;
	return name ? name : "";
}

/* XENFEAT_dom0 (Xen's public/features.h), in the one map of features that there is. */
#define XEN_FEATURES "/sys/hypervisor/properties/features"
#define XEN_DOM0     (1u << 11)

/* Xen's first domain runs on a hypervisor and owns the hardware all the same: where that is seen.
 */
static const char *xen_control_domain(const struct host *h)
{
	AUTO_BUF struct buf text = { 0 };
	uint64_t features;

	if (host_attr(h, &text, NULL, "/proc/xen/capabilities") == 0 &&
	    strstr(buf_text(&text), "control_d"))
		return "/proc/xen/capabilities";
	/* Here also where xenfs is not mounted. */
	if (host_attr(h, &text, NULL, "/sys/hypervisor/type") < 0 ||
	    strcmp(buf_text(&text), "xen") != 0 ||
	    host_attr_u64(h, 16, &features, NULL, XEN_FEATURES) < 0)
		return NULL;
	return features & XEN_DOM0 ? XEN_FEATURES : NULL;
}

/* What the device tree calls the machine (of/fdt.c): virtual ones are named so by their makers. */
static int find_guest_by_model(const struct host *h, struct machine *m)
{
	static const char prefix[] = "Machine model: ";
	AUTO_BUF struct buf line = { 0 };
	const char *model;

	if (!klog_find(h, &line, "%s", prefix))
		return 0;
	model = strstr(buf_text(&line), prefix);
	model = model ? model + sizeof(prefix) - 1 : "";
	return *model ? set_guest(m, strcmp(model, "linux,dummy-virt") == 0, "", "kernel log",
				  buf_text(&line))
		      : 0;
}

/* With nothing else to go by: paravirtual devices at work. */
static int find_guest_by_virtio(const struct host *h, struct machine *m)
{
	const struct interrupts *v = NULL;

	for (size_t i = 0; interrupts_get(h, &v, NULL) == 0 && i < v->n; i++)
		if (parse_has_prefix(v->items[i].action, "virtio"))
			return set_guest(m, true, "", v->source, v->items[i].action);
	return 0;
}

static int find_guest(const struct host *h, struct machine *m)
{
	const struct cpuinfo *cpu = NULL;
	const struct dmi *dmi = NULL;
	const char *name, *control = xen_control_domain(h);
	int r = cpuinfo_get(h, &cpu, NULL);
	bool has_dmi = dmi_get(h, &dmi, NULL) == 0;

	m->is_xen_control = control != NULL;
	if (control)
		return set_guest(m, false, "", control, "Xen's first domain");
	if (r == 0 && cpuinfo_has(cpu, "hypervisor"))
		return set_guest(m, true, guest_name(h, has_dmi ? dmi : NULL), CPUINFO_PATH,
				 "flag hypervisor");
	name = has_dmi ? name_by_product(dmi) : NULL;
	if (name)
		return set_guest(m, true, name, dmi->source,
				 dmi->product.text ? dmi->product.text : name);
	if (host_exists(h, FIRMWARE_TREE "/hypervisor") == 0)
		return set_guest(m, true, "", FIRMWARE_TREE "/hypervisor", "present");
	if (r == 0 && cpu->has_flags)
		return set_guest(m, false, "", CPUINFO_PATH, "no flag hypervisor");
	if (has_dmi && dmi->product.text && !dmi->product.filler)
		return set_guest(m, false, "", dmi->source, dmi->product.text);
	m->guest_error = r < 0 ? r : -ENODATA;
	r = find_guest_by_virtio(h, m);
	return r < 0 || m->guest_error == 0 ? r : find_guest_by_model(h, m);
}

static bool arch_of_config(const struct kconfig *k, enum cpuinfo_arch *ret)
{
	static const struct {
		const char *symbol;
		enum cpuinfo_arch arch;
	} symbols[] = {
		{ .symbol = "X86", .arch = CPUINFO_X86 },
		{ .symbol = "ARM64", .arch = CPUINFO_ARM },
		{ .symbol = "ARM", .arch = CPUINFO_ARM },
		{ .symbol = "PPC", .arch = CPUINFO_OTHER },
		{ .symbol = "S390", .arch = CPUINFO_OTHER },
		{ .symbol = "RISCV", .arch = CPUINFO_OTHER },
		{ .symbol = "LOONGARCH", .arch = CPUINFO_OTHER },
		{ .symbol = "MIPS", .arch = CPUINFO_OTHER },
		{ .symbol = "SPARC", .arch = CPUINFO_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		if (!kconfig_is_on(k, symbols[i].symbol))
			continue;
		*ret = symbols[i].arch;
		return true;
	}
	return false;
}

/* What uname -m prints, in a file since Linux 6.1. */
static bool arch_of_kernel(const struct host *h, struct machine *m)
{
	static const struct {
		const char *name;
		enum cpuinfo_arch arch;
	} names[] = {
		{ .name = "x86_64", .arch = CPUINFO_X86 },
		{ .name = "i686", .arch = CPUINFO_X86 },
		{ .name = "aarch64", .arch = CPUINFO_ARM },
		{ .name = "arm", .arch = CPUINFO_ARM },
		{ .name = "ppc64", .arch = CPUINFO_OTHER },
		{ .name = "s390x", .arch = CPUINFO_OTHER },
		{ .name = "riscv64", .arch = CPUINFO_OTHER },
		{ .name = "loongarch64", .arch = CPUINFO_OTHER },
	};
	AUTO_BUF struct buf text = { 0 };

	if (host_attr(h, &text, NULL, "/proc/sys/kernel/arch") < 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!parse_has_prefix(buf_text(&text), names[i].name))
			continue;
		m->arch_error = 0;
		m->arch = names[i].arch;
		return true;
	}
	return false;
}

static void find_arch(const struct host *h, struct machine *m)
{
	const struct cpuinfo *cpu = NULL;
	const struct kconfig *k = NULL;

	m->arch_error = cpuinfo_get(h, &cpu, NULL);
	m->arch = m->arch_error == 0 ? cpu->arch : CPUINFO_OTHER;
	/* A cpuinfo without the keys of x86 or Arm may be another's, or one that was cut short. */
	if (m->arch != CPUINFO_OTHER || arch_of_kernel(h, m))
		return;
	m->arch_error = kconfig_get(h, &k, NULL);
	if (m->arch_error == 0 && !arch_of_config(k, &m->arch))
		m->arch_error = -ENODATA;
	if (m->arch_error < 0 && machine_soc_is_arm(h)) {
		m->arch_error = 0;
		m->arch = CPUINFO_ARM;
	}
}

static int read_machine(const struct host *h, struct machine *ret, struct error *e)
{
	find_arch(h, ret);
	if (find_guest(h, ret) < 0) {
		machine_done(ret);
		return error_nomem(e);
	}
	return 0;
}
HOST_FACT_DEFINE(machine, read_machine)

void machine_done(struct machine *m)
{
	free(m->hypervisor);
	free(m->guest_source);
	free(m->guest_observed);
	*m = (struct machine){ 0 };
}

bool machine_is_guest(const struct host *h)
{
	const struct machine *m = NULL;

	return machine_get(h, &m, NULL) == 0 && m->guest_error == 0 && m->is_guest;
}

bool machine_is_xen_control(const struct host *h)
{
	const struct machine *m = NULL;

	return machine_get(h, &m, NULL) == 0 && m->is_xen_control;
}

bool machine_is_not_x86(const struct host *h)
{
	const struct machine *m = NULL;

	return machine_get(h, &m, NULL) == 0 && m->arch_error == 0 && m->arch != CPUINFO_X86;
}

bool machine_is_arm(const struct host *h)
{
	const struct machine *m = NULL;

	return machine_get(h, &m, NULL) == 0 && m->arch_error == 0 && m->arch == CPUINFO_ARM;
}
