/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>

#include "../../provision/journal_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What it says reads as the same again. */
static void read_again(const struct journal_text *t)
{
	AUTO_JOURNAL_TEXT struct journal_text again = { 0 };
	AUTO_BUF struct buf first = { 0 }, second = { 0 };

	journal_text_print(t, &first);
	if (buf_error(&first) < 0 || journal_text_parse(first.data, first.len, &again, NULL) < 0)
		abort();
	journal_text_print(&again, &second);
	if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_JOURNAL_TEXT struct journal_text t = { 0 };

	if (journal_text_parse((const char *)data, size, &t, NULL) < 0)
		return 0;
	if (t.len > size || (t.len > 0 && data[t.len - 1] != '\n'))
		abort();
	if (t.boot)
		read_again(&t);
	return 0;
}
