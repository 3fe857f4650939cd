/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libpci is asked, in a process of its own (child.h): out of memory it calls exit(),
 * already in pci_alloc() where it cannot be told otherwise yet.  It is given the space as
 * the cache of a device and opens no file: a private tree with a copy, for it to open by
 * path, takes ten times as long on a disk, and adds nothing.
 */
#ifndef CHECKS_HOST_PCICONF_LIBPCI_H
#define CHECKS_HOST_PCICONF_LIBPCI_H

#include <sriovctl/base.h>

struct error;
struct pciconf;

struct pciconf_libpci_cap {
	bool extended;
	uint16_t offset;
};

/*
 * Where libpci sees capabilities in each of @n spaces, of which the bytes are there: one array
 * for free().  The list of each space, the extended ones last, ends with one at offset 0, that
 * of an empty space too.  libpci follows any pointer, also out of the lists' regions.
 */
int pciconf_libpci_caps(const struct pciconf *spaces, size_t n, struct pciconf_libpci_cap **ret,
			struct error *e) MUST_USE;

#endif
