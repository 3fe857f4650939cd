/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ethernet addresses as numbers (48 bits, the first byte highest), and those that are derived
 * for VFs from their PF's permanent address: locally administered, unicast, and the same on
 * every boot.  macs.c states the construction and its limits.
 */
#ifndef SRIOVCTL_MACS_H
#define SRIOVCTL_MACS_H

#include <sriovctl/base.h>

struct buf;

/* "02:00:00:00:00:01"; -EINVAL for anything else. */
int macs_parse(const char *text, uint64_t *ret) MUST_USE;
void macs_print(uint64_t mac, struct buf *ret);
bool macs_is_multicast(uint64_t mac);
uint64_t macs_derive(uint64_t permanent, uint32_t vf);

#endif
