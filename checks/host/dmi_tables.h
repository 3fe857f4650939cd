/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is an SMBIOS entry point and its structure table sound, and what of it would
 * libsmbios have to be given: an entry point that states the real length of the
 * table, and the table up to its last structure.  -EBADMSG: damaged.
 */
#ifndef CHECKS_HOST_DMI_TABLES_H
#define CHECKS_HOST_DMI_TABLES_H

#include <sriovctl/base.h>

struct error;

#define DMI_ENTRY_MAX 31

struct dmi_tables {
	uint8_t entry[DMI_ENTRY_MAX];
	size_t entry_len;
	const uint8_t *table;
	size_t table_len;
};

/* @ret refers to @table. */
int dmi_tables_check(const uint8_t *entry, size_t entry_len, const uint8_t *table, size_t table_len,
		     struct dmi_tables *ret, struct error *e) MUST_USE;

/*
 * For where there is no libsmbios: the string whose number is @string_at bytes into the first
 * structure of @type of a sound table; NULL: there is none.
 */
const char *dmi_tables_string(const struct dmi_tables *t, uint8_t type, uint8_t string_at);

#endif
