/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capacity.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
	[CAPACITY_DRIVER] = "the driver",
	[CAPACITY_TOTAL] = "TotalVFs",
	[CAPACITY_INITIAL] = "InitialVFs",
	[CAPACITY_LINK] = "the function it depends on",
	[CAPACITY_MMIO] = "address space for VF BARs",
	[CAPACITY_BUS] = "bus numbers",
	[CAPACITY_ARI] = "ARI",
	[CAPACITY_MSIX] = "MSI-X vectors",
};
_Static_assert(ARRAY_SIZE(names) == CAPACITY_MAX, "every limit has a name");

const char *capacity_limit_name(enum capacity_limit l)
{
	return names[l];
}

/* What one question is asked about. */
struct query {
	const struct host *h;
	const struct pf *pf;
	const struct capacity_bus *bus;
	uint32_t queues;
};

static void set(struct capacity_bound *b, uint32_t at_least, uint32_t at_most)
{
	b->at_least = at_least;
	b->at_most = at_most;
}

/* Where it was seen, and what; 0 or -ENOMEM. */
PRINTF(3, 4)
static int say(struct capacity_bound *b, const char *source, const char *fmt, ...)
{
	struct buf detail = { 0 };

	BUF_FORMAT(&detail, fmt);
	b->source = strdup(source);
	b->detail = buf_take(&detail);
	return b->source && b->detail ? 0 : -ENOMEM;
}

/* Not known, because of @error; what exists now is allowed anyway. */
static int unknown(const struct query *q, struct capacity_bound *b, int error, const char *source)
{
	set(b, q->pf->dev->numvfs, CAPACITY_ANY);
	b->error = error;
	return say(b, source, "%s", error < 0 ? pciconf_why(error) : "not known");
}

/* --- one bound each -------------------------------------------------------------------- */

static int bound_driver(const struct query *q, struct capacity_bound *b)
{
	const struct pcidev *d = q->pf->dev;

	if (d->totalvfs_error == -ENOENT && q->pf->sriov_error == 0) {
		set(b, 0, 0);
		return say(b, "sriov_totalvfs", "absent: the kernel offers no VFs of it");
	}
	if (d->totalvfs_error < 0) {
		set(b, 0, CAPACITY_ANY);
		b->error = d->totalvfs_error;
		return say(b, "sriov_totalvfs", "not known");
	}
	if (d->driver_error < 0) {
		set(b, d->numvfs, CAPACITY_ANY);
		return say(b, "driver", d->driver_error == -ENOENT ? "none is bound" : "not known");
	}
	if (q->pf->creates == NICS_CREATES_NOT) {
		set(b, d->numvfs, d->numvfs);
		return say(b, "driver", "%s makes none on request", d->driver);
	}
	set(b, q->pf->creates == NICS_CREATES ? d->totalvfs : d->numvfs, d->totalvfs);
	return say(b, "sriov_totalvfs", "%" PRIu32 " by %s", d->totalvfs, d->driver);
}

static int bound_total(const struct query *q, struct capacity_bound *b)
{
	const struct pf *pf = q->pf;

	if (pf->sriov_error == 0) {
		set(b, pf->sriov.total_vfs, pf->sriov.total_vfs);
		return say(b, "TotalVFs", "%u", pf->sriov.total_vfs);
	}
	if (pf->sriov_error == -ENOENT) {
		set(b, 0, 0);
		return say(b, "configuration space", "no SR-IOV capability");
	}
	/* A driver may lower what the kernel offers, never raise it. */
	if (pf->dev->totalvfs_error == 0) {
		set(b, pf->dev->totalvfs, CAPACITY_ANY);
		return say(b, "sriov_totalvfs", "%" PRIu32, pf->dev->totalvfs);
	}
	return unknown(q, b, pf->sriov_error, "TotalVFs");
}

/* Both are the same unless VFs can migrate (PCIe 9.3.3.5); the kernel refuses others with EIO. */
static int bound_initial(const struct query *q, struct capacity_bound *b)
{
	const struct pf *pf = q->pf;
	uint16_t initial = pf->sriov.initial_vfs, total = pf->sriov.total_vfs;

	set(b, CAPACITY_ANY, CAPACITY_ANY);
	if (pf->sriov_error == -ENOENT)
		return 0;
	if (pf->sriov_error < 0 || !pf->sriov.knows_initial)
		return unknown(q, b, pf->sriov_error < 0 ? pf->sriov_error : -ENODATA,
			       "InitialVFs");
	if (initial == total)
		return 0;
	if (initial > total || !pf->sriov_migration)
		set(b, 0, 0);
	else
		set(b, initial, total);
	return say(b, "InitialVFs", "%u with TotalVFs %u", initial, total);
}

/* The function of this device and function number on the bus of @pf; NULL: there is none. */
static const struct pf *neighbour(const struct query *q, uint32_t devfn)
{
	const struct pfs *v = NULL;

	if (pfs_get(q->h, &v, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < v->n; i++) {
		const struct pf *other = &v->items[i];

		if (other->at.domain == q->pf->at.domain && other->at.bus == q->pf->at.bus &&
		    pf_devfn(other) == devfn)
			return other;
	}
	return NULL;
}

/* VFs of several functions may only be enabled together (PCIe 9.3.3.8). */
static int bound_link(const struct query *q, struct capacity_bound *b)
{
	const struct pf *pf = q->pf, *other;
	uint32_t link = pf->sriov.dependency_link;

	set(b, CAPACITY_ANY, CAPACITY_ANY);
	if (pf->sriov_error == -ENOENT)
		return 0;
	if (pf->sriov_error < 0 || !pf->sriov.knows_link)
		return unknown(q, b, pf->sriov_error < 0 ? pf->sriov_error : -ENODATA,
			       "Function Dependency Link");
	if (pf->express_error == 0 && pf->express.type == PCICONF_INTEGRATED_ENDPOINT)
		link = (uint32_t)pf->at.device << 3 | (link & 0x7);
	if (link == pf_devfn(pf))
		return 0;
	other = neighbour(q, link);
	if (other && (other->dev->totalvfs_error == 0 || other->sriov_error == 0))
		return 0;
	/* In a capture the other function may just be missing. */
	set(b, pf->dev->numvfs, !host_is_partial(q->h) && !other ? 0 : CAPACITY_ANY);
	return say(b, "Function Dependency Link", "%02x.%x, which %s", link >> 3, link & 0x7,
		   other ? "is not known to have VFs" : "is not there");
}

static int bound_mmio(const struct query *q, struct capacity_bound *b)
{
	struct capacity_mmio m;

	capacity_mmio_read(q->h, q->pf, &m);
	set(b, q->pf->dev->numvfs, CAPACITY_ANY);
	b->error = m.error;
	switch (m.state) {
	case CAPACITY_MMIO_ASSIGNED:
		set(b, m.vfs, m.vfs);
		return say(b, "resource", "every VF BAR has address space");
	case CAPACITY_MMIO_ALLOCATED:
		set(b, CAPACITY_ANY, CAPACITY_ANY);
		return say(b, "Enhanced Allocation", "VF BARs with built-in addresses");
	case CAPACITY_MMIO_NONE:
		set(b, 0, 0);
		return say(b, m.by_kernel ? "resource" : "VF BARs", "none is assigned");
	case CAPACITY_MMIO_PARTLY:
		set(b, 0, 0);
		if (m.by_log)
			return say(b, "kernel log", "not every VF BAR has address space");
		return say(b, m.by_kernel ? "resource" : "VF BARs", "VF BAR %u has none", m.bar);
	case CAPACITY_MMIO_UNSEEN:
		return say(b, "VF BARs", "addresses of the firmware; the kernel's are not known");
	case CAPACITY_MMIO_NO_IOV:
		return say(b, "resource", "no rows for VF BARs: a kernel without PCI_IOV");
	case CAPACITY_MMIO_UNKNOWN:
		break;
	}
	if (m.may_hide)
		return say(b, "kernel log", "another VF BAR may be there, without address space");
	return unknown(q, b, m.error, "resource");
}

static int bound_bus(const struct query *q, struct capacity_bound *b)
{
	const struct capacity_bus *bus = q->bus;

	set(b, bus->at_least, bus->at_most);
	b->error = bus->error;
	if (bus->error < 0)
		return say(b, "sriov_offset", "%s", pciconf_why(bus->error));
	return say(b, bus->source, "offset %" PRIu32 ", stride %" PRIu32 ", buses up to %02x%s",
		   bus->first_offset, bus->stride, bus->end, bus->is_end_known ? "" : " at most");
}

static int bound_ari(const struct query *q, struct capacity_bound *b)
{
	AUTO_CAPACITY_ARI struct capacity_ari ari = { 0 };
	int r = capacity_ari_read(q->h, q->pf, &ari, NULL);

	if (r < 0)
		return r;
	set(b, ari.reached, CAPACITY_ANY);
	if (ari.reached == CAPACITY_ANY)
		b->at_most = b->at_least;
	return say(b, ari.source ? ari.source : "ARI",
		   ari.state == CAPACITY_ARI_OFF ? "the port delivers to device 0 only"
						 : "no limit");
}

static int bound_msix(const struct query *q, struct capacity_bound *b)
{
	AUTO_CAPACITY_MSIX struct capacity_msix m = { 0 };
	int r = q->queues ? capacity_msix_read(q->h, q->pf, &m, NULL) : 0;

	set(b, CAPACITY_ANY, CAPACITY_ANY);
	if (r < 0 || q->queues == 0)
		return r;
	if (m.seen == 0) {
		set(b, 0, CAPACITY_ANY);
		b->error = m.error;
		return say(b, "MSI-X", "shows once a VF exists");
	}
	if (m.least < q->queues)
		set(b, 0, 0);
	else if (m.error)
		set(b, 0, CAPACITY_ANY);
	b->error = m.error;
	return say(b, m.vf, "%u vectors, %" PRIu32 " wanted", m.least, q->queues);
}

/* --- together --------------------------------------------------------------------------- */

typedef int bound_reader(const struct query *q, struct capacity_bound *b);

static bound_reader *const readers[] = {
	[CAPACITY_DRIVER] = bound_driver,   [CAPACITY_TOTAL] = bound_total,
	[CAPACITY_INITIAL] = bound_initial, [CAPACITY_LINK] = bound_link,
	[CAPACITY_MMIO] = bound_mmio,	    [CAPACITY_BUS] = bound_bus,
	[CAPACITY_ARI] = bound_ari,	    [CAPACITY_MSIX] = bound_msix,
};
_Static_assert(ARRAY_SIZE(readers) == CAPACITY_MAX, "every limit has a reader");

int capacity_wanted(const struct pf *pf, uint32_t vfs, uint32_t *ret)
{
	const struct pcidev *d = pf->dev;

	if (vfs > 0)
		*ret = vfs;
	else if (d->totalvfs_error == 0 && (d->driver_error == 0 || pf->sriov_error < 0))
		*ret = d->totalvfs;
	else if (pf->sriov_error == 0)
		*ret = pf->sriov.total_vfs;
	else
		return pf->sriov_error;
	return 0;
}

static void combine(struct capacity *c)
{
	c->at_least = c->at_most = CAPACITY_ANY;
	for (unsigned i = 0; i < CAPACITY_MAX; i++) {
		if (c->bounds[i].at_most < c->at_most) {
			c->at_most = c->bounds[i].at_most;
			c->bounded_by = i;
		}
		if (c->bounds[i].at_least < c->at_least) {
			c->at_least = c->bounds[i].at_least;
			c->unsure = i;
		}
	}
}

int capacity_read(const struct host *h, const struct pf *pf, uint32_t vfs, uint32_t queues,
		  struct capacity *ret, struct error *e)
{
	struct query q = { .h = h, .pf = pf, .queues = queues };
	AUTO_CAPACITY struct capacity c = { 0 };
	int r = capacity_bus_get(h, pf, &q.bus, e);

	if (r < 0)
		return r;
	for (unsigned i = 0; i < CAPACITY_MAX; i++)
		if (readers[i](&q, &c.bounds[i]) < 0)
			return host_nomem(h, e);
	c.wanted_error = capacity_wanted(pf, vfs, &c.wanted);
	combine(&c);
	*ret = c;
	c = (struct capacity){ 0 };
	return 0;
}

void capacity_done(struct capacity *c)
{
	for (unsigned i = 0; i < CAPACITY_MAX; i++) {
		free(c->bounds[i].source);
		free(c->bounds[i].detail);
	}
	*c = (struct capacity){ 0 };
}
