/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dmi_tables.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <string.h>

/* DSP0134 section 5.2.1: the 2.x entry point and the older one embedded in it at 0x10. */
#define SM2_LEN		31
#define SM2_LEN_V21	30 /* what firmware of version 2.1 states, by an error in its text */
#define SM2_CHECKSUM	0x04
#define SM2_STATED_LEN	0x05
#define SM2_INNER	0x10
#define SM2_INNER_LEN	15
#define SM2_INNER_SUM	0x15
#define SM2_TABLE_LEN	0x16
#define SM2_TABLE_COUNT 0x1c
/* Section 5.2.2: the 3.x entry point; its table size is a maximum. */
#define SM3_LEN	       24
#define SM3_CHECKSUM   0x05
#define SM3_STATED_LEN 0x06
#define SM3_TABLE_LEN  0x0c
/* Section 6.1.2: header of a structure; its strings end in two NULs. */
#define STRUCT_MIN	 4
#define STRUCT_LEN	 1
#define STRUCT_END_TABLE 127

static uint8_t sum(const uint8_t *p, size_t len)
{
	uint8_t s = 0;

	while (len > 0)
		s = (uint8_t)(s + p[--len]);
	return s;
}

static void set_checksum(uint8_t *p, size_t len, size_t at)
{
	p[at] = 0;
	p[at] = (uint8_t)-sum(p, len);
}

/* Where the structure at @at ends, its strings included; 0: not within @len. */
static size_t struct_end(const uint8_t *table, size_t len, size_t at)
{
	size_t end;

	if (len - at < STRUCT_MIN || table[at + STRUCT_LEN] < STRUCT_MIN)
		return 0;
	end = at + table[at + STRUCT_LEN];
	while (end < len && len - end >= 2) {
		if (table[end] == 0 && table[end + 1] == 0)
			return end + 2;
		end++;
	}
	return 0;
}

/* The length of @table up to its last structure; @count: how many there are, 0 when not told. */
static int walk(const uint8_t *table, size_t len, size_t count, size_t *ret, struct error *e)
{
	size_t at = 0, n = 0;

	while (len - at >= STRUCT_MIN && (count == 0 || n < count)) {
		size_t end = struct_end(table, len, at);
		bool last = table[at] == STRUCT_END_TABLE;

		if (end == 0)
			return error_set(e, -EBADMSG, "SMBIOS table damaged at offset %zu", at);
		at = end;
		n++;
		if (last)
			break;
	}
	if (n == 0)
		return error_set(e, -EBADMSG, "SMBIOS table holds no structure");
	*ret = at;
	return 0;
}

static int check_sm2(const uint8_t *entry, size_t entry_len, struct dmi_tables *t, struct error *e)
{
	const uint8_t *inner = entry + SM2_INNER;
	size_t stated, len = t->table_len;
	int r;

	if (entry_len < SM2_LEN_V21)
		return error_set(e, -EBADMSG, "SMBIOS entry point cut short");
	stated = entry[SM2_STATED_LEN];
	if (stated < SM2_LEN_V21 || stated > SM2_LEN || stated > entry_len ||
	    sum(entry, stated) != 0 || memcmp(inner, "_DMI_", 5) != 0 ||
	    sum(inner, SM2_INNER_LEN) != 0)
		return error_set(e, -EBADMSG, "SMBIOS 2.x entry point damaged");
	stated = entry[SM2_TABLE_LEN] | (size_t)entry[SM2_TABLE_LEN + 1] << 8;
	r = walk(t->table, stated < len ? stated : len,
		 entry[SM2_TABLE_COUNT] | (size_t)entry[SM2_TABLE_COUNT + 1] << 8, &t->table_len,
		 e);
	if (r < 0)
		return r;
	t->entry_len = SM2_LEN;
	memcpy(t->entry, entry, SM2_LEN_V21);
	t->entry[SM2_STATED_LEN] = SM2_LEN;
	t->entry[SM2_TABLE_LEN] = (uint8_t)t->table_len;
	t->entry[SM2_TABLE_LEN + 1] = (uint8_t)(t->table_len >> 8);
	set_checksum(t->entry + SM2_INNER, SM2_INNER_LEN, SM2_INNER_SUM - SM2_INNER);
	set_checksum(t->entry, SM2_LEN, SM2_CHECKSUM);
	return 0;
}

static int check_sm3(const uint8_t *entry, size_t entry_len, struct dmi_tables *t, struct error *e)
{
	size_t len = t->table_len;
	uint32_t max = 0;
	int r;

	if (entry_len < SM3_LEN || entry[SM3_STATED_LEN] < SM3_LEN ||
	    entry[SM3_STATED_LEN] > entry_len || sum(entry, entry[SM3_STATED_LEN]) != 0)
		return error_set(e, -EBADMSG, "SMBIOS 3.x entry point damaged");
	for (size_t i = 0; i < sizeof(max); i++)
		max |= (uint32_t)entry[SM3_TABLE_LEN + i] << 8 * i;
	r = walk(t->table, max < len ? max : len, 0, &t->table_len, e);
	if (r < 0)
		return r;
	t->entry_len = SM3_LEN;
	memcpy(t->entry, entry, SM3_LEN);
	t->entry[SM3_STATED_LEN] = SM3_LEN;
	for (size_t i = 0; i < sizeof(max); i++)
		t->entry[SM3_TABLE_LEN + i] = (uint8_t)(t->table_len >> 8 * i);
	set_checksum(t->entry, SM3_LEN, SM3_CHECKSUM);
	return 0;
}

int dmi_tables_check(const uint8_t *entry, size_t entry_len, const uint8_t *table, size_t table_len,
		     struct dmi_tables *ret, struct error *e)
{
	struct dmi_tables t = { .table = table, .table_len = table_len };
	int r;

	if (entry_len >= 5 && memcmp(entry, "_SM3_", 5) == 0)
		r = check_sm3(entry, entry_len, &t, e);
	else if (entry_len >= 4 && memcmp(entry, "_SM_", 4) == 0)
		r = check_sm2(entry, entry_len, &t, e);
	else
		return error_set(e, -EBADMSG, "not an SMBIOS entry point");
	if (r < 0)
		return r;
	*ret = t;
	return 0;
}

/* DSP0134 section 6.1.3: strings are counted from 1 on, behind the formatted part. */
static const char *nth_string(const uint8_t *s, size_t len, uint8_t n)
{
	const char *text = (const char *)s + s[STRUCT_LEN], *end = (const char *)s + len;

	for (; n > 1 && text < end && *text; n--)
		text += strlen(text) + 1;
	return n > 0 && text < end && *text ? text : NULL;
}

const char *dmi_tables_string(const struct dmi_tables *t, uint8_t type, uint8_t string_at)
{
	size_t at = 0, end;

	for (; t->table_len - at >= STRUCT_MIN; at = end) {
		const uint8_t *s = t->table + at;

		end = struct_end(t->table, t->table_len, at);
		if (end == 0)
			return NULL;
		if (s[0] == type)
			return string_at < s[STRUCT_LEN] ? nth_string(s, end - at, s[string_at])
							 : NULL;
	}
	return NULL;
}
