/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log tells of the machine: kernel, firmware, tables of ACPI, groups. */
#include "bootlog.h"

#include <sriovctl/klog.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define IDS    "/sys/class/dmi/id"
#define TABLES "/sys/firmware/acpi/tables"
#define GROUPS "/sys/kernel/iommu_groups"
/* From here on the kernel logs each function that joins a group (drivers/iommu/iommu.c). */
#define LOGS_GROUPS_SINCE 4

/* --- the firmware's names
 * --------------------------------------------------------------------------- */

/* Vendors of more words than one, and words that end a vendor's name. */
static const char *const vendors[] = { "Hewlett Packard Enterprise",
				       "Hewlett-Packard",
				       "Micro-Star International Co., Ltd.",
				       "Red Hat",
				       "Dell Inc.",
				       "System manufacturer",
				       "IBM Corp." };
static const char *const endings[] = {
	"Inc.", "Inc",	   "Corp.",   "Corp",	     "Corporation", "Ltd.",	    "LTD",
	"Ltd",	"LTD.",	   "GmbH",    "CORPORATION", "INC.",	    "Computer",	    "Technology",
	"Co.",	"Company", "Systems", "COMPUTER",    "Limited",	    "International"
};

static bool is_ending(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (strlen(endings[i]) == len && strncmp(endings[i], word, len) == 0)
			return true;
	return false;
}

/* How long the vendor's name is in "Dell Inc. PowerEdge T440": at least a word. */
static size_t vendor_length(const char *text, size_t len)
{
	size_t at = strcspn(text, " "), end = at;

	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++) {
		size_t own = strlen(vendors[i]);

		if (own < len && strncmp(text, vendors[i], own) == 0 && text[own] == ' ')
			return own;
	}
	while (at < len) {
		size_t word = at + 1, word_len = strcspn(text + word, " ,");

		if (word + word_len >= len)
			break;
		at = word + word_len;
		at += text[at] == ',';
		if (is_ending(text + word, word_len))
			end = at;
	}
	return end;
}

static void put_id(struct bootlog *l, const char *attr, const char *text, size_t len)
{
	AUTO_FREE char *copy = strndup(text, len);

	if (!copy)
		l->i->error = -ENOMEM;
	else if (len > 0)
		host_make_text(l->i->make, copy, IDS "/%s", attr);
}

/* "Dell Inc. PowerEdge T440/021KCD, BIOS 2.12.2 07/09/2021" (drivers/firmware/dmi_scan.c). */
static void take_dmi(struct bootlog *l, const char *text)
{
	const char *bios = strstr(text, ", BIOS "), *slash, *version, *date;
	size_t len, vendor;

	if (!bios)
		return;
	slash = memchr(text, '/', (size_t)(bios - text));
	len = (size_t)((slash ? slash : bios) - text);
	vendor = vendor_length(text, len);
	if (vendor >= len)
		return;
	put_id(l, "sys_vendor", text, vendor);
	put_id(l, "product_name", text + vendor + 1, len - vendor - 1);
	if (slash)
		put_id(l, "board_name", slash + 1, (size_t)(bios - slash - 1));
	version = bios + strlen(", BIOS ");
	date = strrchr(version, ' ');
	if (!date)
		return;
	put_id(l, "bios_version", version, (size_t)(date - version));
	put_id(l, "bios_date", date + 1, strlen(date + 1));
}

/* --- tables
 * --------------------------------------------------------------------------------------------- */

/* "ACPI: DMAR 0x00000000BD8A8000 0000C4 (v01 DELL   PE_SC3 ...)": each that the kernel found. */
static bool take_table(struct bootlog *l, const char *message)
{
	const char *p = text_after(message, "ACPI: ");
	char name[5] = "";

	if (!p || strlen(p) < 20)
		return false;
	for (size_t k = 0; k < 4; k++) {
		if (!isupper((unsigned char)p[k]) && !isdigit((unsigned char)p[k]))
			return false;
		name[k] = p[k];
	}
	if (!text_after(p + 4, " 0x") && !(p[4] == ' ' && strstr(p, "(v0")))
		return false;
	if (!strstr(p, "(v0"))
		return false;
	host_make_name(l->i->make, TABLES "/%s", name);
	return true;
}

/* --- the whole
 * ---------------------------------------------------------------------------------------------- */

struct seen {
	size_t tables;
	bool is_x86, is_arm, has_iommu_table, has_groups;
	bool has_oops, died_in_iommu;
	bool is_table; /* the last message */
};

static void look_at_arch(struct seen *s, const char *message)
{
	static const char *const x86[] = { "x86/", "BIOS-e820: ", "smpboot: ", "DMAR" };
	static const char *const arm[] = { "GICv3: ",	   "psci: ",	     "GIC: ",
					   "arch_timer: ", "CPU features: ", "smccc: " };

	for (size_t i = 0; i < ARRAY_SIZE(x86); i++)
		s->is_x86 = s->is_x86 || text_after(message, x86[i]);
	for (size_t i = 0; i < ARRAY_SIZE(arm); i++)
		s->is_arm = s->is_arm || text_after(message, arm[i]);
	if (text_after(message, "Linux version ")) {
		s->is_x86 = s->is_x86 || strstr(message, "x86_64-");
		s->is_arm = s->is_arm || strstr(message, "aarch64-");
	}
	s->is_arm = s->is_arm || text_after(message, "Booting Linux on physical CPU 0x");
}

/* Once its modules have looked at the processor and found it fit (arch/x86/kvm/svm/svm.c). */
static void look_at_kvm(struct bootlog *l, const char *message)
{
	const char *p = text_after(message, "kvm_amd: ");

	if (!p)
		p = text_after(message, "SVM: kvm: ");
	if (p && (text_after(p, "Nested Paging enabled") || text_after(p, "TSC scaling supported")))
		host_make_folder(l->i->make, "/sys/devices/virtual/misc/kvm");
}

/* The kernel does not go on from an oops of its first process, which sets up IOMMUs. */
static void look_at_oops(struct seen *s, const char *message)
{
	const char *at = text_after(message, "RIP: ");

	s->has_oops = s->has_oops || text_after(message, "Oops: ");
	s->died_in_iommu =
		s->died_in_iommu || (s->has_oops && at && text_behind(at, ":intel_iommu_init+"));
}

static void take_message(struct bootlog *l, struct seen *s, const char *message)
{
	const char *p = text_after(message, "Linux version ");

	if (p) {
		proc_keep_release(l->i, p, strcspn(p, " "));
		proc_compare_release(l->i, p, strcspn(p, " "));
	}
	p = text_after(message, "DMI: ");
	if (p)
		take_dmi(l, p);
	s->is_table = take_table(l, message);
	if (s->is_table) {
		s->tables++;
		s->has_iommu_table = s->has_iommu_table || text_after(message, "ACPI: DMAR") ||
				     text_after(message, "ACPI: IVRS") ||
				     text_after(message, "ACPI: IORT") ||
				     text_after(message, "ACPI: VIOT");
	}
	s->has_groups = s->has_groups || strstr(message, "o iommu group ") ||
			text_after(message, "iommu: Adding device ");
	look_at_arch(s, message);
	look_at_kvm(l, message);
	look_at_oops(s, message);
}

/*
 * A boot in which the drivers of IOMMUs had their turn, and no function joined a group: there are
 * none.  Older kernels did not log that, but without a table there is nothing to make them.
 */
static bool has_no_groups(const struct bootlog *l, const struct seen *s)
{
	const char *release = l->i->release;
	uint64_t major = 0;

	if (s->died_in_iommu && !s->has_groups)
		return true;
	if (!bootlog_is_whole(l) || !klog_reaches(buf_text(&l->text), KLOG_DEVICES) ||
	    s->has_groups || !s->is_x86 || s->tables < 3)
		return false;
	return !s->has_iommu_table ||
	       (release && text_decimal(&release, &major) && major >= LOGS_GROUPS_SINCE);
}

void bootlog_take_host(struct bootlog *l)
{
	AUTO_BUF struct buf line = { 0 };
	const char *text = buf_text(&l->text);
	struct seen s = { 0 };

	if (l->cmdline)
		host_make_text(l->i->make, l->cmdline, "/proc/cmdline");
	while (text_line(&text, &line))
		take_message(l, &s, buf_text(&line));
	if (buf_error(&line) < 0)
		l->i->error = -ENOMEM;
	/* The list is whole where something follows it, and nothing was left out. */
	if (l->has_start && !l->has_gap && s.tables >= 3 && !s.is_table)
		host_make_all(l->i->make, TABLES);
	if (has_no_groups(l, &s))
		host_make_all(l->i->make, GROUPS);
	if (s.is_x86 != s.is_arm)
		host_make_text(l->i->make, s.is_x86 ? "x86_64" : "aarch64",
			       "/proc/sys/kernel/arch");
}
