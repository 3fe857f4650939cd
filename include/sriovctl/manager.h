/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The systemd of the running system, by its D-Bus interface (org.freedesktop.systemd1(5)): on
 * the system bus, or, as that need not be there, on systemd's own socket.  Where the host was
 * not booted by it all of these are -ENOENT, and nothing is to be told.
 */
#ifndef SRIOVCTL_MANAGER_H
#define SRIOVCTL_MANAGER_H

#include <sriovctl/base.h>

struct error;

/* It reads units anew, and who wants which. */
int manager_reload(struct error *e) MUST_USE;
/* It stops a unit; 0 also where there is none of this name. */
int manager_stop(const char *unit, struct error *e) MUST_USE;

#endif
