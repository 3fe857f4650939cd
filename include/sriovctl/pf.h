/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PCI functions that have VFs, could have them, or were asked about: what sysfs, the
 * configuration space and the table of network adapters say of each, read once.  VFs and
 * bridges are listed too, but of them no configuration space is read.
 */
#ifndef SRIOVCTL_PF_H
#define SRIOVCTL_PF_H

#include <sriovctl/nics.h>
#include <sriovctl/parse.h>
#include <sriovctl/pciconf.h>
#include <sriovctl/pcidev.h>

/* What makes vfio-pci create VFs: a boolean. */
#define PF_VFIO_SRIOV "/sys/module/vfio_pci/parameters/enable_sriov"

struct pf {
	const struct pcidev *dev;
	struct bdf at;
	const struct nics_id *nic; /* NULL: its ids are not in the table */
	bool is_vf;		   /* by sysfs, or by the table where its PF is elsewhere */
	/* Of the bound driver; NICS_CREATES_UNKNOWN also where none is. */
	enum nics_creates creates;

	/* 0, or why no register is known: as pciconf_get(), but never -ENOENT. */
	int config_error;
	size_t config_len;
	/* Each as its decoder answers, or @config_error. */
	int sriov_error, msix_error, ari_error, express_error, ea_error;
	struct pciconf_sriov sriov;
	bool sriov_migration; /* VF Migration Capable */
	struct pciconf_msix msix;
	struct pciconf_ari ari;
	struct pciconf_express express;
	bool ea_vf_bar;
	/* The size of each VF BAR by the VF Resizable BAR capability; 0: not told. */
	uint64_t vf_bar_size[6];
};

struct pfs {
	struct pf *items; /* in the order of the host's functions */
	size_t n;
};
int pfs_get(const struct host *h, const struct pfs **ret, struct error *e) MUST_USE;
void pfs_done(struct pfs *v);

const struct pf *pfs_find(const struct pfs *v, const char *bdf);
/* NULL only when out of memory. */
const struct pf *pf_of(const struct host *h, const struct pcidev *d);

/* Is it judged without being named: does it have the capability, or is of a kind that can? */
bool pf_is_subject(const struct pf *pf);
/*
 * Are those that it has all that can have VFs?  Of a copy, one without any, and without functions
 * that are known to lack VFs, may have lost them.
 */
bool pfs_are_all(const struct host *h, const struct pfs *v);

/* Device and function number as one, as in a Routing ID. */
uint32_t pf_devfn(const struct pf *pf);

#endif
