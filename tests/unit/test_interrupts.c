/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/interrupts.h>

#include "tree.h"

static const struct {
	const char *chip, *action;
	enum interrupt_kind kind;
	bool is_msi;
} chips[] = {
	/* Devices, with remapping: as named from 2.6 to 6.1, and with the function since 6.2. */
	{ .chip = "IR-PCI-MSI", .action = "eth0", .kind = INTERRUPT_REMAPPED, .is_msi = true },
	{ .chip = "IR-PCI-MSI-edge", .action = "eth0", .kind = INTERRUPT_REMAPPED, .is_msi = true },
	{ .chip = "IR-PCI-MSI-0000:00:1f.6",
	  .action = "eno1",
	  .kind = INTERRUPT_REMAPPED,
	  .is_msi = true },
	{ .chip = "IR-PCI-MSIX-0000:00:01.0",
	  .action = "ens1",
	  .kind = INTERRUPT_REMAPPED,
	  .is_msi = true },
	{ .chip = "IR-IO-APIC", .action = "timer", .kind = INTERRUPT_REMAPPED },
	{ .chip = "IR-IO-APIC-fasteoi", .action = "acpi", .kind = INTERRUPT_REMAPPED },
	{ .chip = "IO-APIC-IR", .action = "timer", .kind = INTERRUPT_REMAPPED },
	{ .chip = "IO-APIC-IR-edge", .action = "timer", .kind = INTERRUPT_REMAPPED },
	{ .chip = "IR-HPET-MSI", .action = "hpet2", .kind = INTERRUPT_REMAPPED },
	{ .chip = "IR-HPET_MSI-edge", .action = "hpet2", .kind = INTERRUPT_REMAPPED },
	/* The same without. */
	{ .chip = "PCI-MSI", .action = "eth0", .kind = INTERRUPT_PLAIN, .is_msi = true },
	{ .chip = "PCI-MSI-edge", .action = "eth0", .kind = INTERRUPT_PLAIN, .is_msi = true },
	{ .chip = "PCI-MSI-0000:00:1f.6",
	  .action = "eno1",
	  .kind = INTERRUPT_PLAIN,
	  .is_msi = true },
	{ .chip = "PCI-MSIX-0000:00:01.0",
	  .action = "ens1",
	  .kind = INTERRUPT_PLAIN,
	  .is_msi = true },
	{ .chip = "IO-APIC", .action = "timer", .kind = INTERRUPT_PLAIN },
	{ .chip = "IO-APIC-level", .action = "uhci_hcd", .kind = INTERRUPT_PLAIN },
	{ .chip = "HPET_MSI-edge", .action = "hpet2", .kind = INTERRUPT_PLAIN },
	{ .chip = "HPET-MSI", .action = "hpet2", .kind = INTERRUPT_PLAIN },
	/* Of Arm: through an ITS, and by a frame that takes them from any device. */
	{ .chip = "ITS-MSI", .action = "x", .kind = INTERRUPT_REMAPPED, .is_msi = true },
	{ .chip = "ITS-PCI-MSIX-0000:01:00.0",
	  .action = "x",
	  .kind = INTERRUPT_REMAPPED,
	  .is_msi = true },
	{ .chip = "MSI", .action = "x", .kind = INTERRUPT_PLAIN, .is_msi = true },
	{ .chip = "GICv2m-PCI-MSIX-0000:01:00.0",
	  .action = "x",
	  .kind = INTERRUPT_PLAIN,
	  .is_msi = true },
	{ .chip = "MBI-PCI-MSI-0000:01:00.0",
	  .action = "x",
	  .kind = INTERRUPT_PLAIN,
	  .is_msi = true },
	/* The units' own fault interrupts prove nothing. */
	{ .chip = "DMAR-MSI", .action = "dmar0", .kind = INTERRUPT_OTHER },
	{ .chip = "DMAR_MSI-edge", .action = "dmar0", .kind = INTERRUPT_OTHER },
	{ .chip = "IOMMU-MSI", .action = "AMD-Vi", .kind = INTERRUPT_OTHER },
	{ .chip = "PCI-MSI", .action = "AMD-Vi", .kind = INTERRUPT_OTHER },
	{ .chip = "PCI-MSI-0000:00:00.2", .action = "AMD-Vi0-Evt", .kind = INTERRUPT_OTHER },
	{ .chip = "IR-PCI-MSI", .action = "AMD-Vi", .kind = INTERRUPT_OTHER },
	/* Others'. */
	{ .chip = "XT-PIC", .action = "timer", .kind = INTERRUPT_OTHER },
	{ .chip = "GICv3", .action = "arch_timer", .kind = INTERRUPT_OTHER },
	{ .chip = "ITS-pMSI", .action = "arm-smmu-v3-evtq", .kind = INTERRUPT_OTHER },
	{ .chip = "MSI-like", .action = "x", .kind = INTERRUPT_OTHER },
	{ .chip = "Hyper-V", .action = "x", .kind = INTERRUPT_OTHER },
	{ .chip = "xen-pirq", .action = "x", .kind = INTERRUPT_OTHER },
	{ .chip = "VMD-MSI", .action = "nvme0q0", .kind = INTERRUPT_OTHER },
	{ .chip = "DIR-PCI-MSI", .action = "x", .kind = INTERRUPT_OTHER },
	{ .chip = "", .action = "", .kind = INTERRUPT_OTHER },
};

TEST(kinds_of_chips)
{
	for (size_t i = 0; i < ARRAY_SIZE(chips); i++) {
		bool is_msi = !chips[i].is_msi;
		enum interrupt_kind kind =
			interrupts_classify(chips[i].chip, chips[i].action, &is_msi);

		EXPECT(kind == chips[i].kind);
		if (kind != INTERRUPT_OTHER)
			EXPECT(is_msi == chips[i].is_msi);
		if (kind != chips[i].kind)
			printf("# %s %s\n", chips[i].chip, chips[i].action);
	}
}

struct expected {
	uint32_t number;
	const char *chip, *action;
};

static void expect_rows(const char *text, const struct expected *rows, size_t n)
{
	struct interrupts v = { 0 };

	EXPECT(interrupts_parse(text, &v) == 0);
	EXPECT(v.n == n);
	for (size_t i = 0; i < n; i++) {
		const struct interrupt *it = interrupts_find(&v, rows[i].number);

		EXPECT(it && same(it->chip, rows[i].chip) && same(it->action, rows[i].action));
		if (it && (!same(it->chip, rows[i].chip) || !same(it->action, rows[i].action)))
			printf("# %u: %s %s\n", it->number, it->chip, it->action);
	}
	interrupts_done(&v);
}

TEST(of_kernel_2_6)
{
	static const struct expected rows[] = {
		{ .number = 0, .chip = "IO-APIC-edge", .action = "timer" },
		{ .number = 16, .chip = "IR-IO-APIC-fasteoi", .action = "uhci_hcd:usb6" },
		{ .number = 58, .chip = "IR-PCI-MSI-edge", .action = "eth0-TxRx-0" },
		{ .number = 64, .chip = "DMAR_MSI-edge", .action = "dmar0" },
	};

	expect_rows(
		"           CPU0       CPU1       \n"
		"  0:        138          0   IO-APIC-edge      timer\n"
		" 16:         23          4   IR-IO-APIC-fasteoi   uhci_hcd:usb3, uhci_hcd:usb6\n"
		" 58:      31415       9265   IR-PCI-MSI-edge      eth0-TxRx-0\n"
		" 64:          0          0   DMAR_MSI-edge      dmar0\n"
		"NMI:          0          0   Non-maskable interrupts\n"
		"LOC:   12345678   12345678   Local timer interrupts\n"
		"ERR:          0\n"
		"MIS:          0\n",
		rows, ARRAY_SIZE(rows));
}

TEST(of_kernel_6_1)
{
	static const struct expected rows[] = {
		{ .number = 8, .chip = "IR-IO-APIC", .action = "rtc0" },
		{ .number = 24, .chip = "DMAR-MSI", .action = "dmar1" },
		{ .number = 26, .chip = "IR-PCI-MSI", .action = "PCIe-AER" },
	};

	expect_rows("            CPU0       CPU1\n"
		    "   8:          0          1  IR-IO-APIC    8-edge      rtc0\n"
		    "  24:          0          0  DMAR-MSI    1-edge      dmar1\n"
		    "  26:          0          0  IR-PCI-MSI 327680-edge      PCIe PME, PCIe-AER\n"
		    " PIW:          0          0   Posted-interrupt wakeup event\n",
		    rows, ARRAY_SIZE(rows));
}

TEST(of_kernel_6_12)
{
	static const struct expected rows[] = {
		{ .number = 24, .chip = "IR-PCI-MSI-0000:00:1c.0", .action = "PCIe-AER" },
		{ .number = 33,
		  .chip = "IR-PCI-MSIX-0000:3b:00.0",
		  .action = "i40e-0000:3b:00.0:misc" },
	};

	expect_rows(
		"            CPU0\n"
		"  24:          0 IR-PCI-MSI-0000:00:1c.0    0-edge      PCIe PME, PCIe-AER\n"
		"  33:         12 IR-PCI-MSIX-0000:3b:00.0    0-edge      i40e-0000:3b:00.0:misc\n",
		rows, ARRAY_SIZE(rows));
}

TEST(of_arm64)
{
	static const struct expected rows[] = {
		{ .number = 11, .chip = "GICv3", .action = "arch_timer" },
		{ .number = 55, .chip = "ITS-MSI", .action = "nvme0q0" },
	};

	expect_rows("           CPU0       CPU1\n"
		    " 11:      12345      54321     GICv3  30 Level     arch_timer\n"
		    " 55:          7          0   ITS-MSI 1048576 Edge      nvme0q0\n"
		    "IPI0:        11         12       Rescheduling interrupts\n",
		    rows, ARRAY_SIZE(rows));
}

TEST(of_300_processors)
{
	static const struct expected rows[] = {
		{ .number = 1000, .chip = "IR-PCI-MSIX-0000:c1:00.0", .action = "ens1f0" },
	};
	AUTO_BUF struct buf text = { 0 };

	for (int i = 0; i < 300; i++)
		buf_printf(&text, "%*sCPU%d", 8, "", i);
	buf_puts(&text, "\n1000:");
	for (int i = 0; i < 300; i++)
		buf_printf(&text, " %10u", i * 1000003u);
	buf_puts(&text, "  IR-PCI-MSIX-0000:c1:00.0    0-edge      ens1f0\n");
	expect_rows(buf_text(&text), rows, ARRAY_SIZE(rows));
}

TEST(only_cpus_that_are_online_have_a_column)
{
	static const struct expected rows[] = {
		{ .number = 9, .chip = "IO-APIC", .action = "acpi" },
	};

	expect_rows("   CPU0   CPU2   CPU64\n   9:  1  2  3  IO-APIC  9-fasteoi  acpi\n", rows, 1);
}

TEST(ragged_rows_are_passed_over_and_the_rest_counts)
{
	static const struct expected rows[] = {
		{ .number = 2, .chip = "PCI-MSI", .action = "eth0" },
		{ .number = 7, .chip = "PCI-MSI", .action = "" },
	};

	expect_rows("   CPU0   CPU1\n"
		    "  1:  5\n"
		    "  3:  5  6\n"
		    "  3  5  6  PCI-MSI  eth9\n"
		    "\n"
		    "   :  5  6  PCI-MSI  eth9\n"
		    " -4:  5  6  PCI-MSI  eth9\n"
		    " 4294967296:  5  6  PCI-MSI  eth9\n"
		    "  2:  5  6  PCI-MSI 1-edge  eth0\n"
		    "  7:  5  6  PCI-MSI",
		    rows, ARRAY_SIZE(rows));
}

TEST(without_the_row_of_processors_it_is_refused)
{
	static const char *const texts[] = { "", "\n", "  1:  5  IO-APIC 1-edge  i8042\n" };
	struct interrupts v = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		EXPECT(interrupts_parse(texts[i], &v) == -EINVAL);
}

TEST(counts_and_the_first_of_a_kind)
{
	struct interrupts v = { 0 };
	const struct interrupt *first;

	EXPECT(interrupts_parse(" CPU0\n1: 0 IR-IO-APIC 1-edge i8042\n"
				"4: 0 IO-APIC 4-edge ttyS0\n"
				"30: 0 IR-PCI-MSI 1-edge eth0\n"
				"31: 0 IR-PCI-MSI 2-edge eth1\n",
				&v) == 0);
	EXPECT(interrupts_count(&v, INTERRUPT_REMAPPED) == 3);
	EXPECT(interrupts_count(&v, INTERRUPT_PLAIN) == 1);
	EXPECT(interrupts_count(&v, INTERRUPT_OTHER) == 0);
	first = interrupts_first(&v, INTERRUPT_REMAPPED);
	EXPECT(first && first->number == 30);
	EXPECT(interrupts_first(&v, INTERRUPT_OTHER) == NULL);
	EXPECT(interrupts_find(&v, 5) == NULL);
	interrupts_done(&v);
}

#define IRQ "/sys/kernel/irq/"

TEST(sysfs_comes_first)
{
	AUTO_TREE struct tree t = { 0 };
	const struct interrupts *v = NULL;
	const struct interrupt *it;

	TREE(&t, { .path = IRQ "33/chip_name", .text = "IR-PCI-MSIX-0000:3b:00.0\n" },
	     { .path = IRQ "33/actions", .text = "ens1f0\n" },
	     { .path = IRQ "34/chip_name", .text = "PCI-MSI\n" },
	     { .path = IRQ "34/actions", .text = "AMD-Vi\n" },
	     { .path = IRQ "35/chip_name", .text = "PCI-MSI\n" },
	     { .path = IRQ "36/chip_name", .text = "\n" },
	     { .path = IRQ "x/chip_name", .text = "PCI-MSI\n" },
	     { .path = "/proc/interrupts", .text = " CPU0\n1: 0 IO-APIC 1-edge i8042\n" });
	EXPECT(interrupts_get(t.h, &v, NULL) == 0);
	EXPECT(v && same(v->source, "/sys/kernel/irq") && v->n == 3);
	it = v ? interrupts_find(v, 33) : NULL;
	EXPECT(it && it->kind == INTERRUPT_REMAPPED && it->is_msi && same(it->action, "ens1f0"));
	it = v ? interrupts_find(v, 34) : NULL;
	EXPECT(it && it->kind == INTERRUPT_OTHER);
	it = v ? interrupts_find(v, 35) : NULL;
	EXPECT(it && it->kind == INTERRUPT_PLAIN && same(it->action, ""));
}

TEST(procfs_serves_where_sysfs_names_no_chip)
{
	AUTO_TREE struct tree t = { 0 };
	const struct interrupts *v = NULL;

	TREE(&t, { .path = IRQ "1" },
	     { .path = "/proc/interrupts", .text = " CPU0\n1: 0 IO-APIC 1-edge i8042\n" });
	EXPECT(interrupts_get(t.h, &v, NULL) == 0);
	EXPECT(v && same(v->source, "/proc/interrupts") && v->n == 1);
}

TEST(neither_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct interrupts *v = NULL;

	tree_make(&t);
	tree_put_dir(&t, "/sys");
	tree_open(&t);
	EXPECT(interrupts_get(t.h, &v, NULL) == -ENODATA);
}
