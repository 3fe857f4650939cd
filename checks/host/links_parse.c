/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/links.h>

#include "links_attr.h"

#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

static int load_device(const struct links_attr *a, struct links_item *item)
{
	struct bdf bdf;
	int r = links_attr_text(a, &item->device);

	if (r == 0 && parse_bdf(item->device, &bdf) < 0) {
		free(item->device);
		item->device = NULL;
	}
	return r;
}

static int load_attribute(const struct links_attr *a, struct links_item *item)
{
	switch (a->type) {
	case IFLA_IFNAME:
		return links_attr_text(a, &item->name);
	case IFLA_NUM_VF:
		item->count_error = links_attr_load(a, &item->count, sizeof(item->count));
		item->vfs_error = item->count_error;
		return item->count_error;
	case IFLA_PARENT_DEV_NAME:
		return load_device(a, item);
	default:
		return links_item_load(a, item);
	}
}

static bool is_list_bad(const struct links_item *item)
{
	return item->vfs_error < 0 && item->vfs_error != -ENODATA;
}

static int load_link(struct links_span s, struct links_item *item)
{
	struct links_attr a = { 0 };
	struct ifinfomsg link;
	int r = 0;

	if (s.left < sizeof(link))
		return -EBADMSG;
	memcpy(&link, s.at, sizeof(link));
	links_attr_skip(&s, sizeof(link));
	item->index = link.ifi_index;
	item->is_up = link.ifi_flags & IFF_UP;
	item->count_error = item->vfs_error = -ENODATA;
	/* Behind a damaged list nothing is where it should be. */
	while (r == 0 && !is_list_bad(item)) {
		if (links_attr_type(&s) == IFLA_VFINFO_LIST)
			r = links_vf_load(&s, item);
		else if (links_attr_next(&s, &a))
			r = load_attribute(&a, item);
		else
			break;
	}
	/* What is out of step may be so from the header of the list on. */
	if (s.left > 0 && item->vfs_error == 0 && item->count > 0 && !item->vfs)
		item->vfs_error = -EBADMSG;
	if (r == 0 && (!item->name || !*item->name || (s.left > 0 && !is_list_bad(item))))
		r = -EBADMSG;
	return r;
}

static void free_item(struct links_item *item)
{
	free(item->name);
	free(item->device);
	free(item->kind);
	strv_done(&item->altnames);
	free(item->vfs);
	*item = (struct links_item){ 0 };
}

/* Put the last one in the place of an earlier one about the same interface. */
static void replace_earlier(struct links *l)
{
	struct links_item *last = &l->items[l->n - 1];

	for (size_t i = 0; i + 1 < l->n; i++)
		if (l->items[i].index == last->index) {
			free_item(&l->items[i]);
			l->items[i] = *last;
			*last = (struct links_item){ 0 };
			l->n--;
			return;
		}
}

static int load_messages(struct links_span s, struct links *ret)
{
	struct links_span payload;
	uint16_t type;
	int r = 0;

	while (r == 0 && links_attr_message(&s, &type, &payload)) {
		if (type != RTM_NEWLINK)
			return -EBADMSG;
		r = load_link(payload, &ret->items[ret->n++]);
		if (r == 0)
			replace_earlier(ret);
	}
	return r == 0 && s.left > 0 ? -EBADMSG : r;
}

int links_parse(const void *data, size_t len, struct links *ret, struct error *e)
{
	struct links_span s = { .at = data, .left = len };
	struct links_span payload;
	struct links l = { 0 };
	uint16_t type;
	size_t n = 0;
	int r;

	for (struct links_span all = s; links_attr_message(&all, &type, &payload);)
		n++;
	l.items = calloc(n + 1, sizeof(*l.items));
	if (!l.items)
		return error_nomem(e);
	r = load_messages(s, &l);
	if (r < 0) {
		links_done(&l);
		return error_set(e, r, "rtnetlink: %s",
				 r == -ENOMEM ? "out of memory" : "the answer is damaged");
	}
	*ret = l;
	return 0;
}

void links_done(struct links *l)
{
	for (size_t i = 0; i < l->n; i++)
		free_item(&l->items[i]);
	free(l->items);
	*l = (struct links){ 0 };
}
