/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes VFs when a host boots: the spec that is carried out then, with its unit, and the
 * lines of others (sriovctl/rivals.h) that say of how many.
 */
#ifndef SRIOVCTL_LASTING_H
#define SRIOVCTL_LASTING_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct pfstate;
struct rivals_claim;

#define LASTING_SPEC "/etc/sriovctl/provision.json"
#define LASTING_UNIT "sriovctl-provision.service"

struct lasting {
	/* The spec: 0, -ENOENT, or why it is not known. */
	int spec_error;
	char *spec; /* its text */
	bool unit_is_enabled;
};
int lasting_get(const struct host *h, const struct lasting **ret, struct error *e) MUST_USE;
void lasting_done(struct lasting *l);

/* How many VFs the spec wants of a function; 0: none, not known how many, or it is not in it. */
uint32_t lasting_wish(const struct host *h, const struct lasting *l, const char *bdf);

/*
 * What the spec wants of the function, against what there is.  0: it is the same; -EDOM: it is
 * not, and @ret_why says why; -ENOENT: the spec does not name the function; -EINVAL: it is no
 * spec; else it could not be told.  Of the last two @e says why.
 */
int lasting_compare(const struct host *h, const struct lasting *l, const struct pfstate *pf,
		    struct buf *ret_why, struct error *e) MUST_USE;

/* Does the line make VFs at boot, and not just set something of them? */
bool lasting_makes(const struct host *h, const struct rivals_claim *c);

/* Is that line in force at boot by being where it is? */
bool lasting_is_in_force(const struct rivals_claim *c);
/* How many, as it says; -1: it does not, or not plainly. */
int64_t lasting_count(const char *line);
/* The number that @text begins with; -1: none, or one that is too large. */
int64_t lasting_number(const char *text);

#endif
