/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/dmi.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/strv.h>

#include "child.h"
#include "dmi_tables.h"
#include "scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef HAVE_LIBSMBIOS
#include <smbios_c/obj/memory.h>
#include <smbios_c/obj/smbios.h>
#include <smbios_c/smbios.h>
#endif

#define TABLES	  "/sys/firmware/dmi/tables"
#define ENTRY_MAX 64
#define TABLE_MAX (1u << 20)

/* DSP0134 sections 7.1 to 7.3: structure type, offset of the number of the string. */
static const struct field {
	const char *attr;
	size_t offset;
	uint8_t type, string_at;
} fields[] = {
	{ .attr = "bios_version",
	  .type = 0,
	  .string_at = 5,
	  .offset = offsetof(struct dmi, bios_version) },
	{ .attr = "bios_date",
	  .type = 0,
	  .string_at = 8,
	  .offset = offsetof(struct dmi, bios_date) },
	{ .attr = "sys_vendor", .type = 1, .string_at = 4, .offset = offsetof(struct dmi, vendor) },
	{ .attr = "product_name",
	  .type = 1,
	  .string_at = 5,
	  .offset = offsetof(struct dmi, product) },
	{ .attr = "board_name", .type = 2, .string_at = 5, .offset = offsetof(struct dmi, board) },
};

static struct dmi_text *text_of(struct dmi *d, const struct field *f)
{
	return (struct dmi_text *)(void *)((char *)d + f->offset);
}

/* What makers ship when nobody filled it in. */
static bool is_filler(const char *text)
{
	static const char *const fillers[] = {
		"",
		"0123456789",
		"Default string",
		"Empty",
		"INVALID",
		"N/A",
		"None",
		"Not Applicable",
		"Not Available",
		"Not Specified",
		"O.E.M.",
		"OEM",
		"System manufacturer",
		"System Name",
		"System Product Name",
		"To Be Filled By O.E.M.",
		"To Be Filled By O.E.M. by More String",
		"Undefined",
		"Unknown",
		"x.x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(fillers); i++) {
		if (strcasecmp(text, fillers[i]) == 0)
			return true;
	}
	return false;
}

static int set_text(struct dmi_text *t, const char *raw)
{
	AUTO_BUF struct buf clean = { 0 };

	while (*raw == ' ' || *raw == '\t')
		raw++;
	for (; *raw; raw++) {
		bool printable = *raw >= ' ' && *raw <= '~';

		buf_append(&clean, printable ? raw : "?", 1);
	}
	if (clean.len > DMI_TEXT_MAX) {
		clean.len = DMI_TEXT_MAX - 3;
		buf_puts(&clean, "...");
	}
	buf_rtrim(&clean);
	if (buf_error(&clean) < 0)
		return -ENOMEM;
	free(t->text);
	t->filler = is_filler(buf_text(&clean));
	t->text = buf_take(&clean);
	return t->text ? 0 : -ENOMEM;
}

void dmi_done(struct dmi *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		free(text_of(d, &fields[i])->text);
	*d = (struct dmi){ 0 };
}

#ifdef HAVE_LIBSMBIOS
/* Puts the attribute's name and the text, for each there is.  @arg: the directory. */
static int query(const void *arg, struct buf *out)
{
	struct smbios_table *table;

	/* When it does not like the files it searches /dev/mem: give it another one. */
	if (!memory_obj_factory(MEMORY_GET_SINGLETON | MEMORY_UNIT_TEST_MODE, "/dev/null"))
		return -ENOMEM;
	table = smbios_table_factory(SMBIOS_GET_NEW | SMBIOS_UNIT_TEST_MODE | SMBIOS_NO_FIXUPS,
				     (const char *)arg);
	if (!table)
		return -EBADMSG;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct smbios_struct *s =
			smbios_table_get_next_struct_by_type(table, NULL, fields[i].type);
		const char *text = smbios_struct_get_string_from_offset(s, fields[i].string_at);

		if (!text)
			continue;
		child_put(out, fields[i].attr);
		child_put(out, text);
	}
	smbios_table_free(table);
	return 0;
}

static int ask_tables(const struct dmi_tables *t, struct strv *ret, struct error *e)
{
	AUTO_SCRATCH struct scratch dir = { 0 };
	int r = scratch_open(&dir, e);

	if (r == 0)
		r = scratch_write(&dir, "smbios_entry_point", t->entry, t->entry_len, e);
	if (r == 0)
		r = scratch_write(&dir, "DMI", t->table, t->table_len, e);
	return r == 0 ? child_run(query, dir.dir, ret, e) : r;
}
#else
/* libsmbios is made for x86 alone. */
static int ask_tables(const struct dmi_tables *t, struct strv *ret, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const char *text = dmi_tables_string(t, fields[i].type, fields[i].string_at);

		if (text && (strv_add(ret, fields[i].attr) < 0 || strv_add(ret, text) < 0))
			return error_nomem(e);
	}
	return 0;
}
#endif

static int fill(const struct strv *answer, struct dmi *d)
{
	for (size_t i = 0; i + 1 < answer->n; i += 2) {
		for (size_t j = 0; j < ARRAY_SIZE(fields); j++) {
			if (strcmp(answer->items[i], fields[j].attr) == 0 &&
			    set_text(text_of(d, &fields[j]), answer->items[i + 1]) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

int dmi_decode(const void *entry, size_t entry_len, const void *table, size_t table_len,
	       struct dmi *ret, struct error *e)
{
	AUTO_STRV struct strv answer = { 0 };
	AUTO_DMI struct dmi d = { .source = TABLES };
	struct dmi_tables t;
	int r = dmi_tables_check(entry, entry_len, table, table_len, &t, e);

	if (r == 0)
		r = ask_tables(&t, &answer, e);
	if (r < 0)
		return r;
	if (fill(&answer, &d) < 0)
		return error_nomem(e);
	*ret = d;
	d = (struct dmi){ 0 };
	return 0;
}

static int read_tables(const struct host *h, struct dmi *ret, struct error *e)
{
	AUTO_BUF struct buf entry = { 0 }, table = { 0 };
	int r = host_read(h, ENTRY_MAX, &entry, e, TABLES "/smbios_entry_point");

	if (r == 0)
		r = host_read(h, TABLE_MAX, &table, e, TABLES "/DMI");
	if (r < 0)
		return r;
	return dmi_decode(buf_text(&entry), entry.len, buf_text(&table), table.len, ret, e);
}

/* The kernel makes an attribute in @dir for each text that the firmware gives. */
static int read_attrs(const struct host *h, const char *dir, struct dmi *ret, struct error *e)
{
	AUTO_DMI struct dmi d = { .source = dir };
	AUTO_BUF struct buf text = { 0 };
	int known = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		int r = host_attr(h, &text, NULL, "%s/%s", dir, fields[i].attr);

		text_of(&d, &fields[i])->is_unread = r < 0 && r != -ENOENT;
		if (r < 0)
			continue;
		if (set_text(text_of(&d, &fields[i]), buf_text(&text)) < 0)
			return error_nomem(e);
		known++;
	}
	if (known == 0)
		return error_set(e, -ENODATA, "%s: nothing of it can be read", dir);
	*ret = d;
	d = (struct dmi){ 0 };
	return 0;
}

int dmi_read(const struct host *h, struct dmi *ret, struct error *e)
{
	/* The first is a link to the second, and a capture may have kept either. */
	static const char *const attrs[] = { "/sys/class/dmi/id", "/sys/devices/virtual/dmi/id" };
	int r = read_tables(h, ret, e);

	if (r == 0 || r == -ENOMEM)
		return r;
	/* The tables were looked at first, so it is their failure that is told in the end. */
	for (size_t i = 0; i < ARRAY_SIZE(attrs); i++) {
		int known = read_attrs(h, attrs[i], ret, NULL);

		if (known == 0)
			return 0;
		if (known == -ENOMEM)
			return error_nomem(e);
	}
	if (host_exists(h, "/sys/firmware/dmi") == -ENOENT &&
	    host_exists(h, "/sys/class/dmi") == -ENOENT)
		return error_set(e, -ENOENT, "the kernel of this machine found no SMBIOS");
	return r == -ENOENT ? error_set(e, -ENODATA, TABLES ": incomplete") : r;
}

HOST_FACT_DEFINE(dmi, dmi_read)
