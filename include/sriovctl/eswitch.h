/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mode of the switch inside a network card: DEVLINK_CMD_ESWITCH_GET (Linux
 * include/uapi/linux/devlink.h).  Only the running system answers: -ENODATA on another root,
 * -EOPNOTSUPP: the driver, or the device, has no such mode.
 */
#ifndef SRIOVCTL_ESWITCH_H
#define SRIOVCTL_ESWITCH_H

#include <sriovctl/base.h>

struct error;
struct host;

enum eswitch_mode {
	ESWITCH_LEGACY = 0,
	ESWITCH_SWITCHDEV = 1,
};

/* @bus, @device: "pci", "0000:3b:00.0".  A newer kernel may have modes that have no name here. */
int eswitch_read(const struct host *h, const char *bus, const char *device, uint16_t *ret,
		 struct error *e) MUST_USE;

/* The kernel's answer; -EBADMSG: this is none. */
int eswitch_parse(const void *data, size_t len, uint16_t *ret) MUST_USE;

#endif
