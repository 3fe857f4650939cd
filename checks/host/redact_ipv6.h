/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IPv6 addresses as text whose lower half is made of a MAC address (RFC 4291, appendix A). */
#ifndef CHECKS_HOST_REDACT_IPV6_H
#define CHECKS_HOST_REDACT_IPV6_H

#include <sriovctl/base.h>

struct redact_map;

/*
 * Is at @at such a half, "5054:ff:fe12:3456"?  Then it is replaced in place, and its length
 * returned; else 0.
 */
size_t redact_ipv6_take(struct redact_map *m, char *data, size_t at, size_t len);

#endif
