/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the running system keeps which cards it has found: PERSIST_IDENTITY.  It is state and not
 * configuration: a machine writes it, and who copies a machine's disk need not copy it.
 */
#ifndef SRIOVCTL_IDENTITIES_FILE_H
#define SRIOVCTL_IDENTITIES_FILE_H

#include <sriovctl/identities.h>

/* Those of this machine; none is 0 as well. */
int identities_file_read(const struct host *h, struct identities *ret, struct error *e) MUST_USE;
/* As identities_note(), unless @match is there already; on the disk, whoever else writes. */
int identities_file_note(const struct host *h, const char *match, const char *bdf,
			 struct error *e) MUST_USE;

#endif
