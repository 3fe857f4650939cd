/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wrap.h"

#include <string.h>

/* UTF-8 passes: it starts at 0xc2, and a lone continuation byte shows as a replacement sign. */
static void put_clean(FILE *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		(void)fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
	}
}

/* Columns, with UTF-8 continuation bytes taking none. */
static size_t columns(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

void wrap_print(FILE *out, const char *first, size_t rest, const char *text)
{
	size_t column = columns(first, strlen(first));
	size_t start = column;

	(void)fputs(first, out);
	while (*(text += strspn(text, " "))) {
		size_t len = strcspn(text, " ");
		size_t width = columns(text, len);

		if (column > start && column + 1 + width > WRAP_COLUMNS) {
			(void)fprintf(out, "\n%*s", (int)rest, "");
			column = start = rest;
		}
		if (column > start) {
			(void)fputc(' ', out);
			column++;
		}
		put_clean(out, text, len);
		column += width;
		text += len;
	}
	(void)fputc('\n', out);
}
