/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that hold secrets beside what is asked of them: passwords of networks, of boot loaders,
 * of scripts.  Whoever keeps what a host says keeps of these only what the parsers look at, and
 * those look at nothing else, so that what is kept answers as the whole does.
 */
#ifndef CHECKS_HOST_SIEVE_H
#define CHECKS_HOST_SIEVE_H

#include <sriovctl/base.h>

struct buf;

bool sieve_is_for(const char *path);
/* Appends what is left of the content of such a file. */
void sieve_apply(const char *path, const char *data, size_t len, struct buf *ret);

#endif
