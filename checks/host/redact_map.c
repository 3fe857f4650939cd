/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "redact_map.h"

#include "redact_bare.h"
#include "redact_hex.h"
#include "redact_ipv6.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAC_TEXT  17 /* 00:11:22:33:44:55 */
#define ENX_TEXT  15 /* enx001122334455 */
#define UUID_TEXT 36
#define EUI_BYTES 8
#define EUI_LOCAL 2 /* IPv6 has this bit of the first byte the other way round */
#define WORD_MIN  4

void redact_map_done(struct redact_map *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->entries[i].original);
	free(m->entries);
	*m = (struct redact_map){ 0 };
}

/* Most bytes of a binary answer end no address, which is seen at once. */
static unsigned end_of(const void *mac)
{
	const uint8_t *bytes = mac;

	return (unsigned)bytes[REDACT_MAC - 2] << 8 | bytes[REDACT_MAC - 1];
}

static const struct redact_entry *find(const struct redact_map *m, enum redact_kind kind,
				       const void *original, size_t len)
{
	if (kind == REDACT_IS_MAC &&
	    !(m->mac_ends[end_of(original) / 8] & 1 << end_of(original) % 8))
		return NULL;
	for (size_t i = 0; i < m->n; i++) {
		const struct redact_entry *it = &m->entries[i];

		if (it->kind == kind && it->len == len && memcmp(it->original, original, len) == 0)
			return it;
	}
	return NULL;
}

/* As a host's name is written in capitals as well. */
static void add_start(struct redact_map *m, char c)
{
	m->word_starts[(uint8_t)tolower((unsigned char)c)] = true;
	m->word_starts[(uint8_t)toupper((unsigned char)c)] = true;
}

/* The entry, made where there is none; NULL: out of memory. */
static const struct redact_entry *get(struct redact_map *m, enum redact_kind kind,
				      const void *original, size_t len)
{
	const struct redact_entry *known = find(m, kind, original, len);
	struct redact_entry *it;

	if (known)
		return known;
	it = base_room(m->entries, m->n, sizeof(*it));
	m->ran_out |= !it;
	if (m->ran_out)
		return NULL;
	m->entries = it;
	it = &m->entries[m->n];
	*it = (struct redact_entry){
		.kind = kind, .original = malloc(len + 1), .len = len, .number = m->counts[kind] + 1
	};
	if (!it->original) {
		m->ran_out = true;
		return NULL;
	}
	memcpy(it->original, original, len);
	it->original[len] = '\0';
	if (kind == REDACT_IS_MAC)
		m->mac_ends[end_of(original) / 8] |= (uint8_t)(1 << end_of(original) % 8);
	else if (kind != REDACT_IS_UUID)
		add_start(m, it->original[0]);
	m->counts[kind]++;
	m->n++;
	return it;
}

/* --- MAC addresses ------------------------------------------------------------------- */

/* None, a group's (IEEE 802, bit 0 of the first byte), all ones. */
static bool is_common_mac(const uint8_t mac[REDACT_MAC])
{
	static const uint8_t none[REDACT_MAC];

	return memcmp(mac, none, REDACT_MAC) == 0 || (mac[0] & 1);
}

void redact_map_add_mac(struct redact_map *m, const uint8_t mac[REDACT_MAC])
{
	if (!is_common_mac(mac))
		(void)get(m, REDACT_IS_MAC, mac, REDACT_MAC);
}

static void put_mac(uint32_t number, uint8_t mac[REDACT_MAC])
{
	const uint8_t other[REDACT_MAC] = {
		0x02, 0, 0, (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number
	};

	memcpy(mac, other, REDACT_MAC);
}

void redact_map_mac(struct redact_map *m, uint8_t mac[REDACT_MAC])
{
	const struct redact_entry *it =
		is_common_mac(mac) ? NULL : get(m, REDACT_IS_MAC, mac, REDACT_MAC);

	if (it)
		put_mac(it->number, mac);
}

bool redact_map_known_mac(const struct redact_map *m, uint8_t mac[REDACT_MAC])
{
	const struct redact_entry *it = find(m, REDACT_IS_MAC, mac, REDACT_MAC);

	if (it)
		put_mac(it->number, mac);
	return it != NULL;
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c);
}

static bool are_separators(const char *text, char separator)
{
	for (size_t i = 2; i < MAC_TEXT; i += 3)
		if (text[i] != separator)
			return false;
	return true;
}

/* "52:" and the like before @at, where it is no end of a longer word, as "eth0:" is. */
static bool is_pair_before(const char *data, size_t at)
{
	return at >= 3 && data[at - 1] == ':' && redact_hex_digit(data[at - 2]) >= 0 &&
	       redact_hex_digit(data[at - 3]) >= 0 && (at == 3 || !is_letter(data[at - 4]));
}

/* Both ends must be ends: a longer row of such pairs is something else. */
static bool is_mac_text(const char *data, size_t at, size_t len)
{
	char before = at ? data[at - 1] : ' ',
	     behind = at + MAC_TEXT < len ? data[at + MAC_TEXT] : ' ';
	char separator = data[at + 2];

	return (separator == ':' || separator == '-') && are_separators(data + at, separator) &&
	       !is_letter(behind) && behind != separator && !is_pair_before(data, at) &&
	       (separator == '-' || !is_letter(before)) &&
	       (separator == ':' || redact_hex_digit(before) < 0);
}

static size_t take_mac(struct redact_map *m, char *data, size_t at, size_t len)
{
	uint8_t mac[REDACT_MAC];

	if (len - at < MAC_TEXT || !is_mac_text(data, at, len) ||
	    !redact_hex_take(data + at, REDACT_MAC, 1, mac) || is_common_mac(mac))
		return 0;
	redact_map_mac(m, mac);
	redact_hex_put(data + at, REDACT_MAC, 1, mac);
	return MAC_TEXT;
}

/* systemd.net-naming-scheme(7): of Ethernet, of WLAN, of a modem. */
static bool is_named_by_mac(const char *name)
{
	return memcmp(name, "enx", 3) == 0 || memcmp(name, "wlx", 3) == 0 ||
	       memcmp(name, "wwx", 3) == 0;
}

static size_t take_enx(struct redact_map *m, char *data, size_t at, size_t len)
{
	uint8_t mac[REDACT_MAC];

	if (len - at < ENX_TEXT || !is_named_by_mac(data + at) || (at && is_letter(data[at - 1])) ||
	    !redact_hex_take(data + at + 3, REDACT_MAC, 0, mac))
		return 0;
	redact_map_mac(m, mac);
	redact_hex_put(data + at + 3, REDACT_MAC, 0, mac);
	return ENX_TEXT;
}

static size_t take_bytes(const struct redact_map *m, char *data, size_t at, size_t len)
{
	return len - at >= REDACT_MAC && redact_map_known_mac(m, (uint8_t *)data + at) ? REDACT_MAC
										       : 0;
}

/* An EUI-64 that is made of a known one, as the half of an IPv6 address (RFC 4291, appendix A). */
static size_t take_eui(const struct redact_map *m, char *data, size_t at, size_t len)
{
	uint8_t *eui = (uint8_t *)data + at;
	uint8_t mac[REDACT_MAC], local;
	const struct redact_entry *it = NULL;

	if (len - at < EUI_BYTES || eui[3] != 0xff || (eui[4] != 0xfe && eui[4] != 0xff))
		return 0;
	for (local = 0; !it && local <= EUI_LOCAL; local += EUI_LOCAL) {
		const uint8_t own[REDACT_MAC] = { eui[0] ^ local, eui[1], eui[2],
						  eui[5],	  eui[6], eui[7] };

		it = find(m, REDACT_IS_MAC, own, REDACT_MAC);
	}
	if (!it)
		return 0;
	put_mac(it->number, mac);
	eui[0] = mac[0] ^ (local - EUI_LOCAL);
	memcpy(eui + 1, mac + 1, 2);
	memcpy(eui + 5, mac + 3, 3);
	return EUI_BYTES;
}

/* --- UUIDs --------------------------------------------------------------------------- */

void redact_map_uuid(struct redact_map *m, uint8_t uuid[16])
{
	/* Those of interfaces, which are the same everywhere: systemd's loader, EFI's variables. */
	static const uint8_t common[][16] = {
		{ 0x4a, 0x67, 0xb0, 0x82, 0x0a, 0x4c, 0x41, 0xcf, 0xb6, 0xc7, 0x44, 0x0b, 0x29,
		  0xbb, 0x8c, 0x4f },
		{ 0x8b, 0xe4, 0xdf, 0x61, 0x93, 0xca, 0x11, 0xd2, 0xaa, 0x0d, 0x00, 0xe0, 0x98,
		  0x03, 0x2b, 0x8c },
		{ 0 },
	};
	const struct redact_entry *it;
	uint8_t other[16] = { [6] = 0x40, [8] = 0x80 };

	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		if (memcmp(uuid, common[i], 16) == 0)
			return;
	it = get(m, REDACT_IS_UUID, uuid, 16);
	if (!it)
		return;
	for (size_t i = 0; i < sizeof(it->number); i++)
		other[15 - i] = (uint8_t)(it->number >> 8 * i);
	memcpy(uuid, other, 16);
}

static size_t take_uuid(struct redact_map *m, char *data, size_t at, size_t len)
{
	static const struct {
		uint8_t from, bytes, behind;
	} parts[] = { { 0, 4, '-' }, { 9, 2, '-' }, { 14, 2, '-' }, { 19, 2, '-' }, { 24, 6, 0 } };
	uint8_t uuid[16], *to = uuid;

	if (len - at < UUID_TEXT || (at && is_letter(data[at - 1])) ||
	    (len - at > UUID_TEXT && is_letter(data[at + UUID_TEXT])))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *text = data + at + parts[i].from;

		if (!redact_hex_take(text, parts[i].bytes, 0, to) ||
		    (parts[i].behind && text[2 * parts[i].bytes] != (char)parts[i].behind))
			return 0;
		to += parts[i].bytes;
	}
	redact_map_uuid(m, uuid);
	to = uuid;
	for (size_t i = 0; i < ARRAY_SIZE(parts); to += parts[i++].bytes)
		redact_hex_put(data + at + parts[i].from, parts[i].bytes, 0, to);
	return UUID_TEXT;
}

/* --- words --------------------------------------------------------------------------- */

void redact_map_add_word(struct redact_map *m, enum redact_kind kind, const char *word)
{
	/* The latter are also names of what the checks look for. */
	static const char *const common[] = { "localhost", "(none)", "linux", "debian",
					      "ubuntu",	   "x2apic", "root" };
	size_t len = strlen(word);
	bool differs = false;

	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		if (strcasecmp(word, common[i]) == 0)
			return;
	/* "0000", "XXXX" */
	for (size_t i = 1; i < len; i++)
		differs |= word[i] != word[0];
	if (len >= WORD_MIN && differs)
		(void)get(m, kind, word, len);
}

/* As long as it was: XXXXX12, hhhhh12. */
static void put_word(const struct redact_entry *it, char *data)
{
	static const char letters[REDACT_KINDS] = {
		[REDACT_IS_SERIAL] = 'X', [REDACT_IS_HOST] = 'h', [REDACT_IS_PROCESS] = 'p'
	};
	uint32_t number = it->number;

	memset(data, letters[it->kind], it->len);
	for (size_t i = it->len; i > 1 && number; number /= 10)
		data[--i] = (char)('0' + number % 10);
}

uint32_t redact_map_number(const struct redact_map *m, enum redact_kind kind, const char *word)
{
	const struct redact_entry *it = find(m, kind, word, strlen(word));

	return it ? it->number : 0;
}

void redact_map_process(struct redact_map *m, char *name, size_t len)
{
	const struct redact_entry *it = len > 0 ? get(m, REDACT_IS_PROCESS, name, len) : NULL;

	if (it)
		put_word(it, name);
}

/* Where a word may begin.  What is given a value is a parameter, and no host. */
static bool is_word_at(const struct redact_entry *it, const char *data, size_t at, size_t len)
{
	bool is_host = it->kind == REDACT_IS_HOST;

	return len - at >= it->len &&
	       (is_host ? strncasecmp(data + at, it->original, it->len)
			: memcmp(data + at, it->original, it->len)) == 0 &&
	       (len - at == it->len ||
		(!is_letter(data[at + it->len]) && !(is_host && data[at + it->len] == '=')));
}

static size_t take_word(const struct redact_map *m, char *data, size_t at, size_t len,
			unsigned where)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct redact_entry *it = &m->entries[i];
		bool counts = it->kind == REDACT_IS_SERIAL ||
			      (it->kind == REDACT_IS_HOST && (where & REDACT_PROSE));

		if (counts && is_word_at(it, data, at, len)) {
			put_word(it, data + at);
			return it->len;
		}
	}
	return 0;
}

void redact_map_apply(struct redact_map *m, char *data, size_t len, unsigned where)
{
	for (size_t at = 0; at < len && !m->ran_out;) {
		size_t n = 0;

		if (is_letter(data[at]) && m->word_starts[(uint8_t)data[at]] &&
		    (at == 0 || !is_letter(data[at - 1])))
			n = take_word(m, data, at, len, where);
		if (n == 0 && redact_hex_digit(data[at]) >= 0)
			n = take_mac(m, data, at, len);
		if (n == 0 && redact_hex_digit(data[at]) >= 0)
			n = redact_ipv6_take(m, data, at, len);
		if (n == 0 && redact_hex_digit(data[at]) >= 0)
			n = take_uuid(m, data, at, len);
		if (n == 0 && redact_hex_digit(data[at]) >= 0)
			n = redact_bare_take(m, data, at, len);
		if (n == 0 && (data[at] == 'e' || data[at] == 'w'))
			n = take_enx(m, data, at, len);
		if (n == 0 && (where & REDACT_BINARY))
			n = take_bytes(m, data, at, len);
		if (n == 0 && (where & REDACT_BINARY))
			n = take_eui(m, data, at, len);
		at += n ? n : 1;
	}
}
