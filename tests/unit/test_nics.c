/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"
#include "tree.h"

#include <sriovctl/buf.h>
#include <sriovctl/kernel.h>
#include <sriovctl/nics.h>

#include <string.h>

static const struct nics *table(const struct tree *t)
{
	const struct nics *n = NULL;

	EXPECT(nics_get(t->h, &n, NULL) == 0);
	return n;
}

TEST(the_table_in_the_program_is_sound)
{
	AUTO_TREE struct tree t = { 0 };
	const struct nics *n;

	tree_new(&t);
	n = table(&t);
	EXPECT(n && n->n_families > 20 && n->n_ids > 300 && n->n_drivers > 40);
	for (size_t i = 0; n && i < n->n_families; i++)
		EXPECT(nics_find_driver(n, n->families[i].driver) != NULL);
	for (size_t i = 0; n && i < n->n_ids; i++)
		EXPECT(nics_find(n, n->ids[i].vendor, n->ids[i].device) == &n->ids[i]);
}

TEST(a_physical_function_is_told_from_a_virtual_one)
{
	AUTO_TREE struct tree t = { 0 };
	const struct nics_id *pf, *vf;
	const struct nics *n;

	tree_new(&t);
	n = table(&t);
	pf = nics_find(n, 0x8086, 0x10c9);
	vf = nics_find(n, 0x8086, 0x10ca);
	EXPECT(pf && !pf->is_vf);
	EXPECT(vf && vf->is_vf && vf->family == pf->family);
	EXPECT(same(pf->family->driver, "igb"));
}

TEST(a_digit_may_count_for_any)
{
	AUTO_TREE struct tree t = { 0 };
	const struct nics_id *id;

	tree_new(&t);
	id = nics_find(table(&t), 0x1425, 0x5007);
	EXPECT(id && !id->is_vf && same(id->family->driver, "cxgb4"));
	id = nics_find(table(&t), 0x1425, 0x5807);
	EXPECT(id && id->is_vf);
	/* The fourth function of these cards, where the network is, has no VFs. */
	EXPECT(nics_find(table(&t), 0x1425, 0x5407) == NULL);
}

TEST(what_is_not_in_the_table_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };

	tree_new(&t);
	/* An I210 shares the driver of the 82576, an X722 at 1 Gbit/s that of the X710. */
	EXPECT(nics_find(table(&t), 0x8086, 0x1533) == NULL);
	EXPECT(nics_find(table(&t), 0x8086, 0x37d1) == NULL);
	EXPECT(nics_creates(table(&t), "no_such_driver", NULL, NULL) == NICS_CREATES_UNKNOWN);
}

TEST(drivers_create_vfs_or_not)
{
	AUTO_TREE struct tree t = { 0 };
	const struct kernel old = { .major = 5, .minor = 15 }, new = { .major = 6, .minor = 12 };

	tree_new(&t);
	EXPECT(nics_creates(table(&t), "mlx5_core", &old, NULL) == NICS_CREATES);
	EXPECT(nics_creates(table(&t), "mlx4_core", &old, NULL) == NICS_CREATES_NOT);
	EXPECT(nics_creates(table(&t), "xe", &new, NULL) == NICS_CREATES);
	EXPECT(nics_creates(table(&t), "xe", &old, NULL) == NICS_CREATES_UNKNOWN);
	EXPECT(nics_creates(table(&t), "xe", NULL, NULL) == NICS_CREATES_UNKNOWN);
}

TEST(the_sentence_names_the_function)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf text = { 0 };
	const struct nics_id *cx5, *igb;

	tree_new(&t);
	cx5 = nics_find(table(&t), 0x15b3, 0x1017);
	igb = nics_find(table(&t), 0x8086, 0x1521);
	EXPECT(cx5 && nics_switch_on(cx5->family, "0000:3b:00.0", &text));
	EXPECT(strstr(buf_text(&text), "mstconfig -d 0000:3b:00.0 set SRIOV_EN=1"));
	EXPECT(igb && !nics_switch_on(igb->family, "0000:3b:00.0", &text));
	EXPECT(!nics_switch_on(NULL, "0000:3b:00.0", &text));
}

TEST(a_driver_may_lack_a_symbol_of_the_configuration)
{
	static char on[] = "CONFIG_ICE_SWITCHDEV=y\n", off[] = "CONFIG_ICE=m\n";
	const struct kernel old = { .major = 6, .minor = 7 }, new = { .major = 6, .minor = 8 };
	const struct kconfig with = { .text = on }, without = { .text = off };
	AUTO_TREE struct tree t = { 0 };

	tree_new(&t);
	EXPECT(same(nics_lacks(table(&t), "ice", &new, &without), "ICE_SWITCHDEV"));
	EXPECT(nics_creates(table(&t), "ice", &new, &without) == NICS_CREATES_UNKNOWN);
	EXPECT(nics_creates(table(&t), "ice", &new, &with) == NICS_CREATES);
	EXPECT(nics_creates(table(&t), "ice", &old, &without) == NICS_CREATES);
	EXPECT(nics_creates(table(&t), "ice", &new, NULL) == NICS_CREATES);
	EXPECT(nics_lacks(table(&t), "igb", &new, &without) == NULL);
}
