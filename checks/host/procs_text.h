/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass over /proc notes, a line each, its fields parted by tabs:
 *
 *   process PID NAME GUEST		the handles that follow are its
 *   handle KIND MAJOR MINOR NAME
 *   net INODE PID NAME HOW		a namespace
 *   mount INODE PID NAME HOW
 *   blind WHY
 */
#ifndef CHECKS_HOST_PROCS_TEXT_H
#define CHECKS_HOST_PROCS_TEXT_H

#include <sriovctl/procs.h>

/* A field: what would end it, and all that is not to be printed, becomes "?". */
void procs_text_put(struct buf *ret, const char *text, size_t len);
void procs_text_handle(struct buf *ret, enum procs_kind kind, uint32_t major, uint32_t minor,
		       const char *name, size_t len);

#endif
