/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The driver of a PCI function as a module: which version it is, and whether it is of the
 * kernel's own sources.  The running kernel's word counts most (/sys/module/NAME: taint, version
 * and srcversion; Documentation/ABI/stable/sysfs-module), as it is about what is loaded; then
 * what is built in; then the file that modprobe would load, or that modinfo told of; then that
 * ethtool names a version as only the kernel's own drivers have it.
 */
#ifndef SRIOVCTL_DRIVER_H
#define SRIOVCTL_DRIVER_H

#include <sriovctl/base.h>

struct error;
struct host;

enum driver_tree {
	DRIVER_TREE_UNKNOWN,
	DRIVER_IN_TREE,
	DRIVER_OUT_OF_TREE,
};

struct driver {
	char *module;	  /* "mlx5_core", which is most often the driver's name, too */
	char *version;	  /* its own; NULL: it has none, as most of the kernel's, or is not known */
	char *srcversion; /* NULL: it has none, or is not known */
	enum driver_tree tree;
	char *source; /* what told the tree, else the version; NULL: nothing did */
	/* 0, or why the kernel's word of what is loaded is not known where it has one. */
	int error;
};

/*
 * @name: of the driver, as sysfs has it; @interface: of a network interface that it drives, or
 * NULL.  -ENOMEM alone: what is not known is left out.
 */
int driver_read(const struct host *h, const char *name, const char *interface, struct driver *ret,
		struct error *e) MUST_USE;
void driver_done(struct driver *d);
#define AUTO_DRIVER CLEANUP(driver_done)

#endif
