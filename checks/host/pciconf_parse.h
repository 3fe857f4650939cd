/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the capabilities that were found in a space is believed, and why the list ends
 * where it does.  Separate from the finding, so that any list can be tried on any bytes.
 */
#ifndef CHECKS_HOST_PCICONF_PARSE_H
#define CHECKS_HOST_PCICONF_PARSE_H

#include "pciconf_libpci.h"

struct error;
struct pciconf;

/* The two halves of pciconf_parse(): the bytes, then the lists of @n such at once, in which one
 * of no length stands for a space that could not be read. */
int pciconf_parse_bytes(const void *data, size_t len, struct pciconf *ret,
			struct error *e) MUST_USE;
int pciconf_parse_lists(struct pciconf *spaces, size_t n, struct error *e) MUST_USE;

/* Fills the private part of @c from its bytes, of which there are 64 or more. */
void pciconf_parse_accept(struct pciconf *c, const struct pciconf_libpci_cap *found, size_t n);

#endif
