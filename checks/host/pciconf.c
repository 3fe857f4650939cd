/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pciconf.h>

#include "pciconf_find.h"

#include <errno.h>
#include <linux/pci_regs.h>

#define NORMAL_END 0x100u
#define ACS_BITS   0x7fu
#define MSI_FLAGS  (PCI_MSI_FLAGS_ENABLE | PCI_MSI_FLAGS_QMASK | PCI_MSI_FLAGS_QSIZE)

static bool was_read(const struct pciconf *c, size_t offset, size_t size)
{
	return offset < c->len && c->len - offset >= size;
}

bool pciconf_knows(const struct pciconf *c, size_t offset, uint32_t mask)
{
	for (; mask; mask >>= 8, offset++) {
		uint8_t bits = (uint8_t)mask;

		if (bits && (offset >= c->len || (c->known && (c->known[offset] & bits) != bits)))
			return false;
	}
	return true;
}

uint16_t pciconf_u16(const struct pciconf *c, size_t offset)
{
	if (!was_read(c, offset, 2))
		return UINT16_MAX;
	return (uint16_t)(c->data[offset] | c->data[offset + 1] << 8);
}

uint32_t pciconf_u32(const struct pciconf *c, size_t offset)
{
	if (!was_read(c, offset, 4))
		return UINT32_MAX;
	return pciconf_u16(c, offset) | (uint32_t)pciconf_u16(c, offset + 2) << 16;
}

/* A space that nobody filled has no reason to give. */
static int not_found(int end)
{
	return end < 0 ? end : -ENODATA;
}

int pciconf_cap(const struct pciconf *c, uint8_t id, uint16_t *ret)
{
	for (size_t i = 0; i < c->n_caps; i++) {
		if (c->data[c->caps[i]] == id && pciconf_knows(c, c->caps[i], 0xff)) {
			*ret = c->caps[i];
			return 0;
		}
	}
	return not_found(c->cap_end);
}

int pciconf_ext_cap(const struct pciconf *c, uint16_t id, uint16_t *ret)
{
	const uint16_t *caps = c->caps + c->n_caps;

	for (size_t i = 0; i < c->n_ext_caps; i++) {
		if (pciconf_u16(c, caps[i]) == id && pciconf_knows(c, caps[i], 0xffff)) {
			*ret = caps[i];
			return 0;
		}
	}
	return not_found(c->ext_cap_end);
}

const char *pciconf_why(int r)
{
	switch (r) {
	case -ENOENT:
		return "the function does not have it";
	case -EACCES:
		return "it is beyond the 64 bytes of configuration space that an ordinary user may "
		       "read";
	case -ENODATA:
		return "it is beyond the configuration space that can be read";
	case -EAGAIN:
		return "the function sleeps, and reading its configuration space would wake it";
	case -EBADMSG:
		return "the capabilities in the configuration space are damaged";
	default:
		return "the configuration space could not be read";
	}
}

int pciconf_require_whole(const struct pciconf *c, uint16_t at, size_t size)
{
	size_t end = at < NORMAL_END ? NORMAL_END : PCICONF_MAX;

	if (at + size > end)
		return -EBADMSG;
	return at + size > c->len ? -ENODATA : 0;
}

int pciconf_find(const struct pciconf *c, uint8_t id, size_t size, uint16_t *ret)
{
	int r = pciconf_cap(c, id, ret);

	return r < 0 ? r : pciconf_require_whole(c, *ret, size);
}

int pciconf_find_ext(const struct pciconf *c, uint16_t id, size_t size, uint16_t *ret)
{
	int r = pciconf_ext_cap(c, id, ret);

	return r < 0 ? r : pciconf_require_whole(c, *ret, size);
}

/* The bits of a BAR are those of a conventional one (9.3.3.14). */
static void decode_vf_bars(const struct pciconf *c, size_t at, struct pciconf_sriov *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->bar); i++) {
		struct pciconf_vf_bar *bar = &s->bar[i];
		uint32_t low = pciconf_u32(c, at + 4 * i);

		bar->exists = low != 0;
		bar->prefetchable = low & PCI_BASE_ADDRESS_MEM_PREFETCH;
		bar->is_64 = (low & PCI_BASE_ADDRESS_MEM_TYPE_MASK) == PCI_BASE_ADDRESS_MEM_TYPE_64;
		bar->address = low & (uint32_t)PCI_BASE_ADDRESS_MEM_MASK;
		if (bar->is_64 && ++i < ARRAY_SIZE(s->bar))
			bar->address |= (uint64_t)pciconf_u32(c, at + 4 * i) << 32;
	}
}

static bool knows_control(const struct pciconf *c, size_t at)
{
	return pciconf_knows(c, at + PCI_SRIOV_CTRL,
			     PCI_SRIOV_CTRL_VFE | PCI_SRIOV_CTRL_MSE | PCI_SRIOV_CTRL_ARI) &&
	       pciconf_knows(c, at + PCI_SRIOV_NUM_VF, UINT16_MAX);
}

static bool knows_bars(const struct pciconf *c, size_t at)
{
	for (size_t i = 0; i < PCI_SRIOV_NUM_BARS; i++)
		if (!pciconf_knows(c, at + 4 * i, UINT32_MAX))
			return false;
	return true;
}

int pciconf_sriov(const struct pciconf *c, struct pciconf_sriov *ret)
{
	struct pciconf_sriov s = { 0 };
	uint16_t at, control;
	int r = pciconf_find_ext(c, PCI_EXT_CAP_ID_SRIOV, PCI_EXT_CAP_SRIOV_SIZEOF, &at);

	if (r < 0)
		return r;
	if (!pciconf_knows(c, at + PCI_SRIOV_TOTAL_VF, UINT16_MAX))
		return -ENODATA;
	s.knows_control = knows_control(c, at);
	s.knows_initial = pciconf_knows(c, at + PCI_SRIOV_INITIAL_VF, UINT16_MAX);
	s.knows_link = pciconf_knows(c, at + PCI_SRIOV_FUNC_LINK, UINT8_MAX);
	s.knows_places = pciconf_knows(c, at + PCI_SRIOV_VF_OFFSET, UINT32_MAX);
	s.knows_bars = knows_bars(c, at + PCI_SRIOV_BAR);
	control = pciconf_u16(c, at + PCI_SRIOV_CTRL);
	s.vf_enable = control & PCI_SRIOV_CTRL_VFE;
	s.vf_memory = control & PCI_SRIOV_CTRL_MSE;
	s.ari_hierarchy = control & PCI_SRIOV_CTRL_ARI;
	s.initial_vfs = pciconf_u16(c, at + PCI_SRIOV_INITIAL_VF);
	s.total_vfs = pciconf_u16(c, at + PCI_SRIOV_TOTAL_VF);
	s.num_vfs = pciconf_u16(c, at + PCI_SRIOV_NUM_VF);
	s.dependency_link = c->data[at + PCI_SRIOV_FUNC_LINK];
	s.first_offset = pciconf_u16(c, at + PCI_SRIOV_VF_OFFSET);
	s.stride = pciconf_u16(c, at + PCI_SRIOV_VF_STRIDE);
	s.vf_device = pciconf_u16(c, at + PCI_SRIOV_VF_DID);
	s.page_sizes = pciconf_u32(c, at + PCI_SRIOV_SUP_PGSIZE);
	s.page_size = pciconf_u32(c, at + PCI_SRIOV_SYS_PGSIZE);
	decode_vf_bars(c, at + PCI_SRIOV_BAR, &s);
	*ret = s;
	return 0;
}

int pciconf_acs(const struct pciconf *c, struct pciconf_acs *ret)
{
	uint16_t at;
	int r = pciconf_find_ext(c, PCI_EXT_CAP_ID_ACS, 8, &at);

	if (r < 0)
		return r;
	if (!pciconf_knows(c, at + PCI_ACS_CAP, ACS_BITS) ||
	    !pciconf_knows(c, at + PCI_ACS_CTRL, ACS_BITS))
		return -ENODATA;
	*ret = (struct pciconf_acs){
		.cap = pciconf_u16(c, at + PCI_ACS_CAP),
		.ctrl = pciconf_u16(c, at + PCI_ACS_CTRL),
	};
	return 0;
}

int pciconf_ari(const struct pciconf *c, struct pciconf_ari *ret)
{
	uint16_t at;
	int r = pciconf_find_ext(c, PCI_EXT_CAP_ID_ARI, PCI_EXT_CAP_ARI_SIZEOF, &at);

	if (r == 0 && !pciconf_knows(c, at + PCI_ARI_CAP, 0xff00))
		r = -ENODATA;
	if (r < 0)
		return r;
	ret->next_function = PCI_ARI_CAP_NFN(pciconf_u16(c, at + PCI_ARI_CAP));
	return 0;
}

int pciconf_msix(const struct pciconf *c, struct pciconf_msix *ret)
{
	uint16_t at, control;
	int r = pciconf_find(c, PCI_CAP_ID_MSIX, PCI_CAP_MSIX_SIZEOF, &at);

	if (r == 0 &&
	    !pciconf_knows(c, at + PCI_MSIX_FLAGS, PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL))
		r = -ENODATA;
	if (r < 0)
		return r;
	control = pciconf_u16(c, at + PCI_MSIX_FLAGS);
	*ret = (struct pciconf_msix){
		.enabled = control & PCI_MSIX_FLAGS_ENABLE,
		.masked = control & PCI_MSIX_FLAGS_MASKALL,
		.table_size = pciconf_knows(c, at + PCI_MSIX_FLAGS, PCI_MSIX_FLAGS_QSIZE)
				      ? (control & PCI_MSIX_FLAGS_QSIZE) + 1u
				      : 0,
	};
	return 0;
}

/* All of it; @data: where its data are. */
static bool knows_message(const struct pciconf *c, size_t at, size_t data)
{
	bool is_64 = data == PCI_MSI_DATA_64;

	return pciconf_knows(c, at + PCI_MSI_FLAGS, MSI_FLAGS | PCI_MSI_FLAGS_64BIT) &&
	       pciconf_knows(c, at + PCI_MSI_ADDRESS_LO, UINT32_MAX) &&
	       (!is_64 || pciconf_knows(c, at + PCI_MSI_ADDRESS_HI, UINT32_MAX)) &&
	       pciconf_knows(c, at + data, UINT16_MAX);
}

int pciconf_msi(const struct pciconf *c, struct pciconf_msi *ret)
{
	struct pciconf_msi m = { 0 };
	uint16_t at, control;
	size_t data;
	bool is_64;
	int r = pciconf_find(c, PCI_CAP_ID_MSI, PCI_MSI_ADDRESS_LO, &at);

	if (r < 0)
		return r;
	control = pciconf_u16(c, at + PCI_MSI_FLAGS);
	is_64 = control & PCI_MSI_FLAGS_64BIT;
	data = is_64 ? PCI_MSI_DATA_64 : PCI_MSI_DATA_32;
	r = pciconf_require_whole(c, at, data + 2);
	if (r == 0 && !knows_message(c, at, data))
		r = -ENODATA;
	if (r < 0)
		return r;
	m.enabled = control & PCI_MSI_FLAGS_ENABLE;
	m.capable = 1u << ((control & PCI_MSI_FLAGS_QMASK) >> 1);
	m.allocated = 1u << ((control & PCI_MSI_FLAGS_QSIZE) >> 4);
	m.address = pciconf_u32(c, at + PCI_MSI_ADDRESS_LO);
	if (is_64)
		m.address |= (uint64_t)pciconf_u32(c, at + PCI_MSI_ADDRESS_HI) << 32;
	m.data = pciconf_u16(c, at + data);
	*ret = m;
	return 0;
}

int pciconf_power(const struct pciconf *c, struct pciconf_power *ret)
{
	uint16_t at;
	int r = pciconf_find(c, PCI_CAP_ID_PM, PCI_PM_SIZEOF, &at);

	if (r == 0 && !pciconf_knows(c, at + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK))
		r = -ENODATA;
	if (r < 0)
		return r;
	ret->state = pciconf_u16(c, at + PCI_PM_CTRL) & PCI_PM_CTRL_STATE_MASK;
	return 0;
}

/* An entry is a dword that says how many follow it, and what for; 7.8.5.  A bridge has
 * its bus numbers before the first. */
int pciconf_ea_has_vf_bar(const struct pciconf *c, bool *ret)
{
	uint16_t at;
	unsigned n;
	size_t pos = pciconf_is_bridge(c) ? PCI_EA_FIRST_ENT_BRIDGE : PCI_EA_FIRST_ENT;
	bool has = false;
	int r = pciconf_find(c, PCI_CAP_ID_EA, PCI_EA_FIRST_ENT, &at);

	if (r == 0 && !pciconf_knows(c, at + PCI_EA_NUM_ENT, PCI_EA_NUM_ENT_MASK))
		r = -ENODATA;
	if (r < 0)
		return r;
	n = c->data[at + PCI_EA_NUM_ENT] & PCI_EA_NUM_ENT_MASK;
	for (unsigned i = 0; i < n; i++) {
		uint32_t head;
		unsigned what;

		r = pciconf_require_whole(c, at, pos + 4);
		if (r == 0 && !pciconf_knows(c, at + pos, PCI_EA_BEI | PCI_EA_ES))
			r = -ENODATA;
		if (r < 0)
			return r;
		head = pciconf_u32(c, at + pos);
		what = (head & PCI_EA_BEI) >> 4;
		has = has || (what >= PCI_EA_BEI_VF_BAR0 && what <= PCI_EA_BEI_VF_BAR5);
		pos += 4 + 4 * (size_t)(head & PCI_EA_ES);
	}
	*ret = has;
	return 0;
}

bool pciconf_is_bridge(const struct pciconf *c)
{
	return (c->data[PCI_HEADER_TYPE] & 0x7f) == PCI_HEADER_TYPE_BRIDGE;
}

bool pciconf_is_multifunction(const struct pciconf *c)
{
	return c->data[PCI_HEADER_TYPE] & 0x80;
}

uint8_t pciconf_secondary_bus(const struct pciconf *c)
{
	return c->data[PCI_SECONDARY_BUS];
}

uint8_t pciconf_subordinate_bus(const struct pciconf *c)
{
	return c->data[PCI_SUBORDINATE_BUS];
}
