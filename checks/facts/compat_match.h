/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a row hold for a function?  What is not known is no answer. */
#ifndef CHECKS_FACTS_COMPAT_MATCH_H
#define CHECKS_FACTS_COMPAT_MATCH_H

#include <sriovctl/compat_judge.h>

enum compat_holds { COMPAT_HOLDS_NOT, COMPAT_HOLDS_MAYBE, COMPAT_HOLDS };

/* Is the row about such functions at all: by family, driver, PCI ids? */
bool compat_match_is_about(const struct compat *c, const struct compat_hit *hit,
			   const struct compat_function *f);
/* And do its conditions hold? */
enum compat_holds compat_match_conditions(const struct compat_hit *hit,
					  const struct compat_function *f);

#endif
