/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A spec from the file that an option names; "-" is standard input. */
#ifndef CMD_SPECFILE_H
#define CMD_SPECFILE_H

#include <sriovctl/base.h>

struct error;
struct spec;

/* -EINVAL and -ENOMEM as spec_parse(); else why the file could not be read, with its name. */
int specfile_read(const char *path, struct spec **ret, struct error *e) MUST_USE;

#endif
