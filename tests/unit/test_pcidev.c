/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pcidev.h>

#include "tree.h"

#define PF PCIDEV_PATH "/0000:3b:00.0"
#define VF PCIDEV_PATH "/0000:3b:02.0"

static const struct pcidev *only(struct tree *t)
{
	const struct pcidevs *v = NULL;

	EXPECT(pcidevs_get(t->h, &v, NULL) == 0);
	EXPECT(v && v->n == 1);
	return v && v->n > 0 ? &v->items[0] : NULL;
}

TEST(a_function_that_offers_vfs)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcidev *d;

	TREE(&t, { .path = PF "/sriov_totalvfs", .text = "64\n" },
	     { .path = PF "/iommu_group", .link = "../../../kernel/iommu_groups/7" });
	d = only(&t);
	EXPECT(d && same(d->name, "0000:3b:00.0") && !d->is_vf);
	EXPECT(d && d->totalvfs_error == 0 && d->totalvfs == 64 && d->numvfs == 0);
	EXPECT(d && same(d->group, "7"));
}

/* Reading sriov_numvfs takes the device lock. */
TEST(vfs_are_counted_by_their_links)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcidev *d;

	TREE(&t, { .path = PF "/sriov_totalvfs", .text = "64\n" },
	     { .path = PF "/sriov_numvfs", .text = "9\n" },
	     { .path = PF "/virtfn0", .link = "../0000:3b:02.0" },
	     { .path = PF "/virtfn1", .link = "../0000:3b:02.1" },
	     { .path = PF "/virtfn10", .link = "../0000:3b:03.2" },
	     { .path = PF "/virtio0", .link = "../virtio0" });
	d = only(&t);
	EXPECT(d && d->numvfs == 3);
}

TEST(a_vf_is_known_by_its_link_to_the_physical_function)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcidev *d;

	TREE(&t, { .path = VF "/physfn", .link = "../0000:3b:00.0" },
	     { .path = VF "/resource", .text = "0x0 0x0 0x0\n" });
	d = only(&t);
	EXPECT(d && d->is_vf && d->totalvfs_error == -ENOENT && d->group == NULL);
}

TEST(how_many_vfs_a_function_offers)
{
	static const struct {
		const char *text;
		int error;
		uint32_t total;
	} rows[] = {
		{ .text = "0\n", .total = 0 },
		{ .text = "65535\n", .total = 65535 },
		/* The field of the capability has 16 bits. */
		{ .text = "65536\n", .error = -EINVAL },
		{ .text = "many\n", .error = -EINVAL },
		{ .text = "", .error = -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_TREE struct tree t = { 0 };
		const struct pcidev *d;

		TREE(&t, { .path = PF "/sriov_totalvfs", .text = rows[i].text });
		d = only(&t);
		EXPECT(d && d->totalvfs_error == rows[i].error && d->totalvfs == rows[i].total);
	}
}

TEST(a_function_whose_folder_was_not_captured_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct pcidev *d;

	TREE(&t, { .path = PF, .link = "../../../devices/pci0000:3a/0000:3b:00.0" });
	d = only(&t);
	EXPECT(d && d->totalvfs_error == -ENODATA);
}

TEST(what_is_no_address_is_no_function)
{
	AUTO_TREE struct tree t = { 0 };

	TREE(&t, { .path = PF "/vendor", .text = "0x8086\n" },
	     { .path = PCIDEV_PATH "/README", .text = "" }, { .path = PCIDEV_PATH "/0000:3b" });
	(void)only(&t);
}

TEST(functions_stand_in_the_order_of_the_bus)
{
	static const char *const order[] = { "0000:03:00.0", "0000:03:00.1", "0000:3b:00.0",
					     "10000:01:00.0" };
	AUTO_TREE struct tree t = { 0 };
	const struct pcidevs *v = NULL;

	TREE(&t, { .path = PCIDEV_PATH "/10000:01:00.0" }, { .path = PCIDEV_PATH "/0000:3b:00.0" },
	     { .path = PCIDEV_PATH "/0000:03:00.1" }, { .path = PCIDEV_PATH "/0000:03:00.0" });
	EXPECT(pcidevs_get(t.h, &v, NULL) == 0);
	EXPECT(v && v->n == ARRAY_SIZE(order));
	for (size_t i = 0; v && i < v->n && i < ARRAY_SIZE(order); i++)
		EXPECT(same(v->items[i].name, order[i]));
}

TEST(no_functions_is_known_and_no_folder_is_not)
{
	AUTO_TREE struct tree some = { 0 }, none = { 0 };
	const struct pcidevs *v = NULL;

	TREE(&some, { .path = PCIDEV_PATH });
	EXPECT(pcidevs_get(some.h, &v, NULL) == 0 && v->n == 0);
	tree_new(&none);
	EXPECT(pcidevs_get(none.h, &v, NULL) == -ENODATA);
}

TEST(its_network_interfaces)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf names = { 0 };
	const struct pcidev *d;

	TREE(&t, { .path = PF "/net/ens1f0np0" }, { .path = PF "/net/ens1f0np1" });
	d = only(&t);
	EXPECT(d && pcidev_netdev(t.h, d, &names) == 0);
	EXPECT(same(buf_text(&names), "ens1f0np0 ens1f0np1"));
}

TEST(the_interface_of_a_virtio_function_is_further_down)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf names = { 0 };
	const struct pcidev *d;

	TREE(&t, { .path = PF "/virtio5/net/eth0" });
	d = only(&t);
	EXPECT(d && pcidev_netdev(t.h, d, &names) == 0 && same(buf_text(&names), "eth0"));
}

TEST(a_function_without_driver_has_no_interface)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf names = { 0 };
	const struct pcidev *d;

	TREE(&t, { .path = PF "/vendor", .text = "0x8086\n" });
	d = only(&t);
	EXPECT(d && pcidev_netdev(t.h, d, &names) == -ENOENT && names.len == 0);
}
