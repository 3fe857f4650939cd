/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the capabilities that were found in a space is believed, and why the list ends
 * where it does.  Separate from the finding, so that any list can be tried on any bytes.
 */
#ifndef CHECKS_HOST_PCICONF_PARSE_H
#define CHECKS_HOST_PCICONF_PARSE_H

#include "pciconf_libpci.h"

struct pciconf;

/* Fills the private part of @c from its bytes, of which there are 64 or more. */
void pciconf_parse_accept(struct pciconf *c, const struct pciconf_libpci_cap *found, size_t n);

#endif
