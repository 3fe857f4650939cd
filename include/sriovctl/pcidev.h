/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PCI functions of a host as sysfs shows them (Documentation/ABI/testing/
 * sysfs-bus-pci).  The count of VFs comes from the virtfn links, not from sriov_numvfs:
 * reading that takes the device lock and can hang behind a stuck write.
 */
#ifndef SRIOVCTL_PCIDEV_H
#define SRIOVCTL_PCIDEV_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

#define PCIDEV_PATH "/sys/bus/pci/devices"

struct pcidev {
	char *name; /* the BDF, "0000:3b:00.0" */
	bool is_vf;
	/* Three-state: 0 and the number, -ENOENT (no such file), or why it is not known. */
	int totalvfs_error;
	uint32_t totalvfs; /* what the driver and the kernel offer, not the capability's TotalVFs */
	uint32_t numvfs;
	char *group; /* the number of its IOMMU group; NULL where it is in none, or that is not
			known */
};

struct pcidevs {
	struct pcidev *items;
	size_t n;
};
int pcidevs_get(const struct host *h, const struct pcidevs **ret, struct error *e) MUST_USE;
void pcidevs_done(struct pcidevs *v);

/* Its network interfaces, joined by a blank; -ENOENT: it has none. */
int pcidev_netdev(const struct host *h, const struct pcidev *d, struct buf *ret) MUST_USE;

#endif
