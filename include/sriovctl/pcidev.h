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
struct strv;
struct host;

#define PCIDEV_PATH "/sys/bus/pci/devices"

/*
 * Rows of the file "resource": six BARs, the ROM, with PCI_IOV six VF BARs, and of a bridge its
 * four windows behind those (include/linux/pci.h; one too many are ignored).
 */
#define PCIDEV_ROWS_PLAIN  7
#define PCIDEV_ROW_VF	   7
#define PCIDEV_ROWS_IOV	   13
#define PCIDEV_ROW_WINDOWS 13 /* I/O, memory, prefetchable memory */
#define PCIDEV_ROWS_MAX	   17

/* Flags of a row (include/linux/ioport.h). */
#define PCIDEV_DISABLED 0x10000000u
#define PCIDEV_UNSET	0x20000000u

/* All zero where there is nothing. */
struct pcidev_row {
	uint64_t start, end, flags;
};

#define PCIDEV_CLASS_NETWORK	 0x02 /* upper byte of the class */
#define PCIDEV_CLASS_BRIDGE	 0x06
#define PCIDEV_CLASS_HOST_BRIDGE 0x0600 /* two upper bytes */

struct pcidev {
	char *name; /* the BDF, "0000:3b:00.0" */
	bool is_vf;
	/*
	 * Each *_error as in sriovctl/host.h; -ENOENT of driver and totalvfs only where
	 * "resource", which every function has, is there too.
	 */
	int id_error; /* vendor and device */
	uint16_t vendor, device;
	int class_error;
	uint32_t class;	  /* base class, subclass, interface: 0x020000 */
	int driver_error; /* -ENOENT: none is bound */
	char *driver;
	int node_error;
	int node; /* -1: firmware gave none */
	int rows_error;
	size_t n_rows;
	struct pcidev_row rows[PCIDEV_ROWS_MAX];
	/* Three-state: 0 and the number, -ENOENT (no such file), or why it is not known. */
	int totalvfs_error;
	bool shows_totalvfs; /* the file is there, be it read or not */
	uint32_t totalvfs; /* what the driver and the kernel offer, not the capability's TotalVFs */
	uint32_t numvfs;
	char *group; /* the number of its IOMMU group; NULL: in none, or not known */
};

struct pcidevs {
	struct pcidev *items;
	size_t n;
};
int pcidevs_get(const struct host *h, const struct pcidevs **ret, struct error *e) MUST_USE;
void pcidevs_done(struct pcidevs *v);

const struct pcidev *pcidevs_find(const struct pcidevs *v, const char *name);

bool pcidev_is_network(const struct pcidev *d);
bool pcidev_is_bridge(const struct pcidev *d);
/* Has the row an address that the kernel gave out? */
bool pcidev_row_is_assigned(const struct pcidev_row *row);
uint64_t pcidev_row_size(const struct pcidev_row *row);

/* The lines of a file "resource"; -EINVAL for any other text. */
int pcidev_parse_rows(const char *text, struct pcidev *ret) MUST_USE;

/* The network interfaces of a function; as host_list(), and none where they are in another
 * network namespace. */
int pcidev_list_netdevs(const struct host *h, const char *bdf, struct strv *ret, struct error *e);
/* Its network interfaces, joined by a blank; -ENOENT: it has none. */
int pcidev_netdev(const struct host *h, const struct pcidev *d, struct buf *ret) MUST_USE;

#endif
