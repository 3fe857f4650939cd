/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a run function speaks.  The four verdict calls set the one-sentence summary and
 * return their verdict, so that an answer is one statement: return finding_pass(f, ...).
 * Running out of memory sticks to the finding; nothing here has to be checked.
 */
#ifndef SRIOVCTL_FINDING_H
#define SRIOVCTL_FINDING_H

#include <sriovctl/check.h>

struct buf;

enum verdict finding_pass(struct finding *f, const char *fmt, ...) PRINTF(2, 3);
enum verdict finding_na(struct finding *f, const char *fmt, ...) PRINTF(2, 3);
enum verdict finding_fail(struct finding *f, enum actor actor, const char *fmt, ...) PRINTF(3, 4);
/* Follow it with the remedy that says what would answer the question. */
enum verdict finding_unknown(struct finding *f, const char *fmt, ...) PRINTF(2, 3);

/* A text for the calls below: a formatted one, which lives as long as @f, or that of @b.  What
 * was lost of it for want of memory sticks to @f. */
const char *finding_path(struct finding *f, const char *fmt, ...) PRINTF(2, 3);
const char *finding_text(struct finding *f, const struct buf *b);

/* @expected may be NULL.  @observed is a format.  The same is noted once. */
void finding_note(struct finding *f, const char *source, const char *expected, const char *observed,
		  ...) PRINTF(4, 5);
/* A source that could not be read: notes why (@r as the getter gave it) and how it could be. */
void finding_unread(struct finding *f, const struct host *h, const char *source, int r);
/* One imperative sentence. */
void finding_remedy(struct finding *f, const char *fmt, ...) PRINTF(2, 3);
/* The same for programs, of the kernel command line: a word to be added, or removed. */
void finding_karg(struct finding *f, bool removal, const char *word);
/*
 * The check of this id (of the same function, of its physical function, or of the host) has to be
 * fixed first: the remedy says so, and where that one failed a report shows this as its
 * consequence.
 */
void finding_follows(struct finding *f, const char *id);
/* The run ran out of memory: ends the whole report, whatever the verdict. */
enum verdict finding_nomem(struct finding *f);
void finding_raise(struct finding *f, enum severity to);

void finding_done(struct finding *f);

#endif
