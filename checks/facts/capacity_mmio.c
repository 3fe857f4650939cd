/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capacity.h>

#include <sriovctl/pf.h>

#include <errno.h>

#define N_BARS 6

static const struct pcidev_row *row_of(const struct pf *pf, unsigned bar)
{
	return &pf->dev->rows[PCIDEV_ROW_VF + bar];
}

static bool is_empty(const struct pcidev_row *row)
{
	return row->start == 0 && row->end == 0 && row->flags == 0;
}

/*
 * The row spans TotalVFs of the capability, whatever the driver offers
 * (drivers/pci/iov.c, sriov_init).
 */
static void read_sizes(const struct pf *pf, struct capacity_mmio *m)
{
	for (unsigned i = 0; i < N_BARS && pf->sriov_error == 0 && pf->sriov.total_vfs > 0; i++)
		m->vf_size[i] = pcidev_row_size(row_of(pf, i)) / pf->sriov.total_vfs;
}

/* Kernels that resize VF BARs compare what the VFs take then with the row (sriov_enable). */
static uint32_t fitting(const struct pf *pf)
{
	uint32_t vfs = CAPACITY_ANY;

	for (unsigned i = 0; i < N_BARS; i++) {
		uint64_t room = pcidev_row_size(row_of(pf, i));

		if (room == 0 || pf->vf_bar_size[i] == 0)
			continue;
		room /= pf->vf_bar_size[i];
		if (room < pf->sriov.total_vfs && room < vfs)
			vfs = (uint32_t)room;
	}
	return vfs;
}

/* A VF BAR that has no address space: by the capability it exists, or by its row it was wanted. */
static bool is_missing(const struct pf *pf, unsigned bar)
{
	const struct pcidev_row *row = row_of(pf, bar);

	if (pcidev_row_is_assigned(row))
		return false;
	return !is_empty(row) || (pf->sriov_error == 0 && pf->sriov.bar[bar].exists);
}

/* The kernel's view.  What it could not place it leaves all zero, or marks as unset. */
static void judge_rows(const struct pf *pf, struct capacity_mmio *m)
{
	unsigned missing = 0, assigned = 0;

	for (unsigned i = 0; i < N_BARS; i++) {
		assigned += pcidev_row_is_assigned(row_of(pf, i));
		if (!is_missing(pf, i))
			continue;
		if (missing++ == 0)
			m->bar = i;
		if (pf->sriov_error == 0 && pf->sriov.bar[i].is_64)
			m->above_4g = true;
	}
	m->by_kernel = true;
	read_sizes(pf, m);
	m->vfs = fitting(pf);
	if (missing > 0 && assigned > 0)
		m->state = CAPACITY_MMIO_PARTLY;
	else if (assigned == 0 && (pf->sriov_error == 0 || pf->dev->totalvfs_error == 0))
		m->state = CAPACITY_MMIO_NONE;
	else if (assigned > 0 && (pf->sriov_error == 0 || pf->dev->numvfs > 0))
		m->state = CAPACITY_MMIO_ASSIGNED;
	else
		/* Another VF BAR may have gone without trace, or there are none to place. */
		m->error = pf->sriov_error;
}

/* The addresses in the capability: zero is none, others may not be what the kernel can use. */
static void judge_addresses(const struct pf *pf, struct capacity_mmio *m)
{
	unsigned zero = 0, set = 0;

	if (pf->sriov_error < 0) {
		m->error = pf->sriov_error;
		return;
	}
	for (unsigned i = 0; i < N_BARS; i++) {
		const struct pciconf_vf_bar *bar = &pf->sriov.bar[i];

		set += bar->exists && bar->address != 0;
		if (!bar->exists || bar->address != 0)
			continue;
		if (zero++ == 0)
			m->bar = i;
		m->above_4g = m->above_4g || bar->is_64;
	}
	if (pf->sriov.vf_enable && set > 0 && zero == 0)
		m->state = CAPACITY_MMIO_ASSIGNED;
	else if (zero > 0 && set > 0)
		m->state = CAPACITY_MMIO_PARTLY;
	else
		m->state = set > 0 ? CAPACITY_MMIO_UNSEEN : CAPACITY_MMIO_NONE;
}

/*
 * VF BARs of Enhanced Allocation are hard-wired to zero (PCIe Base Specification, Enhanced
 * Allocation Capability); a kernel shows their addresses in the rows all the same.
 */
static void consider_ea(const struct pf *pf, struct capacity_mmio *m)
{
	bool may_have = pf->ea_error == 0 ? pf->ea_vf_bar : pf->ea_error != -ENOENT;

	if (m->by_kernel ? pf->ea_error == 0 && pf->ea_vf_bar : may_have) {
		m->state = CAPACITY_MMIO_UNKNOWN;
		m->error = pf->ea_error < 0 ? pf->ea_error : -EBADMSG;
	}
	if (!m->by_kernel && pf->ea_error == 0 && pf->ea_vf_bar) {
		m->state = CAPACITY_MMIO_ALLOCATED;
		m->error = 0;
	}
}

void capacity_mmio_read(const struct pf *pf, struct capacity_mmio *ret)
{
	struct capacity_mmio m = { .state = CAPACITY_MMIO_UNKNOWN, .vfs = CAPACITY_ANY };
	bool has_rows = pf->dev->rows_error == 0 && !pcidev_is_bridge(pf->dev);

	if (has_rows && pf->dev->n_rows >= PCIDEV_ROWS_IOV)
		judge_rows(pf, &m);
	else if (has_rows)
		m.state = CAPACITY_MMIO_NO_IOV;
	else
		judge_addresses(pf, &m);
	if (m.state == CAPACITY_MMIO_NONE || m.state == CAPACITY_MMIO_PARTLY)
		consider_ea(pf, &m);
	*ret = m;
}
