/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Absence that is seen further up: in a plain tree nothing is known of a folder that is not
 * there, but that it is not there may itself be known, of one whose own folder was captured.
 */
#ifndef CHECKS_HOST_ABSENCE_H
#define CHECKS_HOST_ABSENCE_H

#include <sriovctl/base.h>

struct host;

/* Of a @path that a getter answered with @r for: is it known to be absent? */
bool absence_is_known(const struct host *h, const char *path, int r);

#endif
