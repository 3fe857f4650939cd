/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Versions and the ranges of rows.  A range is told by texts of the scheme of what is judged;
 * releases of distributions' kernels, and BIOSes, are numbers with dots and dashes.
 */
#ifndef CHECKS_FACTS_COMPAT_VERSION_H
#define CHECKS_FACTS_COMPAT_VERSION_H

#include <sriovctl/compat.h>
#include <sriovctl/version.h>

/* Of drivers that have a version of their own, and of what is numbered like them. */
#define COMPAT_SCHEME_DRIVER  "driver"
#define COMPAT_SCHEME_RELEASE "release"
#define COMPAT_SCHEME_BIOS    "bios"
#define COMPAT_SCHEME_PACKAGE "ddp"

enum compat_place {
	COMPAT_BELOW,
	COMPAT_WITHIN,
	COMPAT_ABOVE,
	COMPAT_APART, /* the two have no order, or one of them cannot be read */
};
/* A range that was read, for whoever asks it of many; the texts of the table are its tags. */
struct compat_limits {
	struct version from, to; /* without a scheme: not to be read */
	bool has_from, has_to, is_below;
};
void compat_version_limits(const struct compat_table *t, const struct compat_range *range,
			   const struct version_scheme *s, struct compat_limits *ret);
enum compat_place compat_version_among(const struct compat_limits *l, const struct version *v);
/* Both at once. */
enum compat_place compat_version_place(const struct compat_table *t,
				       const struct compat_range *range,
				       const struct version_scheme *s, const struct version *v);

/* -EINVAL: a limit cannot be read, or no version is within. */
int compat_version_range(const struct compat_table *t, const struct compat_range *range,
			 const struct version_scheme *s, struct error *e) MUST_USE;

#endif
