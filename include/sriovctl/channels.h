/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queues of a network interface as its driver groups them: ETHTOOL_MSG_CHANNELS_GET
 * (Linux Documentation/networking/ethtool-netlink.rst).  Only the running system answers,
 * and only of this network namespace: -ENODATA on another root, -ENODEV: no such interface
 * here, -EOPNOTSUPP: the driver has no such setting, or the kernel (before 5.6) no such family.
 */
#ifndef SRIOVCTL_CHANNELS_H
#define SRIOVCTL_CHANNELS_H

#include <sriovctl/base.h>

struct error;
struct host;

/* Of a @max of 0 the driver has none. */
struct channels {
	uint32_t rx, tx, combined;
	uint32_t max_rx, max_tx, max_combined;
};
int channels_read(const struct host *h, const char *interface, struct channels *ret,
		  struct error *e) MUST_USE;

/* Pairs of a receive and a transmit queue that are in use. */
uint32_t channels_count(const struct channels *c);

/* The kernel's answer; -EBADMSG: this is none. */
int channels_parse(const void *data, size_t len, struct channels *ret) MUST_USE;

#endif
