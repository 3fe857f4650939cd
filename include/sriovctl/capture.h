/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a host was asked and answered, as a file that host_open() takes: files, folders and
 * links under their own paths, so that an unpacked one is a root and tar shows what is in
 * it, and below .sriovctl/ the report, an index of absences and refusals, and answers that
 * are no files.  The same host in the same state gives the same bytes.
 *
 * What everybody asks is noted as it is asked; capture_ask() asks besides what they would
 * only have asked elsewhere, from a list in one place.
 */
#ifndef SRIOVCTL_CAPTURE_H
#define SRIOVCTL_CAPTURE_H

#include <sriovctl/base.h>

struct error;
struct host;
struct strv;

/* As host_open(); what is asked from now on is noted. */
int capture_open(const char *root, struct host **ret, struct error *e) MUST_USE;

/* All the rest.  What cannot be had is noted, too: only -ENOMEM and a full disk fail. */
int capture_ask(const struct host *h, struct error *e) MUST_USE;

/*
 * From a host that noted to one that knows what it noted, no more, and says so as if it
 * were @root.  The first one is closed.
 */
int capture_replay(struct host **h, struct error *e) MUST_USE;

/*
 * The same with other MAC addresses, serial numbers, UUIDs and host names: the same one in
 * place of the same everywhere.
 */
int capture_redact(struct host **h, struct error *e) MUST_USE;

/* Paths of what did not answer in time, because somebody holds its lock. */
int capture_blocked(const struct host *h, struct strv *ret) MUST_USE;

/* To @fd, with the report that was made of it.  @h is from capture_replay() or _redact(). */
int capture_write(const struct host *h, const char *report, size_t len, int fd,
		  struct error *e) MUST_USE;

#endif
