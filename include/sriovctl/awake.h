/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration space of a function that runtime power management has suspended, and that
 * of the port above it, as they are while the function is held awake for a moment (Linux
 * Documentation/power/runtime_pm.rst, power/control): on the running system, by root, where its
 * driver leaves power to the kernel.  It sleeps again afterwards.  Done once for a host.
 *
 *   -EACCES   not root
 *   -EAGAIN   it is not the kernel's to wake: held by VFIO, or switched off otherwise
 *   -ENODATA  no running system, and no capture of one that was looked at so
 */
#ifndef SRIOVCTL_AWAKE_H
#define SRIOVCTL_AWAKE_H

#include <sriovctl/base.h>

struct error;
struct host;
struct pciconf;

/* @ret_port has no space (len 0) where no port is above. */
int awake_read(const struct host *h, const char *bdf, struct pciconf *ret_own,
	       struct pciconf *ret_port, struct error *e) MUST_USE;

/* The two spaces out of an answer, each behind its length of two bytes; -EBADMSG: it is none. */
int awake_parse(const void *data, size_t len, struct pciconf *ret_own, struct pciconf *ret_port,
		struct error *e) MUST_USE;

#endif
