/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report with each of its allocations failing in turn: it must end in -ENOMEM, or say
 * exactly what it says with enough memory.
 */
#include "nomem.h"
#include "tables.h"

#include <sriovctl/error.h>
#include <sriovctl/finding.h>
#include <sriovctl/parse.h>
#include <sriovctl/report.h>

/* All that a reader of a report sees. */
static void describe(const struct report *r, struct buf *ret)
{
	buf_printf(ret, "%s %s %s %s %s: %s\n", r->root, r->kernel ? r->kernel : "-",
		   r->vendor ? r->vendor : "-", r->product ? r->product : "-",
		   r->bios ? r->bios : "-", readiness_name(r->readiness));
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *it = &r->results[i];
		const struct finding *f = &it->finding;

		buf_printf(ret, "%s %s %s %s %s %s\n", it->check->id, it->subject,
			   it->name ? it->name : "-", verdict_name(it->verdict),
			   severity_name(f->severity), f->summary);
		for (size_t k = 0; k < f->n_evidence; k++)
			buf_printf(ret, "  %s: %s (%s)\n", f->evidence[k].source,
				   f->evidence[k].observed, f->evidence[k].expected);
		for (size_t k = 0; k < f->remedy.n; k++)
			buf_printf(ret, "  > %s\n", f->remedy.items[k]);
	}
}

/* One report, the @fails_at th allocation failing (0: none); into @ret what it says. */
static int run(const char *root, unsigned fails_at, struct buf *ret)
{
	static const struct report_options all = { 0 };
	AUTO_HOST struct host *h = NULL;
	AUTO_REPORT struct report r = { 0 };
	struct error e = { 0 };
	int err;

	nomem_arm(fails_at);
	err = host_open(root, &h, &e);
	if (err == 0)
		err = report_run(h, &all, &r, &e);
	nomem_disarm();
	buf_clear(ret);
	if (err == 0)
		describe(&r, ret);
	return err;
}

static void show_difference(const char *a, const char *b)
{
	const char *x, *y;
	size_t n, k;

	while (parse_line(&a, &x, &n) && parse_line(&b, &y, &k))
		if (n != k || memcmp(x, y, n) != 0) {
			printf("#   with memory: %.*s\n#   without:     %.*s\n", (int)n, x, (int)k,
			       y);
			return;
		}
}

static void fail_each(const struct tree *t)
{
	AUTO_BUF struct buf whole = { 0 }, got = { 0 };
	unsigned wrong = 0;
	bool failed = true;

	EXPECT(run(t->dir, 0, &whole) == 0);
	EXPECT(whole.len > 0);
	/* The further in, the wider the steps: most of what is late is one parser's, in a loop. */
	for (unsigned n = 1; failed; n += 1 + n / 256) {
		int err = run(t->dir, n, &got);

		failed = memory.n >= n;
		if (err == -ENOMEM || (err == 0 && same(buf_text(&got), buf_text(&whole))))
			continue;
		wrong++;
		printf("# allocation %u of %u: %d\n", n, memory.n, err);
		show_difference(buf_text(&whole), buf_text(&got));
	}
	EXPECT(wrong == 0);
}

#define PF  "/sys/bus/pci/devices/0000:3b:00.0"
#define VF  "/sys/bus/pci/devices/0000:3b:02.0"
#define IRQ "/sys/kernel/irq/33"

/* What every host here has: identity, a card with a VF, and modprobe.d. */
static const struct tree_row common[] = {
	{ .path = "/proc/sys/kernel/osrelease", .text = "6.1.0-test\n" },
	{ .path = "/proc/modules", .text = "vfio_iommu_type1 16384 0 - Live 0x0\n" },
	{ .path = "/sys/class/dmi/id/sys_vendor", .text = "Dell Inc.\n" },
	{ .path = "/sys/class/dmi/id/product_name", .text = "PowerEdge R750\n" },
	{ .path = "/sys/class/dmi/id/bios_version", .text = "1.2.3\n" },
	{ .path = "/sys/class/dmi/id/bios_date", .text = "01/02/2023\n" },
	{ .path = "/etc/os-release", .text = "ID=debian\n" },
	{ .path = "/etc/default/grub", .text = "" },
	{ .path = "/etc/modprobe.d/empty.conf", .text = "# nothing\n" },
	{ .path = "/lib/modprobe.d" },
	{ .path = "/run/modprobe.d" },
	{ .path = "/usr/lib/modprobe.d" },
	{ .path = "/usr/local/lib/modprobe.d" },
	{ .path = "/sys/module/vfio_pci/parameters/ids", .text = "\n" },
	{ .path = PF "/sriov_totalvfs", .text = "64\n" },
	{ .path = PF "/virtfn0", .link = "../0000:3b:02.0" },
	{ .path = PF "/net/ens1f0" },
	{ .path = PF "/msi_irqs/33", .text = "msix\n" },
	{ .path = VF "/physfn", .link = "../0000:3b:00.0" },
};

static void common_host(struct tree *t)
{
	tree_build(t, common, ARRAY_SIZE(common));
}

TEST(of_a_ready_intel_host)
{
	static const struct tree_row rows[] = {
		{ .path = "/proc/cpuinfo",
		  .text = "processor\t: 0\nvendor_id\t: GenuineIntel\napicid\t\t: 0\n"
			  "flags\t\t: fpu vmx x2apic\n\n" },
		{ .path = "/proc/cmdline", .text = "quiet intel_iommu=on iommu=pt\n" },
		{ .path = "/boot/config-6.1.0-test",
		  .text = "CONFIG_X86=y\nCONFIG_PCI_IOV=y\nCONFIG_INTEL_IOMMU=y\n"
			  "CONFIG_IRQ_REMAP=y\nCONFIG_VFIO_IOMMU_TYPE1=m\nCONFIG_IOMMUFD=m\n"
			  "CONFIG_IOMMU_DEFAULT_DMA_LAZY=y\n" },
		{ .path = "/sys/class/iommu/dmar0/intel-iommu/cap", .text = "d2008c222f0606\n" },
		{ .path = "/sys/class/iommu/dmar0/intel-iommu/ecap", .text = "f00f5a\n" },
		{ .path = "/sys/kernel/iommu_groups/7/devices/0000:3b:00.0", .link = "../x" },
		{ .path = "/sys/kernel/iommu_groups/7/type", .text = "identity\n" },
		{ .path = PF "/iommu_group", .link = "../../../kernel/iommu_groups/7" },
		{ .path = IRQ "/chip_name", .text = "IR-PCI-MSIX-0000:3b:00.0\n" },
		{ .path = IRQ "/actions", .text = "ens1f0\n" },
		{ .path = "/var/log/dmesg", .text = "[ 0.1] Linux version 6.1.0-test\n" },
	};
	AUTO_TREE struct tree t = { 0 };

	common_host(&t);
	tree_put_rows(&t, rows, ARRAY_SIZE(rows));
	table_put_facp(&t, 0);
	table_put_madt(&t, 2, 3);
	table_put_dmar(&t, 1, 2, 3);
	fail_each(&t);
}

TEST(of_an_amd_host_with_all_of_it_off)
{
	static const struct tree_row rows[] = {
		{ .path = "/proc/cpuinfo",
		  .text = "processor\t: 0\nvendor_id\t: AuthenticAMD\napicid\t\t: 0\n"
			  "flags\t\t: fpu svm x2apic\n\n" },
		{ .path = "/proc/cmdline",
		  .text = "quiet amd_iommu=off pci=nomsi pcie_acs_override=downstream\n" },
		{ .path = "/proc/interrupts",
		  .text = "  CPU0\n 9:  1  IO-APIC  9-fasteoi  acpi\n" },
		{ .path = "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode", .text = "Y\n" },
		{ .path = "/sys/kernel/iommu_groups" },
		{ .path = "/sys/class/iommu" },
		{ .path = "/var/log/dmesg",
		  .text = "[ 0.1] Warning: PCIe ACS overrides enabled\n" },
	};
	AUTO_TREE struct tree t = { 0 };

	common_host(&t);
	tree_put_rows(&t, rows, ARRAY_SIZE(rows));
	table_put_facp(&t, 0);
	table_put_madt(&t, 2, 3);
	table_put_ivrs(&t, 0x84, 2, 3);
	fail_each(&t);
}

TEST(of_a_root_of_which_little_is_known)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/cmdline", .text = "quiet\n" },
	     { .path = "/var/log/dmesg",
	       .text = "DMAR-IR: Enabled IRQ remapping in x2apic mode\n" });
	fail_each(&t);
}

TEST(of_a_machine_with_a_device_tree)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/cpuinfo", .text = "processor\t: 0\nCPU implementer\t: 0x41\n" },
	     { .path = "/proc/cmdline", .text = "quiet\n" },
	     { .path = "/sys/firmware/devicetree/base/soc/iommu@5000000/compatible",
	       .text = "arm,mmu-500" },
	     { .path = "/sys/class/iommu" });
	fail_each(&t);
}
