/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_fact.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
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
	struct host_memory *m = host_memory(h);
	struct host_fact_entry *entry = m->facts;

	while (entry && entry->kind != kind)
		entry = entry->next;
	if (!entry) {
		entry = read_fact(h, kind);
		if (!entry)
			return host_nomem(h, e);
		/* Reading it may have asked for other facts: the list may have grown. */
		entry->next = m->facts;
		m->facts = entry;
	}
	if (entry->error.code == -ENOMEM)
		return host_nomem(h, e);
	if (entry->error.code < 0)
		return error_set(e, entry->error.code, "%s", entry->error.text);
	*ret = entry->fact;
	return 0;
}

int host_nomem(const struct host *h, struct error *e)
{
	host_memory(h)->ran_out = true;
	return error_nomem(e);
}

bool host_ran_out(const struct host *h)
{
	return host_memory(h)->ran_out;
}

void host_memory_done(struct host_memory *m)
{
	while (m->facts) {
		struct host_fact_entry *entry = m->facts;

		m->facts = entry->next;
		entry->kind->done(entry->fact);
		free(entry);
	}
}
