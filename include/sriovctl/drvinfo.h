/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the driver of a network interface says about its card: ETHTOOL_GDRVINFO
 * (Linux include/uapi/linux/ethtool.h).  Netlink does not have the firmware's version.
 * Of this network namespace alone; -ENODATA in a plain tree, -ENODEV: no such interface
 * here, -EOPNOTSUPP: it has no such driver.
 */
#ifndef SRIOVCTL_DRVINFO_H
#define SRIOVCTL_DRVINFO_H

#include <sriovctl/base.h>

struct error;
struct host;

#define DRVINFO_MAX 33 /* 32 bytes and a NUL */

/*
 * Empty where the driver says nothing.  A text of all 31 bytes may have been cut.  Of a driver
 * without a version of its own the kernel tells its own release (from 5.7 on, net/ethtool/ioctl.c).
 */
struct drvinfo {
	char firmware[DRVINFO_MAX], bus[DRVINFO_MAX], driver[DRVINFO_MAX], version[DRVINFO_MAX];
};
int drvinfo_read(const struct host *h, const char *interface, struct drvinfo *ret,
		 struct error *e) MUST_USE;

#endif
