/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wrap.h"

#include <string.h>

/* UTF-8 passes: it starts at 0xc2, and a lone continuation byte shows as a replacement sign. */
void wrap_put(FILE *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		(void)fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
	}
}

/* Continuation bytes of UTF-8 take none. */
size_t wrap_columns(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

void wrap_print(FILE *out, const char *first, size_t rest, const char *text)
{
	size_t column = wrap_columns(first, strlen(first));
	size_t start = column;

	(void)fputs(first, out);
	while (*(text += strspn(text, " "))) {
		size_t len = strcspn(text, " ");
		size_t width = wrap_columns(text, len);

		if (column > start && column + 1 + width > WRAP_COLUMNS) {
			(void)fprintf(out, "\n%*s", (int)rest, "");
			column = start = rest;
		}
		if (column > start) {
			(void)fputc(' ', out);
			column++;
		}
		wrap_put(out, text, len);
		column += width;
		text += len;
	}
	(void)fputc('\n', out);
}
