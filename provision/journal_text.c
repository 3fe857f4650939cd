/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "journal_text.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME  "sriovctl-journal "
#define TITLE NAME "1\n"
/* Of the longest line: a step, with names before and after. */
#define WORDS_MAX 8
#define WORD_MAX  (2 * SETTING_NAME_MAX)
#define NOT_KNOWN "-"

#define MAC_DIGITS 12
#define DSN_DIGITS 16

static const char *const marks[] = {
	[JOURNAL_BEGUN] = "", /* by the line of the step itself */
	[JOURNAL_DONE] = "done",   [JOURNAL_UNDONE] = "undone",
	[JOURNAL_LACKS] = "lacks", [JOURNAL_WAITS] = "pending",
};

void journal_text_done(struct journal_text *t)
{
	for (size_t i = 0; i < t->n_functions; i++) {
		free(t->functions[i].bdf);
		free(t->functions[i].driver);
		pfstate_identity_done(&t->functions[i].identity);
	}
	free(t->functions);
	free(t->entries);
	free(t->boot);
	*t = (struct journal_text){ 0 };
}

int journal_text_add_function(struct journal_text *t, const struct journal_function *f)
{
	struct journal_function *functions =
		base_room(t->functions, t->n_functions, sizeof(*functions));
	struct journal_function *to;

	if (!functions)
		return -ENOMEM;
	t->functions = functions;
	to = &functions[t->n_functions++];
	*to = (struct journal_function){
		.bdf = strdup(f->bdf),
		.driver = f->driver ? strdup(f->driver) : NULL,
		.mac = f->mac,
	};
	if (pfstate_identity_copy(&f->identity, &to->identity) < 0)
		return -ENOMEM;
	return to->bdf && (!f->driver || to->driver) ? 0 : -ENOMEM;
}

int journal_text_add_step(struct journal_text *t, const struct step *s)
{
	struct journal_entry *entries = base_room(t->entries, t->n, sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	t->entries = entries;
	t->entries[t->n++] = (struct journal_entry){ .step = *s, .mark = JOURNAL_BEGUN };
	return 0;
}

static const char *word_of(const char *text)
{
	return text ? text : NOT_KNOWN;
}

static void print_number(uint64_t number, int digits, struct buf *ret)
{
	if (number)
		buf_printf(ret, "%0*" PRIx64, digits, number);
	else
		buf_puts(ret, NOT_KNOWN);
}

static void print_function(const struct journal_text *t, size_t i, struct buf *ret)
{
	const struct journal_function *f = &t->functions[i];

	buf_printf(ret, "pf %zu %s %s ", i, f->bdf, word_of(f->driver));
	print_number(f->mac, MAC_DIGITS, ret);
	buf_printf(ret, " %s ", word_of(f->identity.ids));
	print_number(f->identity.dsn, DSN_DIGITS, ret);
	buf_printf(ret, " %s\n", word_of(f->identity.serial));
}

void journal_text_print_head(const struct journal_text *t, struct buf *ret)
{
	buf_printf(ret, TITLE "boot %s\n", t->boot);
	for (size_t i = 0; i < t->n_functions; i++)
		print_function(t, i, ret);
}

void journal_text_print_step(const struct journal_text *t, size_t i, struct buf *ret)
{
	const struct step *s = &t->entries[i].step;

	buf_printf(ret, "step %zu %u ", i, s->pf);
	if (s->vf == PLAN_OF_PF)
		buf_puts(ret, "-");
	else
		buf_printf(ret, "%u", s->vf);
	buf_printf(ret, " %s ", setting_name(s->what));
	setting_write(s->what, &s->before, ret);
	buf_puts(ret, " ");
	setting_write(s->what, &s->after, ret);
	buf_printf(ret, " %s%s%s%s\n", s->keep ? "k" : "", s->needs_carrier ? "c" : "",
		   s->required ? "r" : "", s->keep || s->needs_carrier || s->required ? "" : "-");
}

void journal_text_print_mark(size_t i, enum journal_mark mark, struct buf *ret)
{
	buf_printf(ret, "%s %zu\n", marks[mark], i);
}

void journal_text_print_end(struct buf *ret)
{
	buf_puts(ret, "end\n");
}

struct words {
	char word[WORDS_MAX][WORD_MAX];
	size_t n;
};

static bool split(const char *line, size_t len, struct words *ret)
{
	const char *end = line + len;

	ret->n = 0;
	while (line < end) {
		size_t n = strcspn(line, " \n");

		if (ret->n == WORDS_MAX || n >= WORD_MAX)
			return false;
		memcpy(ret->word[ret->n], line, n);
		ret->word[ret->n++][n] = '\0';
		line += n + 1;
	}
	return ret->n > 0;
}

static bool number(const char *word, uint64_t max, uint64_t *ret)
{
	return parse_u64(word, 10, max, ret) == 0;
}

static char *known(char *word)
{
	return strcmp(word, NOT_KNOWN) == 0 ? NULL : word;
}

static int take_hex(char *word, uint64_t *ret)
{
	*ret = 0;
	return known(word) ? parse_u64(word, 16, UINT64_MAX, ret) : 0;
}

static int take_function(struct journal_text *t, struct words *w)
{
	struct journal_function f = { 0 };

	if (w->n != 8 || t->n > 0 || take_hex(w->word[4], &f.mac) < 0 ||
	    take_hex(w->word[6], &f.identity.dsn) < 0)
		return -EBADMSG;
	f.bdf = w->word[2];
	f.driver = known(w->word[3]);
	f.identity.ids = known(w->word[5]);
	f.identity.serial = known(w->word[7]);
	return journal_text_add_function(t, &f);
}

static int take_step(struct journal_text *t, const struct words *w)
{
	uint64_t pf, vf = PLAN_OF_PF;
	struct step s;

	if (w->n != 8 || t->n_functions == 0)
		return -EBADMSG;
	s = (struct step){
		.what = setting_find(w->word[4]),
		.keep = strchr(w->word[7], 'k'),
		.needs_carrier = strchr(w->word[7], 'c'),
		.required = strchr(w->word[7], 'r'),
	};
	if (s.what == SETTING_END || !number(w->word[2], t->n_functions - 1, &pf) ||
	    (strcmp(w->word[3], "-") != 0 && !number(w->word[3], PLAN_OF_PF - 1, &vf)) ||
	    setting_is_of_vf(s.what) != (vf != PLAN_OF_PF) ||
	    setting_parse(s.what, w->word[5], &s.before) < 0 ||
	    setting_parse(s.what, w->word[6], &s.after) < 0)
		return -EBADMSG;
	s.pf = (uint32_t)pf;
	s.vf = (uint32_t)vf;
	return journal_text_add_step(t, &s);
}

/* An entry whose fate is known does not get another; one that waited, or was done, may. */
static bool may_become(enum journal_mark from, enum journal_mark to)
{
	switch (from) {
	case JOURNAL_BEGUN:
		return to != JOURNAL_BEGUN;
	case JOURNAL_WAITS:
		return to == JOURNAL_DONE || to == JOURNAL_UNDONE || to == JOURNAL_LACKS;
	case JOURNAL_DONE:
	case JOURNAL_LACKS:
		return to == JOURNAL_UNDONE;
	case JOURNAL_UNDONE:
		break;
	}
	return false;
}

static int take_mark(struct journal_text *t, const struct words *w)
{
	uint64_t i;

	for (enum journal_mark m = JOURNAL_DONE; m <= JOURNAL_WAITS; m++) {
		if (strcmp(w->word[0], marks[m]) != 0)
			continue;
		if (w->n != 2 || t->n == 0 || !number(w->word[1], t->n - 1, &i) ||
		    !may_become(t->entries[i].mark, m))
			return -EBADMSG;
		t->entries[i].mark = m;
		/* One that was over is being undone after all. */
		if (m == JOURNAL_UNDONE)
			t->ended = false;
		return 0;
	}
	return -EBADMSG;
}

/* As the line would be printed, were it right. */
static void print_again(const struct journal_text *t, const struct words *w, struct buf *ret)
{
	if (strcmp(w->word[0], "pf") == 0)
		print_function(t, t->n_functions - 1, ret);
	else if (strcmp(w->word[0], "step") == 0)
		journal_text_print_step(t, t->n - 1, ret);
	else
		for (size_t i = 0; i < w->n; i++)
			buf_printf(ret, "%s%s", w->word[i], i + 1 < w->n ? " " : "\n");
}

static int take_words(struct journal_text *t, struct words *w)
{
	const char *kind = w->word[0];

	/* A run that is over has nothing more to say but of what waited. */
	if (strcmp(kind, "boot") == 0 && w->n == 2 && !t->boot) {
		t->boot = strdup(w->word[1]);
		return t->boot ? 0 : -ENOMEM;
	}
	if (!t->boot)
		return -EBADMSG;
	if (strcmp(kind, "pf") == 0 && !t->ended)
		return take_function(t, w);
	if (strcmp(kind, "step") == 0 && !t->ended)
		return take_step(t, w);
	if (strcmp(kind, "end") == 0 && w->n == 1 && !t->ended) {
		t->ended = true;
		return 0;
	}
	return take_mark(t, w);
}

/* @line ends in a newline, which is the last of its @len bytes. */
static int take_line(struct journal_text *t, const char *line, size_t len)
{
	AUTO_BUF struct buf again = { 0 };
	struct words w;
	int r;

	if (!split(line, len, &w))
		return -EBADMSG;
	r = take_words(t, &w);
	if (r < 0)
		return r;
	print_again(t, &w, &again);
	if (buf_error(&again) < 0)
		return buf_error(&again);
	return again.len == len && memcmp(again.data, line, len) == 0 ? 0 : -EBADMSG;
}

static int take_lines(struct journal_text *t, const char *text, size_t len, unsigned *ret_line)
{
	for (*ret_line = 1; t->len < len; (*ret_line)++) {
		const char *line = text + t->len;
		const char *end = memchr(line, '\n', len - t->len);
		size_t n;
		int r = 0;

		if (!end)
			return 0;
		n = (size_t)(end - line) + 1;
		if (*ret_line > 1)
			r = memchr(line, '\0', n) ? -EBADMSG : take_line(t, line, n);
		else if (n != strlen(TITLE) || memcmp(line, TITLE, n) != 0)
			r = -EBADMSG;
		if (r < 0)
			return r;
		t->len += n;
	}
	return 0;
}

int journal_text_parse(const char *text, size_t len, struct journal_text *ret, struct error *e)
{
	AUTO_JOURNAL_TEXT struct journal_text t = { 0 };
	unsigned line;
	int r = take_lines(&t, text, len, &line);

	if (r == -EBADMSG && line == 1 && len > strlen(NAME) &&
	    memcmp(text, NAME, strlen(NAME)) == 0)
		return error_set(e, r, "line 1 is that of another version of sriovctl");
	if (r == -EBADMSG)
		return error_set(e, r, "line %u is damaged", line);
	if (r < 0)
		return error_nomem(e);
	*ret = t;
	t = (struct journal_text){ 0 };
	return 0;
}
