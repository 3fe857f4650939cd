/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the kernel is asked for its links, apart from the socket: @ask sends one
 * RTM_GETLINK and appends the messages of the answer.  Asked again when the answer is
 * known to mix two states, and without VFs where their list does not fit; then one link
 * at a time, so that only the one at fault stays without.
 */
#ifndef CHECKS_HOST_LINKS_ASK_H
#define CHECKS_HOST_LINKS_ASK_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct links;

#define LINKS_ASK_TRIES 4

struct links_question {
	int index;	 /* 0: all links */
	uint32_t filter; /* RTEXT_FILTER_* */
};

/* -EAGAIN: the links changed meanwhile; else 0 or what the kernel answered. */
typedef int links_ask(void *arg, const struct links_question *q, struct buf *answer,
		      struct error *e);

int links_ask_all(links_ask *ask, void *arg, struct links *ret, struct error *e) MUST_USE;

#endif
