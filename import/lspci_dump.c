/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of configuration spaces that lspci prints with -x, -xxx and -xxxx. */
#include "lspci.h"

#include <sriovctl/buf.h>

#include <ctype.h>
#include <string.h>

int lspci_take_row(const char **at, uint8_t bytes[LSPCI_ROW])
{
	const char *p = text_skip_blanks(*at);
	uint64_t offset, byte;

	if (!text_hex(&p, 3, &offset) || *p++ != ':' || offset % LSPCI_ROW != 0)
		return -1;
	for (unsigned i = 0; i < LSPCI_ROW; i++) {
		if (*p != ' ' || !isxdigit((unsigned char)p[1]) || !isxdigit((unsigned char)p[2]))
			return -1;
		p++;
		if (!text_hex(&p, 2, &byte))
			return -1;
		bytes[i] = (uint8_t)byte;
	}
	if (*p != ' ' && *p != '\0')
		return -1;
	*at = p;
	return (int)offset;
}

struct dump {
	struct functions *functions;
	struct function *f; /* of the last header */
	size_t next;	    /* the offset of the row that continues it */
};

/* A row of it.  One that begins anew without a header is of a function whose header was lost. */
static void take_bytes(struct dump *d, size_t offset, const uint8_t bytes[LSPCI_ROW])
{
	struct function *f = d->f;

	if (!f || offset != d->next || offset > f->len)
		return;
	d->next += LSPCI_ROW;
	for (size_t i = 0; i < LSPCI_ROW; i++) {
		if (offset + i < f->dumped)
			function_retell(d->functions, f, offset + i, bytes[i], UINT8_MAX);
		else
			function_set(d->functions, f, offset + i, bytes[i], UINT8_MAX);
	}
	if (d->next > f->len)
		f->dumped = f->len = d->next;
}

/* "00: 86 80 ..." from @text on, perhaps with more rows behind it. */
static bool take_rows(struct dump *d, const char *text)
{
	uint8_t bytes[LSPCI_ROW];
	bool found = false;
	int offset;

	while ((offset = lspci_take_row(&text, bytes)) >= 0) {
		found = true;
		take_bytes(d, (size_t)offset, bytes);
	}
	return found;
}

/* The function that a line is about from now on; others leave it. */
static bool next_function(struct dump *d, const char *line)
{
	const char *rest;
	struct bdf at;
	int class;

	if (!lspci_header(line, &at, &class, &rest))
		return false;
	d->f = functions_get(d->functions, &at);
	d->next = 0;
	return true;
}

size_t lspci_take_dumps(struct functions *v, const char *text)
{
	struct dump d = { .functions = v };
	AUTO_BUF struct buf line = { 0 };
	size_t n = 0;

	while (text_line(&text, &line)) {
		const char *rows = buf_text(&line);
		bool is_header = next_function(&d, rows), is_first;

		/* A mailer may have joined the lines. */
		if (is_header)
			rows = strstr(rows, " 00: ");
		if (!rows || (!is_header && text_is_indented(rows)))
			continue;
		is_first = d.f && d.f->len == 0;
		if (take_rows(&d, rows) && is_first)
			n++;
	}
	if (buf_error(&line) < 0)
		v->error = buf_error(&line);
	return n;
}
