/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_fact.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <stdlib.h>

struct host_fact_entry {
	struct host_fact_entry *next;
	const struct host_fact *kind;
	struct error error; /* code 0: the fact was read */
	_Alignas(max_align_t) unsigned char fact[];
};

static struct host_fact_entry *read_fact(const struct host *h, const struct host_fact *kind)
{
	struct host_fact_entry *entry = calloc(1, sizeof(*entry) + kind->size);
	int r;

	if (!entry)
		return NULL;
	entry->kind = kind;
	r = kind->read(h, entry->fact, &entry->error);
	entry->error.code = r;
	return entry;
}

int host_fact(const struct host *h, const struct host_fact *kind, const void **ret, struct error *e)
{
	struct host_fact_entry **list = host_fact_list(h);
	struct host_fact_entry *entry = *list;

	while (entry && entry->kind != kind)
		entry = entry->next;
	if (!entry) {
		entry = read_fact(h, kind);
		if (!entry)
			return error_nomem(e);
		/* Reading it may have asked for other facts: the list may have grown. */
		entry->next = *list;
		*list = entry;
	}
	if (entry->error.code < 0)
		return error_set(e, entry->error.code, "%s", entry->error.text);
	*ret = entry->fact;
	return 0;
}

void host_fact_done(struct host_fact_entry *list)
{
	while (list) {
		struct host_fact_entry *next = list->next;

		if (list->error.code == 0)
			list->kind->done(list->fact);
		free(list);
		list = next;
	}
}
