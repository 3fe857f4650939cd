/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How severe the checks are to be, from options. */
#ifndef CMD_PROFILE_ASK_H
#define CMD_PROFILE_ASK_H

#include <sriovctl/base.h>

struct error;
struct profile;
struct strv;

/*
 * @word: of --profile, a name or a file; @severities: of --severity.  Says which option is wrong,
 * or where in the file.
 */
int profile_ask(const char *word, const struct strv *severities, struct profile *ret,
		struct error *e) MUST_USE;

#endif
