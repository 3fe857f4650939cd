/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a spec wants, as a question to the checks. */
#ifndef CMD_SPEC_ASK_H
#define CMD_SPEC_ASK_H

#include <sriovctl/report.h>

struct host;
struct spec;

struct spec_ask {
	struct report_options options;
	struct report_wish *wishes;
	struct strv others; /* what is wanted of, and no PCI function: no check looks at it */
};

/* @name: of the spec, for reports; @s: is asked by them too, and has to live as long.  Errors as
 * spec_match(). */
int spec_ask_make(const struct spec *s, const char *name, const struct host *h,
		  struct spec_ask *ret, struct error *e) MUST_USE;
void spec_ask_done(struct spec_ask *a);
#define AUTO_SPEC_ASK CLEANUP(spec_ask_done)

/*
 * The functions that words name: as inventory_select() finds them, and devices that have VFs
 * without being on PCI, which a spec may name too.
 */
int spec_ask_select(const struct host *h, const struct strv *words, struct strv *ret,
		    struct error *e) MUST_USE;

/* Each id that an option names is that of a check: -EINVAL, with the one most like it. */
int spec_ask_require_ids(const char *option, const struct strv *ids, struct error *e) MUST_USE;

#endif
