/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Versions as drivers print them: of firmware (ETHTOOL_GDRVINFO and devlink say it in the same
 * words), of drivers that are not of the kernel's own tree, of packages that a card loads.  Each
 * way to write them is a scheme with a name, of which the table is in
 * checks/facts/version_schemes.c; only versions of one scheme have an order, and some not even
 * those.  A text that is not understood whole is -EINVAL, never half a version.
 */
#ifndef SRIOVCTL_VERSION_H
#define SRIOVCTL_VERSION_H

#include <sriovctl/base.h>

struct error;

#define VERSION_PARTS 8

/* One way of writing; its language is told in checks/facts/version.c. */
struct version_form {
	const char *pattern;
	bool is_unordered; /* the numbers name an image: equal, or nothing is known */
};

struct version_scheme {
	const char *name;    /* "i40e": a word of tables, never renamed */
	const char *example; /* what a driver prints */
	const char *source;  /* the function that prints it, or the document */
	struct version_form forms[4];
};

struct version {
	const struct version_scheme *scheme;
	const struct version_form *form;
	uint32_t parts[VERSION_PARTS]; /* in the order of their weight */
	size_t n_parts;
	uint32_t line;	/* of firmware that one kind of device alone runs; 0: there are no lines */
	uint32_t image; /* an id without an order, as Intel's EETRACK; 0: not told */
	/* The word beside it: mlx5's PSID, bnxt's package, what be2net has on its flash.  It lies
	 * in the text that was parsed, and has the length 0 where there is none. */
	const char *tag;
	size_t tag_len;
};

enum version_order {
	VERSION_OLDER,
	VERSION_SAME,
	VERSION_NEWER,
	VERSION_APART, /* no order: another scheme or line, or images without one */
};

/* NULL: no scheme has this name; and the i-th one, NULL behind the last. */
const struct version_scheme *version_scheme_find(const char *name);
const struct version_scheme *version_scheme_at(size_t i);
/*
 * How the driver (as sysfs names it) tells the firmware of the Intel function @device, or of any
 * other where that is 0.  NULL: it is not known, or it never tells any.
 */
const struct version_scheme *version_scheme_of(const char *driver, uint16_t device);

/* -EINVAL: @e shows from where on it is not understood, and what would be. */
int version_parse(const struct version_scheme *s, const char *text, struct version *ret,
		  struct error *e) MUST_USE;

/* False: it is the same as another, or not. */
bool version_has_order(const struct version *v);
/* Is @a older or newer than @b?  Parts that one does not have count as 0. */
enum version_order version_compare(const struct version *a, const struct version *b);

#endif
