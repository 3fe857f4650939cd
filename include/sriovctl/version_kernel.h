/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kernel is it, and does it have a fix?  Distributions put fixes of newer kernels into
 * older ones, so that the number in front says what is there at least, and never what is not.
 * From uname -r, what the kernel says of its build (/proc/version, where Debian names the
 * release of upstream's stable branch), and Ubuntu's /proc/version_signature.
 */
#ifndef SRIOVCTL_VERSION_KERNEL_H
#define SRIOVCTL_VERSION_KERNEL_H

#include <sriovctl/base.h>

struct error;
struct host;

/* Of upstream: 6.1 is { 6, 1, 0 }, and 6.1.0 is the same. */
struct version_release {
	uint32_t major, minor, patch;
};

struct version_kernel {
	const char *distribution; /* "Debian"; "upstream"; NULL: not known whose it is */
	struct version_release base;
	/* The patch is that of upstream's stable branch, so that all of that is in it. */
	bool knows_patch;
	bool is_exact; /* upstream's own: nothing else is in it */
	/* All of newer kernels that is in it are fixes: what came with them is not. */
	bool is_plain;
	bool is_candidate; /* 6.8-rc3: a part of 6.8 */
};

/* @build, @signature: NULL where they are not known. */
int version_kernel_parse(const char *release, const char *build, const char *signature,
			 struct version_kernel *ret, struct error *e) MUST_USE;

/* Is there a kernel that this may be the distribution of?  In any case of its letters. */
bool version_kernel_is_known(const char *distribution);

/* The running one. */
int version_kernel_get(const struct host *h, const struct version_kernel **ret,
		       struct error *e) MUST_USE;
void version_kernel_done(struct version_kernel *k);

/* "6.8", "6.6.17": of a table; -EINVAL. */
int version_kernel_release(const char *text, struct version_release *ret, struct error *e) MUST_USE;

enum version_has {
	VERSION_HAS,
	VERSION_LACKS,
	VERSION_MAY_HAVE, /* a distribution may have brought it back, or the patch is not known */
};
/*
 * A fix that came with @mainline, and with the releases @stable of stable branches, of which a
 * branch that is not named never got it.
 */
enum version_has version_kernel_has(const struct version_kernel *k,
				    const struct version_release *mainline,
				    const struct version_release *stable, size_t n_stable);

#endif
