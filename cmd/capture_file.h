/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A capture as a file, with the report that "check" gives of it as its first member. */
#ifndef CMD_CAPTURE_FILE_H
#define CMD_CAPTURE_FILE_H

#include <sriovctl/base.h>

struct error;
struct host;
struct outfile;

/* To @f, which gets its name then, or to standard output where it is NULL. */
int capture_file_write(const struct host *h, struct outfile *f, struct error *e) MUST_USE;

#endif
