/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast the port of a network interface can be and is: ETHTOOL_GLINKSETTINGS (Linux
 * include/uapi/linux/ethtool.h), which kernels have had since 4.6, and an ordinary user may
 * ask.  Speeds are Mbit/s, 0 where nothing is told.  Of this network namespace alone;
 * -ENODATA in a plain tree, -ENODEV: no such interface here, -EOPNOTSUPP: its driver
 * does not tell.
 */
#ifndef SRIOVCTL_LINKMODES_H
#define SRIOVCTL_LINKMODES_H

#include <sriovctl/base.h>

struct error;
struct host;

struct linkmodes {
	uint32_t speed; /* now; 0 without carrier */
	/* The fastest mode of the port, of those it offers, and of those that its peer offers. */
	uint32_t supported, advertised, partner;
	/* Modes that are newer than this program are among those it supports. */
	bool has_unknown;
};
int linkmodes_read(const struct host *h, const char *interface, struct linkmodes *ret,
		   struct error *e) MUST_USE;

/* The answer, lines of a word and hexadecimal numbers; -EBADMSG: this is none. */
int linkmodes_parse(const char *text, struct linkmodes *ret) MUST_USE;

#endif
