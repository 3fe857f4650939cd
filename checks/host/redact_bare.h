/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses and UUIDs in texts without the marks that tell them from other numbers: MAC addresses
 * as 12 digits, in groups of four, or in pairs, which count only where the map knows them; 32
 * digits, as machine-id(5) has them.
 */
#ifndef CHECKS_HOST_REDACT_BARE_H
#define CHECKS_HOST_REDACT_BARE_H

#include <sriovctl/base.h>

struct redact_map;

/* Of what starts at @at, in place: how many characters it has; 0: there is none. */
size_t redact_bare_take(struct redact_map *m, char *data, size_t at, size_t len);

#endif
