/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfstate_read.h"

#include <sriovctl/channels.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/secondaries.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>

/*
 * ixgbe parts its card into 32 pools of 4 queues or 64 of 2, and has one of them itself
 * (drivers/net/ethernet/intel/ixgbe/ixgbe_lib.c, ixgbe_set_vmdq_queues).
 */
#define IXGBE_VFS_OF_4 31

/* Drivers of PFs.  A VF of igb has one queue (its driver igbvf). */
static const struct {
	const char *driver;
	enum pfstate_queues how;
	uint64_t fixed;
	bool msix; /* sets them by sriov_vf_msix_count where it says that it has vectors */
} drivers[] = {
	{ .driver = "igb", .how = PFSTATE_QUEUES_FIXED, .fixed = 1 },
	{ .driver = "ixgbe", .how = PFSTATE_QUEUES_TOTAL },
	{ .driver = "ice", .how = PFSTATE_QUEUES_TOTAL, .msix = true },
	{ .driver = "i40e", .how = PFSTATE_QUEUES_CHANNELS },
	{ .driver = "mlx5_core", .how = PFSTATE_QUEUES_CHANNELS, .msix = true },
	{ .driver = "virtio-pci", .how = PFSTATE_QUEUES_CHANNELS },
	{ .driver = "nvme", .how = PFSTATE_QUEUES_NVME },
};

static void find_driver(struct pfstate *p, bool *ret_msix)
{
	for (size_t i = 0; p->driver && i < ARRAY_SIZE(drivers); i++) {
		if (strcmp(drivers[i].driver, p->driver) != 0)
			continue;
		p->queues = drivers[i].how;
		p->queues_fixed = drivers[i].fixed;
		*ret_msix = drivers[i].msix;
	}
	if (p->driver && strcmp(p->driver, "ixgbe") == 0 && p->n_vfs > 0)
		p->queues_fixed = p->n_vfs <= IXGBE_VFS_OF_4 ? 4 : 2;
}

/*
 * The MSI-X table of the VF is as long as it was told to be (Documentation/ABI/testing/
 * sysfs-bus-pci, sriov_vf_msix_count).  ice is told queues, and adds a vector.
 */
int pfstate_vectors(const struct pfstate *pf, const struct pciconf *vf, uint64_t *ret)
{
	bool has_own = pf->driver && strcmp(pf->driver, "ice") == 0;
	struct pciconf_msix msix;
	int r = pciconf_msix(vf, &msix);

	if (r < 0)
		return r;
	*ret = msix.table_size - (has_own && msix.table_size > 0);
	return 0;
}

static int count_vectors(const struct host *h, const struct pfstate *p, const struct pfstate_vf *vf,
			 uint64_t *ret)
{
	const struct pciconf *conf = NULL;
	int r = vf->bdf ? pciconf_get(h, vf->bdf, &conf, NULL) : -ENODEV;

	if (r == 0)
		r = pfstate_vectors(p, conf, ret);
	return r == -ENOENT ? -ENODATA : r;
}

static int count_channels(const struct host *h, const struct pfstate_vf *vf, uint64_t *ret)
{
	struct channels c = { 0 };
	int r = vf->netdev ? channels_read(h, vf->netdev, &c, NULL) : -ENODEV;

	*ret = r == 0 ? channels_count(&c) : 0;
	return r;
}

static int count_of_list(const struct secondaries *list, uint32_t vf, uint64_t *ret)
{
	const struct secondaries_item *s = secondaries_find(list, vf);

	return s ? secondaries_queues(s, ret) : -ENODEV;
}

static void read_nvme(const struct host *h, struct pfstate *p)
{
	AUTO_SECONDARIES struct secondaries list = { 0 };
	int error = p->n_vfs > 0 ? secondaries_read(h, p->bdf, &list, NULL) : 0;

	for (size_t i = 0; i < p->n_vfs; i++) {
		uint64_t n = 0;
		int r = error < 0 ? error : count_of_list(&list, (uint32_t)i, &n);

		pfstate_set_number(&p->vfs[i].set[SETTING_QUEUES], r, n);
	}
}

static void read_vf(const struct host *h, const struct pfstate *p, struct pfstate_vf *vf)
{
	struct setting_value *v = &vf->set[SETTING_QUEUES];
	uint64_t n = p->queues_fixed;
	int r;

	switch (p->queues) {
	case PFSTATE_QUEUES_MSIX:
		r = count_vectors(h, p, vf, &n);
		break;
	case PFSTATE_QUEUES_TOTAL:
		/* Of ice the vectors tell what each VF was given. */
		r = n > 0 ? 0 : count_vectors(h, p, vf, &n);
		break;
	case PFSTATE_QUEUES_CHANNELS:
		r = count_channels(h, vf, &n);
		break;
	case PFSTATE_QUEUES_FIXED:
		r = n > 0 ? 0 : -ENODATA;
		break;
	case PFSTATE_QUEUES_NVME:
	case PFSTATE_QUEUES_UNKNOWN:
	default:
		r = -ENODATA;
		break;
	}
	pfstate_set_number(v, r, n);
}

/* Of a driver that is not in the table its VFs that have an interface may tell. */
static enum pfstate_queues ask_interfaces(const struct host *h, const struct pfstate *p)
{
	for (size_t i = 0; i < p->n_vfs; i++) {
		struct channels c = { 0 };
		int r = p->vfs[i].netdev ? channels_read(h, p->vfs[i].netdev, &c, NULL) : -ENODEV;

		if (r == 0)
			return PFSTATE_QUEUES_CHANNELS;
		if (r == -EOPNOTSUPP)
			return PFSTATE_QUEUES_FIXED;
	}
	return PFSTATE_QUEUES_UNKNOWN;
}

/* All at once, where the space of each tells. */
static void read_vfs(const struct host *h, struct pfstate *p)
{
	AUTO_STRV struct strv bdfs = { 0 };
	bool by_space = p->queues == PFSTATE_QUEUES_MSIX ||
			(p->queues == PFSTATE_QUEUES_TOTAL && p->queues_fixed == 0);

	for (size_t i = 0; by_space && i < p->n_vfs; i++)
		if (p->vfs[i].bdf && strv_add(&bdfs, p->vfs[i].bdf) < 0)
			(void)host_nomem(h, NULL);
	pciconf_read_ahead(h, bdfs.items, bdfs.n);
	for (size_t i = 0; i < p->n_vfs; i++)
		read_vf(h, p, &p->vfs[i]);
}

void pfstate_queues_read(const struct host *h, struct pfstate *p)
{
	bool may_msix = false;
	uint64_t vectors = 0;

	find_driver(p, &may_msix);
	if (may_msix &&
	    host_attr_u64(h, 10, &vectors, NULL, "%s/sriov_vf_total_msix", p->sysfs) == 0 &&
	    vectors > 0)
		p->queues = PFSTATE_QUEUES_MSIX;
	if (p->queues == PFSTATE_QUEUES_UNKNOWN && p->is_network)
		p->queues = ask_interfaces(h, p);
	if (p->queues == PFSTATE_QUEUES_NVME)
		read_nvme(h, p);
	else
		read_vfs(h, p);
}
