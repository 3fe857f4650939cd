/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The services that something wants when a host boots, by the links that enable them
 * (systemd.unit(5), .wants and .requires): of an instance the template's name.
 */
#ifndef CHECKS_HOST_RIVALS_UNITS_H
#define CHECKS_HOST_RIVALS_UNITS_H

#include <sriovctl/base.h>

struct buf;
struct host;
struct strv;

/*
 * 0, -ENOMEM, or why not all are known, with what could not be looked at; those that are known are
 * in @ret all the same.
 */
int rivals_units_enabled(const struct host *h, struct strv *ret, struct buf *ret_blind) MUST_USE;

#endif
