/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How severe each check is: a profile says in which ones it differs from the rows of the
 * checks themselves.  One is a JSON file: "schema" 1, "name", perhaps "about", perhaps "base"
 * (the name of one of data/profiles, to start from; else "sriov"), and "severity", an object
 * of ids and levels.  An id that no check has, and any other key, is an error with its line
 * and column, and so is a name that one of data/profiles has.
 */
#ifndef SRIOVCTL_PROFILE_H
#define SRIOVCTL_PROFILE_H

#include <sriovctl/check.h>

struct error;

struct profile_level {
	const struct check *check;
	enum severity severity;
};

struct profile {
	char *name;
	struct profile_level *levels; /* a later one of the same check counts */
	size_t n;
	/* "ID=LEVEL", by profile_parse() and profile_override(): each report shows them. */
	struct strv overrides;
};

/* The names of those of data/profiles, NULL behind the last. */
extern const char *const profile_names[];

/* -ENOENT: none of data/profiles has this name. */
int profile_find(const char *name, struct profile *ret, struct error *e) MUST_USE;

/* @name: of the file, for errors.  -EINVAL. */
int profile_parse(const char *text, size_t len, const char *name, struct profile *ret,
		  struct error *e) MUST_USE;

/* "ID=LEVEL"; -EINVAL, with what would be right. */
int profile_override(struct profile *p, const char *assignment, struct error *e) MUST_USE;

/* @p NULL: that of the check's own row. */
enum severity profile_severity(const struct profile *p, const struct check *c);

void profile_done(struct profile *p);
#define AUTO_PROFILE CLEANUP(profile_done)

#endif
