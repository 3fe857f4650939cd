/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a file that the user named, to its end, however it comes: a file, a pipe, a terminal. */
#ifndef CMD_INFILE_H
#define CMD_INFILE_H

#include <sriovctl/base.h>

struct buf;
struct error;

#define INFILE_MAX (1u << 20) /* more than a person writes */

/* "stdin" for "-", which stands for standard input. */
const char *infile_name(const char *path);

/* -EFBIG: longer than INFILE_MAX; the errno of what failed. */
int infile_read(const char *path, struct buf *ret, struct error *e) MUST_USE;

#endif
