/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the modules*.c files: what was read of the host, and their parts of reading it. */
#ifndef CHECKS_HOST_MODULES_IMPL_H
#define CHECKS_HOST_MODULES_IMPL_H

#include <sriovctl/strv.h>

#include "scratch.h"

#include <errno.h>

struct buf;
struct error;
struct host;
struct modules_info;

struct modules;

/* An int named *_error is 0 or the negative errno because of which the rest is not known. */
struct modules {
	const struct host *h;
	/* /lib/modules/RELEASE and -ENOENT where it is known not to be there. */
	char *dir;
	int dir_error;
	/* Copies of the indexes that lead from a name to a module; no directory: there are none. */
	struct scratch index;
	int index_error;
	/* The live ones of /proc/modules. */
	struct strv loaded;
	int loaded_error;
	/* The files of modprobe.d in the order that counts, and their lines: see modules_kmod.h. */
	struct strv files, lines;
	int config_error;
};

/*
 * The error of something that failed on the machine this runs on.  It tells nothing about
 * the host, and must not be taken for the host's -ENOENT.
 */
static inline int modules_own_error(int r)
{
	return r == -ENOENT ? -EIO : r;
}

/* Is it the whole of an index that libkmod can be given? */
bool modules_is_index(const struct buf *b);

/* Copy the index @name of the running kernel's modules; one that is known not to exist holds
 * nothing. */
int modules_copy_index(const struct modules *m, const struct scratch *dir, const char *name,
		       struct error *e) MUST_USE;

/* -ENOMEM is the only failure; others are noted in @m. */
int modules_config_read(struct modules *m, struct error *e) MUST_USE;
/* A line of modprobe.d, one after the other from *@at = 0 on; false at the end. */
struct modules_line {
	const char *source, *kind, *module, *text;
};
bool modules_config_next(const struct modules *m, size_t *at, struct modules_line *ret);
/* What a command does that stands in place of loading @module. */
enum modules_install {
	MODULES_INSTALL_LOADS,
	MODULES_INSTALL_UNCLEAR,
	MODULES_INSTALL_REFUSES,
};
/* 0 or -ENOMEM. */
int modules_install_read(const char *command, const char *module,
			 enum modules_install *ret) MUST_USE;
/* What modprobe.d says about @name, and about loading what it needs. */
int modules_config_apply(const struct modules *m, const char *name,
			 struct modules_info *info) MUST_USE;

/* The modules that loading the one whose file is @source loads as well; -ENODATA: not told. */
int modules_needs(const struct modules *m, const char *source, struct strv *ret) MUST_USE;

#endif
