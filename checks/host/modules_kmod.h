/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libkmod is asked, each in a process of its own (child.h): libkmod asserts on odd
 * ELF files, reads a cut index for ever, and logs while it is being opened.  All paths
 * are of private copies, and nothing that libkmod finds out from the real /proc or /sys
 * is in an answer.
 */
#ifndef CHECKS_HOST_MODULES_KMOD_H
#define CHECKS_HOST_MODULES_KMOD_H

#include <sriovctl/base.h>

struct error;
struct strv;

/* A line of modprobe.d is four texts: number of the file, kind, module, the rest of the line. */
#define MODULES_LINE_TEXTS     4
#define MODULES_LINE_BLACKLIST "blacklist"
#define MODULES_LINE_INSTALL   "install"
#define MODULES_LINE_OPTIONS   "options"
#define MODULES_LINE_ALIAS     "alias"
int modules_kmod_config(const char *dir, const struct strv *files, struct strv *ret,
			struct error *e) MUST_USE;

/* Of the indexes in @dir: a path below @dir (or elsewhere), MODULES_KMOD_BUILTIN, or nothing. */
#define MODULES_KMOD_BUILTIN "builtin"
int modules_kmod_name(const char *dir, const char *name, struct strv *ret,
		      struct error *e) MUST_USE;
/* Of the indexes in @dir: names of modules. */
int modules_kmod_alias(const char *dir, const char *alias, struct strv *ret,
		       struct error *e) MUST_USE;

/* Keys and values, in turn, of the module in the file @file of @dir. */
int modules_kmod_file(const char *dir, const char *file, struct strv *ret,
		      struct error *e) MUST_USE;

#endif
