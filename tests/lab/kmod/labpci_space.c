/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration space of a port or a function, and that of its VFs. Layouts are those of
 * the PCI Express Base Specification, 7.5 (headers, PCI Express), 7.7 (MSI-X, ACS), 7.8 (ARI),
 * 9.3.3 (SR-IOV).
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "labnic.h"
#include "labpci.h"

#define CAPS_BEGIN   0x40
#define ACS_SIZE     8
#define AER_SIZE     0x48
#define ARI_SIZE     8
#define MSIX_SIZE    12
#define EXPRESS_SIZE 0x3c

static void put_bytes(u8 *bytes, u32 value, unsigned int n)
{
	for (; n > 0; n--, value >>= 8)
		*bytes++ = value;
}

u16 labpci_get16(const struct labpci_space *s, unsigned int at)
{
	return s->value[at] | s->value[at + 1] << 8;
}

void labpci_put16(struct labpci_space *s, unsigned int at, u16 value, u16 writable)
{
	put_bytes(s->value + at, value, 2);
	put_bytes(s->writable + at, writable, 2);
}

u32 labpci_get32(const struct labpci_space *s, unsigned int at)
{
	return labpci_get16(s, at) | (u32)labpci_get16(s, at + 2) << 16;
}

void labpci_put32(struct labpci_space *s, unsigned int at, u32 value, u32 writable)
{
	put_bytes(s->value + at, value, 4);
	put_bytes(s->writable + at, writable, 4);
}

/* The value at @i, or where the text gives none the one before it. */
static u64 chosen(const u64 *values, unsigned int i)
{
	while (i > 0 && values[i] == ~0ULL)
		i--;
	return values[i];
}

/* --- the two chains of capabilities ---------------------------------------------------- */

struct builder {
	const struct labpci_fn *fn;
	struct labpci_space *s;
	u16 link, next; /* where the last pointer to a capability is, and what is free */
	u16 ext_last, ext_next;
};

static u16 add_cap(struct builder *b, u8 id, u16 size)
{
	u16 at = b->next;

	b->s->value[b->link] = at;
	b->s->value[at] = id;
	b->link = at + 1;
	b->next = ALIGN(at + size, 4);
	return at;
}

static u16 add_ext_cap(struct builder *b, u16 id, u16 size)
{
	u16 at = b->ext_next;

	if (b->ext_last)
		labpci_put16(b->s, b->ext_last + 2, at << 4 | 1, 0);
	labpci_put16(b->s, at, id, 0);
	labpci_put16(b->s, at + 2, 1, 0);
	b->ext_last = at;
	b->ext_next = ALIGN(at + size, 16);
	return at;
}

static unsigned int port_type(const struct labpci_fn *fn)
{
	switch (fn->kind) {
	case LABPCI_ROOT_PORT:
		return PCI_EXP_TYPE_ROOT_PORT;
	case LABPCI_UPSTREAM:
		return PCI_EXP_TYPE_UPSTREAM;
	case LABPCI_DOWNSTREAM:
		return PCI_EXP_TYPE_DOWNSTREAM;
	case LABPCI_FUNCTION:
		break;
	}
	return fn->parent || fn->root->is_below ? PCI_EXP_TYPE_ENDPOINT : PCI_EXP_TYPE_RC_END;
}

static u16 add_express(struct builder *b)
{
	const struct labpci_keys *k = &b->fn->keys;
	unsigned int type = port_type(b->fn);
	u16 at = add_cap(b, PCI_CAP_ID_EXP, EXPRESS_SIZE);
	u32 reset = type == PCI_EXP_TYPE_ENDPOINT ? PCI_EXP_DEVCAP_FLR : 0;

	labpci_put16(b->s, at + PCI_EXP_FLAGS, 2 | type << 4, 0);
	labpci_put32(b->s, at + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | reset, 0);
	labpci_put16(b->s, at + PCI_EXP_DEVCTL, 0, 0x7fff);
	if (type == PCI_EXP_TYPE_RC_END)
		return at;
	labpci_put32(b->s, at + PCI_EXP_LNKCAP, chosen(k->speed, 1) | chosen(k->width, 1) << 4, 0);
	labpci_put16(b->s, at + PCI_EXP_LNKCTL, 0, 0xfb);
	labpci_put16(b->s, at + PCI_EXP_LNKSTA, k->speed[0] | k->width[0] << 4, 0);
	labpci_put32(b->s, at + PCI_EXP_LNKCAP2, GENMASK(chosen(k->speed, 1), 1), 0);
	labpci_put16(b->s, at + PCI_EXP_LNKCTL2, chosen(k->speed, 1), 0xf);
	if (type == PCI_EXP_TYPE_ROOT_PORT || type == PCI_EXP_TYPE_DOWNSTREAM)
		labpci_put32(b->s, at + PCI_EXP_DEVCAP2, k->ari[0] ? PCI_EXP_DEVCAP2_ARI : 0, 0);
	labpci_put16(b->s, at + PCI_EXP_DEVCTL2, 0, k->ari[0] ? 0xffff : (u16)~PCI_EXP_DEVCTL2_ARI);
	return at;
}

static u16 add_msix(struct builder *b, u16 vectors)
{
	u16 at = add_cap(b, PCI_CAP_ID_MSIX, MSIX_SIZE);

	labpci_put16(b->s, at + PCI_MSIX_FLAGS, vectors - 1,
		     PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	labpci_put32(b->s, at + PCI_MSIX_PBA, SZ_32K, 0);
	return at;
}

static void add_acs(struct builder *b)
{
	const u64 *acs = b->fn->keys.acs;
	u16 at = add_ext_cap(b, PCI_EXT_CAP_ID_ACS, ACS_SIZE);

	labpci_put16(b->s, at + PCI_ACS_CAP, acs[0], 0);
	labpci_put16(b->s, at + PCI_ACS_CTRL, acs[1] == ~0ULL ? 0 : acs[1],
		     acs[2] == ~0ULL ? acs[0] : acs[2]);
}

/* The status does not go away: nothing here clears it by writing ones. */
static void add_aer(struct builder *b)
{
	const u64 *aer = b->fn->keys.aer;
	u16 at = add_ext_cap(b, PCI_EXT_CAP_ID_ERR, AER_SIZE);

	labpci_put32(b->s, at + PCI_ERR_UNCOR_STATUS, aer[0], 0);
	labpci_put32(b->s, at + PCI_ERR_COR_STATUS, aer[1], 0);
}

static bool shares_link(const struct labpci_fn *a, const struct labpci_fn *b)
{
	return a->root == b->root && a->parent == b->parent;
}

/* The function that comes after this one on the link; 0: none. */
static u8 next_function(const struct labpci_fn *fn)
{
	struct labpci_fn *other;
	u8 next = 0;

	list_for_each_entry(other, &fn->root->fns,
			    entry) if (shares_link(fn, other) && other->devfn > fn->devfn &&
				       (next == 0 || other->devfn < next)) next = other->devfn;
	return next;
}

static void add_ari(struct builder *b, u8 next)
{
	u16 at = add_ext_cap(b, PCI_EXT_CAP_ID_ARI, ARI_SIZE);

	labpci_put16(b->s, at + PCI_ARI_CAP, next << 8, 0);
}

/* --- headers ----------------------------------------------------------------------------- */

static void put_bar(struct labpci_space *s, unsigned int at, const u64 *bar, u64 size)
{
	u32 type = (bar[1] == 64 ? PCI_BASE_ADDRESS_MEM_TYPE_64 : 0) |
		   (bar[2] ? PCI_BASE_ADDRESS_MEM_PREFETCH : 0);
	u64 mask = ~(size - 1);

	labpci_put32(s, at, (labpci_get32(s, at) & mask) | type, mask & ~0xfULL);
	if (bar[1] == 64)
		labpci_put32(s, at + 4, labpci_get32(s, at + 4) & (mask >> 32), mask >> 32);
}

static void put_header(struct builder *b, u16 vendor, u16 device)
{
	const struct labpci_keys *k = &b->fn->keys;

	labpci_put16(b->s, PCI_VENDOR_ID, vendor, 0);
	labpci_put16(b->s, PCI_DEVICE_ID, device, 0);
	labpci_put16(b->s, PCI_COMMAND, 0, 0x547);
	labpci_put16(b->s, PCI_STATUS, PCI_STATUS_CAP_LIST, 0);
	labpci_put32(b->s, PCI_CLASS_REVISION, k->class[0] << 8 | 1, 0);
	b->link = PCI_CAPABILITY_LIST;
	b->next = CAPS_BEGIN;
	b->ext_next = PCI_CFG_SPACE_SIZE;
}

/* Where firmware has put the window of a port: after the one before it, in that of its parent. */
static u64 place(u64 *next, u64 size)
{
	u64 at = ALIGN(*next, SZ_1M);

	*next = at + size;
	return at;
}

static void put_windows(struct labpci_fn *fn)
{
	u64 *mem = fn->parent ? &fn->parent->mem_next : &fn->root->mem_next;
	u64 *pref = fn->parent ? &fn->parent->pref_next : &fn->root->pref_next;
	const struct labpci_keys *k = &fn->keys;
	struct labpci_space *s = fn->space;
	u64 base = SZ_1M, limit = 0;

	if (k->mem[0]) {
		base = fn->mem_next = place(mem, k->mem[0]);
		limit = base + k->mem[0] - 1;
	}
	labpci_put16(s, PCI_MEMORY_BASE, base >> 16 & 0xfff0, 0xfff0);
	labpci_put16(s, PCI_MEMORY_LIMIT, limit >> 16 & 0xfff0, 0xfff0);
	base = SZ_1M;
	limit = 0;
	if (k->pref[0]) {
		base = fn->pref_next = place(pref, k->pref[0]);
		limit = base + k->pref[0] - 1;
	}
	labpci_put16(s, PCI_PREF_MEMORY_BASE, (base >> 16 & 0xfff0) | 1, 0xfff0);
	labpci_put16(s, PCI_PREF_MEMORY_LIMIT, (limit >> 16 & 0xfff0) | 1, 0xfff0);
	labpci_put32(s, PCI_PREF_BASE_UPPER32, base >> 32, ~0);
	labpci_put32(s, PCI_PREF_LIMIT_UPPER32, limit >> 32, ~0);
}

static void build_port(struct builder *b, struct labpci_fn *fn)
{
	const struct labpci_keys *k = &fn->keys;

	b->s->value[PCI_HEADER_TYPE] = PCI_HEADER_TYPE_BRIDGE;
	labpci_put32(b->s, PCI_PRIMARY_BUS, k->bus[0] << 8 | k->bus[1] << 16, 0xffffff);
	if (k->bus[0] && !fn->parent && fn->root->bus)
		b->s->value[PCI_PRIMARY_BUS] = fn->root->bus->number;
	else if (k->bus[0])
		b->s->value[PCI_PRIMARY_BUS] =
			fn->parent ? fn->parent->keys.bus[0] : fn->root->keys.bus[0];
	put_windows(fn);
	labpci_put16(b->s, PCI_BRIDGE_CONTROL, 0, 0xffff);
	fn->express = add_express(b);
	if (fn->keys.aer[0] != ~0ULL)
		add_aer(b);
	if (fn->keys.acs[0] != ~0ULL)
		add_acs(b);
}

/* --- functions and their VFs --------------------------------------------------------------- */

static bool has_ari_hierarchy(const struct labpci_fn *fn)
{
	const struct labpci_fn *other;

	list_for_each_entry(other, &fn->root->fns,
			    entry) if (other->sriov && shares_link(fn, other) &&
				       labpci_get16(other->space, other->sriov + PCI_SRIOV_CTRL) &
					       PCI_SRIOV_CTRL_ARI) return true;
	return false;
}

/* No VF BAR is smaller than the page size that the kernel has chosen. */
static void put_vf_bars(struct labpci_fn *fn)
{
	u64 page = (u64)SZ_4K * labpci_get32(fn->space, fn->sriov + PCI_SRIOV_SYS_PGSIZE);
	unsigned int i;

	for (i = 0; i < LABPCI_BARS; i++) {
		const u64 *bar = fn->keys.vfbar[i];

		if (bar[0])
			put_bar(fn->space, fn->sriov + PCI_SRIOV_BAR + 4 * i, bar,
				max(bar[0], page));
	}
}

void labpci_space_renew(struct labpci_fn *fn)
{
	unsigned int i = labpci_get16(fn->space, fn->sriov + PCI_SRIOV_NUM_VF) ? 1 : 0;

	if (has_ari_hierarchy(fn) && fn->keys.offset[2] != ~0ULL)
		i = 2;
	labpci_put16(fn->space, fn->sriov + PCI_SRIOV_VF_OFFSET, chosen(fn->keys.offset, i), 0);
	labpci_put16(fn->space, fn->sriov + PCI_SRIOV_VF_STRIDE, chosen(fn->keys.stride, i), 0);
	put_vf_bars(fn);
}

/* ARI Capable Hierarchy is one bit of a device: that in its first function with VFs. */
static bool is_first_with_vfs(const struct labpci_fn *fn)
{
	const struct labpci_fn *other;

	list_for_each_entry(other, &fn->root->fns,
			    entry) if (shares_link(fn, other) && other->keys.vfs[0] &&
				       other->devfn < fn->devfn) return false;
	return true;
}

static void add_sriov(struct builder *b, struct labpci_fn *fn)
{
	const struct labpci_keys *k = &fn->keys;
	u16 control =
		PCI_SRIOV_CTRL_VFE | PCI_SRIOV_CTRL_VFM | PCI_SRIOV_CTRL_INTR | PCI_SRIOV_CTRL_MSE;
	u16 at = add_ext_cap(b, PCI_EXT_CAP_ID_SRIOV, PCI_EXT_CAP_SRIOV_SIZEOF);

	if (is_first_with_vfs(fn))
		control |= PCI_SRIOV_CTRL_ARI;
	fn->sriov = at;
	labpci_put32(b->s, at + PCI_SRIOV_CAP, k->migration[0] ? PCI_SRIOV_CAP_VFM : 0, 0);
	labpci_put16(b->s, at + PCI_SRIOV_CTRL, 0, control);
	labpci_put16(b->s, at + PCI_SRIOV_INITIAL_VF,
		     k->initial[0] == ~0ULL ? k->vfs[0] : k->initial[0], 0);
	labpci_put16(b->s, at + PCI_SRIOV_TOTAL_VF, k->vfs[0], 0);
	labpci_put16(b->s, at + PCI_SRIOV_NUM_VF, 0, 0xffff);
	b->s->value[at + PCI_SRIOV_FUNC_LINK] = k->link[0] == ~0ULL ? fn->devfn : k->link[0];
	labpci_put16(b->s, at + PCI_SRIOV_VF_DID, k->vfid[0], 0);
	labpci_put32(b->s, at + PCI_SRIOV_SUP_PGSIZE, k->pages[0], 0);
	labpci_put32(b->s, at + PCI_SRIOV_SYS_PGSIZE, 1, ~0);
}

static void add_mailbox(struct builder *b, struct labpci_fn *fn)
{
	const struct labpci_keys *k = &fn->keys;
	u16 at = add_ext_cap(b, PCI_EXT_CAP_ID_VNDR, LABNIC_SIZE);

	fn->mailbox = at;
	labpci_put32(b->s, at + PCI_VNDR_HEADER, LABNIC_SIZE << 20 | LABNIC_VSEC_ID, 0);
	labpci_put16(b->s, at + LABNIC_TOTAL, k->total[0], 0);
	labpci_put16(b->s, at + LABNIC_GRANT, k->grant[0], 0);
	labpci_put16(b->s, at + LABNIC_AGAIN, k->again[0], 0);
	labpci_put16(b->s, at + LABNIC_FAIL, k->fail[0], 0);
	labpci_put16(b->s, at + LABNIC_BLOCK, k->block[0], 0);
	labpci_put16(b->s, at + LABNIC_POOL, k->pool[0], 0);
	labpci_put16(b->s, at + LABNIC_NETDEV, k->netdev[0], 0);
	labpci_put16(b->s, at + LABNIC_PORT, k->port[0], 0);
	labpci_put16(b->s, at + LABNIC_VF, 0, 0xffff);
	labpci_put16(b->s, at + LABNIC_VECTORS, 0, 0xffff);
}

static void build_function(struct builder *b, struct labpci_fn *fn)
{
	const struct labpci_keys *k = &fn->keys;
	u8 next = next_function(fn);
	unsigned int i;

	if (next && PCI_SLOT(next) == PCI_SLOT(fn->devfn))
		b->s->value[PCI_HEADER_TYPE] |= 0x80;
	for (i = 0; i < LABPCI_BARS; i++)
		if (k->bar[i][0])
			put_bar(b->s, PCI_BASE_ADDRESS_0 + 4 * i, k->bar[i], k->bar[i][0]);
	labpci_put16(b->s, PCI_SUBSYSTEM_VENDOR_ID, k->sub[0], 0);
	labpci_put16(b->s, PCI_SUBSYSTEM_ID, k->sub[1], 0);
	fn->express = add_express(b);
	if (k->msix[0])
		add_msix(b, k->msix[0]);
	if (k->aer[0] != ~0ULL)
		add_aer(b);
	if (k->acs[0] != ~0ULL)
		add_acs(b);
	if (k->ari[0])
		add_ari(b, next);
	if (k->vfs[0])
		add_sriov(b, fn);
	add_mailbox(b, fn);
}

/* The registers that say what a VF is belong to its PF, and read as ones in the VF. */
static int build_vfs(struct labpci_fn *fn)
{
	struct labpci_space *s = kvzalloc(sizeof(*s), GFP_KERNEL);
	struct builder b = { .fn = fn, .s = s };
	unsigned int i;

	fn->vf_space = s;
	fn->vfs = kvcalloc(fn->keys.vfs[0], sizeof(*fn->vfs), GFP_KERNEL);
	if (!s || !fn->vfs)
		return -ENOMEM;
	put_header(&b, 0xffff, 0xffff);
	labpci_put16(s, PCI_SUBSYSTEM_VENDOR_ID, fn->keys.sub[0], 0);
	labpci_put16(s, PCI_SUBSYSTEM_ID, fn->keys.sub[1], 0);
	add_express(&b);
	if (fn->keys.vfmsix[0])
		fn->vf_msix = add_msix(&b, fn->keys.vfmsix[0]);
	if (fn->keys.acs[0] != ~0ULL)
		add_acs(&b);
	if (fn->keys.ari[0])
		add_ari(&b, 0);
	for (i = 0; i < fn->keys.vfs[0]; i++)
		fn->vfs[i].msix = fn->keys.vfmsix[0] - 1;
	return 0;
}

int labpci_space_build(struct labpci_fn *fn)
{
	struct builder b = { .fn = fn };

	fn->space = kvzalloc(sizeof(*fn->space), GFP_KERNEL);
	if (!fn->space)
		return -ENOMEM;
	b.s = fn->space;
	put_header(&b, fn->keys.id[0], fn->keys.id[1]);
	if (labpci_is_port(fn)) {
		build_port(&b, fn);
		return 0;
	}
	build_function(&b, fn);
	if (!fn->sriov)
		return 0;
	labpci_space_renew(fn);
	return build_vfs(fn);
}
