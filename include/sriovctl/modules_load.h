/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads a kernel module and what it needs into the running kernel, as modprobe would, by
 * libkmod: with the options of modprobe.d, but never by an install command, as no other
 * program is run.  -ENOENT: there is no such module; -EPERM: modprobe.d replaces its loading.
 */
#ifndef SRIOVCTL_MODULES_LOAD_H
#define SRIOVCTL_MODULES_LOAD_H

#include <sriovctl/base.h>

struct error;

int modules_load(const char *name, struct error *e) MUST_USE;

#endif
