/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the firmware says about the machine and about itself (SMBIOS, DSP0134).
 * Read from the firmware's own tables; where those are not readable, as for an
 * ordinary user, from the attributes in /sys/class/dmi/id.  Texts are trimmed,
 * never longer than DMI_TEXT_MAX, and printable ASCII: other bytes are '?'.
 */
#ifndef SRIOVCTL_DMI_H
#define SRIOVCTL_DMI_H

#include <sriovctl/base.h>

struct error;
struct host;

#define DMI_TEXT_MAX 128

/*
 * @text is NULL where the firmware gives none, or where it is not known whether it does;
 * @filler: there, but means nothing.
 */
struct dmi_text {
	char *text;
	bool filler, is_unread;
};

struct dmi {
	/* The path it was read from. */
	const char *source;
	struct dmi_text vendor, product;
	struct dmi_text board;
	struct dmi_text bios_version, bios_date;
};

/* 0; -ENOENT: this machine has no SMBIOS, as far as its kernel knows; other: not known. */
int dmi_read(const struct host *h, struct dmi *ret, struct error *e) MUST_USE;
/* The same, kept with the host. */
int dmi_get(const struct host *h, const struct dmi **ret, struct error *e) MUST_USE;
void dmi_done(struct dmi *d);
#define AUTO_DMI CLEANUP(dmi_done)

/*
 * The same out of an entry point (SMBIOS 2.x or 3.x) and a structure table.
 * -EBADMSG: damaged.
 */
int dmi_decode(const void *entry, size_t entry_len, const void *table, size_t table_len,
	       struct dmi *ret, struct error *e) MUST_USE;

#endif
