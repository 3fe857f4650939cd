/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything a run of the checks found, ready to be printed: renderers only format.
 * Results stand in the order of the registry, those of a physical function by function, and
 * behind them those of VFs, check by check, by function and number.
 *
 *   not-ready  a required check failed
 *   unknown    none failed, and a required one could not be answered, or was left out
 *   warnings   a recommended one failed
 *   ready      none of these
 */
#ifndef SRIOVCTL_REPORT_H
#define SRIOVCTL_REPORT_H

#include <sriovctl/check.h>

struct compat;
struct error;
struct profile;

enum readiness {
	READINESS_READY,
	READINESS_WARNINGS,
	READINESS_NOT_READY,
	READINESS_UNKNOWN,
	READINESS_MAX
};

struct result {
	const struct check *check;
	char *subject; /* "host", or the BDF of a function */
	char *name;    /* its network interface, or NULL */
	/* Of a VF whose physical function is on this host: that, its interface, and the number. */
	char *pf, *pf_name;
	uint32_t index;
	enum verdict verdict;
	struct finding finding;
	/*
	 * The result that this is a consequence of, by finding_follows(), and the one at the end of
	 * that chain.  Itself: it is none.  Only what failed has consequences that failed.
	 */
	size_t cause, root;
	/* The first of those that say the same, each of its own subject.  Itself: it is the first.
	 */
	size_t entry;
	/* Of a root: has it consequences, and the highest severity, its own and theirs. */
	bool is_root;
	enum severity weight;
};

/* What was asked of one function: as in struct check_input. */
struct report_wish {
	uint32_t vfs, queues;
	size_t entry; /* of the spec */
};

/* The same by a spec, for who reads the report. */
struct report_asked {
	char *subject; /* the BDF */
	struct report_wish wish;
};

struct report {
	char *spec; /* its name; NULL: there was none */
	struct report_asked *asked;
	size_t n_asked;
	/* NULL: not known. */
	char *root, *kernel, *vendor, *product, *bios;
	char *profile;
	bool is_default_profile; /* and with no overrides */
	struct strv overrides;	 /* "ID=LEVEL": what was said besides of severities */
	struct result *results;
	size_t n_results;
	unsigned counts[VERDICT_MAX];
	/* The same, those that say the same counted once. */
	unsigned entries[VERDICT_MAX];
	/* Required checks that --only or --skip left out. */
	unsigned left_out;
	enum readiness readiness;
};

struct report_options {
	struct strv only, skip; /* ids, all known to check_find() */
	struct strv pfs;	/* BDFs: judge these functions alone; none: all that can have VFs */
	struct report_wish wish; /* of each function */
	/* Of each of @pfs one of its own, by the spec of this name; NULL: there is no spec. */
	const struct report_wish *wishes;
	const char *spec;
	const struct spec *wanted; /* the spec itself; NULL: drivers are not asked for */
	const struct modules_guest *guest_modules; /* as in struct check_input */
	const struct compat *compat;		   /* the same */
	const struct profile *profile;		   /* NULL: the default one */
};

/* Run the checks.  What a check cannot find out is in the report; a negative return is -ENOMEM. */
int report_run(const struct host *h, const struct report_options *o, struct report *ret,
	       struct error *e) MUST_USE;
void report_done(struct report *r);
#define AUTO_REPORT CLEANUP(report_done)

const char *readiness_name(enum readiness r);

#endif
