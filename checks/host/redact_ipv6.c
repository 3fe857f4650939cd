/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "redact_ipv6.h"

#include "redact_hex.h"
#include "redact_map.h"

#include <ctype.h>

#define GROUPS	   4
#define DIGITS_MAX 4
#define LOCAL	   2 /* this bit of the first byte is the other way round */

struct half {
	uint16_t group[GROUPS];
	size_t start[GROUPS], digits[GROUPS];
	size_t len;
};

/* One to four digits. */
static size_t take_group(const char *text, size_t len, uint16_t *ret)
{
	size_t n = 0;

	*ret = 0;
	while (n < len && n < DIGITS_MAX && redact_hex_digit(text[n]) >= 0)
		*ret = (uint16_t)(*ret << 4 | redact_hex_digit(text[n++]));
	return n;
}

static bool take_groups(const char *data, size_t at, size_t len, struct half *ret)
{
	size_t start = at;

	for (size_t i = 0; i < GROUPS; i++) {
		ret->start[i] = at;
		ret->digits[i] = take_group(data + at, len - at, &ret->group[i]);
		at += ret->digits[i];
		if (ret->digits[i] == 0 || (i + 1 < GROUPS && (at >= len || data[at++] != ':')))
			return false;
	}
	ret->len = at - start;
	return at >= len || (!isalnum((unsigned char)data[at]) && data[at] != ':');
}

static void put_group(char *data, size_t digits, unsigned value)
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = digits; i-- > 0; value >>= 4)
		data[i] = hex[value & 15];
}

size_t redact_ipv6_take(struct redact_map *m, char *data, size_t at, size_t len)
{
	uint8_t mac[REDACT_MAC];
	struct half h = { 0 };

	/* Something stands before it, the prefix. */
	if (at == 0 || data[at - 1] != ':' || !take_groups(data, at, len, &h) ||
	    (h.group[1] & 0xff) != 0xff || h.group[2] >> 8 != 0xfe)
		return 0;
	mac[0] = (uint8_t)(h.group[0] >> 8) ^ LOCAL;
	mac[1] = (uint8_t)h.group[0];
	mac[2] = h.group[1] >> 8;
	mac[3] = (uint8_t)h.group[2];
	mac[4] = h.group[3] >> 8;
	mac[5] = (uint8_t)h.group[3];
	redact_map_mac(m, mac);
	put_group(data + h.start[0], h.digits[0], (unsigned)((mac[0] ^ LOCAL) << 8 | mac[1]));
	put_group(data + h.start[1], h.digits[1], (unsigned)mac[2] << 8 | 0xff);
	put_group(data + h.start[2], h.digits[2], 0xfe00u | mac[3]);
	put_group(data + h.start[3], h.digits[3], (unsigned)mac[4] << 8 | mac[5]);
	return h.len;
}
