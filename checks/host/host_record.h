/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source that notes what another is asked, and what it answers, in a store: contents,
 * lists, links on the way, absence and refusals.  What was asked before is answered
 * from the store, so that all that is concluded shows one instant, and the same as who asks
 * the store later.
 */
#ifndef CHECKS_HOST_HOST_RECORD_H
#define CHECKS_HOST_HOST_RECORD_H

#include "host_source.h"

struct host_store;

/* @inner is owned from the call on. */
int host_record_new(struct host_source *inner, struct host_source **ret, struct error *e) MUST_USE;

/* What was noted: the source has none from then on, and is asked no more. */
struct host_store *host_record_take(struct host_source *s);

/* Why not all could be noted; 0: all was. */
int host_record_error(struct host_source *s);

#endif
