/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>
#include <sriovctl/buf.h>
#include <sriovctl/rivals.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(enum rivals_form form, const char *text, struct rivals *ret)
{
	if (rivals_parse(form, "fuzz", "/f", text, ret) < 0)
		abort();
	for (size_t i = 0; i < ret->n; i++)
		if (strpbrk(ret->items[i].target, "$* \t\n"))
			abort();
}

/* What is kept of a file is what its parser looks at: it says the same, and sieved, too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	AUTO_BUF struct buf kept = { 0 }, again = { 0 };

	if (!text)
		abort();
	rivals_sieve(text, strlen(text), &kept);
	rivals_sieve(buf_text(&kept), kept.len, &again);
	if (buf_error(&kept) < 0 || strcmp(buf_text(&kept), buf_text(&again)) != 0)
		abort();
	for (int form = 0; form < RIVALS_FORM_MAX; form++) {
		AUTO_RIVALS struct rivals a = { 0 }, b = { 0 };

		if (form == RIVALS_NAME)
			continue;
		parse((enum rivals_form)form, text, &a);
		parse((enum rivals_form)form, buf_text(&kept), &b);
		if (a.n != b.n)
			abort();
	}
	return 0;
}
