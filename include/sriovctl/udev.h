/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether udev has done all that it does to a new network interface of the running system: until
 * then it may still give it another name.
 */
#ifndef SRIOVCTL_UDEV_H
#define SRIOVCTL_UDEV_H

#include <sriovctl/base.h>

/* The interface of this index; true as well where no udev is running. */
bool udev_is_through(unsigned index);
/* By what its database says of it (systemd src/libsystemd/sd-device/device-private.c). */
bool udev_text_is_through(const char *text);

#endif
