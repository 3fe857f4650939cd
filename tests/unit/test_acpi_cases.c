/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of real machines against what is known of those.  They are not part of the
 * source: $SRIOVCTL_CASES or ../shared/cases holds them, or the tests are skipped.
 */
#include <sriovctl/acpi_dmar.h>
#include <sriovctl/acpi_ivrs.h>
#include <sriovctl/acpi_madt.h>

#include <sys/stat.h>

#include "test.h"
#include "test_acpi.h"

#define MAX_IDS 6

struct ids {
	uint8_t n, id[MAX_IDS];
};

#define NONE           \
	{              \
		.n = 0 \
	}
#define IDS(...)                                                               \
	{                                                                      \
		.n = sizeof((uint8_t[]){ __VA_ARGS__ }), .id = { __VA_ARGS__ } \
	}

static const struct dmar_case {
	const char *name;
	uint8_t flags, width;
	uint8_t units;
	struct ids scoped; /* the I/O APICs of all scopes */
	const char *refused;
} dmar_cases[] = {
	{ .name = "acpi-002",
	  .flags = 0,
	  .width = 39,
	  .units = 3,
	  .scoped = NONE,
	  .refused = "address 0" },
	{ .name = "acpi-003", .flags = 0, .width = 36, .units = 1, .scoped = NONE },
	{ .name = "acpi-005", .flags = 7, .width = 39, .units = 2, .scoped = IDS(2) },
	{ .name = "acpi-007", .flags = 5, .width = 42, .units = 2, .scoped = IDS(2) },
	{ .name = "acpi-008", .flags = 5, .width = 38, .units = 3, .scoped = IDS(2) },
	{ .name = "acpi-010", .flags = 3, .width = 46, .units = 2, .scoped = IDS(1, 2) },
	{ .name = "acpi-012", .flags = 3, .width = 39, .units = 2, .scoped = IDS(2) },
	{ .name = "acpi-013", .flags = 1, .width = 39, .units = 2, .scoped = IDS(2) },
	{ .name = "055-dmar-dell-r820-optout",
	  .flags = 3,
	  .width = 46,
	  .units = 4,
	  .scoped = IDS(0, 1, 2, 3, 4) },
	{ .name = "056-dmar-x8sil-flags0", .flags = 0, .width = 36, .units = 1, .scoped = NONE },
	{ .name = "058-dmar-x10dai-dual",
	  .flags = 1,
	  .width = 46,
	  .units = 3,
	  .scoped = IDS(1, 2, 3) },
	{ .name = "060-dmar-quanta-skl", .flags = 1, .width = 39, .units = 1, .scoped = IDS(2) },
	{ .name = "061-dmar-x299-optout",
	  .flags = 3,
	  .width = 46,
	  .units = 4,
	  .scoped = IDS(8, 9, 10, 11, 12) },
	{ .name = "063-dmar-ideapad-flags4", .flags = 4, .width = 39, .units = 2, .scoped = NONE },
	{ .name = "074-dmar-xps9360-andd", .flags = 1, .width = 39, .units = 2, .scoped = IDS(2) },
	{ .name = "076-dmar-desktop-acpiphp-hex",
	  .flags = 3,
	  .width = 39,
	  .units = 2,
	  .scoped = IDS(2) },
};

static const struct ivrs_case {
	const char *name;
	uint8_t type;
	bool xt;
	struct ids handles;
	enum acpi_ivrs_ioapics ioapics;
	const char *refused;
} ivrs_cases[] = {
	{ .name = "acpi-015",
	  .type = 0x10,
	  .xt = false,
	  .handles = NONE,
	  .ioapics = ACPI_IVRS_IOAPICS_MISSING },
	{ .name = "acpi-017",
	  .type = 0x40,
	  .xt = false,
	  .handles = IDS(32, 33),
	  .ioapics = ACPI_IVRS_IOAPICS_LISTED },
	{ .name = "acpi-018",
	  .type = 0x11,
	  .xt = true,
	  .handles = IDS(13, 14),
	  .ioapics = ACPI_IVRS_IOAPICS_LISTED },
	{ .name = "acpi-020",
	  .type = 0x40,
	  .xt = false,
	  .handles = IDS(33, 34),
	  .ioapics = ACPI_IVRS_IOAPICS_LISTED },
	{ .name = "acpi-022",
	  .type = 0x40,
	  .xt = true,
	  .handles = IDS(32, 33),
	  .ioapics = ACPI_IVRS_IOAPICS_LISTED,
	  .refused = "checksum" },
	{ .name = "066-ivrs-a320-ioapic-missing",
	  .type = 0x11,
	  .xt = false,
	  .handles = IDS(0, 0),
	  .ioapics = ACPI_IVRS_IOAPICS_MISSING },
	{ .name = "067-ivrs-acer-a315-handles",
	  .type = 0x11,
	  .xt = false,
	  .handles = IDS(33, 34),
	  .ioapics = ACPI_IVRS_IOAPICS_MISSING },
	{ .name = "069-ivrs-ms7793-none",
	  .type = 0x10,
	  .xt = false,
	  .handles = NONE,
	  .ioapics = ACPI_IVRS_IOAPICS_MISSING },
};

static const struct madt_case {
	const char *name;
	unsigned max;
	struct ids ioapics;
} madt_cases[] = {
	{ .name = "acpi-002", .max = 7, .ioapics = IDS(2) },
	{ .name = "acpi-003", .max = 4, .ioapics = IDS(8, 9) },
	{ .name = "acpi-005", .max = 7, .ioapics = IDS(2) },
	{ .name = "acpi-007", .max = 66, .ioapics = IDS(2) },
	{ .name = "acpi-008", .max = 70, .ioapics = IDS(2) },
	{ .name = "acpi-010", .max = 29, .ioapics = IDS(1, 2) },
	{ .name = "acpi-012", .max = 3, .ioapics = IDS(2) },
	{ .name = "acpi-015", .max = 19, .ioapics = IDS(0) },
	{ .name = "acpi-017", .max = 15, .ioapics = IDS(32, 33) },
	{ .name = "acpi-018", .max = 11, .ioapics = IDS(13, 14) },
	{ .name = "acpi-020", .max = 15, .ioapics = IDS(33, 34) },
	{ .name = "acpi-022", .max = 29, .ioapics = IDS(32, 33) },
	{ .name = "acpi-023", .max = 11, .ioapics = IDS(0, 2) },
	{ .name = "055-dmar-dell-r820-optout", .max = 121, .ioapics = IDS(0, 1, 2, 3, 4) },
	{ .name = "056-dmar-x8sil-flags0", .max = 6, .ioapics = IDS(7) },
	{ .name = "058-dmar-x10dai-dual", .max = 57, .ioapics = IDS(1, 2, 3) },
	{ .name = "060-dmar-quanta-skl", .max = 7, .ioapics = IDS(2) },
	{ .name = "061-dmar-x299-optout", .max = 11, .ioapics = IDS(8, 9, 10, 11, 12) },
	{ .name = "063-dmar-ideapad-flags4", .max = 7, .ioapics = IDS(2) },
	{ .name = "066-ivrs-a320-ioapic-missing", .max = 17, .ioapics = IDS(0, 1) },
	{ .name = "067-ivrs-acer-a315-handles", .max = 7, .ioapics = IDS(4, 5) },
	{ .name = "069-ivrs-ms7793-none", .max = 19, .ioapics = IDS(0) },
	{ .name = "076-dmar-desktop-acpiphp-hex", .max = 3, .ioapics = IDS(2) },
};

static const char *cases(void)
{
	const char *path = getenv("SRIOVCTL_CASES");
	struct stat st;

	path = path ? path : "../shared/cases";
	return stat(path, &st) == 0 ? path : NULL;
}

/* The whole file; a file that is not there is a failure. */
static void load(const char *name, const char *table, struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	char chunk[512];
	size_t n;
	FILE *f;

	buf_printf(&path, "%s/%s/%s.bin", cases(), name, table);
	f = fopen(buf_text(&path), "re");
	EXPECT(f);
	if (!f) {
		printf("# %s\n", buf_text(&path));
		return;
	}
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_append(ret, chunk, n);
	(void)fclose(f);
}

static void name_on_failure(int before, const char *name)
{
	if (test_failed && !before)
		printf("# in %s\n", name);
}

static bool same_reason(const char *got, const char *want)
{
	return want ? got && strstr(got, want) : !got;
}

static void check_dmar(const struct dmar_case *c)
{
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };
	AUTO_BUF struct buf b = { 0 };
	size_t listed = 0;

	load(c->name, "DMAR", &b);
	EXPECT(acpi_dmar_parse(bytes(&b), b.len, &d, NULL) == 0);
	EXPECT(d.checksum_ok && !d.damage && same_reason(d.refused, c->refused));
	EXPECT(d.intr_remap == (c->flags & 1));
	EXPECT(d.x2apic_opt_out == (c->flags >> 1 & 1));
	EXPECT(d.address_width == c->width);
	EXPECT(d.n_units == c->units);
	for (unsigned id = 0; id < 256; id++)
		listed += acpi_dmar_covers_ioapic(&d, (uint8_t)id);
	EXPECT(listed == c->scoped.n);
	for (unsigned i = 0; i < c->scoped.n; i++)
		EXPECT(acpi_dmar_covers_ioapic(&d, c->scoped.id[i]));
}

TEST(dmar_of_real_machines)
{
	if (!cases())
		TEST_SKIP("no captures of real machines here");
	for (size_t i = 0; i < ARRAY_SIZE(dmar_cases); i++) {
		int before = test_failed;

		check_dmar(&dmar_cases[i]);
		name_on_failure(before, dmar_cases[i].name);
	}
}

static void check_ivrs(const struct ivrs_case *c)
{
	AUTO_ACPI_IVRS struct acpi_ivrs v = { 0 };
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };
	AUTO_BUF struct buf b = { 0 }, apic = { 0 };

	load(c->name, "IVRS", &b);
	load(c->name, "APIC", &apic);
	EXPECT(acpi_madt_parse(bytes(&apic), apic.len, &m, NULL) == 0);
	EXPECT(acpi_ivrs_parse(bytes(&b), b.len, &v, NULL) == 0);
	EXPECT(!v.damage && same_reason(v.refused, c->refused));
	EXPECT(v.ivhd_type == c->type && v.n_units == 1);
	EXPECT(v.n_units && !!(v.units[0].efr & ACPI_IVRS_EFR_XT) == c->xt);
	EXPECT(v.n_ioapics == c->handles.n);
	for (size_t i = 0; i < v.n_ioapics && i < c->handles.n; i++)
		EXPECT(v.ioapics[i].handle == c->handles.id[i]);
	EXPECT(acpi_ivrs_check_ioapics(&v, &m) == c->ioapics);
}

TEST(ivrs_of_real_machines)
{
	if (!cases())
		TEST_SKIP("no captures of real machines here");
	for (size_t i = 0; i < ARRAY_SIZE(ivrs_cases); i++) {
		int before = test_failed;

		check_ivrs(&ivrs_cases[i]);
		name_on_failure(before, ivrs_cases[i].name);
	}
}

static void check_madt(const struct madt_case *c)
{
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };
	AUTO_BUF struct buf b = { 0 };

	load(c->name, "APIC", &b);
	EXPECT(acpi_madt_parse(bytes(&b), b.len, &m, NULL) == 0);
	EXPECT(!m.damage);
	EXPECT(m.max_apic_id == c->max);
	EXPECT(m.n_ioapics == c->ioapics.n);
	for (size_t i = 0; i < m.n_ioapics && i < c->ioapics.n; i++)
		EXPECT(m.ioapics[i].id == c->ioapics.id[i]);
}

TEST(madt_of_real_machines)
{
	if (!cases())
		TEST_SKIP("no captures of real machines here");
	for (size_t i = 0; i < ARRAY_SIZE(madt_cases); i++) {
		int before = test_failed;

		check_madt(&madt_cases[i]);
		name_on_failure(before, madt_cases[i].name);
	}
}

TEST(a_cut_capture_is_no_table)
{
	AUTO_ACPI_DMAR struct acpi_dmar d = { 0 };
	AUTO_BUF struct buf b = { 0 };
	struct error e = { 0 };

	if (!cases())
		TEST_SKIP("no captures of real machines here");
	load("acpi-023", "DMAR", &b);
	EXPECT(acpi_dmar_parse(bytes(&b), b.len, &d, &e) == -ENODATA);
	EXPECT(!strcmp(e.text, "DMAR: cut after 60 of 180 bytes"));
}
