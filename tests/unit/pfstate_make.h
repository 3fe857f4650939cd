/* SPDX-License-Identifier: GPL-2.0-or-later */
/* States of functions as a test wants them, to be released with pfstates_done(). */
#ifndef TESTS_PFSTATE_MAKE_H
#define TESTS_PFSTATE_MAKE_H

#include "test.h"

#include <sriovctl/pfstate.h>

#include <stdlib.h>
#include <string.h>

#define MAKE_TOTAL 64

/* One more function, a network card with @vfs VFs of which nothing is known. */
static inline struct pfstate *pfstate_make(struct pfstates *v, const char *bdf, const char *netdev,
					   uint64_t permanent_mac, size_t vfs)
{
	struct pfstate *items = reallocarray(v->items, v->n + 1, sizeof(*items));
	struct pfstate *p;

	EXPECT(items != NULL);
	if (!items)
		abort();
	v->items = items;
	p = &items[v->n++];
	*p = (struct pfstate){
		.bdf = strdup(bdf),
		.netdev = netdev ? strdup(netdev) : NULL,
		.is_network = netdev,
		.permanent_mac = permanent_mac,
		.total = MAKE_TOTAL,
	};
	p->set[SETTING_VFS] = setting_number(vfs);
	EXPECT(p->bdf && pfstate_set_vfs(p, vfs) == 0);
	return p;
}

static inline void pfstate_name(struct setting_value *v, const char *name)
{
	EXPECT(setting_text(name, v) == 0);
}

#endif
