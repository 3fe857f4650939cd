/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "redact_hex.h"

int redact_hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

bool redact_hex_take(const char *text, size_t n, size_t gap, uint8_t *ret)
{
	for (size_t i = 0; i < n; i++, text += 2 + gap) {
		int high = redact_hex_digit(text[0]),
		    low = high < 0 ? -1 : redact_hex_digit(text[1]);

		if (low < 0)
			return false;
		ret[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

void redact_hex_put(char *text, size_t n, size_t gap, const uint8_t *bytes)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++, text += 2 + gap) {
		text[0] = digits[bytes[i] >> 4];
		text[1] = digits[bytes[i] & 15];
	}
}
