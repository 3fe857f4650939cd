/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tables of compatibility ask about a PCI function of a host: whose driver it has, its
 * firmware by the words of that driver (ethtool -i, else devlink), the kernel that it runs in.
 */
#ifndef SRIOVCTL_COMPAT_HOST_H
#define SRIOVCTL_COMPAT_HOST_H

#include <sriovctl/compat_judge.h>
#include <sriovctl/devinfo.h>
#include <sriovctl/driver.h>
#include <sriovctl/drvinfo.h>

struct host;
struct pcidev;

struct compat_host {
	struct compat_function f;    /* whose texts are those below, or facts of the host */
	const struct driver *driver; /* NULL: none is bound, or that is not known */
	struct driver own;	     /* where no other function has it */
	struct drvinfo drvinfo;
	struct devinfo devinfo;
	int devinfo_error;     /* why devlink told nothing; 0 where it did */
	char *netdev;	       /* that was asked; NULL: it has none here */
	const char *devlink;   /* devlink's name of the firmware that counts; NULL: ethtool told */
	int firmware_error;    /* why it is not known; 0 where it is, or the driver tells none */
	const char *no_scheme; /* the driver, which tells no version of its firmware; or NULL */
};

/* The drivers of PFs and VFs, each read once for all of its functions. */
struct compat_drivers {
	struct driver *items;
	const char **names; /* as sysfs has them */
	size_t n;
};
int compat_drivers_get(const struct host *h, const struct compat_drivers **ret,
		       struct error *e) MUST_USE;
void compat_drivers_done(struct compat_drivers *v);

/* -ENOMEM alone.  @with_firmware: else the driver and the kernel only. */
int compat_host_read(const struct host *h, const struct pcidev *d, bool with_firmware,
		     struct compat_host *ret, struct error *e) MUST_USE;
void compat_host_done(struct compat_host *c);
#define AUTO_COMPAT_HOST CLEANUP(compat_host_done)

#endif
