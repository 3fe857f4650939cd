/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that have settings which wait for carrier: a file each, of the name of its
 * address, in a folder that systemd watches (sriovctl-carrier.path).
 */
#ifndef SRIOVCTL_WAITING_H
#define SRIOVCTL_WAITING_H

#include <sriovctl/base.h>

struct error;
struct strv;

#define WAITING_FOLDER "/run/sriovctl/waiting"

int waiting_add(const char *bdf, struct error *e) MUST_USE;
/* 0 also where it does not wait. */
int waiting_remove(const char *bdf, struct error *e) MUST_USE;
int waiting_list(struct strv *ret, struct error *e) MUST_USE;

#endif
