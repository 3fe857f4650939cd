/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Specs of one function in one line, of as much as a test needs. */
#ifndef TESTS_SPEC_TEXT_H
#define TESTS_SPEC_TEXT_H

#include "test.h"

#include <sriovctl/error.h>
#include <sriovctl/spec.h>

#include <errno.h>
#include <string.h>

#define MATCH "\"match\": {\"netdev\": \"e0\"}"

/* A spec of one function, all on line 1; @rest is behind its match and starts in column 51. */
#define PF(rest) "{\"schema\": 1, \"pfs\": [{" MATCH ", " rest "}]}"
/* A spec of entries, the first of which starts in column 58. */
#define VF(entries)	  PF("\"vf\": {" entries "}")
#define ALL(keys)	  VF("\"*\": {" keys "}")
#define MATCHING(members) "{\"schema\": 1, \"pfs\": [{\"match\": {" members "}}]}"

/* As the file "f", with just this error. */
static inline bool is_refused(const char *text, const char *error)
{
	AUTO_SPEC struct spec *s = NULL;
	struct error e = { 0 };
	int r = spec_parse(text, strlen(text), "f", &s, &e);

	if (r == -EINVAL && !s && e.code == r && strcmp(e.text, error) == 0)
		return true;
	printf("# %s\n# %d %s\n", text, r, e.text);
	return false;
}

#endif
