/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of the words that would have been right, each offered by a call, the one most like the
 * word that is wrong, when it is like enough to be a typing error.
 */
#ifndef SRIOVCTL_SUGGEST_H
#define SRIOVCTL_SUGGEST_H

#include <sriovctl/base.h>

struct suggest {
	const char *word, *best; /* @best: NULL until one is like it */
	size_t distance;
};
void suggest_offer(struct suggest *s, const char *candidate);

#endif
