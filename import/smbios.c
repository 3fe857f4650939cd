/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the firmware says of the machine: dmidecode, its --dump-bin, the table alone (DSP0134). */
#include "import_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/dmi.h>

#include <errno.h>
#include <string.h>

#define TABLES "/sys/firmware/dmi/tables"
#define IDS    "/sys/class/dmi/id"

/* Where dmidecode --dump-bin puts the table. */
#define DUMP_TABLE_AT 32
#define ENTRY_3_LEN   24
#define ENTRY_2_LEN   31
#define PROCESSOR     4 /* a type of structure */
/* No table has fewer. */
#define FEW_STRUCTURES 3

/* An entry point of version 3 for a table of @len bytes: 5.2.2. */
static void make_entry(uint8_t ret[ENTRY_3_LEN], size_t len)
{
	uint8_t sum = 0;

	memset(ret, 0, ENTRY_3_LEN);
	memcpy(ret, "_SM3_", 5);
	ret[6] = ENTRY_3_LEN;
	ret[7] = 3;
	ret[10] = 1;
	for (unsigned i = 0; i < 4; i++)
		ret[12 + i] = (uint8_t)(len >> (8 * i));
	for (size_t i = 0; i < ENTRY_3_LEN; i++)
		sum = (uint8_t)(sum + ret[i]);
	ret[5] = (uint8_t)-sum;
}

static bool is_decoded(struct import *i, const void *entry, size_t entry_len, const char *table,
		       size_t len)
{
	struct dmi d = { 0 };
	int r = dmi_decode(entry, entry_len, table, len, &d, NULL);

	if (r == -ENOMEM)
		i->error = r;
	dmi_done(&d);
	return r == 0;
}

static size_t put(struct import *i, const void *entry, size_t entry_len, const char *table,
		  size_t len)
{
	if (!is_decoded(i, entry, entry_len, table, len))
		return 0;
	host_make_file(i->make, entry, entry_len, TABLES "/smbios_entry_point");
	host_make_file(i->make, table, len, TABLES "/DMI");
	return 1;
}

/*
 * The length of the structures that are whole, of which there are some: what the kernel takes
 * when one behind them is damaged (drivers/firmware/dmi_scan.c).  0: it is no table.
 */
static size_t whole_length(const uint8_t *data, size_t len)
{
	size_t at = 0, n = 0;
	bool has_bios = false, has_system = false;

	while (at + 4 <= len && data[at + 1] >= 4) {
		size_t end = at + data[at + 1];

		while (end + 1 < len && (data[end] || data[end + 1]))
			end++;
		if (end + 2 > len)
			break;
		/* Each firmware has both, with so much in them (DSP0134, 7.1 and 7.2). */
		has_bios = has_bios || (data[at] == 0 && data[at + 1] >= 18);
		has_system = has_system || (data[at] == 1 && data[at + 1] >= 8);
		at = end + 2;
		n++;
	}
	return n >= FEW_STRUCTURES && has_bios && has_system ? at : 0;
}

size_t smbios_take_tables(struct import *i, const struct import_text *t)
{
	uint8_t entry[ENTRY_3_LEN];
	size_t len;
	bool is_3 = strncmp(t->data, "_SM3_", 5) == 0, is_2 = strncmp(t->data, "_SM_", 4) == 0;

	if ((is_3 || is_2) && t->len > DUMP_TABLE_AT)
		return put(i, t->data, is_3 ? ENTRY_3_LEN : ENTRY_2_LEN, t->data + DUMP_TABLE_AT,
			   t->len - DUMP_TABLE_AT);
	len = whole_length((const uint8_t *)t->data, t->len);
	if (len == 0)
		return 0;
	make_entry(entry, len);
	return put(i, entry, sizeof(entry), t->data, len);
}

/* --- dmidecode -----------------------------------------------------------------------------------
 */

static const struct {
	unsigned type;
	const char *key, *attr;
} fields[] = {
	{ .type = 0, .key = "Version: ", .attr = "bios_version" },
	{ .type = 0, .key = "Release Date: ", .attr = "bios_date" },
	{ .type = 0, .key = "Vendor: ", .attr = "bios_vendor" },
	{ .type = 1, .key = "Manufacturer: ", .attr = "sys_vendor" },
	{ .type = 1, .key = "Product Name: ", .attr = "product_name" },
	{ .type = 2, .key = "Product Name: ", .attr = "board_name" },
	{ .type = 2, .key = "Manufacturer: ", .attr = "board_vendor" },
};

/* The first structure of a type is the machine's; the kernel makes no attribute of an empty one. */
static void take_field(struct import *i, const struct import_text *t, unsigned type,
		       const char *line)
{
	struct host_make_claim c = { .source = t->number };
	AUTO_BUF struct buf content = { 0 };
	const char *text = text_skip_blanks(line), *value;

	for (size_t k = 0; k < ARRAY_SIZE(fields); k++) {
		if (fields[k].type != type || !(value = text_after(text, fields[k].key)))
			continue;
		buf_printf(&content, "%s\n", value);
		import_note(i, &content);
		if (strcmp(value, "Not Specified") != 0) {
			c.data = buf_text(&content);
			c.len = content.len;
		}
		/* A machine has several boards, and of these the first counts. */
		if (type > 1 && host_make_knows(i->make, IDS "/%s", fields[k].attr))
			return;
		if (!host_make_claim(i->make, &c, IDS "/%s", fields[k].attr))
			import_dispute(i, "dmidecode: two machines' %s", fields[k].attr);
		return;
	}
}

/* Processor families of Arm, as dmidecode names them (DSP0134, 7.5.2). */
static void take_processor(struct import *i, const char *line)
{
	const char *family = text_after(line, "Family: ");

	if (family && (strcmp(family, "ARMv8") == 0 || strcmp(family, "ARMv9") == 0))
		host_make_text(i->make, "aarch64", "/proc/sys/kernel/arch");
}

size_t smbios_take_text(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;
	uint64_t type = UINT64_MAX;
	size_t n = 0;

	while (text_line(&text, &line)) {
		const char *l = text_skip_blanks(buf_text(&line));
		const char *head = text_after(l, "Handle 0x"), *at;

		at = head ? text_behind(head, "DMI type ") : NULL;
		if (at && text_decimal(&at, &type))
			n++;
		else if (type < 3)
			take_field(i, t, (unsigned)type, l);
		else if (type == PROCESSOR)
			take_processor(i, l);
	}
	import_note(i, &line);
	return n;
}
