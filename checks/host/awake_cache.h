/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that were woken, each once in the life of a host. */
#ifndef CHECKS_HOST_AWAKE_CACHE_H
#define CHECKS_HOST_AWAKE_CACHE_H

#include <sriovctl/base.h>

struct awake_seen;
struct error;
struct host;

/* A place for the first, so that a fact, which is constant, can grow. */
struct awake_cache {
	struct awake_seen **first;
};
int awake_cache_get(const struct host *h, const struct awake_cache **ret, struct error *e) MUST_USE;
void awake_cache_done(struct awake_cache *c);

#endif
