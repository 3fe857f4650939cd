/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A capture as a file, with the report that "check" gives of it as its first member. */
#ifndef CMD_CAPTURE_FILE_H
#define CMD_CAPTURE_FILE_H

#include <sriovctl/base.h>

struct error;
struct host;
struct outfile;

/*
 * An exit code; EXIT_READY to go on.  @f is open then, or stays closed where @path is "-", which
 * is standard output and no terminal.
 */
int capture_file_open(const char *path, struct outfile *f, struct error *e) MUST_USE;

/* To @f, which gets its name then, or to standard output where it is closed. */
int capture_file_write(const struct host *h, struct outfile *f, struct error *e) MUST_USE;

#endif
