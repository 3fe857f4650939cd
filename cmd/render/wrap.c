/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wrap.h"

#include <sriovctl/utf8.h>

#include <string.h>

/*
 * Bytes of the character at @text that may go to a terminal, 0 when it may not: no control
 * character, neither of ASCII nor, U+0080 to U+009F, of ISO 8859, which some terminals obey, and
 * none of those of Unicode that part lines or turn what follows round (U+200E to U+202E without
 * those that are printed, U+2066 to U+2069).
 */
static size_t printable(const char *text, size_t left)
{
	const unsigned char *u = (const unsigned char *)text;
	size_t n = utf8_len(text, left);

	if (n == 1 && (u[0] < 0x20 || u[0] == 0x7f))
		return 0;
	if (n == 3 && u[0] == 0xe2 &&
	    ((u[1] == 0x80 && (u[2] == 0x8e || u[2] == 0x8f || (u[2] >= 0xa8 && u[2] <= 0xae))) ||
	     (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9)))
		return 0;
	return n == 2 && u[0] == 0xc2 && u[1] < 0xa0 ? 0 : n;
}

void wrap_put(FILE *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = printable(text + i, len - i);

		if (n > 0)
			(void)fwrite(text + i, 1, n, out);
		else
			(void)fputc('?', out);
		i += n > 0 ? n : 1;
	}
}

size_t wrap_columns(const char *text, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; columns++) {
		size_t n = printable(text + i, len - i);

		i += n > 0 ? n : 1;
	}
	return columns;
}

/* The bytes of @text, @len of them, that fit into @columns. */
static size_t fit(const char *text, size_t len, size_t columns)
{
	size_t i = 0;

	for (size_t used = 0; i < len && used < columns; used++) {
		size_t n = printable(text + i, len - i);

		i += n > 0 ? n : 1;
	}
	return i;
}

void wrap_print(FILE *out, const char *first, size_t rest, const char *text)
{
	size_t column = wrap_columns(first, strlen(first));
	size_t start = column;

	(void)fputs(first, out);
	while (*(text += strspn(text, " "))) {
		/* A word that fits into no line is broken. */
		size_t len = fit(text, strcspn(text, " "), WRAP_COLUMNS - rest);
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
