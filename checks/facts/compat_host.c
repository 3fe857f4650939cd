/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/compat_host.h>

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>
#include <sriovctl/version.h>
#include <sriovctl/version_kernel.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define INTEL 0x8086

/* Under which name devlink tells what ethtool calls the firmware (Documentation/networking/devlink,
 * one file of each driver).  bnxt_en's "fw" is the package, which may have numbers of its own. */
static const struct {
	const char *driver, *name;
} devlink_names[] = {
	{ .driver = "bnxt_en", .name = "fw.mgmt" }, { .driver = "i40e", .name = "fw.psid.api" },
	{ .driver = "ice", .name = "fw.psid.api" }, { .driver = "ionic", .name = "fw" },
	{ .driver = "mlx4_core", .name = "fw" },    { .driver = "mlx5_core", .name = "fw.version" },
};

static int keep_netdev(const struct host *h, const struct pcidev *d, char **ret)
{
	AUTO_STRV struct strv names = { 0 };
	int r = pcidev_list_netdevs(h, d->name, &names, NULL);

	if (r == -ENOMEM)
		return r;
	if (r < 0 || names.n == 0)
		return 0;
	*ret = TAKE(names.items[0]);
	return 0;
}

static void read_kernel_of(const struct host *h, struct compat_function *f)
{
	const struct version_kernel *v = NULL;
	const struct kconfig *config = NULL;
	const struct kernel *k = NULL;

	if (kernel_get(h, &k, NULL) == 0)
		f->release = k->release;
	if (version_kernel_get(h, &v, NULL) == 0)
		f->kernel = v;
	if (kconfig_get(h, &config, NULL) == 0)
		f->config = config;
}

static void read_subsystem(const struct host *h, const struct pcidev *d, struct compat_function *f)
{
	uint64_t vendor, device;

	if (host_attr_u64(h, 0, &vendor, NULL, PCIDEV_PATH "/%s/subsystem_vendor", d->name) < 0 ||
	    host_attr_u64(h, 0, &device, NULL, PCIDEV_PATH "/%s/subsystem_device", d->name) < 0)
		return;
	f->sub_vendor = (uint16_t)vendor;
	f->sub_device = (uint16_t)device;
}

/* --- drivers ------------------------------------------------------------------------------- */

static const struct driver *find_driver(const struct compat_drivers *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->names[i], name) == 0)
			return &v->items[i];
	return NULL;
}

static int add_driver(const struct host *h, const struct pcidev *d, struct compat_drivers *ret,
		      struct error *e)
{
	AUTO_FREE char *netdev = NULL;
	int r = keep_netdev(h, d, &netdev);

	if (r == 0)
		r = driver_read(h, d->driver, netdev, &ret->items[ret->n], e);
	if (r < 0)
		return host_nomem(h, e);
	ret->names[ret->n++] = d->driver;
	return 0;
}

static int read_drivers(const struct host *h, struct compat_drivers *ret, struct error *e)
{
	const struct pcidevs *all = NULL;
	int r = pcidevs_get(h, &all, e);

	if (r < 0)
		return r;
	ret->items = calloc(all->n + 1, sizeof(*ret->items));
	ret->names = calloc(all->n + 1, sizeof(*ret->names));
	if (!ret->items || !ret->names)
		return error_nomem(e);
	for (size_t i = 0; r == 0 && i < all->n; i++) {
		const struct pcidev *d = &all->items[i];
		const struct pf *pf = pf_of(h, d);

		if (d->driver_error == 0 && pf && (pf->is_vf || pf_is_subject(pf)) &&
		    !find_driver(ret, d->driver))
			r = add_driver(h, d, ret, e);
	}
	return r;
}
HOST_FACT_DEFINE(compat_drivers, read_drivers)

void compat_drivers_done(struct compat_drivers *v)
{
	for (size_t i = 0; i < v->n; i++)
		driver_done(&v->items[i]);
	free(v->items);
	free(v->names);
	*v = (struct compat_drivers){ 0 };
}

static int read_driver(const struct host *h, const struct pcidev *d, struct compat_host *c,
		       struct error *e)
{
	static const enum compat_tree trees[] = {
		[DRIVER_TREE_UNKNOWN] = COMPAT_ANY_TREE,
		[DRIVER_IN_TREE] = COMPAT_IN_TREE,
		[DRIVER_OUT_OF_TREE] = COMPAT_OUT_OF_TREE,
	};
	const struct compat_drivers *all = NULL;
	int r = 0;

	if (d->driver_error < 0)
		return 0;
	if (compat_drivers_get(h, &all, NULL) == 0)
		c->driver = find_driver(all, d->driver);
	if (!c->driver) {
		r = driver_read(h, d->driver, c->netdev, &c->own, e);
		c->driver = &c->own;
	}
	if (r < 0)
		return r;
	c->f.driver = d->driver;
	c->f.driver_version = c->driver->version;
	c->f.tree = trees[c->driver->tree];
	return 0;
}

/* --- firmware ------------------------------------------------------------------------------ */

/* Of two that tell it the one counts that is of the function alone. */
static void take_devlink(struct compat_host *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(devlink_names); i++) {
		if (strcmp(devlink_names[i].driver, c->f.driver) != 0)
			continue;
		c->f.firmware = devinfo_find(&c->devinfo, DEVINFO_RUNNING, devlink_names[i].name);
		if (c->f.firmware)
			c->devlink = devlink_names[i].name;
	}
}

static int read_firmware(const struct host *h, const struct pcidev *d, struct compat_host *c)
{
	int told = devinfo_read(h, "pci", d->name, &c->devinfo, NULL), r = -ENODEV;

	c->devinfo_error = told;
	if (!c->f.driver)
		return 0;
	if (!version_scheme_of(c->f.driver, d->vendor == INTEL ? d->device : 0)) {
		c->no_scheme = c->f.driver;
		return 0;
	}
	c->f.ddp_name = devinfo_find(&c->devinfo, DEVINFO_RUNNING, "fw.app.name");
	c->f.ddp_version = devinfo_find(&c->devinfo, DEVINFO_RUNNING, "fw.app");
	if (c->netdev)
		r = drvinfo_read(h, c->netdev, &c->drvinfo, NULL);
	if (r == 0 && *c->drvinfo.firmware)
		c->f.firmware = c->drvinfo.firmware;
	else if (told == 0)
		take_devlink(c);
	if (!c->f.firmware)
		c->firmware_error = r < 0 ? r : -ENODATA;
	return told == -ENOMEM || r == -ENOMEM ? -ENOMEM : 0;
}

int compat_host_read(const struct host *h, const struct pcidev *d, bool with_firmware,
		     struct compat_host *ret, struct error *e)
{
	int r = keep_netdev(h, d, &ret->netdev);

	if (d->id_error == 0) {
		ret->f.vendor = d->vendor;
		ret->f.device = d->device;
	}
	read_kernel_of(h, &ret->f);
	read_subsystem(h, d, &ret->f);
	if (r == 0)
		r = read_driver(h, d, ret, e);
	if (r == 0 && with_firmware)
		r = read_firmware(h, d, ret);
	return r < 0 ? host_nomem(h, e) : 0;
}

void compat_host_done(struct compat_host *c)
{
	driver_done(&c->own);
	devinfo_done(&c->devinfo);
	free(c->netdev);
	*c = (struct compat_host){ 0 };
}
