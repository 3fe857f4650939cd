/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of ACPI, as bytes and as acpidump prints them (ACPI Specification, 5.2.6). */
#include "import_impl.h"

#include <sriovctl/buf.h>

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define TABLES	  "/sys/firmware/acpi/tables"
#define SIGNATURE 4
#define HEADER	  36
#define OEM_AT	  10
#define ROW	  16
#define DUMP_MAX  256 /* tables of one dump */
#define UNNAMED	  "?"

static bool is_signature(const char *text)
{
	for (size_t i = 0; i < SIGNATURE; i++)
		if (!isupper((unsigned char)text[i]) && !isdigit((unsigned char)text[i]))
			return false;
	return true;
}

/* Names that people gave are printable; a length that does not fit tells that it was cut. */
size_t acpi_take_table(struct import *i, const struct import_text *t)
{
	if (t->len < HEADER || !is_signature(t->data))
		return 0;
	for (size_t k = OEM_AT; k < OEM_AT + 6; k++)
		if (t->data[k] != '\0' && !isprint((unsigned char)t->data[k]))
			return 0;
	host_make_file(i->make, t->data, t->len, TABLES "/%.4s", t->data);
	return 1;
}

/* --- acpidump --------------------------------------------------------------------------------- */

struct dump {
	struct import *i;
	char name[SIGNATURE + 1];
	struct buf bytes;
	size_t n;
	bool has_facp, has_dsdt, has_apic;
};

static void finish(struct dump *d)
{
	if (strcmp(d->name, UNNAMED) == 0 && d->bytes.len >= HEADER && is_signature(d->bytes.data))
		memcpy(d->name, d->bytes.data, SIGNATURE);
	if (strcmp(d->name, UNNAMED) != 0 && d->name[0] && d->bytes.len >= HEADER &&
	    d->n < DUMP_MAX && buf_error(&d->bytes) == 0) {
		unsigned number = 1;
		bool again = host_make_knows(d->i->make, TABLES "/%s", d->name);

		/* The kernel numbers what has one name (drivers/acpi/sysfs.c). */
		while (again && host_make_knows(d->i->make, TABLES "/%s%u", d->name, number))
			number++;
		if (again)
			host_make_file(d->i->make, d->bytes.data, d->bytes.len, TABLES "/%s%u",
				       d->name, number);
		else
			host_make_file(d->i->make, d->bytes.data, d->bytes.len, TABLES "/%s",
				       d->name);
		d->n++;
		d->has_facp = d->has_facp || strcmp(d->name, "FACP") == 0;
		d->has_dsdt = d->has_dsdt || strcmp(d->name, "DSDT") == 0;
		d->has_apic = d->has_apic || strcmp(d->name, "APIC") == 0;
	}
	buf_clear(&d->bytes);
	d->name[0] = '\0';
}

/* "DSDT @ 0x0000000000000000" */
static bool begin(struct dump *d, const char *line)
{
	if (!is_signature(line) || !text_after(line + SIGNATURE, " @ 0x"))
		return false;
	finish(d);
	memcpy(d->name, line, SIGNATURE);
	d->name[SIGNATURE] = '\0';
	return true;
}

/* What iasl makes of a table ends with its bytes; its own first four are its name. */
static bool begin_raw(struct dump *d, const char *line)
{
	if (!text_after(line, "Raw Table Data"))
		return false;
	finish(d);
	memcpy(d->name, UNNAMED, sizeof(UNNAMED));
	return true;
}

/* "    0010: 53 53 ...  text", in order; anything else ends the table. */
static void take_row(struct dump *d, const char *line)
{
	const char *p = text_skip_blanks(line);
	uint64_t offset, byte;

	if (!*p || !d->name[0])
		return;
	if (!text_hex(&p, 8, &offset) || *p++ != ':' || offset != d->bytes.len) {
		finish(d);
		return;
	}
	for (unsigned k = 0; k < ROW; k++) {
		char value;

		if (*p != ' ' || !isxdigit((unsigned char)p[1]) || !isxdigit((unsigned char)p[2]) ||
		    (p[3] != ' ' && p[3] != '\0'))
			break;
		p++;
		if (!text_hex(&p, 2, &byte))
			break;
		value = (char)byte;
		buf_append(&d->bytes, &value, 1);
	}
}

size_t acpi_take_dump(struct import *i, const struct import_text *t)
{
	struct dump d = { .i = i };
	AUTO_BUF struct buf line = { 0 };
	const char *text = t->data;

	while (text_line(&text, &line))
		if (!begin(&d, buf_text(&line)) && !begin_raw(&d, buf_text(&line)))
			take_row(&d, buf_text(&line));
	finish(&d);
	import_note(i, &line);
	/* Who sends these three has not asked for one table: what is not here is not there. */
	if (d.has_facp && d.has_dsdt && d.has_apic)
		host_make_all(i->make, TABLES);
	if (buf_error(&d.bytes) < 0)
		i->error = -ENOMEM;
	buf_done(&d.bytes);
	return d.n;
}
