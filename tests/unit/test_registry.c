/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is true of every check, and of what each says of any host. */
#include "tables.h"

#include <sriovctl/finding.h>
#include <sriovctl/report.h>

#include <ctype.h>

static bool is_id(const char *id)
{
	const char *dot = strchr(id, '.');

	for (const char *p = id; *p; p++)
		if (!islower((unsigned char)*p) && !isdigit((unsigned char)*p) && *p != '_' &&
		    p != dot)
			return false;
	return dot && dot > id && dot[1];
}

static bool is_sentence(const char *text)
{
	size_t n = text ? strlen(text) : 0;

	return n > 1 && isupper((unsigned char)text[0]) && text[n - 1] == '.' && text[n - 2] != '.';
}

TEST(every_row_is_complete)
{
	const struct check *c;

	for (size_t i = 0; (c = check_at(i)); i++) {
		EXPECT(is_id(c->id));
		EXPECT(c->title && c->title[0] && c->title[strlen(c->title) - 1] != '.');
		EXPECT(c->severity < SEVERITY_MAX && c->actor < ACTOR_MAX && c->run);
		EXPECT(is_sentence(c->remedy) && is_sentence(c->impact));
		EXPECT(c->reference && c->reference[0]);
		if (!is_sentence(c->remedy) || !is_sentence(c->impact))
			printf("# %s\n", c->id);
	}
}

TEST(every_id_is_unique_and_found)
{
	const struct check *c;

	for (size_t i = 0; (c = check_at(i)); i++)
		EXPECT(check_find(c->id) == c);
	EXPECT(!check_find("") && !check_find("irq") && !check_find("irq.remapping "));
}

TEST(behind_the_last_there_is_none)
{
	size_t n = 0;

	while (check_at(n))
		n++;
	EXPECT(n > 0 && !check_at(n + 1) && !check_at(SIZE_MAX));
}

TEST(every_word_of_a_report_has_a_name)
{
	for (int i = 0; i < VERDICT_MAX; i++)
		EXPECT(verdict_name((enum verdict)i)[0]);
	for (int i = 0; i < SEVERITY_MAX; i++)
		EXPECT(severity_name((enum severity)i)[0]);
	for (int i = 0; i < ACTOR_MAX; i++)
		EXPECT(actor_name((enum actor)i)[0]);
}

/* --- hosts ------------------------------------------------------------------------------- */

#define PF "/sys/bus/pci/devices/0000:3b:00.0"

static void nothing(struct tree *t)
{
	tree_new(t);
}

static void all_off(struct tree *t)
{
	TREE(t,
	     { .path = "/proc/cpuinfo",
	       .text = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu\n" },
	     { .path = "/proc/cmdline",
	       .text = "intel_iommu=off nointremap pci=nomsi pcie_acs_override=x\n" },
	     { .path = "/proc/interrupts", .text = " CPU0\n 9: 1 IO-APIC 9-edge acpi\n" },
	     { .path = "/sys/kernel/iommu_groups" },
	     { .path = PF "/sriov_totalvfs", .text = "0\n" },
	     { .path = "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode", .text = "Y\n" });
	table_put_facp(t, 1 << 3);
	table_put_dmar(t, 0, 2, 3);
}

static void all_on(struct tree *t)
{
	TREE(t,
	     { .path = "/proc/cpuinfo",
	       .text = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: vmx x2apic\n" },
	     { .path = "/proc/cmdline", .text = "quiet\n" },
	     { .path = "/proc/interrupts", .text = " CPU0\n 9: 1 IR-PCI-MSI 9-edge eth0\n" },
	     { .path = "/sys/kernel/iommu_groups/0/devices/0000:3b:00.0", .link = "x" },
	     { .path = "/sys/kernel/iommu_groups/0/type", .text = "identity\n" },
	     { .path = "/sys/class/iommu/dmar0/intel-iommu/ecap", .text = "f00f5a\n" },
	     { .path = PF "/sriov_totalvfs", .text = "8\n" });
	table_put_facp(t, 0);
	table_put_dmar(t, 1, 2, 3);
}

static void junk(struct tree *t)
{
	TREE(t, { .path = "/proc/cpuinfo", .text = "\1\2\3" }, { .path = "/proc/cmdline" },
	     { .path = "/proc/interrupts", .text = "junk" },
	     { .path = "/sys/kernel/iommu_groups", .text = "junk" },
	     { .path = "/sys/class/iommu", .link = "iommu" },
	     { .path = TABLES "/DMAR", .text = "junk" }, { .path = TABLES "/FACP", .text = "junk" },
	     { .path = PF "/sriov_totalvfs", .text = "junk" });
}

static void guest(struct tree *t)
{
	TREE(t,
	     { .path = "/proc/cpuinfo",
	       .text = "processor\t: 0\nvendor_id\t: AuthenticAMD\nflags\t\t: hypervisor\n" },
	     { .path = "/proc/interrupts", .text = " CPU0\n 9: 1 PCI-MSI 9-edge virtio0\n" },
	     { .path = "/sys/bus/pci/devices" });
	table_put_facp(t, 0);
}

static void expect_explained(const struct result *r)
{
	const struct finding *f = &r->finding;
	bool wants_remedy = r->verdict == VERDICT_FAIL || r->verdict == VERDICT_UNKNOWN;
	bool wants_evidence = r->verdict == VERDICT_PASS || r->verdict == VERDICT_FAIL;

	EXPECT(f->summary && f->summary[0]);
	EXPECT(!wants_remedy || f->remedy.n > 0);
	EXPECT(!wants_evidence || f->n_evidence > 0);
	EXPECT(f->severity >= r->check->severity);
	for (size_t i = 0; i < f->remedy.n; i++)
		EXPECT(is_sentence(f->remedy.items[i]));
	if ((wants_remedy && f->remedy.n == 0) || (wants_evidence && f->n_evidence == 0))
		printf("# %s: %s: %s\n", r->check->id, verdict_name(r->verdict), f->summary);
}

/* Evidence for what was seen, and a remedy for what failed or could not be seen. */
TEST(every_verdict_is_explained)
{
	static void (*const hosts[])(struct tree * t) = { nothing, all_off, all_on, junk, guest };
	static const struct report_options all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		AUTO_TREE struct tree t = { 0 };
		AUTO_REPORT struct report r = { 0 };

		hosts[i](&t);
		EXPECT(report_run(t.h, &all, &r, NULL) == 0);
		EXPECT(r.n_results > 0);
		for (size_t k = 0; k < r.n_results; k++)
			expect_explained(&r.results[k]);
	}
}

/* Nothing captured is nothing known: no verdict may come of it. */
TEST(of_an_empty_root_nothing_is_claimed)
{
	static const struct report_options all = { 0 };
	AUTO_TREE struct tree t = { 0 };
	AUTO_REPORT struct report r = { 0 };

	tree_new(&t);
	EXPECT(report_run(t.h, &all, &r, NULL) == 0);
	EXPECT(r.readiness == READINESS_UNKNOWN);
	for (size_t i = 0; i < r.n_results; i++) {
		EXPECT(r.results[i].verdict == VERDICT_UNKNOWN);
		if (r.results[i].verdict != VERDICT_UNKNOWN)
			printf("# %s: %s\n", r.results[i].check->id, r.results[i].finding.summary);
	}
}
