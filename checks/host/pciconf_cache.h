/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration spaces read of a host, once each: reading takes a child process. */
#ifndef CHECKS_HOST_PCICONF_CACHE_H
#define CHECKS_HOST_PCICONF_CACHE_H

#include <sriovctl/base.h>

struct error;
struct host;
struct pciconf;
struct pciconf_seen;

struct pciconf_cache {
	struct pciconf_seen **first; /* apart, so that a const host can remember */
};
int pciconf_cache_get(const struct host *h, const struct pciconf_cache **ret,
		      struct error *e) MUST_USE;
void pciconf_cache_done(struct pciconf_cache *c);

/* By a single child for all; where @ret_errors has an error, @ret has no space. */
void pciconf_read_batch(const struct host *h, char *const *bdfs, size_t n, struct pciconf *ret,
			int *ret_errors);

#endif
