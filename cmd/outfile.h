/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new file that appears whole or not at all: it has no name until it is complete and on
 * the disk, and takes nobody's place.  However the program ends, nothing else is left.
 */
#ifndef CMD_OUTFILE_H
#define CMD_OUTFILE_H

#include <sriovctl/base.h>

struct error;

struct outfile {
	int fd;
	const char *path;
	char *temporary; /* NULL: the file system keeps files without a name */
};

/* -EEXIST: @path is there already; other errors as of open(). */
int outfile_open(struct outfile *f, const char *path, struct error *e) MUST_USE;
/* Gives it its name. */
int outfile_publish(struct outfile *f, struct error *e) MUST_USE;
void outfile_close(struct outfile *f);
#define AUTO_OUTFILE CLEANUP(outfile_close)

#endif
