/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a card says of itself and of its firmware by devlink: DEVLINK_CMD_INFO_GET (Linux
 * include/uapi/linux/devlink.h; Documentation/networking/devlink/devlink-info.rst, and there one
 * file of each driver, tell what the names mean).  A driver that cannot tell what is on the flash
 * reports nothing as stored.  -ENODATA in a plain tree, -EOPNOTSUPP: the driver has no such
 * information, or the kernel (before 5.1) no such command.
 */
#ifndef SRIOVCTL_DEVINFO_H
#define SRIOVCTL_DEVINFO_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

enum devinfo_group {
	DEVINFO_FIXED,	 /* of the hardware */
	DEVINFO_RUNNING, /* firmware that is at work */
	DEVINFO_STORED,	 /* firmware on the flash: at work after the next reset */
	DEVINFO_GROUPS
};

struct devinfo_version {
	enum devinfo_group group;
	char *name, *value;
};

struct devinfo {
	char *driver, *serial, *board_serial; /* NULL: not told */
	struct devinfo_version *versions;
	size_t n;
	bool is_cut; /* of an import: there may have been more behind it */
};

/* @bus, @device: "pci", "0000:3b:00.0". */
int devinfo_read(const struct host *h, const char *bus, const char *device, struct devinfo *ret,
		 struct error *e) MUST_USE;
void devinfo_done(struct devinfo *d);
#define AUTO_DEVINFO CLEANUP(devinfo_done)

/* NULL: it is not told. */
const char *devinfo_find(const struct devinfo *d, enum devinfo_group group, const char *name);
bool devinfo_has(const struct devinfo *d, enum devinfo_group group);

/*
 * The form of captures: lines "driver NAME", "serial_number TEXT", "board.serial_number TEXT",
 * "fixed NAME VALUE", "running NAME VALUE", "stored NAME VALUE", and "cut".  What else there is, is
 * passed over.  From the kernel's answer, -EBADMSG: this is none; and into @ret, -ENOMEM alone.
 */
int devinfo_text(const void *data, size_t len, struct buf *ret) MUST_USE;
int devinfo_parse(const char *text, struct devinfo *ret) MUST_USE;

#endif
