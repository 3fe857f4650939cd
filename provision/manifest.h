/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was installed, as a text of lines "KIND DETAIL PATH" in the order it was installed in:
 * folders, which have no detail, links with their target, and files with a digest, which tells
 * an edit, not an attack.
 */
#ifndef PROVISION_MANIFEST_H
#define PROVISION_MANIFEST_H

#include <sriovctl/base.h>

struct buf;
struct error;

enum manifest_kind { MANIFEST_FOLDER, MANIFEST_FILE, MANIFEST_LINK };

struct manifest_entry {
	enum manifest_kind kind;
	char *detail, *path;
};

struct manifest {
	struct manifest_entry *items;
	size_t n;
};

/* -EBADMSG: it is none. */
int manifest_parse(const char *text, struct manifest *ret, struct error *e) MUST_USE;
void manifest_print(const struct manifest *m, struct buf *ret);
void manifest_done(struct manifest *m);
#define AUTO_MANIFEST CLEANUP(manifest_done)

/* What is there is not added again.  0 or -ENOMEM. */
int manifest_add(struct manifest *m, enum manifest_kind kind, const char *detail,
		 const char *path) MUST_USE;
bool manifest_has(const struct manifest *m, enum manifest_kind kind, const char *detail,
		  const char *path);
/* The detail of a file that says this. */
void manifest_digest(const struct buf *text, struct buf *ret);

#endif
