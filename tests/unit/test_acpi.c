/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/acpi.h>
#include <sriovctl/acpi_madt.h>

#include "test.h"
#include "test_acpi.h"

TEST(header_of_a_good_table)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_table t = { 0 };

	table_begin(&b, "TEST");
	put(&b, 4, 1234);
	table_end(&b);
	EXPECT(acpi_table_open(bytes(&b), b.len, "TEST", 40, &t, NULL) == 0);
	EXPECT(t.data == bytes(&b) && t.len == 40 && t.checksum_ok);
}

TEST(header_ignores_what_follows_the_table)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_table t = { 0 };

	table_begin(&b, "TEST");
	table_end(&b);
	put(&b, 4, 0xdeadbeef);
	EXPECT(acpi_table_open(bytes(&b), b.len, "TEST", 36, &t, NULL) == 0);
	EXPECT(t.len == 36 && t.checksum_ok);
}

TEST(header_reports_a_wrong_checksum_and_goes_on)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_table t = { .checksum_ok = true };

	table_begin(&b, "TEST");
	table_end(&b);
	set(&b, 10, 1, 7);
	EXPECT(acpi_table_open(bytes(&b), b.len, "TEST", 36, &t, NULL) == 0);
	EXPECT(!t.checksum_ok);
}

TEST(header_refuses_another_signature)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_table t;

	table_begin(&b, "OTHR");
	table_end(&b);
	EXPECT(acpi_table_open(bytes(&b), b.len, "TEST", 36, &t, NULL) == -EINVAL);
}

TEST(header_tells_a_cut_table_from_a_wrong_one)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_table t;
	struct error e = { 0 };

	table_begin(&b, "TEST");
	zeros(&b, 64);
	table_end(&b);
	EXPECT(acpi_table_open(bytes(&b), 60, "TEST", 36, &t, &e) == -ENODATA);
	EXPECT(!strcmp(e.text, "TEST: cut after 60 of 100 bytes"));
	EXPECT(acpi_table_open(bytes(&b), 7, "TEST", 36, &t, &e) == -ENODATA);
	EXPECT(!strcmp(e.text, "TEST: cut after 7 bytes"));
	EXPECT(acpi_table_open(NULL, 0, "TEST", 36, &t, &e) == -ENODATA);
}

TEST(header_refuses_a_length_without_room)
{
	AUTO_BUF struct buf b = { 0 };
	struct acpi_table t;

	table_begin(&b, "TEST");
	set(&b, 4, 4, 35);
	EXPECT(acpi_table_open(bytes(&b), b.len, "TEST", 36, &t, NULL) == -EINVAL);
	set(&b, 4, 4, 36);
	EXPECT(acpi_table_open(bytes(&b), b.len, "TEST", 40, &t, NULL) == -EINVAL);
}

static void fadt(struct buf *b, size_t len, uint16_t boot_arch)
{
	table_begin(b, "FACP");
	zeros(b, (unsigned)len - 36);
	set(b, 109, 2, boot_arch);
	table_end(b);
}

TEST(fadt_no_msi)
{
	AUTO_BUF struct buf yes = { 0 }, no = { 0 }, old = { 0 };
	bool no_msi = false;

	fadt(&yes, 244, 1 << 3);
	EXPECT(acpi_fadt_parse(bytes(&yes), yes.len, &no_msi, NULL) == 0 && no_msi);
	fadt(&no, 244, 0xfff7);
	EXPECT(acpi_fadt_parse(bytes(&no), no.len, &no_msi, NULL) == 0 && !no_msi);
	/* ACPI 1.0: the field is not there. */
	fadt(&old, 132, 0xffff);
	no_msi = true;
	EXPECT(acpi_fadt_parse(bytes(&old), old.len, &no_msi, NULL) == 0 && !no_msi);
	EXPECT(acpi_fadt_parse(bytes(&yes), 100, &no_msi, NULL) == -ENODATA);
}

static void viot(struct buf *b, unsigned count, unsigned offset)
{
	table_begin(b, "VIOT");
	put(b, 2, count);
	put(b, 2, offset);
	zeros(b, 8);
}

static void viot_node(struct buf *b, uint8_t type, uint16_t len)
{
	put(b, 1, type);
	put(b, 1, 0);
	put(b, 2, len);
	zeros(b, len - 4U);
}

TEST(viot_with_and_without_an_iommu)
{
	AUTO_BUF struct buf pci = { 0 }, mmio = { 0 }, none = { 0 };
	bool found = false;

	viot(&pci, 2, 48);
	viot_node(&pci, 1, 24);
	viot_node(&pci, 3, 16);
	table_end(&pci);
	EXPECT(acpi_viot_parse(bytes(&pci), pci.len, &found, NULL) == 0 && found);
	viot(&mmio, 1, 48);
	viot_node(&mmio, 4, 16);
	table_end(&mmio);
	found = false;
	EXPECT(acpi_viot_parse(bytes(&mmio), mmio.len, &found, NULL) == 0 && found);
	viot(&none, 1, 48);
	viot_node(&none, 1, 24);
	viot_node(&none, 3, 16); /* beyond the count */
	table_end(&none);
	EXPECT(acpi_viot_parse(bytes(&none), none.len, &found, NULL) == 0 && !found);
}

TEST(viot_damaged)
{
	AUTO_BUF struct buf b = { 0 };
	bool found;

	viot(&b, 2, 48);
	viot_node(&b, 1, 24);
	table_end(&b);
	EXPECT(acpi_viot_parse(bytes(&b), b.len, &found, NULL) == -EINVAL);
	set(&b, 50, 2, 0);
	EXPECT(acpi_viot_parse(bytes(&b), b.len, &found, NULL) == -EINVAL);
	set(&b, 38, 2, 40);
	EXPECT(acpi_viot_parse(bytes(&b), b.len, &found, NULL) == -EINVAL);
	set(&b, 38, 2, 100);
	EXPECT(acpi_viot_parse(bytes(&b), b.len, &found, NULL) == -EINVAL);
}

static void madt(struct buf *b)
{
	table_begin(b, "APIC");
	zeros(b, 8);
}

static void lapic(struct buf *b, uint8_t id, uint32_t flags)
{
	put(b, 2, 0 | 8 << 8);
	put(b, 1, 0);
	put(b, 1, id);
	put(b, 4, flags);
}

static void x2apic(struct buf *b, uint32_t id, uint32_t flags)
{
	put(b, 2, 9 | 16 << 8);
	put(b, 2, 0);
	put(b, 4, id);
	put(b, 4, flags);
	put(b, 4, 0);
}

static void ioapic(struct buf *b, uint8_t id, uint32_t address, uint32_t gsi)
{
	put(b, 2, 1 | 12 << 8);
	put(b, 1, id);
	put(b, 1, 0);
	put(b, 4, address);
	put(b, 4, gsi);
}

TEST(madt_ioapics_keep_their_order)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };

	madt(&b);
	ioapic(&b, 33, 0xfec00000, 0);
	put(&b, 2, 2 | 10 << 8); /* an interrupt override */
	zeros(&b, 8);
	ioapic(&b, 32, 0xfec10000, 24);
	ioapic(&b, 1, 0xfec20000, 56);
	table_end(&b);
	EXPECT(acpi_madt_parse(bytes(&b), b.len, &m, NULL) == 0);
	EXPECT(!m.damage && m.n_ioapics == 3);
	EXPECT(m.ioapics[0].id == 33 && m.ioapics[1].id == 32 && m.ioapics[2].id == 1);
}

TEST(madt_highest_processor)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };

	madt(&b);
	lapic(&b, 0, 1);
	lapic(&b, 2, 3);
	lapic(&b, 8, 0);    /* neither usable nor ever to be */
	lapic(&b, 4, 2);    /* can be added */
	lapic(&b, 0xff, 1); /* no processor */
	table_end(&b);
	EXPECT(acpi_madt_parse(bytes(&b), b.len, &m, NULL) == 0);
	EXPECT(m.max_apic_id == 4);
}

TEST(madt_x2apic_only)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };

	madt(&b);
	x2apic(&b, 0, 1);
	x2apic(&b, 254, 1);
	x2apic(&b, 0xffffffff, 1);
	table_end(&b);
	EXPECT(acpi_madt_parse(bytes(&b), b.len, &m, NULL) == 0);
	EXPECT(m.max_apic_id == 254);
}

TEST(madt_local_apics_before_low_x2apics)
{
	AUTO_BUF struct buf b = { 0 };
	AUTO_ACPI_MADT struct acpi_madt m = { 0 };

	madt(&b);
	x2apic(&b, 2, 1);
	lapic(&b, 1, 1);
	table_end(&b);
	EXPECT(acpi_madt_parse(bytes(&b), b.len, &m, NULL) == 0);
	EXPECT(m.max_apic_id == 1);
	x2apic(&b, 300, 1);
	x2apic(&b, 255, 2);
	table_end(&b);
	EXPECT(acpi_madt_parse(bytes(&b), b.len, &m, NULL) == 0);
	EXPECT(m.max_apic_id == 300);
}

TEST(madt_ioapics_that_linux_passes_over)
{
	AUTO_BUF struct buf bogus = { 0 }, many = { 0 };
	AUTO_ACPI_MADT struct acpi_madt a = { 0 }, b = { 0 };

	madt(&bogus);
	ioapic(&bogus, 1, 0, 0);
	ioapic(&bogus, 2, 0xfec00000, 0);
	table_end(&bogus);
	EXPECT(acpi_madt_parse(bytes(&bogus), bogus.len, &a, NULL) == 0);
	EXPECT(a.n_ioapics == 1 && a.ioapics[0].id == 2 && !a.damage);
	madt(&many);
	for (unsigned i = 0; i < 129; i++)
		ioapic(&many, (uint8_t)i, 0x1000, 0);
	table_end(&many);
	EXPECT(acpi_madt_parse(bytes(&many), many.len, &b, NULL) == 0);
	EXPECT(b.n_ioapics == 128 && b.damage);
}

TEST(madt_damaged)
{
	AUTO_BUF struct buf zero = { 0 }, past = { 0 }, brief = { 0 };
	AUTO_ACPI_MADT struct acpi_madt a = { 0 }, b = { 0 }, c = { 0 };

	madt(&zero);
	ioapic(&zero, 1, 0x1000, 0);
	put(&zero, 2, 1);
	ioapic(&zero, 2, 0x2000, 0);
	table_end(&zero);
	EXPECT(acpi_madt_parse(bytes(&zero), zero.len, &a, NULL) == 0);
	EXPECT(a.damage && a.n_ioapics == 1);
	madt(&past);
	lapic(&past, 1, 1);
	put(&past, 2, 1 | 12 << 8);
	table_end(&past);
	EXPECT(acpi_madt_parse(bytes(&past), past.len, &b, NULL) == 0);
	EXPECT(b.damage && b.max_apic_id == 1);
	madt(&brief);
	put(&brief, 4, 1 | 4 << 8);
	put(&brief, 4, 9 | 4 << 8);
	table_end(&brief);
	EXPECT(acpi_madt_parse(bytes(&brief), brief.len, &c, NULL) == 0);
	EXPECT(c.damage && c.n_ioapics == 0 && c.max_apic_id == 0);
	EXPECT(acpi_madt_parse(bytes(&past), past.len - 1, &c, NULL) == -ENODATA);
}
