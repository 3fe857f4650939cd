/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the decoders: a capability of which @size bytes are there; as in sriovctl/pciconf.h. */
#ifndef CHECKS_HOST_PCICONF_FIND_H
#define CHECKS_HOST_PCICONF_FIND_H

#include <sriovctl/base.h>

struct pciconf;

int pciconf_find(const struct pciconf *c, uint8_t id, size_t size, uint16_t *ret) MUST_USE;
int pciconf_find_ext(const struct pciconf *c, uint16_t id, size_t size, uint16_t *ret) MUST_USE;

/* For one whose size is known only when some of it was read: is it all there? */
int pciconf_require_whole(const struct pciconf *c, uint16_t at, size_t size) MUST_USE;

#endif
