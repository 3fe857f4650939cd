/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/dmi.h>
#include <sriovctl/error.h>

#include "../../checks/host/dmi_tables.h"

#include <errno.h>
#include <string.h>

#define TABLES "/sys/firmware/dmi/tables"
#define ATTRS  "/sys/class/dmi/id"

/* A structure of @len bytes whose bytes from 4 on are the numbers of its strings, 1, 2, 3 ... */
static void add_struct(struct buf *t, uint8_t type, uint8_t len, const char *strings, size_t n)
{
	for (uint8_t i = 0; i < len; i++) {
		uint8_t byte = i == 0 ? type : i == 1 ? len : i < 4 ? 0 : (uint8_t)(i - 3);

		buf_append(t, &byte, 1);
	}
	buf_append(t, strings, n);
	buf_append(t, "\0\0", n ? 1 : 2);
}

#define STRINGS(text) (text), sizeof(text)

/* BIOS strings 2 and 5 (release date at offset 8), system 1 and 2, board 2. */
static void add_table(struct buf *t)
{
	add_struct(t, 0, 0x12,
		   STRINGS("Maker\0 1.2.3 \0x\0y\0"
			   "01/02/2026"));
	add_struct(t, 1, 0x1b, STRINGS("Vendor Inc.\0Box 9"));
	add_struct(t, 2, 0x08, STRINGS("Board Maker\0Default string"));
	add_struct(t, 127, 4, NULL, 0);
}

static uint8_t sum(const uint8_t *p, size_t len)
{
	uint8_t s = 0;

	for (size_t i = 0; i < len; i++)
		s = (uint8_t)(s + p[i]);
	return s;
}

static size_t entry3(uint8_t *p, uint32_t max)
{
	memset(p, 0, 24);
	memcpy(p, "_SM3_", 5);
	p[6] = 24;
	p[7] = 3;
	memcpy(p + 12, &max, 4);
	p[5] = (uint8_t)-sum(p, 24);
	return 24;
}

static size_t entry2(uint8_t *p, uint16_t len, uint16_t count, uint8_t stated)
{
	memset(p, 0, 31);
	memcpy(p, "_SM_", 4);
	p[5] = stated;
	p[6] = 2;
	p[7] = 8;
	memcpy(p + 16, "_DMI_", 5);
	memcpy(p + 22, &len, 2);
	memcpy(p + 28, &count, 2);
	p[21] = (uint8_t)-sum(p + 16, 15);
	p[4] = (uint8_t)-sum(p, stated);
	return stated;
}

static bool is(const struct dmi_text *t, const char *text)
{
	return t->text && strcmp(t->text, text) == 0;
}

/* What machines without libsmbios make of a table is the same, before it is made fit to show. */
static bool says_the_same(const struct dmi_text *text, const struct dmi_tables *t, uint8_t type,
			  uint8_t at)
{
	const char *other = dmi_tables_string(t, type, at);
	size_t len = text->text ? strlen(text->text) : 0;

	if (!text->text || !other)
		return !text->text && !other;
	other += strspn(other, " ");
	if (len == DMI_TEXT_MAX)
		return strncmp(text->text, other, len - strlen("...")) == 0;
	for (size_t i = 0; i < len; i++)
		if (other[i] != text->text[i] && text->text[i] != '?')
			return false;
	return strspn(other + len, " ") == strlen(other + len);
}

static int decode(const uint8_t *entry, size_t len, const struct buf *t, struct dmi *d)
{
	int r = dmi_decode(entry, len, t->data, t->len, d, NULL);
	struct dmi_tables sound;

	if (r < 0)
		return r;
	EXPECT(dmi_tables_check(entry, len, (const uint8_t *)t->data, t->len, &sound, NULL) == 0);
	EXPECT(says_the_same(&d->bios_version, &sound, 0, 5));
	EXPECT(says_the_same(&d->bios_date, &sound, 0, 8));
	EXPECT(says_the_same(&d->vendor, &sound, 1, 4));
	EXPECT(says_the_same(&d->product, &sound, 1, 5));
	EXPECT(says_the_same(&d->board, &sound, 2, 5));
	return r;
}

static void expect_table(const struct dmi *d)
{
	EXPECT(is(&d->bios_version, "1.2.3"));
	EXPECT(is(&d->bios_date, "01/02/2026"));
	EXPECT(is(&d->vendor, "Vendor Inc.") && !d->vendor.filler);
	EXPECT(is(&d->product, "Box 9"));
	EXPECT(is(&d->board, "Default string") && d->board.filler);
}

TEST(version_2)
{
	AUTO_BUF struct buf t = { 0 };
	uint8_t entry[31];

	add_table(&t);
	for (uint8_t stated = 30; stated <= 31; stated++) {
		AUTO_DMI struct dmi d = { 0 };

		EXPECT(decode(entry, entry2(entry, (uint16_t)t.len, 4, stated), &t, &d) == 0);
		expect_table(&d);
	}
}

TEST(version_2_counts)
{
	AUTO_BUF struct buf t = { 0 };
	AUTO_DMI struct dmi d = { 0 };
	uint8_t entry[31];

	add_table(&t);
	buf_append(&t, "junk behind the last one", 24);
	EXPECT(decode(entry, entry2(entry, (uint16_t)t.len, 2, 31), &t, &d) == 0);
	EXPECT(is(&d.product, "Box 9"));
	EXPECT(!d.board.text);
}

/* The size in a 3.x entry point is a maximum; libsmbios takes it for the size. */
TEST(version_3_larger_maximum)
{
	AUTO_BUF struct buf t = { 0 };
	uint8_t entry[24];
	uint32_t max[] = { 0, 1, 65536, UINT32_MAX };

	add_table(&t);
	max[0] = (uint32_t)t.len;
	for (size_t i = 0; i < ARRAY_SIZE(max); i++) {
		AUTO_DMI struct dmi d = { 0 };
		int r = decode(entry, entry3(entry, max[i]), &t, &d);

		EXPECT(r == (max[i] == 1 ? -EBADMSG : 0));
		if (r == 0)
			expect_table(&d);
	}
}

TEST(no_end_marker)
{
	AUTO_BUF struct buf t = { 0 };
	AUTO_DMI struct dmi d = { 0 };
	uint8_t entry[24];

	add_struct(&t, 1, 6, STRINGS("V\0P"));
	EXPECT(decode(entry, entry3(entry, (uint32_t)t.len), &t, &d) == 0);
	EXPECT(is(&d.vendor, "V") && is(&d.product, "P"));
	EXPECT(!d.bios_version.text);
}

TEST(string_numbers_past_the_strings)
{
	AUTO_BUF struct buf t = { 0 };
	AUTO_DMI struct dmi d = { 0 };
	uint8_t entry[24];

	add_struct(&t, 0, 0x12, NULL, 0);
	add_struct(&t, 1, 0x1b, STRINGS("only"));
	add_struct(&t, 2, 4, NULL, 0);
	EXPECT(decode(entry, entry3(entry, 4096), &t, &d) == 0);
	EXPECT(is(&d.vendor, "only"));
	EXPECT(!d.product.text);
	EXPECT(!d.bios_date.text && !d.board.text);
}

TEST(texts_are_clean)
{
	AUTO_BUF struct buf t = { 0 }, name = { 0 };
	AUTO_DMI struct dmi d = { 0 };
	uint8_t entry[24];

	for (int i = 0; i < 1000; i++)
		buf_puts(&name, "x");
	add_struct(&t, 0, 9, STRINGS("x\0  \0y\0z\0\x1b[31mM\xc3\xa9"));
	add_struct(&t, 1, 6, buf_text(&name), name.len + 1);
	EXPECT(decode(entry, entry3(entry, 4096), &t, &d) == 0);
	EXPECT(is(&d.bios_date, "?[31mM??") && !d.bios_date.filler);
	EXPECT(is(&d.bios_version, "") && d.bios_version.filler);
	EXPECT(d.vendor.text && strlen(d.vendor.text) == DMI_TEXT_MAX);
}

TEST(damaged_tables)
{
	static const struct {
		const char *text;
		size_t len;
	} rows[] = {
		{ "", 0 },
		{ "\1", 1 },
		{ "\1\6\0\0", 4 },		   /* longer than the table */
		{ "\1\0\0\0\0\0", 6 },		   /* length 0: would never end */
		{ "\1\3\0\0\0\0", 6 },		   /* shorter than its header */
		{ "\1\6\0\0\1\2V\0P\0", 10 },	   /* no second NUL */
		{ "\1\6\0\0\1\2VVVV", 10 },	   /* no NUL at all */
		{ "\1\4\0\0\0\0\2\xff\0\0\0", 11 } /* the second one is damaged */
	};
	uint8_t entry[31];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_DMI struct dmi d = { 0 };
		size_t n = entry3(entry, 4096);

		EXPECT(dmi_decode(entry, n, rows[i].text, rows[i].len, &d, NULL) == -EBADMSG);
		n = entry2(entry, 4096, 9, 31);
		EXPECT(dmi_decode(entry, n, rows[i].text, rows[i].len, &d, NULL) == -EBADMSG);
	}
}

TEST(damaged_entry_points)
{
	AUTO_BUF struct buf t = { 0 };
	AUTO_DMI struct dmi d = { 0 };
	uint8_t entry[31];
	size_t n;

	add_table(&t);
	n = entry3(entry, 4096);
	for (size_t i = 0; i < n; i++) {
		EXPECT(decode(entry, i, &t, &d) == -EBADMSG);
		entry[i] ^= 0x40;
		EXPECT(decode(entry, n, &t, &d) == -EBADMSG);
		entry[i] ^= 0x40;
	}
	n = entry2(entry, (uint16_t)t.len, 4, 31);
	for (size_t i = 0; i < n; i++) {
		EXPECT(decode(entry, i, &t, &d) == -EBADMSG);
		entry[i] ^= 0x40;
		EXPECT(decode(entry, n, &t, &d) == -EBADMSG);
		entry[i] ^= 0x40;
	}
}

static void machine(struct tree *t)
{
	tree_make(t);
	tree_put_dir(t, "/sys");
	tree_open(t);
}

TEST(read_tables)
{
	AUTO_TREE struct tree tree = { 0 };
	AUTO_BUF struct buf t = { 0 };
	AUTO_DMI struct dmi d = { 0 };
	uint8_t entry[24];

	machine(&tree);
	add_table(&t);
	tree_put_bytes(&tree, TABLES "/smbios_entry_point", entry, entry3(entry, 1 << 20));
	tree_put_bytes(&tree, TABLES "/DMI", t.data, t.len);
	EXPECT(dmi_read(tree.h, &d, NULL) == 0);
	EXPECT(d.source && strcmp(d.source, TABLES) == 0);
	expect_table(&d);
}

TEST(read_attributes_where_the_tables_are_damaged)
{
	AUTO_TREE struct tree tree = { 0 };
	AUTO_DMI struct dmi d = { 0 };
	uint8_t entry[24];

	machine(&tree);
	tree_put_bytes(&tree, TABLES "/smbios_entry_point", entry, entry3(entry, 1 << 20));
	tree_put_bytes(&tree, TABLES "/DMI", "\1\xff\0\0", 4);
	EXPECT(dmi_read(tree.h, &d, NULL) == -EBADMSG);
	tree_put_bytes(&tree, ATTRS "/sys_vendor", "Vendor Inc.\n", 12);
	tree_put_bytes(&tree, ATTRS "/product_name", "System Product Name\n", 20);
	EXPECT(dmi_read(tree.h, &d, NULL) == 0);
	EXPECT(d.source && strcmp(d.source, ATTRS) == 0);
	EXPECT(is(&d.vendor, "Vendor Inc."));
	EXPECT(is(&d.product, "System Product Name") && d.product.filler);
	EXPECT(!d.bios_version.text);
}

TEST(absent_or_not_captured)
{
	AUTO_TREE struct tree tree = { 0 };
	AUTO_DMI struct dmi d = { 0 };

	machine(&tree);
	EXPECT(dmi_read(tree.h, &d, NULL) == -ENODATA);
	tree_put_dir(&tree, "/sys/firmware");
	EXPECT(dmi_read(tree.h, &d, NULL) == -ENODATA);
	tree_put_dir(&tree, "/sys/class");
	EXPECT(dmi_read(tree.h, &d, NULL) == -ENOENT);
	tree_put_dir(&tree, TABLES);
	EXPECT(dmi_read(tree.h, &d, NULL) == -ENODATA);
}

TEST(this_machine)
{
	AUTO_DMI struct dmi d = { 0 };
	AUTO_HOST struct host *h = NULL;
	struct error e = { 0 };

	EXPECT(host_open("/", &h, &e) == 0);
	EXPECT(dmi_read(h, &d, &e) == 0 ? d.source != NULL : e.text[0] != '\0');
}
