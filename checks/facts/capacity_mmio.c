/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capacity.h>

#include "capacity_log.h"
#include "capacity_window.h"

#include <sriovctl/pf.h>

#include <errno.h>

#define N_BARS CAPACITY_MMIO_BARS

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

/* --- the kernel's view --------------------------------------------------------------------- */

/* VFs are on only with every VF BAR in its place (drivers/pci/iov.c, sriov_enable). */
static bool vfs_are_on(const struct pf *pf)
{
	return pf->dev->numvfs > 0 || (pf->sriov_error == 0 && pf->sriov.vf_enable);
}

/* Is there a place that is empty, and not for the upper half of an address? */
static bool has_free_place(const struct pf *pf)
{
	for (unsigned i = 0; i < N_BARS; i++) {
		const struct pciconf_vf_bar *bar = &pf->sriov.bar[i];

		if (!bar->exists)
			return true;
		i += bar->is_64;
	}
	return false;
}

/*
 * Beside those of which an address is seen another may be there that got none, and shows nowhere,
 * unless the log would tell, or names all, or all that VFs of this kind have are known.  Of others
 * it is only the kernel's rows that make one out of what there was.
 */
static bool may_hide(const struct host *h, const struct pf *pf, unsigned seen, bool by_kernel,
		     const struct capacity_log *log)
{
	const struct nics *n = NULL;
	unsigned all;

	if (vfs_are_on(pf) || pf->sriov_error < 0 || !has_free_place(pf) || log->is_whole)
		return false;
	if (log->found)
		return log->found & ~seen;
	if (nics_get(h, &n, NULL) < 0 ||
	    !nics_vf_bars(n, pf->dev->vendor, pf->sriov.vf_device, &all))
		return by_kernel;
	return all & ~seen;
}

/*
 * A VF BAR without room leaves an empty row.  In the capability it shows by the bits that say
 * what it is, of which one of 32 bits that is not prefetchable has none: only the log knows it.
 */
static unsigned find_lost(const struct host *h, const struct pf *pf, unsigned assigned,
			  struct capacity_mmio *m)
{
	struct capacity_log log;
	unsigned lost = 0, logged;

	for (unsigned i = 0; i < N_BARS; i++) {
		if (!is_missing(pf, i))
			continue;
		lost |= 1u << i;
		if (pf->sriov_error == 0 && pf->sriov.bar[i].is_64)
			m->above_4g = true;
	}
	if (lost || !assigned || vfs_are_on(pf))
		return lost;
	capacity_log_read(h, pf, &log);
	logged = log.lost & ~assigned;
	/* Of VF BARs that were resized the refusal may have been for more VFs than fit. */
	if (fitting(pf) != CAPACITY_ANY)
		logged &= ~CAPACITY_LOG_UNNAMED;
	m->by_log = logged;
	m->may_hide = !logged && may_hide(h, pf, assigned, true, &log);
	return logged;
}

/* What the kernel could not place it leaves all zero, or marks as unset. */
static void judge_rows(const struct host *h, const struct pf *pf, struct capacity_mmio *m)
{
	unsigned assigned = 0, lost;

	for (unsigned i = 0; i < N_BARS; i++)
		if (pcidev_row_is_assigned(row_of(pf, i)))
			assigned |= 1u << i;
	lost = find_lost(h, pf, assigned, m);
	m->bar = lost ? (unsigned)__builtin_ctz(lost) : 0;
	m->by_kernel = true;
	read_sizes(pf, m);
	m->vfs = fitting(pf);
	if (lost && assigned)
		m->state = CAPACITY_MMIO_PARTLY;
	else if (!assigned && (pf->sriov_error == 0 || pf->dev->totalvfs_error == 0))
		m->state = CAPACITY_MMIO_NONE;
	else if (m->may_hide)
		m->error = -ENODATA;
	else if (assigned && (pf->sriov_error == 0 || pf->dev->numvfs > 0))
		m->state = CAPACITY_MMIO_ASSIGNED;
	else
		/* Another VF BAR may have gone without trace, or there are none to place. */
		m->error = pf->sriov_error;
}

/* What the log alone says, for a function of which nothing else tells. */
static void judge_log(unsigned lost, int error, struct capacity_mmio *m)
{
	m->error = error;
	if (!lost)
		return;
	m->state = CAPACITY_MMIO_PARTLY;
	m->bar = (unsigned)__builtin_ctz(lost);
	m->by_log = true;
}

/*
 * The addresses in the capability: zero is none.  Others firmware gave or the kernel, which keeps
 * them where it can use them, and says in its log where it cannot.
 */
static void judge_addresses(const struct host *h, const struct pf *pf, struct capacity_mmio *m)
{
	struct capacity_log log;
	unsigned zero = 0, set = 0;

	capacity_log_read(h, pf, &log);
	if (pf->sriov_error < 0 || ((log.lost || log.is_open) && !vfs_are_on(pf))) {
		judge_log(log.lost, pf->sriov_error < 0 ? pf->sriov_error : -ENODATA, m);
		return;
	}
	for (unsigned i = 0; i < N_BARS; i++) {
		const struct pciconf_vf_bar *bar = &pf->sriov.bar[i];

		set |= bar->exists && bar->address != 0 ? 1u << i : 0;
		if (!bar->exists || bar->address != 0)
			continue;
		if (zero++ == 0)
			m->bar = i;
		m->above_4g = m->above_4g || bar->is_64;
	}
	if (zero > 0 && set > 0)
		m->state = CAPACITY_MMIO_PARTLY;
	else if (!pf->sriov.knows_bars && zero == 0)
		m->error = -ENODATA;
	else if (set > 0 && !vfs_are_on(pf) && capacity_window_shuts_out(h, pf))
		/* What firmware left there is nothing that a kernel could use. */
		m->error = -ENODATA;
	else if (set > 0 && (m->may_hide = may_hide(h, pf, set, false, &log)))
		m->error = -ENODATA;
	else if (set > 0)
		m->state = vfs_are_on(pf) ? CAPACITY_MMIO_ASSIGNED : CAPACITY_MMIO_UNSEEN;
	else
		m->state = CAPACITY_MMIO_NONE;
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

/* Those of Enhanced Allocation are zero in all bits, and do not exist here. */
static bool has_any_bar(const struct pf *pf)
{
	for (unsigned i = 0; i < N_BARS; i++)
		if (pf->sriov_error == 0 && pf->sriov.bar[i].exists)
			return true;
	return false;
}

void capacity_mmio_read(const struct host *h, const struct pf *pf, struct capacity_mmio *ret)
{
	struct capacity_mmio m = { .state = CAPACITY_MMIO_UNKNOWN, .vfs = CAPACITY_ANY };
	bool has_rows = pf->dev->rows_error == 0 && !pcidev_is_bridge(pf->dev);

	if (has_rows && pf->dev->n_rows >= PCIDEV_ROWS_IOV)
		judge_rows(h, pf, &m);
	else if (has_rows)
		m.state = CAPACITY_MMIO_NO_IOV;
	else
		judge_addresses(h, pf, &m);
	if ((m.state == CAPACITY_MMIO_NONE || m.state == CAPACITY_MMIO_PARTLY) && !m.by_log &&
	    (m.by_kernel || !has_any_bar(pf)))
		consider_ea(pf, &m);
	*ret = m;
}
