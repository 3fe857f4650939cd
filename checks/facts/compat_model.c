/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_model.h"

#include <string.h>

static const struct compat_model_family *put(const struct compat_table *t, size_t i,
					     struct compat_model_family *room)
{
	*room = (struct compat_model_family){
		.id = compat_text(t, t->families[i].id),
		.driver = compat_text(t, t->families[i].driver),
		.scheme = compat_text(t, t->families[i].scheme),
		.line = compat_text(t, t->families[i].line),
	};
	return room;
}

static const struct compat_model_family *find_in(const struct compat_table *t, const char *id,
						 struct compat_model_family *room)
{
	for (size_t i = 0; i < t->n_families; i++)
		if (strcmp(compat_text(t, t->families[i].id), id) == 0)
			return put(t, i, room);
	return NULL;
}

const struct compat_model_family *compat_model_find(const struct compat_draft *d, const char *id,
						    struct compat_model_family *room)
{
	const struct compat_table t = compat_draft_table(d);

	if (find_in(&t, id, room))
		return room;
	return d->base ? find_in(d->base, id, room) : NULL;
}

static const struct compat_model_family *
find_id(const struct compat_table *t, const struct compat_id *id, struct compat_model_family *room)
{
	for (size_t i = 0; i < t->n_ids; i++)
		if (t->ids[i].vendor == id->vendor &&
		    t->ids[i].device == (id->device & t->ids[i].mask))
			return put(t, t->ids[i].family, room);
	return NULL;
}

const struct compat_model_family *compat_model_of(const struct compat_draft *d, const char *pci,
						  struct compat_model_family *room)
{
	const struct compat_table t = compat_draft_table(d);
	struct compat_id id;

	if (compat_draft_id(pci, &id) < 0)
		return NULL;
	if (find_id(&t, &id, room))
		return room;
	return d->base ? find_id(d->base, &id, room) : NULL;
}
