/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>
#include <sriovctl/bootnext.h>
#include <sriovctl/buf.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(enum bootnext_form form, const char *text)
{
	AUTO_BUF struct buf kept = { 0 }, again = { 0 };
	AUTO_BOOTNEXT_FILE struct bootnext_file a = { 0 }, b = { 0 };

	bootnext_sieve(form, text, strlen(text), &kept);
	bootnext_sieve(form, buf_text(&kept), kept.len, &again);
	if (buf_error(&kept) < 0 || strcmp(buf_text(&kept), buf_text(&again)) != 0)
		abort();
	if (bootnext_parse(form, "/f", text, &a) < 0 ||
	    bootnext_parse(form, "/f", buf_text(&kept), &b) < 0)
		abort();
	if (a.n != b.n || a.names.n != b.names.n || a.has_bls != b.has_bls)
		abort();
	for (size_t i = 0; i < a.n; i++)
		if (a.items[i].words.n != b.items[i].words.n)
			abort();
}

/* What is kept of a file is what its parser looks at, in whichever form. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);

	if (!text)
		abort();
	for (int form = 0; form < BOOTNEXT_FORM_MAX; form++)
		look_at((enum bootnext_form)form, text);
	return 0;
}
