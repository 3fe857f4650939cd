/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The modules of another kernel than a host's own: those of a guest, by the indexes in a folder
 * of the machine that this runs on, as depmod leaves them in /lib/modules/RELEASE.
 */
#ifndef SRIOVCTL_MODULES_GUEST_H
#define SRIOVCTL_MODULES_GUEST_H

#include <sriovctl/base.h>

struct error;
struct modules_guest;
struct strv;

/* -ENOENT, -ENOTDIR ...; -EBADMSG: an index is damaged.  @e says which and why. */
int modules_guest_open(const char *dir, struct modules_guest **ret, struct error *e) MUST_USE;
void modules_guest_close(struct modules_guest *g);
void modules_guest_close_p(struct modules_guest **g);
#define AUTO_MODULES_GUEST CLEANUP(modules_guest_close_p)

/* The folder as it was named. */
const char *modules_guest_dir(const struct modules_guest *g);
/* As modules_resolve(): those that claim a modalias; -ENOENT: none. */
int modules_guest_resolve(const struct modules_guest *g, const char *modalias, struct strv *ret,
			  struct error *e) MUST_USE;
/* 0: there is a module of this name, built in or not; -ENOENT. */
int modules_guest_has(const struct modules_guest *g, const char *name, struct error *e) MUST_USE;

#endif
