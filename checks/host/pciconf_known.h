/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which bits of a configuration space are known, where it was made of what somebody printed:
 * HOST_ANSWERS/known/BDF, as long as the space, a set bit for each that was told.  Only an
 * import makes it; without it all is known.
 */
#ifndef CHECKS_HOST_PCICONF_KNOWN_H
#define CHECKS_HOST_PCICONF_KNOWN_H

#include <sriovctl/base.h>

struct error;
struct host;

#define PCICONF_KNOWN "/known"

/* Of a space of @len bytes: the host's own, or NULL where all is known; -EBADMSG: another length.
 */
int pciconf_known_read(const struct host *h, const char *bdf, size_t len, const uint8_t **ret,
		       struct error *e) MUST_USE;

/* What was read so far of a host. */
struct pciconf_mask;
struct pciconf_known {
	struct pciconf_mask **first; /* apart, so that a const host can remember */
};
int pciconf_known_get(const struct host *h, const struct pciconf_known **ret,
		      struct error *e) MUST_USE;
void pciconf_known_done(struct pciconf_known *k);

#endif
