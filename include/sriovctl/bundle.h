/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people send, as one list of members: files, folders with all that is below them, and tar
 * files, packed or not.  Contents stay where they are, or in a file without a name, until they
 * are asked for.  What leads out of a folder is not followed.
 */
#ifndef SRIOVCTL_BUNDLE_H
#define SRIOVCTL_BUNDLE_H

#include <sriovctl/base.h>

struct buf;
struct bundle;
struct error;

/* No member is read that is longer; less memory than all that a host's log takes. */
#define BUNDLE_CONTENT_MAX (12u << 20)

enum bundle_kind { BUNDLE_FILE, BUNDLE_FOLDER, BUNDLE_LINK };

struct bundle_member {
	char *name; /* as a person would say it: "case/dmesg.txt", "sos.tar.gz: proc/cmdline" */
	const char *path; /* of @name what is below what was given: "proc/cmdline" */
	size_t given;	  /* which of the paths that were added it is from, or is in a tar of */
	enum bundle_kind kind;
};

int bundle_new(struct bundle **ret, struct error *e) MUST_USE;
void bundle_free_p(struct bundle **b);
#define AUTO_BUNDLE CLEANUP(bundle_free_p)

/* -EINVAL, -ENOENT ... with a sentence where it cannot be read at all. */
int bundle_add(struct bundle *b, const char *path, struct error *e) MUST_USE;

size_t bundle_count(const struct bundle *b);
const struct bundle_member *bundle_member(const struct bundle *b, size_t i);
/* Why a member of a folder could not be looked into, as it is listed all the same; NULL: it was. */
const char *bundle_refused(const struct bundle *b, size_t i);

/* The content, unpacked where it is gzipped, or what the link says; -EFBIG: too long. */
int bundle_read(const struct bundle *b, size_t i, struct buf *ret, struct error *e) MUST_USE;

#endif
