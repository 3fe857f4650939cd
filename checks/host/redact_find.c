/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "redact_find.h"

#include "links_attr.h"
#include "redact_map.h"

#include <sriovctl/buf.h>
#include <sriovctl/links.h>
#include <sriovctl/parse.h>

#include <linux/if_link.h>
#include <linux/pci_regs.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#define WORD_LENGTH 256

/* --- rtnetlink ----------------------------------------------------------------------- */

/*
 * Of which switch a port is a part, and which port of the card it is, by bytes that drivers
 * make of a MAC address or a serial number, each in its own way.  The same for the same.
 */
static void replace_name(struct redact_map *m, uint8_t *name, size_t len)
{
	AUTO_BUF struct buf hex = { 0 };
	uint32_t number;

	for (size_t i = 0; i < len; i++)
		buf_printf(&hex, "%02x", name[i]);
	m->ran_out |= buf_error(&hex) < 0;
	redact_map_add_word(m, REDACT_IS_SERIAL, buf_text(&hex));
	number = redact_map_number(m, REDACT_IS_SERIAL, buf_text(&hex));
	for (size_t i = len; i-- > 0; number >>= 8)
		name[i] = (uint8_t)number;
}

/* Of what links_parse() has no use for, with addresses of others in it, all but its kind. */
static void blank_info(uint8_t *payload, const struct links_attr *info)
{
	struct links_span s = info->payload;
	struct links_attr a;

	while (links_attr_next(&s, &a))
		if (a.type != IFLA_INFO_KIND)
			memset(payload + (a.payload.at - payload), 0, a.payload.left);
}

/* What links_parse() does not keep: the address that the card came with, and names. */
static void find_in_link(struct redact_map *m, uint8_t *payload, size_t len)
{
	struct links_span s = { .at = payload, .left = len };
	struct links_attr a;

	links_attr_skip(&s, sizeof(struct ifinfomsg));
	while (links_attr_next(&s, &a)) {
		if (a.type == IFLA_PERM_ADDRESS && a.payload.left == REDACT_MAC)
			redact_map_add_mac(m, a.payload.at);
		if (a.type == IFLA_PHYS_SWITCH_ID || a.type == IFLA_PHYS_PORT_ID)
			replace_name(m, payload + (a.payload.at - payload), a.payload.left);
		if (a.type == IFLA_LINKINFO)
			blank_info(payload, &a);
		if (a.type == IFLA_IFALIAS)
			memset(payload + (a.payload.at - payload), 0, a.payload.left);
	}
}

static void find_address(struct redact_map *m, const struct links_address *a)
{
	if (a->len == REDACT_MAC)
		redact_map_add_mac(m, a->bytes);
}

void redact_find_links(struct redact_map *m, void *data, size_t len)
{
	struct links_span s = { .at = data, .left = len };
	struct links l = { 0 };
	struct nlmsghdr header;

	if (links_parse(data, len, &l, NULL) == 0)
		for (size_t i = 0; i < l.n; i++) {
			find_address(m, &l.items[i].address);
			for (size_t k = 0; k < l.items[i].n_vfs; k++)
				find_address(m, &l.items[i].vfs[k].mac);
		}
	links_done(&l);
	while (s.left >= sizeof(header)) {
		memcpy(&header, s.at, sizeof(header));
		if (header.nlmsg_len < sizeof(header) || header.nlmsg_len > s.left)
			break;
		find_in_link(m, (uint8_t *)data + (s.at - (const uint8_t *)data) + sizeof(header),
			     header.nlmsg_len - sizeof(header));
		links_attr_skip(&s, header.nlmsg_len);
	}
}

/* --- serial numbers and processes ------------------------------------------------------ */

/* Without the blanks that makers fill fields with. */
static void add_word(struct redact_map *m, const char *word)
{
	char text[WORD_LENGTH];
	size_t len = word ? strcspn(word + strspn(word, " "), "") : 0;

	if (!word)
		return;
	word += strspn(word, " ");
	while (len > 0 && word[len - 1] == ' ')
		len--;
	if (len >= sizeof(text))
		return;
	memcpy(text, word, len);
	text[len] = '\0';
	redact_map_add_word(m, REDACT_IS_SERIAL, text);
}

void redact_find_serial(struct redact_map *m, const char *text)
{
	AUTO_FREE char *word = strndup(text, strcspn(text, "\n"));

	m->ran_out |= !word;
	if (word)
		add_word(m, word);
}

/* "process PID NAME GUEST", "net INODE PID NAME HOW", parted by tabs. */
static void replace_fields(struct redact_map *m, char *line, unsigned first, unsigned last)
{
	for (unsigned i = 0; *line != '\n' && *line != '\0'; i++) {
		size_t len = strcspn(line, "\t\n");

		if (i >= first && i <= last)
			redact_map_process(m, line, len);
		line += len + (line[len] == '\t');
	}
}

void redact_find_processes(struct redact_map *m, char *text)
{
	for (char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		if (parse_has_prefix(line, "process\t"))
			replace_fields(m, line, 2, 3);
		else if (parse_has_prefix(line, "net\t") || parse_has_prefix(line, "mount\t"))
			replace_fields(m, line, 3, 3);
		if (!strchr(line, '\n'))
			return;
	}
}

/* --- SMBIOS -------------------------------------------------------------------------- */

/* DSP0134 sections 7.2 to 7.5, 7.18, 7.23, 7.40: where the number of such a string stands. */
static const struct {
	uint8_t type, at;
} dmi_words[] = {
	{ 1, 0x07 }, { 2, 0x07 },  { 2, 0x08 },	 { 3, 0x07 },  { 3, 0x08 },  { 4, 0x20 },
	{ 4, 0x21 }, { 17, 0x18 }, { 17, 0x19 }, { 22, 0x07 }, { 39, 0x08 }, { 39, 0x09 },
};
#define DMI_OEM_STRINGS 11
#define DMI_BASEBOARD	2 /* no check reads structures beyond (sriovctl/dmi.h) */
#define DMI_END		127
#define DMI_SYSTEM	1
#define DMI_UUID	8
#define DMI_HEADER	4

/* The string of that number behind the structure; NULL: none. */
static const char *find_string(const uint8_t *strings, const uint8_t *end, unsigned number)
{
	while (number > 1 && strings < end && *strings) {
		strings += strnlen((const char *)strings, (size_t)(end - strings)) + 1;
		number--;
	}
	if (number != 1 || strings >= end || !memchr(strings, 0, (size_t)(end - strings)))
		return NULL;
	return (const char *)strings;
}

/* SMBIOS 2.6 on: the first three parts are little endian (7.2.1). */
static void swap_uuid(uint8_t uuid[16])
{
	static const uint8_t order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	uint8_t other[16];

	for (size_t i = 0; i < 16; i++)
		other[i] = uuid[order[i]];
	memcpy(uuid, other, 16);
}

/* Makers have addresses, names and UUIDs in structures of their own, and in 42 (7.43). */
static void blank_structure(uint8_t *s, const uint8_t *end)
{
	memset(s + DMI_HEADER, 0, s[1] - (size_t)DMI_HEADER);
	for (uint8_t *text = s + s[1]; text < end; text++)
		if (*text)
			*text = 'X';
}

static void find_in_structure(struct redact_map *m, uint8_t *s, const uint8_t *end)
{
	const uint8_t *strings = s + s[1];

	for (size_t i = 0; i < ARRAY_SIZE(dmi_words); i++)
		if (dmi_words[i].type == s[0] && dmi_words[i].at < s[1])
			add_word(m, find_string(strings, end, s[dmi_words[i].at]));
	for (unsigned i = 1; s[0] == DMI_OEM_STRINGS && s[1] > DMI_HEADER && i <= s[DMI_HEADER];
	     i++)
		add_word(m, find_string(strings, end, i));
	if (s[0] == DMI_SYSTEM && s[1] >= DMI_UUID + 16) {
		swap_uuid(s + DMI_UUID);
		redact_map_uuid(m, s + DMI_UUID);
		swap_uuid(s + DMI_UUID);
	}
	if (s[0] > DMI_BASEBOARD && s[0] != DMI_END)
		blank_structure(s, end);
}

void redact_find_dmi(struct redact_map *m, uint8_t *data, size_t len)
{
	static const uint8_t two_nuls[2];

	while (len > DMI_HEADER && data[1] >= DMI_HEADER && data[1] < len) {
		uint8_t *end = memmem(data + data[1], len - data[1], two_nuls, sizeof(two_nuls));

		if (!end)
			return;
		end += sizeof(two_nuls);
		find_in_structure(m, data, end);
		len -= (size_t)(end - data);
		data = end;
	}
}

/* --- configuration space ------------------------------------------------------------- */

#define EXTENDED_START 0x100
/* As many as fit between 0x100 and 0x1000, so that a loop ends. */
#define EXTENDED_MAX 480
#define SERIAL_SIZE  8

/*
 * An EUI-64, its last byte first (PCI Express 5.0, 7.9.3.2): of a MAC address it is made by ffff
 * or fffe in its middle.
 */
static void replace_serial(struct redact_map *m, uint8_t *eui)
{
	uint8_t mac[REDACT_MAC] = { eui[7], eui[6], eui[5], eui[2], eui[1], eui[0] };

	redact_map_mac(m, mac);
	eui[7] = mac[0];
	eui[6] = mac[1];
	eui[5] = mac[2];
	eui[2] = mac[3];
	eui[1] = mac[4];
	eui[0] = mac[5];
}

void redact_find_config(struct redact_map *m, uint8_t *data, size_t len)
{
	size_t at = EXTENDED_START;

	for (unsigned i = 0; i < EXTENDED_MAX && at >= EXTENDED_START && len >= 4 && at <= len - 4;
	     i++) {
		uint32_t header;

		header = (uint32_t)data[at] | (uint32_t)data[at + 1] << 8 |
			 (uint32_t)data[at + 2] << 16 | (uint32_t)data[at + 3] << 24;
		if (PCI_EXT_CAP_ID(header) == PCI_EXT_CAP_ID_DSN && len - at >= 4 + SERIAL_SIZE) {
			replace_serial(m, data + at + 4);
			return;
		}
		at = PCI_EXT_CAP_NEXT(header);
	}
}

void redact_find_awake(struct redact_map *m, uint8_t *data, size_t len)
{
	while (len >= 2) {
		size_t size = (size_t)(data[0] | data[1] << 8);

		if (size > len - 2)
			return;
		redact_find_config(m, data + 2, size);
		data += 2 + size;
		len -= 2 + size;
	}
}
