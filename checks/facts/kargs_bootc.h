/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words that an image for bootc brings for the machines that boot it: the TOML files of
 * one folder, each with an array "kargs".  Only the file that is this program's own is
 * changed; a word that others have cannot be removed by it, which is refused with file and line.
 */
#ifndef CHECKS_FACTS_KARGS_BOOTC_H
#define CHECKS_FACTS_KARGS_BOOTC_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct kargs;

#define KARGS_BOOTC_DIR	  "/usr/lib/bootc"
#define KARGS_BOOTC_KARGS KARGS_BOOTC_DIR "/kargs.d"
#define KARGS_BOOTC_FILE  KARGS_BOOTC_KARGS "/50-sriovctl.toml"

/* Its own file as it is and as it has to be; @ret_after is empty where none is needed. */
int kargs_bootc_edit(const struct host *h, const struct kargs *k, struct buf *before,
		     struct buf *ret_after, bool *ret_is_new, struct error *e) MUST_USE;

/* The words of a file, with a blank between each; -ENOTSUP, with its line, for what is no such. */
int kargs_bootc_parse(const char *path, const char *text, struct buf *ret,
		      struct error *e) MUST_USE;

#endif
