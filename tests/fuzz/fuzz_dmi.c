/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Input: one byte with the length of the entry point, the entry point, the table.  The
 * checksums are made right first, or nearly every input would end there.
 */
#include <sriovctl/dmi.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct dmi_text *t)
{
	if (!t->text)
		return;
	if (strlen(t->text) > DMI_TEXT_MAX)
		abort();
	for (const char *p = t->text; *p; p++) {
		if (*p < ' ' || *p > '~')
			abort();
	}
}

static void fix_sum(uint8_t *p, size_t len, size_t at)
{
	uint8_t sum = 0;

	p[at] = 0;
	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + p[i]);
	p[at] = (uint8_t)-sum;
}

static void fix_sums(uint8_t *p, size_t len)
{
	if (len >= 31 && memcmp(p, "_SM_", 4) == 0) {
		fix_sum(p + 16, 15, 5);
		fix_sum(p, p[5] < len ? p[5] : len, 4);
	} else if (len >= 24 && memcmp(p, "_SM3_", 5) == 0) {
		fix_sum(p, p[6] < len ? p[6] : len, 5);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t entry[UINT8_MAX];
	AUTO_DMI struct dmi d = { 0 };
	struct error e = { 0 };
	size_t len;
	int r;

	if (size < 1)
		return 0;
	len = data[0] < size - 1 ? data[0] : size - 1;
	memcpy(entry, data + 1, len);
	fix_sums(entry, len);
	r = dmi_decode(entry, len, data + 1 + len, size - 1 - len, &d, &e);
	/* What passed our own look must not be refused by the library, let alone kill it. */
	if (r < 0 && strncmp(e.text, "a library", 9) == 0)
		abort();
	check_text(&d.vendor);
	check_text(&d.product);
	check_text(&d.board);
	check_text(&d.bios_version);
	check_text(&d.bios_date);
	return 0;
}
