/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/links.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_item(const struct links *l, const struct links_item *item)
{
	if (!item->name || !links_find(l, item->name))
		abort();
	if (item->n_vfs > 0 && (item->vfs_error < 0 || item->count_error < 0))
		abort();
	if (item->n_vfs > item->count)
		abort();
	for (size_t i = 0; i < item->n_vfs; i++)
		if (!links_find_vf(item, item->vfs[i].index) ||
		    item->vfs[i].mac.len > LINKS_ADDRESS_MAX)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct links l = { 0 };
	int r = links_parse(data, size, &l, NULL);

	if (r < 0 && r != -EBADMSG)
		abort();
	if (r < 0 && l.items)
		abort();
	for (size_t i = 0; i < l.n; i++)
		check_item(&l, &l.items[i]);
	links_done(&l);
	return 0;
}
