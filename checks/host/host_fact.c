/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_fact.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	struct entry *next;
	char *about;
	struct error error; /* code 0: the fact is known */
	_Alignas(max_align_t) unsigned char fact[];
};

/* Apart by kind: of one there may be thousands, of most there is one. */
struct host_facts {
	struct host_facts *next;
	const struct host_fact *kind;
	struct entry *first;
};

static struct host_facts *facts_of(const struct host *h, const struct host_fact *kind)
{
	struct host_memory *m = host_memory(h);
	struct host_facts *facts = m->facts;

	while (facts && facts->kind != kind)
		facts = facts->next;
	if (facts)
		return facts;
	facts = calloc(1, sizeof(*facts));
	if (!facts)
		return NULL;
	*facts = (struct host_facts){ .next = m->facts, .kind = kind };
	m->facts = facts;
	return facts;
}

static struct entry *find(const struct host_facts *facts, const char *about)
{
	struct entry *entry = facts->first;

	while (entry && strcmp(entry->about, about) != 0)
		entry = entry->next;
	return entry;
}

static struct entry *new_entry(const struct host_fact *kind, const char *about)
{
	struct entry *entry = calloc(1, sizeof(*entry) + kind->size);

	if (!entry)
		return NULL;
	entry->about = strdup(about);
	if (!entry->about) {
		free(entry);
		return NULL;
	}
	return entry;
}

static void add(struct host_facts *facts, struct entry *entry)
{
	entry->next = facts->first;
	facts->first = entry;
}

/* Reading may ask for other facts, of this kind too: what is read is added afterwards. */
static struct entry *read_fact(const struct host *h, struct host_facts *facts, const char *about)
{
	struct entry *entry = new_entry(facts->kind, about);

	if (!entry)
		return NULL;
	entry->error.code = facts->kind->read(h, about, entry->fact, &entry->error);
	add(facts, entry);
	return entry;
}

int host_fact(const struct host *h, const struct host_fact *kind, const char *about,
	      const void **ret, struct error *e)
{
	struct host_facts *facts = facts_of(h, kind);
	struct entry *entry = facts ? find(facts, about) : NULL;

	if (facts && !entry)
		entry = read_fact(h, facts, about);
	if (!entry || entry->error.code == -ENOMEM)
		return host_nomem(h, e);
	if (entry->error.code < 0)
		return error_set(e, entry->error.code, "%s", entry->error.text);
	*ret = entry->fact;
	return 0;
}

bool host_fact_is_known(const struct host *h, const struct host_fact *kind, const char *about)
{
	struct host_facts *facts = facts_of(h, kind);

	return facts && find(facts, about);
}

int host_fact_keep(const struct host *h, const struct host_fact *kind, const char *about,
		   const void *fact)
{
	struct host_facts *facts = facts_of(h, kind);
	struct entry *entry = facts ? new_entry(kind, about) : NULL;

	if (!entry)
		return host_nomem(h, NULL);
	memcpy(entry->fact, fact, kind->size);
	add(facts, entry);
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

static void free_facts(struct host_facts *facts)
{
	while (facts->first) {
		struct entry *entry = facts->first;

		facts->first = entry->next;
		if (facts->kind->done)
			facts->kind->done(entry->fact);
		free(entry->about);
		free(entry);
	}
	free(facts);
}

void host_memory_done(struct host_memory *m)
{
	while (m->facts) {
		struct host_facts *facts = m->facts;

		m->facts = facts->next;
		free_facts(facts);
	}
}
