/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel logs while something is written: its own reason for a refusal, which an
 * errno does not carry (Documentation/ABI/testing/dev-kmsg).  Without the right to read the
 * log there is nothing, and that is no error.
 */
#ifndef PROVISION_KMSG_H
#define PROVISION_KMSG_H

#include <sriovctl/base.h>

struct buf;

/* -1: it cannot be read. */
int kmsg_open(void);
/* What was logged so far is of no interest. */
void kmsg_skip(int fd);
/* The last message since that names @word, without its prefix; "": none. */
void kmsg_find(int fd, const char *word, struct buf *ret);

#endif
