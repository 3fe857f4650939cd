/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a file that the user named, or standard input, to its end. */
#ifndef CMD_INFILE_H
#define CMD_INFILE_H

#include <sriovctl/base.h>

struct buf;
struct error;

#define INFILE_MAX (1u << 20) /* more than a person writes */

/* "stdin" for "-", which stands for standard input. */
const char *infile_name(const char *path);

/* -EFBIG: longer than INFILE_MAX; -EINVAL: it is no regular file, nor what a shell made of a
 * command's output; the errno of what failed. */
int infile_read(const char *path, struct buf *ret, struct error *e) MUST_USE;

#endif
