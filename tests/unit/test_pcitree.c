/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pci_space.h"

#include <sriovctl/pcitree.h>

#define PORT	"pci0000:00/0000:00:01.0"
#define NIC	PORT "/0000:01:00.0"
#define FLAT(f) "/sys/bus/pci/devices/" f

static bool parent_is(const struct tree *t, const char *bdf, const char *want)
{
	AUTO_BUF struct buf parent = { 0 };

	return pcitree_parent(t->h, bdf, &parent, NULL) == 0 && same(buf_text(&parent), want);
}

static int parent_error(const struct tree *t, const char *bdf)
{
	AUTO_BUF struct buf parent = { 0 };

	return pcitree_parent(t->h, bdf, &parent, NULL);
}

TEST(nesting_tells)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcitree *tree = NULL;
	const struct pcitree_node *n;

	tree_new(&t);
	tree_put_function(&t, PORT, NULL);
	tree_put_function(&t, NIC, NULL);
	EXPECT(parent_is(&t, "0000:01:00.0", "0000:00:01.0"));
	EXPECT(parent_error(&t, "0000:00:01.0") == -ENOENT);
	EXPECT(parent_error(&t, "0000:09:00.0") == -ENODATA);
	EXPECT(pcitree_get(t.h, &tree, NULL) == 0);
	n = pcitree_find(tree, "0000:01:00.0");
	EXPECT(n && n->parent == pcitree_find(tree, "0000:00:01.0"));
	EXPECT(n && n->parent && !n->parent->parent && n->parent->parent_error == -ENOENT);
	EXPECT(!pcitree_find(tree, "nonsense"));
}

TEST(a_slash_at_the_end_and_wide_domains)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = "/sys/devices/pci10000:00/10000:00:04.0/class", .text = "0x020000" },
	     { .path = FLAT("10000:00:04.0"),
	       .link = "../../../devices/pci10000:00/10000:00:04.0/" });
	EXPECT(parent_error(&t, "10000:00:04.0") == -ENOENT);
}

TEST(a_vf_is_where_its_pf_is)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcitree *tree = NULL;
	const struct pcitree_node *vf;

	tree_new(&t);
	tree_put_function(&t, PORT, NULL);
	tree_put_function(&t, NIC, NULL);
	/* Flat, and on a bus that no bridge leads to. */
	tree_put_dir(&t, FLAT("0000:02:10.0"));
	tree_put_link(&t, FLAT("0000:02:10.0/physfn"), "../0000:01:00.0");
	EXPECT(parent_is(&t, "0000:02:10.0", "0000:00:01.0"));
	EXPECT(pcitree_get(t.h, &tree, NULL) == 0);
	vf = pcitree_find(tree, "0000:02:10.0");
	EXPECT(vf && vf->is_vf && vf->pf == pcitree_find(tree, "0000:01:00.0"));
}

TEST(numbers_of_files_tell)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = FLAT("0000:00:01.0/secondary_bus_number"), .text = "1" },
	     { .path = FLAT("0000:00:01.0/subordinate_bus_number"), .text = "4" },
	     { .path = FLAT("0000:01:00.0/secondary_bus_number"), .text = "2" },
	     { .path = FLAT("0000:01:00.0/subordinate_bus_number"), .text = "4" },
	     { .path = FLAT("0000:02:00.0/class"), .text = "0x020000" },
	     { .path = FLAT("0001:02:00.0/class"), .text = "0x020000" },
	     { .path = FLAT("0000:04:00.0/class"), .text = "0x020000" },
	     { .path = FLAT("0000:16:00.0/class"), .text = "0x020000" },
	     { .path = FLAT("0000:30:00.0/class"), .text = "0x060000" },
	     { .path = FLAT("0000:30:01.0/class"), .text = "0x020000" });
	EXPECT(parent_is(&t, "0000:02:00.0", "0000:01:00.0"));
	EXPECT(parent_is(&t, "0000:01:00.0", "0000:00:01.0"));
	EXPECT(parent_error(&t, "0000:00:01.0") == -ENOENT);
	/* The same bus of another domain; a bus whose bridge was not captured; one of no bridge. */
	EXPECT(parent_error(&t, "0001:02:00.0") == -ENODATA);
	EXPECT(parent_error(&t, "0000:04:00.0") == -ENODATA);
	EXPECT(parent_error(&t, "0000:16:00.0") == -ENODATA);
	/* A host bridge is on a root bus, and so is what is beside it. */
	EXPECT(parent_error(&t, "0000:30:01.0") == -ENOENT);
}

TEST(numbers_of_config_space_tell)
{
	AUTO_TREE struct tree t = { 0 };
	struct space port = space_bridge(4, 0, 1, 3);
	struct space nic = space_express(0, 0x8086, 0x10c9);
	struct space vf = space_express(0, 0xffff, 0xffff);

	tree_new(&t);
	tree_put_bytes(&t, FLAT("0000:00:01.0/config"), port.data, 64);
	tree_put_bytes(&t, FLAT("0000:01:00.0/config"), nic.data, 64);
	tree_put_bytes(&t, FLAT("0000:02:10.0/config"), vf.data, 64);
	tree_put_bytes(&t, FLAT("0000:03:00.0/config"), nic.data, 64);
	EXPECT(parent_is(&t, "0000:01:00.0", "0000:00:01.0"));
	EXPECT(parent_is(&t, "0000:02:10.0", "0000:00:01.0"));
	EXPECT(parent_error(&t, "0000:03:00.0") == -ENODATA);
}

TEST(a_bridge_that_leads_back_is_not_followed)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = FLAT("0000:01:00.0/secondary_bus_number"), .text = "1" },
	     { .path = FLAT("0000:01:00.0/subordinate_bus_number"), .text = "1" },
	     { .path = FLAT("0000:02:00.0/secondary_bus_number"), .text = "1" },
	     { .path = FLAT("0000:02:00.0/subordinate_bus_number"), .text = "9" });
	EXPECT(parent_error(&t, "0000:01:00.0") == -ENODATA);
}

TEST(circles_are_cut)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcitree *tree = NULL;

	TREE(&t, { .path = FLAT("0000:01:00.0"), .link = "x/0000:02:00.0/0000:01:00.0" },
	     { .path = FLAT("0000:02:00.0"), .link = "x/0000:01:00.0/0000:02:00.0" },
	     { .path = FLAT("0000:03:00.0"), .link = "x/0000:01:00.0/0000:03:00.0" },
	     { .path = FLAT("0000:04:00.0"), .link = "x/0000:04:00.0/0000:04:00.0" });
	EXPECT(pcitree_get(t.h, &tree, NULL) == 0);
	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pcitree_node *n = &tree->nodes[i];
		size_t steps = 0;

		while (n && steps <= tree->n) {
			n = n->parent;
			steps++;
		}
		EXPECT(!n);
	}
}

TEST(no_tree_at_all)
{
	AUTO_TREE struct tree t = { 0 };

	tree_new(&t);
	EXPECT(parent_error(&t, "0000:01:00.0") == -ENODATA);
}
