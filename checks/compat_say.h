/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the checks of compatibility say, in one way of firmware, drivers, kernels and BIOSes. */
#ifndef CHECKS_COMPAT_SAY_H
#define CHECKS_COMPAT_SAY_H

#include <sriovctl/check.h>
#include <sriovctl/compat_judge.h>

struct compat_say {
	const char *what;   /* "firmware 9.20 0x8000d8bd": what was judged */
	const char *kind;   /* "firmware of ConnectX-5": what there are rows of, or none */
	const char *update; /* "Update it with mstflint": without the version */
	enum actor actor;
	const struct error *why; /* a version could not be read */
};

/* The tables that count; false, with the verdict, where one of them is wrong. */
bool compat_say_tables(const struct check_input *in, struct finding *f, const struct compat **ret,
		       enum verdict *ret_verdict) MUST_USE;
/* Is anything said of such functions?  False, with the verdict: no. */
bool compat_say_has_rows(const struct compat *c, enum compat_judges judges,
			 const struct compat_function *of, struct finding *f,
			 enum verdict *ret_verdict) MUST_USE;

/* A row as evidence: its id, what it says, by which source and how sure. */
void compat_say_row(const struct compat_hit *hit, struct finding *f);
enum verdict compat_say_judgement(const struct compat_say *say, const struct compat_judgement *j,
				  struct finding *f);

/* "ConnectX-5", or the ids; and how its firmware is updated. */
const char *compat_say_family(const struct compat *c, const struct pcidev *d, struct finding *f);
const char *compat_say_update(const struct compat *c, const struct pcidev *d, struct finding *f);

#endif
