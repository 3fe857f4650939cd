/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/machine.h>

#include "tree.h"

#define CPUINFO "/proc/cpuinfo"
#define PRODUCT "/sys/class/dmi/id/product_name"
#define VENDOR	"/sys/class/dmi/id/sys_vendor"
#define METAL	"processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu vmx\n"
#define GUEST	"processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu hypervisor\n"
#define ARM	"processor\t: 0\nCPU implementer\t: 0x41\n"

static const struct machine *machine_of(const struct tree *t)
{
	const struct machine *m = NULL;

	EXPECT(machine_get(t->h, &m, NULL) == 0);
	return m;
}

TEST(bare_metal)
{
	AUTO_TREE struct tree t = { 0 };
	const struct machine *m;

	TREE(&t, { .path = CPUINFO, .text = METAL },
	     { .path = PRODUCT, .text = "PowerEdge R750\n" });
	m = machine_of(&t);
	EXPECT(m && m->arch_error == 0 && m->arch == CPUINFO_X86);
	EXPECT(m && m->guest_error == 0 && !m->is_guest && same(m->guest_source, CPUINFO));
	EXPECT(!machine_is_guest(t.h) && !machine_is_not_x86(t.h));
}

TEST(the_flag_tells_a_guest_and_smbios_its_name)
{
	static const struct {
		const char *product, *name;
	} rows[] = {
		{ .product = "Standard PC (Q35 + ICH9, 2009)\n", .name = "" },
		{ .product = "KVM\n", .name = "KVM" },
		{ .product = "VMware Virtual Platform\n", .name = "VMware" },
		{ .product = "Virtual Machine\n", .name = "Hyper-V" },
		{ .product = "HVM domU\n", .name = "Xen" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct machine *m;

		TREE(&t, { .path = CPUINFO, .text = GUEST },
		     { .path = PRODUCT, .text = rows[i].product });
		m = machine_of(&t);
		EXPECT(m && m->is_guest && same(m->hypervisor, rows[i].name));
		EXPECT(m && same(m->guest_source, CPUINFO));
		EXPECT(machine_is_guest(t.h));
	}
}

/* A captured cpuinfo of a guest of which the hypervisor hides the flag. */
TEST(smbios_alone_tells_a_guest_too)
{
	AUTO_TREE struct tree t = { 0 };
	const struct machine *m;

	TREE(&t, { .path = CPUINFO, .text = METAL }, { .path = VENDOR, .text = "QEMU\n" },
	     { .path = PRODUCT, .text = "Standard PC\n" });
	m = machine_of(&t);
	EXPECT(m && m->is_guest && same(m->hypervisor, "QEMU"));
}

/* Xen's first domain sees the flag and owns the hardware all the same. */
TEST(the_control_domain_of_xen_is_no_guest)
{
	AUTO_TREE struct tree dom0 = { 0 }, domu = { 0 };
	const struct machine *m;

	TREE(&dom0, { .path = CPUINFO, .text = GUEST },
	     { .path = "/proc/xen/capabilities", .text = "control_d\n" });
	m = machine_of(&dom0);
	EXPECT(m && m->guest_error == 0 && !m->is_guest);
	TREE(&domu, { .path = CPUINFO, .text = GUEST },
	     { .path = "/proc/xen/capabilities", .text = "\n" });
	m = machine_of(&domu);
	EXPECT(m && m->is_guest);
}

TEST(of_arm_smbios_or_the_device_tree_tells)
{
	AUTO_TREE struct tree metal = { 0 }, guest = { 0 }, tree = { 0 }, nothing = { 0 };
	const struct machine *m;

	TREE(&metal, { .path = CPUINFO, .text = ARM },
	     { .path = PRODUCT, .text = "Mt. Jade Motherboard\n" });
	m = machine_of(&metal);
	EXPECT(m && m->arch == CPUINFO_ARM && m->guest_error == 0 && !m->is_guest);
	TREE(&guest, { .path = CPUINFO, .text = ARM },
	     { .path = PRODUCT, .text = "KVM Virtual Machine\n" });
	m = machine_of(&guest);
	EXPECT(m && m->guest_error == 0 && m->is_guest);
	TREE(&tree, { .path = CPUINFO, .text = ARM },
	     { .path = "/sys/firmware/devicetree/base/hypervisor/compatible",
	       .text = "linux,kvm" });
	m = machine_of(&tree);
	EXPECT(m && m->guest_error == 0 && m->is_guest);
	TREE(&nothing, { .path = CPUINFO, .text = ARM });
	m = machine_of(&nothing);
	EXPECT(m && m->guest_error < 0 && machine_is_not_x86(nothing.h));
}

/* By xenfs, or without it by Xen's features, of which bit 11 is dom0's. */
TEST(the_first_domain_of_xen_is_no_guest)
{
	static const struct {
		const char *capabilities, *type, *features;
		bool is_control;
	} rows[] = {
		{ .capabilities = "control_d\n", .is_control = true },
		{ .capabilities = "\n", .is_control = false },
		{ .type = "xen\n", .features = "00002a07\n", .is_control = true },
		{ .type = "xen\n", .features = "00002207\n", .is_control = false },
		{ .type = "other\n", .features = "00002a07\n", .is_control = false },
		{ .type = "xen\n", .is_control = false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct machine *m;

		TREE(&t, { .path = CPUINFO, .text = GUEST });
		if (rows[i].capabilities)
			tree_put(&t, "/proc/xen/capabilities", rows[i].capabilities);
		if (rows[i].type)
			tree_put(&t, "/sys/hypervisor/type", rows[i].type);
		if (rows[i].features)
			tree_put(&t, "/sys/hypervisor/properties/features", rows[i].features);
		m = machine_of(&t);
		EXPECT(m && m->guest_error == 0 && m->is_guest == !rows[i].is_control);
		EXPECT(machine_is_xen_control(t.h) == rows[i].is_control);
	}
}

TEST(nothing_captured_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct machine *m;

	TREE(&t, { .path = "/proc/self" });
	m = machine_of(&t);
	EXPECT(m && m->arch_error < 0 && m->guest_error < 0);
	/* Both say what is known, so that neither is said here. */
	EXPECT(!machine_is_guest(t.h) && !machine_is_not_x86(t.h));
}

TEST(the_kernels_configuration_tells_the_architecture_too)
{
	static const struct {
		const char *config;
		enum cpuinfo_arch arch;
	} rows[] = {
		{ .config = "CONFIG_X86=y\n", .arch = CPUINFO_X86 },
		{ .config = "CONFIG_ARM64=y\n", .arch = CPUINFO_ARM },
		{ .config = "CONFIG_RISCV=y\n", .arch = CPUINFO_OTHER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct machine *m;

		TREE(&t, { .path = "/proc/sys/kernel/osrelease", .text = "6.1.0\n" },
		     { .path = "/boot/config-6.1.0", .text = rows[i].config });
		m = machine_of(&t);
		EXPECT(m && m->arch_error == 0 && m->arch == rows[i].arch);
	}
}
