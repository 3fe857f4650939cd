/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a function's "resource" as the kernel logs them: each BAR when it finds it, and
 * what becomes of it (drivers/pci/probe.c, setup-res.c, setup-bus.c, iov.c).  The last word counts.
 */
#include "bootlog.h"

#include <string.h>

#define REG_BAR 0x10
#define REG_ROM 0x30
#define ROW_ROM 6

/* include/linux/ioport.h */
#define FLAG_IO	   0x00000100u
#define FLAG_MEM   0x00000200u
#define FLAG_PREF  0x00002000u
#define FLAG_64	   0x00100000u
#define FLAG_SIZED 0x00040000u

/* "[mem 0xdf260000-0xdf27ffff 64bit pref]", "[mem size 0x00400000 64bit]", "[io  0x5060-0x507f]" */
static bool parse_range(const char *text, struct pcidev_row *ret)
{
	const char *p = strchr(text, '['), *end = p ? strchr(p, ']') : NULL;
	struct pcidev_row row = { .flags = FLAG_MEM | FLAG_SIZED };
	uint64_t size;

	if (!end)
		return false;
	if (text_after(p, "[io"))
		row.flags = FLAG_IO | FLAG_SIZED;
	else if (!text_after(p, "[mem"))
		return false;
	p = text_skip_blanks(p + strcspn(p, " "));
	if (text_after(p, "size ")) {
		p = p + strlen("size ");
		if (!text_hex(&p, 16, &size) || size == 0)
			return false;
		row.end = size - 1;
	} else if (!text_hex(&p, 16, &row.start) || *p++ != '-' || !text_hex(&p, 16, &row.end)) {
		return false;
	}
	if (strstr(p, "64bit") && strstr(p, "64bit") < end)
		row.flags |= FLAG_64;
	if (strstr(p, "pref") && strstr(p, "pref") < end)
		row.flags |= FLAG_PREF;
	/* From zero on is how a BAR looks that nobody gave an address. */
	if (row.start == 0)
		row.flags |= PCIDEV_UNSET;
	*ret = row;
	return true;
}

/* Which row a message is about, and what it says of it. */
static int which_row(const char *text, const char **ret_rest)
{
	const char *p;
	uint64_t n;

	if ((p = text_after(text, "VF BAR ")) && text_decimal(&p, &n) && n < 6)
		return *ret_rest = p, (int)(PCIDEV_ROW_VF + n);
	if ((p = text_after(text, "BAR ")) && text_decimal(&p, &n) && n < PCIDEV_ROWS_IOV)
		return *ret_rest = p, (int)n;
	if ((p = text_after(text, "VF(n) BAR")) && text_decimal(&p, &n) && n < 6)
		return *ret_rest = p, (int)(PCIDEV_ROW_VF + n);
	if ((p = text_after(text, "ROM ")))
		return *ret_rest = p, ROW_ROM;
	if (!(p = text_after(text, "reg ")) || !text_hex(&p, 3, &n))
		return -1;
	*ret_rest = p;
	if (n == REG_ROM)
		return ROW_ROM;
	return n >= REG_BAR && n < REG_BAR + 4 * ROW_ROM ? (int)(n - REG_BAR) / 4 : -1;
}

static bool is_any(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

bool bootlog_take_bar(struct function *f, const char *text)
{
	static const char *const lost[] = { "no space for", "can't assign", "failed to assign",
					    "can't claim", "releasing" };
	static const char *const others[] = { "bridge window", "can't reserve", "error updating" };
	struct pcidev_row row;
	const char *rest = NULL;
	int n = which_row(text, &rest);
	bool is_vf = n >= PCIDEV_ROW_VF;

	if (n < 0 || is_any(text, others, ARRAY_SIZE(others)))
		return false;
	if (is_any(rest, lost, ARRAY_SIZE(lost))) {
		f->rows[n].start = 0;
		f->rows[n].flags |= FLAG_MEM | PCIDEV_UNSET;
		return is_vf;
	}
	/* What a VF BAR is for one VF comes before what it is for all. */
	if (is_vf && text_after(text, "VF BAR ") && !strstr(rest, "contains BAR") &&
	    !strstr(rest, "assigned"))
		return false;
	if (parse_range(rest, &row))
		f->rows[n] = row;
	return false;
}
