/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pf.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* include/uapi/linux/pci_regs.h */
#define EXT_CAP_SRIOV	 0x10
#define SRIOV_CAP	 0x04
#define SRIOV_CAP_VFM	 0x1
#define EXT_CAP_VF_REBAR 0x24
#define REBAR_CTRL	 0x08
#define REBAR_STEP	 8
#define VF_REBAR_SIZES	 44 /* more does not fit 64 bits */

/* PCIe Base Specification, VF Resizable BAR Extended Capability: a size is 1 MiB << n. */
static void read_vf_rebar(const struct pciconf *c, struct pf *pf)
{
	uint16_t at;
	unsigned n;

	if (pciconf_ext_cap(c, EXT_CAP_VF_REBAR, &at) < 0)
		return;
	n = pciconf_u32(c, at + REBAR_CTRL) >> 5 & 0x7;
	for (unsigned i = 0; i < n && i < ARRAY_SIZE(pf->vf_bar_size); i++) {
		uint32_t ctrl = pciconf_u32(c, (size_t)at + REBAR_CTRL + i * REBAR_STEP);
		unsigned bar = ctrl & 0x7, size = ctrl >> 8 & 0x3f;

		if (bar < ARRAY_SIZE(pf->vf_bar_size) && size < VF_REBAR_SIZES)
			pf->vf_bar_size[bar] = UINT64_C(0x100000) << size;
	}
}

static void decode(const struct pciconf *c, struct pf *pf)
{
	uint16_t at;

	pf->config_len = c->len;
	pf->sriov_error = pciconf_sriov(c, &pf->sriov);
	/* The kernel makes the file where it found the capability (drivers/pci/pci-sysfs.c). */
	if (pf->sriov_error == -ENOENT && pf->dev->shows_totalvfs)
		pf->sriov_error = -EBADMSG;
	pf->msix_error = pciconf_msix(c, &pf->msix);
	pf->ari_error = pciconf_ari(c, &pf->ari);
	pf->express_error = pciconf_express(c, &pf->express);
	pf->ea_error = pciconf_ea_has_vf_bar(c, &pf->ea_vf_bar);
	if (pciconf_ext_cap(c, EXT_CAP_SRIOV, &at) == 0)
		pf->sriov_migration = pciconf_u32(c, (size_t)at + SRIOV_CAP) & SRIOV_CAP_VFM;
	read_vf_rebar(c, pf);
}

static void read_config(const struct host *h, struct pf *pf)
{
	const struct pciconf *c = NULL;
	int r = pf->is_vf || pcidev_is_bridge(pf->dev) ? -ENODATA
						       : pciconf_get(h, pf->dev->name, &c, NULL);

	if (r == 0) {
		decode(c, pf);
		return;
	}
	/* No file is no answer about what would stand in it. */
	pf->config_error = r == -ENOENT ? -ENODATA : r;
	pf->sriov_error = pf->msix_error = pf->ari_error = pf->express_error = pf->ea_error =
		pf->config_error;
}

/* vfio-pci makes VFs with a switch only (drivers/vfio/pci/vfio_pci.c), which is off by itself. */
static enum nics_creates vfio_creates(const struct host *h)
{
	AUTO_BUF struct buf text = { 0 };
	bool on = false;

	if (host_attr(h, &text, NULL, PF_VFIO_SRIOV) < 0 || parse_bool(buf_text(&text), &on) < 0)
		return NICS_CREATES_UNKNOWN;
	return on ? NICS_CREATES : NICS_CREATES_NOT;
}

static enum nics_creates driver_creates(const struct host *h, const struct nics *n,
					const struct pcidev *d)
{
	const struct kconfig *config = NULL;
	const struct kernel *k = NULL;

	if (d->driver_error < 0)
		return NICS_CREATES_UNKNOWN;
	if (strcmp(d->driver, "vfio-pci") == 0)
		return vfio_creates(h);
	return nics_creates(n, d->driver, kernel_get(h, &k, NULL) == 0 ? k : NULL,
			    kconfig_get(h, &config, NULL) == 0 ? config : NULL);
}

static void read_pfs_into(const struct host *h, const struct pcidevs *devices, const struct nics *n,
			  struct pfs *ret)
{
	for (size_t i = 0; i < devices->n; i++) {
		struct pf *pf = &ret->items[ret->n];

		pf->dev = &devices->items[i];
		if (parse_bdf(pf->dev->name, &pf->at) < 0)
			continue;
		if (pf->dev->id_error == 0)
			pf->nic = nics_find(n, pf->dev->vendor, pf->dev->device);
		pf->is_vf = pf->dev->is_vf || (pf->nic && pf->nic->is_vf);
		pf->creates = driver_creates(h, n, pf->dev);
		read_config(h, pf);
		ret->n++;
	}
}

static int read_pfs(const struct host *h, struct pfs *ret, struct error *e)
{
	const struct pcidevs *devices = NULL;
	const struct nics *n = NULL;
	int r = pcidevs_get(h, &devices, e);

	if (r == 0)
		r = nics_get(h, &n, e);
	if (r < 0)
		return r;
	ret->items = calloc(devices->n + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_nomem(e);
	read_pfs_into(h, devices, n, ret);
	return 0;
}
HOST_FACT_DEFINE(pfs, read_pfs)

void pfs_done(struct pfs *v)
{
	free(v->items);
	*v = (struct pfs){ 0 };
}

static int compare_name(const void *bdf, const void *pf)
{
	return strverscmp(bdf, ((const struct pf *)pf)->dev->name);
}

/* They are in the order of the functions, which is that of their names. */
const struct pf *pfs_find(const struct pfs *v, const char *bdf)
{
	return v->n > 0 ? bsearch(bdf, v->items, v->n, sizeof(*v->items), compare_name) : NULL;
}

const struct pf *pf_of(const struct host *h, const struct pcidev *d)
{
	const struct pfs *v = NULL;

	return pfs_get(h, &v, NULL) == 0 ? pfs_find(v, d->name) : NULL;
}

bool pfs_are_all(const struct host *h, const struct pfs *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (pf_is_subject(&v->items[i]) || v->items[i].dev->totalvfs_error == -ENOENT)
			return true;
	return !host_is_partial(h);
}

bool pf_is_subject(const struct pf *pf)
{
	if (pf->is_vf)
		return false;
	if (pf->dev->shows_totalvfs || pf->sriov_error == 0)
		return true;
	return pf->nic && pcidev_is_network(pf->dev);
}

uint32_t pf_devfn(const struct pf *pf)
{
	return (uint32_t)pf->at.device << 3 | pf->at.function;
}
