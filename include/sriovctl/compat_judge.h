/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tables of compatibility say of one function: of its firmware, of its driver, of the
 * kernel that it runs in, and of the machine's BIOS.  Pure: all that is known is given.  A row
 * whose condition is not known to hold makes nothing a fault, and is told.
 */
#ifndef SRIOVCTL_COMPAT_JUDGE_H
#define SRIOVCTL_COMPAT_JUDGE_H

#include <sriovctl/compat.h>

struct error;
struct kconfig;
struct version_kernel;

/* NULL, and 0 of numbers: not known, or there is no such thing. */
struct compat_function {
	uint16_t vendor, device, sub_vendor, sub_device;
	const char *driver;
	enum compat_tree tree; /* COMPAT_ANY_TREE: not known */
	const char *driver_version;
	const char *firmware;
	const char *ddp_name, *ddp_version;
	uint32_t vfs;
	const char *release; /* of the kernel, as uname -r prints it */
	const struct version_kernel *kernel;
	const struct kconfig *config;
};

enum compat_verdict {
	COMPAT_NO_ROWS,	    /* nothing is said of what it is */
	COMPAT_UNREADABLE,  /* the version is none of its scheme: see the error */
	COMPAT_IS_BAD,	    /* @because has the fault */
	COMPAT_MAY_BE_BAD,  /* @because does, on a condition that is not known to hold */
	COMPAT_TOO_OLD,	    /* older than @because wants */
	COMPAT_FITS,	    /* none of the above, and not newer than @newest */
	COMPAT_TOO_NEW,	    /* newer than @newest: than any tested, or than the driver's own */
	COMPAT_NOT_COVERED, /* no row is of this version */
	COMPAT_VERDICTS
};

struct compat_judgement {
	enum compat_verdict verdict;
	struct compat_hit because, newest; /* row NULL: there is none */
	struct compat_hits notes;	   /* that hold, and are no reason to fail */
};
void compat_judgement_done(struct compat_judgement *j);
#define AUTO_COMPAT_JUDGEMENT CLEANUP(compat_judgement_done)

/* @f's firmware is known.  -ENOMEM; @ret_why says what of a version could not be read. */
int compat_judge_firmware(const struct compat *c, const struct compat_function *f,
			  struct compat_judgement *ret, struct error *ret_why) MUST_USE;
/* The package that the pair of driver and firmware names, where that of @f is older; or NULL. */
const char *compat_judge_package(const struct compat_hit *pair, const struct compat_function *f);
/* @f's driver is known; of one of the kernel's own tree the version need not be. */
int compat_judge_driver(const struct compat *c, const struct compat_function *f,
			struct compat_judgement *ret, struct error *ret_why) MUST_USE;
/* A machine's BIOS; NULL: not known. */
int compat_judge_bios(const struct compat *c, const char *vendor, const char *product,
		      const char *version, struct compat_judgement *ret,
		      struct error *ret_why) MUST_USE;

/* What is said of a kernel: each row once, however many functions it is of; grave ones first. */
struct compat_kernel {
	struct compat_hits faults; /* it has them */
	struct compat_hits maybe;  /* unless its distribution brought the fix back */
	struct compat_hits untold; /* fixed elsewhere; whether this one has it nothing tells */
	struct compat_hits free;   /* it has them no more, or never had */
	struct compat_hits notes;  /* as faults and maybe, of little weight */
};
void compat_kernel_done(struct compat_kernel *k);
#define AUTO_COMPAT_KERNEL CLEANUP(compat_kernel_done)

/* Adds what is said of the kernel that @f runs in.  -ENOMEM. */
int compat_judge_kernel(const struct compat *c, const struct compat_function *f,
			struct compat_kernel *ret) MUST_USE;

/*
 * What matters to @f of all that is said: what the judgements name, what makes firmware bad
 * or not, whichever it is, and what is said of the kernel.
 */
int compat_judge_hits(const struct compat *c, const struct compat_function *f,
		      const struct compat_judgement *firmware,
		      const struct compat_judgement *driver, const struct compat_kernel *kernel,
		      struct compat_hits *ret) MUST_USE;

/* The rows that are about @f, and judge this, whatever they say of its versions. */
int compat_judge_rows(const struct compat *c, enum compat_judges judges,
		      const struct compat_function *f, struct compat_hits *ret) MUST_USE;

#endif
