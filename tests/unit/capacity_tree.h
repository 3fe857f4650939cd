/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of capacity.h ask the card of pf_tree.h. */
#ifndef TESTS_CAPACITY_TREE_H
#define TESTS_CAPACITY_TREE_H

#include "pf_tree.h"
#include "test.h"

#include <sriovctl/capacity.h>

#define IGB   DRIVER("igb")
#define STUB  DRIVER("pci-pf-stub")
#define MLX4  DRIVER("mlx4_core")
#define WEIRD DRIVER("no_such_driver")

static inline struct capacity capacity(const struct tree *t, uint32_t vfs)
{
	struct capacity c = { 0 };
	const struct pf *pf = card_pf(t);

	EXPECT(pf && capacity_read(t->h, pf, vfs, 0, &c, NULL) == 0);
	return c;
}

static inline bool is_bound(const struct capacity *c, enum capacity_limit l, uint32_t at_least,
			    uint32_t at_most)
{
	return c->bounds[l].at_least == at_least && c->bounds[l].at_most == at_most;
}

#endif
