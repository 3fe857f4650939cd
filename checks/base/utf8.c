/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/utf8.h>

static size_t sequence_len(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead < 0xe0)
		return 2;
	return lead < 0xf0 ? 3 : 4;
}

size_t utf8_len(const char *text, size_t left)
{
	const unsigned char *u = (const unsigned char *)text;
	size_t i, n = left ? sequence_len(u[0]) : 0;

	if (n == 0 || n > left)
		return 0;
	for (i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	}
	/* RFC 3629, section 4: no overlong forms, no surrogates, nothing above U+10FFFF. */
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
		return 0;
	return n;
}
