/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers that are no files (host_source.h), with a sentence where there is none. */
#ifndef CHECKS_HOST_HOST_ANSWER_H
#define CHECKS_HOST_HOST_ANSWER_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

/* What there is about @which of @kind; -ENODATA also where a capture lacks it. */
int host_answer(const struct host *h, const char *kind, const char *which, struct buf *ret,
		struct error *e) MUST_USE;

#endif
