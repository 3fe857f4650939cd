/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan, and what came of it: for a person as it goes, for a program as one document at the end.
 */
#ifndef CMD_PLAN_PRINT_H
#define CMD_PLAN_PRINT_H

#include <sriovctl/plan.h>

#include <stdio.h>

struct error;

struct plan_page {
	const struct pfstates *is;
	const struct plan *plan;
	/* Sentences: about the wish, the room there is, the checks, and what a driver lacks. */
	const struct strv *notes, *capacity, *preflight, *lacks;
	const struct strv *files; /* what is to be done to files; NULL: nothing */
};

/* The plan, but for why it is refused; "Nothing to do." for an empty one. */
int plan_print_text(const struct plan_page *p, FILE *out, struct error *e) MUST_USE;
/* Each behind @mark, of six columns. */
void plan_print_sentences(const struct strv *v, const char *mark, FILE *out);
/* Of the steps, those that change something. */
size_t plan_print_count(const struct plan *p);
/* @result: one word; @error: its reason, or "". */
int plan_print_json(const struct plan_page *p, const char *result, const char *error, FILE *out,
		    struct error *e) MUST_USE;

/* One line that replaces the one before; the last ends it. */
void plan_print_progress(const struct pfstates *is, const struct step *s, size_t i, size_t n,
			 bool undo, FILE *out);

#endif
