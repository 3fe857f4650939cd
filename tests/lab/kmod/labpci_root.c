/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's side of a synthetic hierarchy: its bridge, its scan, its address space, its end.
 * Windows that the text gives to ports are kept as those of firmware are, the rest is sized by
 * the kernel, as at boot with pci=realloc=off.
 */
#include <linux/kernel.h>
#include <linux/ioport.h>
#include <linux/pci.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "labpci.h"

/*
 * Addresses of the CPU where nothing is, one slot for each bridge. On the bus those of @mem
 * begin below 4 GB, so that 32 bits reach them; those of @pref are the same on both sides.
 */
#define SLOT_BASE    0x8000000000ULL
#define SLOT_SIZE    0x400000000ULL
#define SLOTS	     32
#define MEM_ON_BUS   0x80000000ULL
#define PREF_IN_SLOT SZ_4G

static unsigned long slots;

struct labpci_root *labpci_root_of(struct pci_bus *bus)
{
	struct labpci_root *root, *ret = NULL;

	rcu_read_lock();
	for (; bus && !ret; bus = bus->parent)
		list_for_each_entry_rcu(root, &labpci_roots, entry) if (root->bus == bus) ret =
			root;
	rcu_read_unlock();
	return ret;
}

static int reserve(struct labpci_root *root)
{
	u64 base, size = root->keys.mem[0];
	int r;

	root->index = find_first_zero_bit(&slots, SLOTS);
	if (root->index == SLOTS || size > SLOT_SIZE - MEM_ON_BUS)
		return -ENOSPC;
	base = SLOT_BASE + root->index * SLOT_SIZE;
	root->mem = (struct resource)DEFINE_RES_MEM_NAMED(base + MEM_ON_BUS, size, "labpci");
	root->pref = (struct resource)DEFINE_RES_MEM_NAMED(base + PREF_IN_SLOT, root->keys.pref[0],
							   "labpci");
	root->pref.flags |= IORESOURCE_PREFETCH | IORESOURCE_MEM_64;
	root->busn = (struct resource)DEFINE_RES_NAMED(root->keys.bus[0],
						       root->keys.bus[1] - root->keys.bus[0] + 1,
						       "labpci", IORESOURCE_BUS);
	root->mem_next = MEM_ON_BUS;
	root->pref_next = base + PREF_IN_SLOT;
	r = size ? request_resource(&iomem_resource, &root->mem) : 0;
	if (r == 0 && root->keys.pref[0]) {
		r = request_resource(&iomem_resource, &root->pref);
		if (r < 0 && size)
			release_resource(&root->mem);
	}
	if (r == 0)
		__set_bit(root->index, &slots);
	return r;
}

static void unreserve(struct labpci_root *root)
{
	if (root->keys.mem[0])
		release_resource(&root->mem);
	if (root->keys.pref[0])
		release_resource(&root->pref);
	__clear_bit(root->index, &slots);
}

static int build_all(struct labpci_root *root)
{
	struct labpci_fn *fn;
	int r = 0;

	list_for_each_entry(fn, &root->fns, entry) if (r == 0) r = labpci_space_build(fn);
	return r;
}

/* --- a host bridge of its own ---------------------------------------------------------------- */

static int make_bridge(struct labpci_root *root)
{
	LIST_HEAD(windows);

	root->sysdata.domain = root->keys.domain[0];
	root->sysdata.node = root->keys.node[0] == ~0ULL ? NUMA_NO_NODE : root->keys.node[0];
	if (root->keys.mem[0])
		pci_add_resource_offset(&windows, &root->mem, root->mem.start - MEM_ON_BUS);
	if (root->keys.pref[0])
		pci_add_resource(&windows, &root->pref);
	pci_add_resource(&windows, &root->busn);
	root->bus =
		pci_create_root_bus(NULL, root->keys.bus[0], &labpci_ops, &root->sysdata, &windows);
	if (root->bus)
		return 0;
	pci_free_resource_list(&windows);
	return -EEXIST;
}

static int add_host(struct labpci_root *root)
{
	int r = reserve(root);

	if (r < 0)
		return r;
	r = build_all(root);
	if (r == 0)
		r = make_bridge(root);
	if (r < 0) {
		unreserve(root);
		return r;
	}
	pci_scan_child_bus(root->bus);
	pci_bus_claim_resources(root->bus);
	pci_assign_unassigned_bus_resources(root->bus);
	pci_bus_add_devices(root->bus);
	return 0;
}

static void remove_host(struct labpci_root *root)
{
	pci_stop_root_bus(root->bus);
	pci_remove_root_bus(root->bus);
	unreserve(root);
}

/* --- below a port of the machine ----------------------------------------------------------------
 */

static int add_below(struct labpci_root *root)
{
	const u64 *at = root->keys.below;
	int r;

	root->port = pci_get_domain_bus_and_slot(0, at[0], PCI_DEVFN(at[1], at[2]));
	if (!root->port || !root->port->subordinate)
		return -ENODEV;
	root->bus = root->port->subordinate;
	if (!list_empty(&root->bus->devices))
		return -EBUSY;
	r = build_all(root);
	if (r < 0)
		return r;
	root->port_ops = pci_bus_set_ops(root->bus, &labpci_ops);
	pci_scan_child_bus(root->bus);
	pci_assign_unassigned_bridge_resources(root->port);
	pci_bus_add_devices(root->bus);
	return 0;
}

static void remove_below(struct labpci_root *root)
{
	struct pci_dev *dev, *next;

	list_for_each_entry_safe_reverse(dev, next, &root->bus->devices,
					 bus_list) if (!dev->is_virtfn)
		pci_stop_and_remove_bus_device(dev);
	pci_bus_set_ops(root->bus, root->port_ops);
}

/* ---------------------------------------------------------------------------------------------- */

int labpci_root_add(struct labpci_root *root)
{
	int r;

	pci_lock_rescan_remove();
	r = root->is_below ? add_below(root) : add_host(root);
	pci_unlock_rescan_remove();
	if (r < 0) {
		pr_err("labpci: %s: error %d\n", root->name, -r);
		pci_dev_put(root->port);
		root->port = NULL;
		root->bus = NULL;
	}
	return r;
}

void labpci_root_remove(struct labpci_root *root)
{
	if (!root->bus)
		return;
	pci_lock_rescan_remove();
	if (root->is_below)
		remove_below(root);
	else
		remove_host(root);
	pci_unlock_rescan_remove();
	pci_dev_put(root->port);
	root->bus = NULL;
}
