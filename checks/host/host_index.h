/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What files, folders and links cannot say of a capture: HOST_INDEX, text.  The first
 * line is "sriovctl capture 1"; "partial" follows where the source was a plain tree.  Then
 * a statement a line, in any order, the path last:
 *
 *   all PATH          the names in this folder here are all there were
 *   name PATH         the list of the folder had it; it was not looked at
 *   file PATH         a file that was not read
 *   other PATH        a device, fifo or socket
 *   absent PATH       known not to be there
 *   blind ERRNO PATH  not even what it is could be learned
 *   read ERRNO PATH   what reading it as a file said
 *   list ERRNO PATH   what listing it as a folder said
 *
 * Control characters, backslashes and what is not ASCII are \xNN in a path.
 */
#ifndef CHECKS_HOST_HOST_INDEX_H
#define CHECKS_HOST_HOST_INDEX_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host_store;

/* Into a store that has the members already; -EINVAL with the line and what is wrong there. */
int host_index_parse(const char *text, size_t len, struct host_store *s, struct error *e) MUST_USE;

/* What the members of the store do not say, sorted; 0 or -ENOMEM. */
int host_index_print(const struct host_store *s, struct buf *ret) MUST_USE;

/* Each node below the root, a folder before what is in it, sorted by bytes; until not 0. */
typedef int host_index_visit(void *arg, uint32_t at, const char *path);
int host_index_walk(const struct host_store *s, host_index_visit *visit, void *arg) MUST_USE;

#endif
