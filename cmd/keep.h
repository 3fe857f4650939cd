/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --persist: that boots make VFs, or do so no more.  Looked at and judged first, done last; of a
 * root that is not the running system's nothing else is done.
 */
#ifndef CMD_KEEP_H
#define CMD_KEEP_H

#include <sriovctl/base.h>

struct change_options;
struct error;
struct persist;
struct strv;

struct keep_options {
	bool persist, replace;
	const char *root; /* NULL: the running system */
};

struct keep {
	struct persist *persist;
	bool removes;
};

/* -EINVAL: options without the one that they go with. */
int keep_require(const struct keep_options *o, struct error *e) MUST_USE;
/* What is to be done to files so that @spec is kept (NULL: that nothing is); an exit code. */
int keep_begin(const struct keep_options *o, const char *spec, struct keep *ret,
	       struct error *e) MUST_USE;
const struct strv *keep_files(const struct keep *k);
/* Does it, and tells systemd; what of that did not work, and need not, goes to @notes. */
int keep_finish(struct keep *k, struct strv *notes, struct error *e) MUST_USE;
/* All of a run that is about files alone; an exit code. */
int keep_offline(struct keep *k, const struct change_options *o, struct error *e) MUST_USE;
void keep_done(struct keep *k);
#define AUTO_KEEP CLEANUP(keep_done)

#endif
