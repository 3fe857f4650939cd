/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What there is to say of each check beside its row, and of what people ask besides:
 * data/explain.json, which is in the program.  Every check has an entry; a test says which lacks
 * one.
 */
#ifndef SRIOVCTL_EXPLAIN_H
#define SRIOVCTL_EXPLAIN_H

#include <sriovctl/check.h>

struct error;
struct json;

/* What a failure tells apart: who acts, and what it means. */
struct explain_cause {
	const char *what, *means;
	enum actor actor;
};

struct explain_check {
	const struct check *check;
	const char *decides; /* which source decides, in which order */
	const char *note;    /* or NULL */
	struct explain_cause *causes;
	size_t n_causes;
};

struct explain_topic {
	const char *name, *title;
	struct strv paragraphs;
};

/* The checks in the order of reports. */
struct explain {
	struct explain_check *checks;
	size_t n_checks;
	struct explain_topic *topics;
	size_t n_topics;
	struct json *table; /* whose texts the others point to */
};

/* -EINVAL: the table inside the program is damaged, which a test excludes; it says where. */
int explain_read(struct explain *ret, struct error *e) MUST_USE;
void explain_done(struct explain *x);
#define AUTO_EXPLAIN CLEANUP(explain_done)

const struct explain_check *explain_find(const struct explain *x, const char *id);
const struct explain_topic *explain_topic(const struct explain *x, const char *name);

#endif
