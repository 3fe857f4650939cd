/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "redact_bare.h"

#include "redact_hex.h"
#include "redact_map.h"

#include <ctype.h>

#define UUID_BYTES 16

/* How many bytes stand together, and what parts them. */
struct spelling {
	size_t group;
	char separator;
};

/* How many characters stand before the byte of that number. */
static size_t place_of(const struct spelling *s, size_t byte)
{
	return 2 * byte + byte / s->group;
}

static bool is_part(char c)
{
	return isalnum((unsigned char)c);
}

/* @n bytes that are no part of a longer word; how many characters they have, or 0. */
static size_t take(const struct spelling *s, const char *data, size_t at, size_t len, size_t n,
		   uint8_t *ret)
{
	size_t end = place_of(s, n - 1) + 2;

	if (len - at < end || (at > 0 && is_part(data[at - 1])) ||
	    (len - at > end && is_part(data[at + end])))
		return 0;
	for (size_t i = 0; i < n; i += s->group) {
		const char *text = data + at + place_of(s, i);

		if (!redact_hex_take(text, s->group, 0, ret + i) ||
		    (i > 0 && text[-1] != s->separator))
			return 0;
	}
	return end;
}

static void put(const struct spelling *s, char *text, size_t n, const uint8_t *bytes)
{
	for (size_t i = 0; i < n; i += s->group)
		redact_hex_put(text + place_of(s, i), s->group, 0, bytes + i);
}

static size_t take_uuid(struct redact_map *m, char *data, size_t at, size_t len)
{
	static const struct spelling whole = { .group = UUID_BYTES };
	uint8_t uuid[UUID_BYTES];
	size_t n = take(&whole, data, at, len, UUID_BYTES, uuid);

	if (n == 0)
		return 0;
	redact_map_uuid(m, uuid);
	put(&whole, data + at, UUID_BYTES, uuid);
	return n;
}

size_t redact_bare_take(struct redact_map *m, char *data, size_t at, size_t len)
{
	static const struct spelling spellings[] = {
		{ .group = REDACT_MAC },
		{ .group = 2, .separator = '.' },
		{ .group = 1, .separator = ' ' },
	};
	uint8_t mac[REDACT_MAC];

	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		size_t n = take(&spellings[i], data, at, len, REDACT_MAC, mac);

		if (n == 0 || !redact_map_known_mac(m, mac))
			continue;
		put(&spellings[i], data + at, REDACT_MAC, mac);
		return n;
	}
	return take_uuid(m, data, at, len);
}
