/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Absence that is seen further up: in a plain tree nothing is known of a folder that is not
 * there, but that it is not there may itself be known, of one whose own folder was captured.
 */
#ifndef CHECKS_HOST_ABSENCE_H
#define CHECKS_HOST_ABSENCE_H

#include <sriovctl/base.h>

struct host;
struct strv;

/* Of a @path that a getter answered with @r for: is it known to be absent? */
bool absence_is_known(const struct host *h, const char *path, int r);

/* The names in a folder; none where it is known that there is no folder.  0, or why not known. */
int absence_list(const struct host *h, const char *dir, struct strv *ret) MUST_USE;

#endif
