/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A journal as text, both ways, and as what it says.  The parser takes only lines that are
 * just as the printer writes them.
 */
#ifndef PROVISION_JOURNAL_TEXT_H
#define PROVISION_JOURNAL_TEXT_H

#include <sriovctl/journal.h>

struct journal_function {
	char *bdf, *driver; /* driver: NULL: none */
	uint64_t mac;	    /* 0: not known */
	struct pfstate_identity identity;
};

struct journal_text {
	char *boot;
	struct journal_function *functions;
	size_t n_functions;
	struct journal_entry *entries;
	size_t n;
	bool ended;
	size_t len; /* bytes that count: all but a torn last line */
};

int journal_text_parse(const char *text, size_t len, struct journal_text *ret,
		       struct error *e) MUST_USE;
void journal_text_done(struct journal_text *t);
#define AUTO_JOURNAL_TEXT CLEANUP(journal_text_done)

/* What journal_text_parse() does with a line of its own; 0 or -ENOMEM. */
int journal_text_add_function(struct journal_text *t, const struct journal_function *f) MUST_USE;
int journal_text_add_step(struct journal_text *t, const struct step *s) MUST_USE;

void journal_text_print_head(const struct journal_text *t, struct buf *ret);
void journal_text_print_step(const struct journal_text *t, size_t i, struct buf *ret);
void journal_text_print_mark(size_t i, enum journal_mark mark, struct buf *ret);
void journal_text_print_end(struct buf *ret);
void journal_text_print(const struct journal_text *t, struct buf *ret);

/*
 * Adds to @to what waits in @from, with its functions, but for those that @to has already and
 * those of @but, unless that is NULL; 0 or -ENOMEM.
 */
int journal_text_keep(struct journal_text *to, const struct journal_text *from,
		      const struct pfstates *but) MUST_USE;

#endif
