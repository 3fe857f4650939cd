/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tar files, also gzipped, as streams: the only user of libarchive.  Nothing is extracted;
 * members come one after the other.  A reader is bounded in memory and in what it unpacks,
 * and takes nothing for whole that is not: a cut file, a wrong checksum, no end.
 */
#ifndef CHECKS_HOST_HOST_ARCHIVE_H
#define CHECKS_HOST_HOST_ARCHIVE_H

#include "host_source.h"

#define HOST_ARCHIVE_NAME_MAX 4096

struct host_archive_member {
	const char *name;    /* as it stands there */
	enum host_kind kind; /* OTHER: also a file with holes */
	const char *target;  /* of a link */
	const char *same_as; /* the member that it is another name of; NULL: none */
	uint64_t size;
};

/* Both say 0 or a negative errno with a sentence in @e, which ends the reading. */
struct host_archive_sink {
	void *arg;
	int (*member)(void *arg, const struct host_archive_member *m, struct error *e);
	/* The content of a file, in pieces, behind its member(). */
	int (*data)(void *arg, const void *data, size_t len, struct error *e);
};

int host_archive_read(int fd, const struct host_archive_sink *sink, struct error *e) MUST_USE;

/* A gzipped tar whose bytes depend on what is added alone: no times, no owners. */
struct host_archive;
int host_archive_new(int fd, struct host_archive **ret, struct error *e) MUST_USE;
int host_archive_add_dir(struct host_archive *a, const char *name, struct error *e) MUST_USE;
int host_archive_add_link(struct host_archive *a, const char *name, const char *target,
			  struct error *e) MUST_USE;
int host_archive_add_file(struct host_archive *a, const char *name, const void *data, size_t len,
			  struct error *e) MUST_USE;
/* Writes the end. */
int host_archive_finish(struct host_archive *a, struct error *e) MUST_USE;
void host_archive_free_p(struct host_archive **a);
#define AUTO_ARCHIVE CLEANUP(host_archive_free_p)

#endif
