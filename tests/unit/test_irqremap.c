/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/irqremap.h>

#include "tables.h"

#include <sriovctl/iommu.h>
#include <sriovctl/pcidev.h>

#define DMAR_INTR_REMAP 1

static const char guest[] = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: hypervisor\n";
static const char metal[] = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: vmx\n";

static const struct irqremap *irqremap_of(const struct tree *t)
{
	const struct irqremap *r = NULL;

	EXPECT(irqremap_get(t->h, &r, NULL) == 0);
	return r;
}

/* A host whose interrupts @chip delivers. */
static void put_chip(const struct tree *t, const char *chip)
{
	AUTO_BUF struct buf text = { 0 };

	buf_printf(&text, " CPU0\n 30: 5 %s 0-edge eth0\n", chip);
	tree_put(t, "/proc/interrupts", buf_text(&text));
}

/* --- Arm ------------------------------------------------------------------------------ */

static const char arm[] = "processor\t: 0\nCPU implementer\t: 0x41\n";

TEST(on_arm_an_its_is_what_remaps)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	/* These words and tables have no meaning there. */
	TREE(&t, { .path = "/proc/cpuinfo", .text = arm },
	     { .path = "/proc/cmdline", .text = "intremap=off\n" });
	put_chip(&t, "ITS-MSI");
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_ON && r->cause == IRQREMAP_CAUSE_NONE);
	EXPECT(r && same(r->observed, "ITS-MSI (interrupt 30); 1 remapped, 0 plain"));
}

TEST(on_arm_any_other_chip_takes_messages_from_anybody)
{
	static const char *const chips[] = { "MSI", "GICv2m-PCI-MSIX-0000:01:00.0" };

	for (size_t i = 0; i < ARRAY_SIZE(chips); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct irqremap *r;

		TREE(&t, { .path = "/proc/cpuinfo", .text = arm },
		     { .path = "/proc/cmdline", .text = "intremap=off\n" });
		table_put_facp(&t, 0);
		put_chip(&t, chips[i]);
		r = irqremap_of(&t);
		EXPECT(r && r->state == IRQREMAP_OFF && r->cause == IRQREMAP_NO_ITS);
		EXPECT(r && same(r->detail, chips[i]));
	}
}

TEST(on_arm_nothing_else_decides)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	TREE(&t, { .path = "/proc/cpuinfo", .text = arm },
	     { .path = "/proc/cmdline", .text = "intremap=off\n" });
	table_put_facp(&t, 0);
	put_chip(&t, "GICv3");
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_UNKNOWN && r->cause == IRQREMAP_CAUSE_NONE);
}

/* --- state ---------------------------------------------------------------------------- */

TEST(a_remapped_chip_is_proof)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	tree_new(&t);
	put_chip(&t, "IR-PCI-MSIX-0000:3b:00.0");
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_ON && same(r->source, "/proc/interrupts"));
	EXPECT(r &&
	       same(r->observed, "IR-PCI-MSIX-0000:3b:00.0 (interrupt 30); 1 remapped, 0 plain"));
	EXPECT(r && r->cause == IRQREMAP_CAUSE_NONE && !r->outsider);
}

TEST(a_remapped_chip_outweighs_what_would_make_it_impossible)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	TREE(&t, { .path = "/proc/cmdline", .text = "intremap=off\n" });
	table_put_facp(&t, 0);
	put_chip(&t, "IR-IO-APIC");
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_ON && r->cause == IRQREMAP_CAUSE_NONE);
}

TEST(a_plain_chip_is_proof_on_bare_metal)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	TREE(&t, { .path = "/proc/cpuinfo", .text = metal });
	put_chip(&t, "PCI-MSI");
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_OFF && same(r->source, "/proc/interrupts"));
	EXPECT(r && same(r->observed, "PCI-MSI (interrupt 30); 0 remapped, 1 plain"));
	EXPECT(r && r->cause == IRQREMAP_CAUSE_NONE);
}

TEST(in_a_guest_it_is_only_with_the_tables_known)
{
	AUTO_TREE struct tree unknown = { 0 }, none = { 0 }, own = { 0 };
	const struct irqremap *r;

	TREE(&unknown, { .path = "/proc/cpuinfo", .text = guest });
	put_chip(&unknown, "PCI-MSI");
	r = irqremap_of(&unknown);
	EXPECT(r && r->state == IRQREMAP_UNKNOWN);
	TREE(&none, { .path = "/proc/cpuinfo", .text = guest });
	put_chip(&none, "PCI-MSI");
	table_put_facp(&none, 0);
	r = irqremap_of(&none);
	EXPECT(r && r->state == IRQREMAP_OFF && r->cause == IRQREMAP_NO_TABLE);
	TREE(&own, { .path = "/proc/cpuinfo", .text = guest });
	put_chip(&own, "PCI-MSI");
	table_put_dmar(&own, 0, 2, 3);
	r = irqremap_of(&own);
	EXPECT(r && r->state == IRQREMAP_OFF && r->cause == IRQREMAP_NOT_OFFERED);
}

TEST(fault_interrupts_of_the_units_prove_nothing)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	TREE(&t, { .path = "/proc/interrupts",
		   .text = " CPU0\n 24: 0 DMAR-MSI 0-edge dmar0\n 25: 0 PCI-MSI 1-edge AMD-Vi\n" });
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_UNKNOWN);
}

TEST(nothing_captured_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	tree_new(&t);
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_UNKNOWN && r->cause == IRQREMAP_CAUSE_NONE);
	EXPECT(r && same(r->observed, ""));
}

TEST(the_log_tells_where_nothing_else_does)
{
	static const struct {
		const char *line;
		enum irqremap_state state;
	} rows[] = {
		{ .line = "DMAR-IR: Enabled IRQ remapping in x2apic mode", .state = IRQREMAP_ON },
		{ .line = "DMAR-IR: Enabled IRQ remapping in xapic mode", .state = IRQREMAP_ON },
		{ .line = "AMD-Vi: Interrupt remapping enabled", .state = IRQREMAP_ON },
		{ .line = "AMD-Vi: Disabling interrupt remapping", .state = IRQREMAP_OFF },
		{ .line = "DMAR: IOMMU enabled", .state = IRQREMAP_UNKNOWN },
		{ .line = "x2apic: IRQ remapping doesn't support X2APIC mode",
		  .state = IRQREMAP_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct irqremap *r;

		TREE(&t, { .path = "/var/log/dmesg", .text = rows[i].line });
		r = irqremap_of(&t);
		EXPECT(r && r->state == rows[i].state);
		if (rows[i].state != IRQREMAP_UNKNOWN)
			EXPECT(r && same(r->observed, rows[i].line));
	}
}

/* --- causes ------------------------------------------------------------------------------ */

/* What makes it impossible also is the state where no chip tells. */
static void expect_cause(const struct tree *t, enum irqremap_cause cause, const char *source,
			 const char *detail)
{
	const struct irqremap *r = irqremap_of(t);

	EXPECT(r && r->state == IRQREMAP_OFF && r->cause == cause);
	EXPECT(r && same(r->cause_source, source) && same(r->source, source));
	EXPECT(r && same(r->detail, detail));
	if (r && !same(r->detail, detail))
		printf("# %s\n", r->detail ? r->detail : "(none)");
}

TEST(no_table)
{
	AUTO_TREE struct tree t = { 0 };

	tree_new(&t);
	table_put_facp(&t, 0);
	expect_cause(&t, IRQREMAP_NO_TABLE, TABLES, "neither DMAR nor IVRS");
}

TEST(not_offered_by_the_dmar)
{
	AUTO_TREE struct tree t = { 0 };

	tree_new(&t);
	table_put_dmar(&t, 0, 2, 3);
	expect_cause(&t, IRQREMAP_NOT_OFFERED, TABLES "/DMAR", "the INTR_REMAP flag is clear");
}

TEST(a_dmar_that_the_kernel_drops)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf b = { 0 };

	tree_new(&t);
	table_dmar(&b, DMAR_INTR_REMAP, 2, 3);
	b.len = 48;
	table_save(&t, &b, "DMAR");
	expect_cause(&t, IRQREMAP_REFUSED, TABLES "/DMAR", "it lists no remapping unit");
}

TEST(an_ivrs_that_the_kernel_drops)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf b = { 0 };

	tree_new(&t);
	table_ivrs(&b, 0x84, 2, 3);
	table_end(&b);
	b.data[9]++;
	tree_put_bytes(&t, TABLES "/IVRS", buf_text(&b), b.len);
	expect_cause(&t, IRQREMAP_REFUSED, TABLES "/IVRS", "its checksum is wrong");
}

TEST(an_io_apic_that_the_dmar_does_not_cover)
{
	AUTO_TREE struct tree t = { 0 };

	tree_new(&t);
	table_put_dmar(&t, DMAR_INTR_REMAP, 2, 4);
	table_put_madt(&t, 2, 3);
	expect_cause(&t, IRQREMAP_IOAPIC, TABLES "/DMAR",
		     "I/O APIC 3 of the MADT is behind no unit");
}

TEST(words_of_the_command_line)
{
	static const struct {
		const char *text, *word;
		bool is_amd;
	} rows[] = {
		{ .text = "intremap=off", .word = "intremap=off" },
		{ .text = "intremap=on,off", .word = "intremap=off" },
		{ .text = "intremap=off intremap=nosid", .word = "intremap=off" },
		{ .text = "nointremap", .word = "nointremap" },
		{ .text = "noapic", .word = "noapic" },
		{ .text = "nolapic", .word = "nolapic" },
		{ .text = "disableapic", .word = "disableapic" },
		{ .text = "amd_iommu=off", .word = "amd_iommu=off", .is_amd = true },
		{ .text = "amd_iommu=fullflush,off", .word = "amd_iommu=off", .is_amd = true },
		{ .text = "iommu=off", .word = "iommu=off", .is_amd = true },
		/* These do not. */
		{ .text = "intremap=off intremap=on" },
		{ .text = "intremap=nopost,no_x2apic_optout" },
		{ .text = "intel_iommu=off" },
		{ .text = "iommu=off" },
		{ .text = "amd_iommu=off" },
		{ .text = "iommu=soft", .is_amd = true },
		{ .text = "-- intremap=off" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct irqremap *r;

		TREE(&t, { .path = "/proc/cmdline", .text = rows[i].text });
		if (rows[i].is_amd)
			table_put_ivrs(&t, 0x84, 2, 3);
		else
			table_put_dmar(&t, DMAR_INTR_REMAP, 2, 3);
		table_put_madt(&t, 2, 3);
		if (rows[i].word) {
			expect_cause(&t, IRQREMAP_CMDLINE, "/proc/cmdline", rows[i].word);
			continue;
		}
		r = irqremap_of(&t);
		EXPECT(r && r->cause == IRQREMAP_CAUSE_NONE && r->state == IRQREMAP_UNKNOWN);
		if (r && r->cause != IRQREMAP_CAUSE_NONE)
			printf("# %s\n", rows[i].text);
	}
}

TEST(a_unit_that_cannot)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = IOMMU_CLASS "/dmar0/intel-iommu/cap", .text = "d2008c222f0606\n" },
	     { .path = IOMMU_CLASS "/dmar0/intel-iommu/ecap", .text = "f00f5a\n" },
	     { .path = IOMMU_CLASS "/dmar1/intel-iommu/cap", .text = "d2008c222f0606\n" },
	     { .path = IOMMU_CLASS "/dmar1/intel-iommu/ecap", .text = "f00f52\n" });
	expect_cause(&t, IRQREMAP_HARDWARE, IOMMU_CLASS, "dmar1");
}

TEST(a_unit_that_can_proves_nothing)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	TREE(&t, { .path = IOMMU_CLASS "/dmar0/intel-iommu/cap", .text = "d2008c222f0606\n" },
	     { .path = IOMMU_CLASS "/dmar0/intel-iommu/ecap", .text = "f00f5a\n" });
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_UNKNOWN);
}

TEST(a_kernel_built_without)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/proc/sys/kernel/osrelease", .text = "6.1.0\n" },
	     { .path = "/boot/config-6.1.0",
	       .text = "CONFIG_X86=y\n# CONFIG_IRQ_REMAP is not set\n" });
	expect_cause(&t, IRQREMAP_KERNEL, "kernel configuration", "IRQ_REMAP is not set");
}

/* Quirks for a model, or ivrs_ioapic=, may have added what the table lacks. */
TEST(an_io_apic_missing_in_the_ivrs_explains_but_does_not_decide)
{
	AUTO_TREE struct tree unseen = { 0 }, plain = { 0 };
	const struct irqremap *r;

	tree_new(&unseen);
	table_put_ivrs(&unseen, 0x84, 7, 8);
	table_put_madt(&unseen, 2, 3);
	r = irqremap_of(&unseen);
	EXPECT(r && r->cause == IRQREMAP_IOAPIC && r->state == IRQREMAP_UNKNOWN);
	TREE(&plain, { .path = "/proc/cpuinfo", .text = metal });
	table_put_ivrs(&plain, 0x84, 7, 8);
	table_put_madt(&plain, 2, 3);
	put_chip(&plain, "PCI-MSI");
	r = irqremap_of(&plain);
	EXPECT(r && r->cause == IRQREMAP_IOAPIC && r->state == IRQREMAP_OFF);
}

TEST(a_damaged_table_is_no_cause)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf b = { 0 };
	const struct irqremap *r;

	tree_new(&t);
	table_dmar(&b, 0, 2, 3);
	table_end(&b);
	b.data[9]++;
	tree_put_bytes(&t, TABLES "/DMAR", buf_text(&b), b.len);
	r = irqremap_of(&t);
	EXPECT(r && r->cause == IRQREMAP_CAUSE_NONE && r->state == IRQREMAP_UNKNOWN);
}

/* --- outsiders ----------------------------------------------------------------------------- */

#define PF  PCIDEV_PATH "/0000:3b:00.0"
#define IRQ "/sys/kernel/irq/"

static const char *outsider_of(struct tree *t, const char *chip, const char *file)
{
	const struct irqremap *r;

	TREE(t, { .path = IRQ "24/chip_name", .text = "IR-PCI-MSI\n" },
	     { .path = IRQ "33/chip_name", .text = chip },
	     { .path = IRQ "40/chip_name", .text = "PCI-MSI\n" },
	     { .path = PF "/msi_irqs/33", .text = "msix\n" }, { .path = file, .text = "64\n" });
	r = irqremap_of(t);
	EXPECT(r && r->state == IRQREMAP_ON);
	return r ? r->outsider : NULL;
}

TEST(a_function_with_vfs_that_is_not_remapped_while_others_are)
{
	AUTO_TREE struct tree t = { 0 };

	EXPECT(same(outsider_of(&t, "PCI-MSIX-0000:3b:00.0\n", PF "/sriov_totalvfs"),
		    "0000:3b:00.0"));
}

/* That the file is there says that there may be VFs. */
TEST(a_function_whose_number_of_vfs_cannot_be_read_is_one_too)
{
	AUTO_TREE struct tree t = { 0 };
	const struct irqremap *r;

	TREE(&t, { .path = IRQ "24/chip_name", .text = "IR-PCI-MSI\n" },
	     { .path = IRQ "33/chip_name", .text = "PCI-MSIX-0000:3b:00.0\n" },
	     { .path = PF "/sriov_totalvfs", .text = "unreadable\n" });
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_ON && same(r->outsider, "0000:3b:00.0"));
}

TEST(a_function_that_is_remapped_is_no_outsider)
{
	AUTO_TREE struct tree t = { 0 };

	EXPECT(outsider_of(&t, "IR-PCI-MSIX-0000:3b:00.0\n", PF "/sriov_totalvfs") == NULL);
}

TEST(a_function_without_vfs_is_none)
{
	AUTO_TREE struct tree t = { 0 };

	EXPECT(outsider_of(&t, "PCI-MSIX-0000:3b:00.0\n", PF "/vendor") == NULL);
}

static const struct irqremap *without_vectors(struct tree *t, const char *chip)
{
	TREE(t, { .path = IRQ "24/chip_name", .text = "IR-PCI-MSI\n" },
	     { .path = IRQ "40/chip_name", .text = chip },
	     { .path = PF "/sriov_totalvfs", .text = "64\n" });
	return irqremap_of(t);
}

TEST(a_function_without_an_interrupt_is_not_seen_where_others_have_plain_ones)
{
	AUTO_TREE struct tree mixed = { 0 }, all = { 0 };
	const struct irqremap *r = without_vectors(&mixed, "PCI-MSI\n");

	EXPECT(r && r->state == IRQREMAP_ON && !r->outsider && same(r->unseen, "0000:3b:00.0"));
	r = without_vectors(&all, "IR-PCI-MSI\n");
	EXPECT(r && r->state == IRQREMAP_ON && !r->outsider && !r->unseen);
}

/* Its I/O APIC has the name that is a proof elsewhere; no device of PCI goes through it. */
TEST(an_io_apic_of_hyperv_proves_nothing)
{
	AUTO_TREE struct tree t = { 0 }, bare = { 0 };
	const struct irqremap *r;

	TREE(&t, { .path = "/proc/cpuinfo", .text = guest });
	table_put_facp(&t, 0);
	put_chip(&t, "IR-IO-APIC");
	r = irqremap_of(&t);
	EXPECT(r && r->state == IRQREMAP_OFF && r->cause == IRQREMAP_NO_TABLE);
	TREE(&bare, { .path = "/proc/cpuinfo", .text = metal });
	put_chip(&bare, "IR-IO-APIC");
	r = irqremap_of(&bare);
	EXPECT(r && r->state == IRQREMAP_ON);
}
