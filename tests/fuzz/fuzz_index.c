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

struct pair {
	const struct host_store *from;
	struct host_store *to;
};

/* Folders are members of a capture, which come before its index and are not in it. */
static int add_folder(void *arg, uint32_t at, const char *path)
{
	struct pair *p = arg;
	uint32_t copy = 0;

	if (host_store_node(p->from, at)->state != HOST_STATE_DIR)
		return 0;
	if (host_store_make(p->to, path, &copy) < 0)
		abort();
	host_store_change(p->to, copy)->state = HOST_STATE_DIR;
	return 0;
}

static void print_again(const struct host_store *from, const struct buf *index, struct buf *ret)
{
	AUTO_STORE struct host_store *s = NULL;
	struct pair p = { .from = from };

	if (host_store_new(&s, NULL) < 0)
		abort();
	p.to = s;
	if (host_index_walk(from, add_folder, &p) < 0 ||
	    host_index_parse(buf_text(index), index->len, s, NULL) < 0 ||
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
	print_again(s, &first, &again);
	if (first.len != again.len || memcmp(first.data, again.data, first.len) != 0)
		abort();
	return 0;
}
