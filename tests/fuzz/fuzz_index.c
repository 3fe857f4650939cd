/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An index is refused, or what it says is printed as an index that says the same. */
#include "../../checks/host/host_index.h"
#include "../../checks/host/host_store.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(const char *text, size_t len, struct buf *ret)
{
	AUTO_STORE struct host_store *s = NULL;

	if (host_store_new(&s, NULL) < 0 || host_index_parse(text, len, s, NULL) < 0 ||
	    host_index_print(s, ret) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_STORE struct host_store *s = NULL;
	AUTO_BUF struct buf first = { 0 }, again = { 0 };
	struct error e = { 0 };
	int r;

	if (host_store_new(&s, NULL) < 0)
		abort();
	r = host_index_parse((const char *)data, size, s, &e);
	if (r < 0) {
		if (r != -EINVAL || !strstr(e.text, "line "))
			abort();
		return 0;
	}
	if (host_index_print(s, &first) < 0)
		abort();
	/* Folders on the way are members of a capture, and in no index. */
	if (host_store_count(s) > 2 && !strstr(buf_text(&first), "all /"))
		return 0;
	print(buf_text(&first), first.len, &again);
	if (first.len != again.len || memcmp(first.data, again.data, first.len) != 0)
		abort();
	return 0;
}
