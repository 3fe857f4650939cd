/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who answers at a bus, device and function number, and reads and writes there. The kernel
 * makes one access at a time (pci_lock).
 */
#include <linux/kernel.h>
#include <linux/pci.h>

#include "labnic.h"
#include "labpci.h"

#define NO_VF (-1)

/* Where an access ends: @fn is NULL when nobody answers. */
struct target {
	struct labpci_fn *fn;
	int vf;
};

static bool is_on(const struct labpci_fn *fn, u16 bit)
{
	return fn->sriov && labpci_get16(fn->space, fn->sriov + PCI_SRIOV_CTRL) & bit;
}

bool labpci_has_vfs(const struct labpci_fn *fn)
{
	return is_on(fn, PCI_SRIOV_CTRL_VFE);
}

/* The VF of @fn, itself on bus @own, that has this address. */
static int find_vf(const struct labpci_fn *fn, int own, int bus, int devfn)
{
	int count, offset, stride, distance;

	if (!labpci_has_vfs(fn))
		return NO_VF;
	count = min_t(int, labpci_get16(fn->space, fn->sriov + PCI_SRIOV_NUM_VF), fn->keys.vfs[0]);
	offset = labpci_get16(fn->space, fn->sriov + PCI_SRIOV_VF_OFFSET);
	stride = labpci_get16(fn->space, fn->sriov + PCI_SRIOV_VF_STRIDE);
	distance = ((bus - own) << 8) + devfn - fn->devfn - offset;
	if (distance == 0 && count > 0)
		return 0;
	if (distance < 0 || stride == 0 || distance % stride || distance / stride >= count)
		return NO_VF;
	return distance / stride;
}

/* A port that does not forward ARI reaches but device 0 of its own bus (6.13). */
static bool delivers(const struct labpci_root *root, const struct labpci_fn *port, int devfn)
{
	if (PCI_SLOT(devfn) == 0)
		return true;
	if (!port)
		return !root->is_below || root->port->ari_enabled;
	if (port->kind == LABPCI_UPSTREAM)
		return true;
	return labpci_get16(port->space, port->express + PCI_EXP_DEVCTL2) & PCI_EXP_DEVCTL2_ARI;
}

static bool holds(const struct labpci_fn *port, int bus)
{
	int secondary = port->space->value[PCI_SECONDARY_BUS];

	return secondary && secondary <= bus && bus <= port->space->value[PCI_SUBORDINATE_BUS];
}

/* Below @port, NULL: on the first bus; its own bus is @own. */
static struct target find_on_link(struct labpci_root *root, struct labpci_fn *port, int own,
				  int bus, int devfn)
{
	struct target t = { .vf = NO_VF };
	struct labpci_fn *fn;

	if (bus == own && !delivers(root, port, devfn))
		return t;
	list_for_each_entry(fn, &root->fns, entry)
	{
		if (fn->parent != port)
			continue;
		if (bus == own && fn->devfn == devfn)
			return (struct target){ .fn = fn, .vf = NO_VF };
		t.vf = find_vf(fn, own, bus, devfn);
		if (t.vf != NO_VF) {
			t.fn = fn;
			return t;
		}
	}
	return t;
}

static struct target find(struct labpci_root *root, int bus, int devfn)
{
	struct labpci_fn *port = NULL, *fn;
	int own = root->bus->number;
	bool is_deeper = bus != own;

	while (is_deeper) {
		is_deeper = false;
		list_for_each_entry(fn, &root->fns, entry)
		{
			if (fn->parent != port || !labpci_is_port(fn) || !holds(fn, bus))
				continue;
			port = fn;
			own = fn->space->value[PCI_SECONDARY_BUS];
			is_deeper = bus != own;
			break;
		}
	}
	return find_on_link(root, port, own, bus, devfn);
}

/* --- reading ------------------------------------------------------------------------------- */

static u8 read_byte(const struct target *t, int at)
{
	const struct labpci_vf *vf;
	u16 msix;

	if (t->vf == NO_VF)
		return t->fn->space->value[at];
	vf = &t->fn->vfs[t->vf];
	msix = t->fn->vf_msix;
	if (at == PCI_COMMAND || at == PCI_COMMAND + 1)
		return vf->command >> (at == PCI_COMMAND ? 0 : 8);
	if (msix && (at == msix + PCI_MSIX_FLAGS || at == msix + PCI_MSIX_FLAGS + 1))
		return vf->msix >> (at == msix + PCI_MSIX_FLAGS ? 0 : 8);
	return t->fn->vf_space->value[at];
}

static int labpci_read(struct pci_bus *bus, unsigned int devfn, int at, int size, u32 *ret)
{
	struct labpci_root *root = labpci_root_of(bus);
	struct target t = { 0 };
	int i;

	if (root)
		t = find(root, bus->number, devfn);
	*ret = ~0;
	if (!t.fn)
		return PCIBIOS_DEVICE_NOT_FOUND;
	*ret = 0;
	for (i = 0; i < size; i++)
		*ret |= (u32)read_byte(&t, at + i) << (8 * i);
	return PCIBIOS_SUCCESSFUL;
}

/* --- writing --------------------------------------------------------------------------------- */

static u16 merge(u16 old, u16 new, u16 writable)
{
	return (old & ~writable) | (new &writable);
}

/* The kernel writes both as what they are, 16 bits; other writes do nothing. */
static void write_vf(const struct target *t, int at, int size, u32 value)
{
	struct labpci_vf *vf = &t->fn->vfs[t->vf];
	u16 msix = t->fn->vf_msix;

	if (size != 2)
		return;
	if (at == PCI_COMMAND)
		vf->command = merge(vf->command, value, PCI_COMMAND_MASTER);
	else if (msix && at == msix + PCI_MSIX_FLAGS)
		vf->msix = merge(vf->msix, value, PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
}

/* What one function is told may change others of its device. */
static void renew_link(const struct labpci_fn *fn)
{
	struct labpci_fn *other;

	list_for_each_entry(other, &fn->root->fns,
			    entry) if (other->parent == fn->parent && other->sriov)
		labpci_space_renew(other);
}

static void give_vectors(struct labpci_fn *fn)
{
	u16 vf = labpci_get16(fn->space, fn->mailbox + LABNIC_VF);
	u16 vectors = labpci_get16(fn->space, fn->mailbox + LABNIC_VECTORS);

	if (vectors == 0)
		vectors = fn->keys.vfmsix[0];
	if (vf < fn->keys.vfs[0])
		fn->vfs[vf].msix = (vectors - 1) & PCI_MSIX_FLAGS_QSIZE;
}

static int labpci_write(struct pci_bus *bus, unsigned int devfn, int at, int size, u32 value)
{
	struct labpci_root *root = labpci_root_of(bus);
	struct labpci_space *s;
	struct target t = { 0 };
	int i;

	if (root)
		t = find(root, bus->number, devfn);
	if (!t.fn)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (t.vf != NO_VF) {
		write_vf(&t, at, size, value);
		return PCIBIOS_SUCCESSFUL;
	}
	s = t.fn->space;
	for (i = 0; i < size; i++)
		s->value[at + i] = merge(s->value[at + i], value >> (8 * i), s->writable[at + i]);
	if (!t.fn->sriov)
		return PCIBIOS_SUCCESSFUL;
	if (at >= t.fn->sriov && at < t.fn->sriov + PCI_EXT_CAP_SRIOV_SIZEOF)
		renew_link(t.fn);
	if (at == t.fn->mailbox + LABNIC_VECTORS)
		give_vectors(t.fn);
	return PCIBIOS_SUCCESSFUL;
}

struct pci_ops labpci_ops = {
	.read = labpci_read,
	.write = labpci_write,
};
