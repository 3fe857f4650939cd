/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include "command.h"

#include <sriovctl/error.h>
#include <sriovctl/buf.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>

#define WORD_MAX 64

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* How many letters to add, drop or change (Levenshtein); words longer than WORD_MAX are unlike. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t n = strlen(b), row[WORD_MAX + 1];

	if (n > WORD_MAX || strlen(a) > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t change = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = min3(row[j] + 1, row[j - 1] + 1, change);
		}
	}
	return row[n];
}

void suggestion_offer(struct suggestion *s, const char *candidate)
{
	size_t distance = edit_distance(s->word, candidate);

	if (distance > strlen(candidate) / 3 + 1 || (s->best && distance >= s->distance))
		return;
	s->best = candidate;
	s->distance = distance;
}

static const struct option_def *find_option(const struct command *c, const char *name, size_t len)
{
	for (size_t i = 0; i < c->n_options; i++)
		if (strlen(c->options[i].name) == len &&
		    strncmp(c->options[i].name, name, len) == 0)
			return &c->options[i];
	return NULL;
}

static int unknown_option(const struct command *c, const char *word, struct error *e)
{
	const char *name = word + strspn(word, "-");
	AUTO_FREE char *alone = strndup(name, strcspn(name, "="));
	struct suggestion s = { .word = alone };

	if (!alone)
		return error_nomem(e);
	for (size_t i = 0; i < c->n_options; i++)
		suggestion_offer(&s, c->options[i].name);
	suggestion_offer(&s, "help");
	if (s.best)
		return error_set(e, -EINVAL, "unknown option %s; did you mean --%s?", word, s.best);
	return error_set(e, -EINVAL, "unknown option %s; see sriovctl %s --help", word, c->name);
}

static int set_choice(const struct option_def *o, const char *value, const char **ret,
		      struct error *e)
{
	AUTO_BUF struct buf all = { 0 };

	for (size_t i = 0; o->choices[i]; i++) {
		buf_printf(&all, "%s%s", i ? ", " : "", o->choices[i]);
		if (strcmp(o->choices[i], value) == 0) {
			*ret = value;
			return 0;
		}
	}
	return error_set(e, -EINVAL, "--%s: \"%s\" is none of: %s", o->name, value, buf_text(&all));
}

static int set_count(const struct option_def *o, const char *value, uint32_t *ret, struct error *e)
{
	uint64_t count;

	if (parse_u64(value, 10, OPTION_COUNT_MAX, &count) < 0 || count == 0)
		return error_set(e, -EINVAL, "--%s: \"%s\" is not a number from 1 to %u", o->name,
				 value, OPTION_COUNT_MAX);
	*ret = (uint32_t)count;
	return 0;
}

static int set_value(const struct option_def *o, const char *value, void *values, struct error *e)
{
	void *where = (char *)values + o->offset;

	switch (o->type) {
	case OPTION_FLAG:
		*(bool *)where = true;
		return 0;
	case OPTION_STRING:
		*(const char **)where = value;
		return 0;
	case OPTION_CHOICE:
		return set_choice(o, value, where, e);
	case OPTION_LIST:
		return strv_add(where, value) < 0 ? error_nomem(e) : 0;
	case OPTION_COUNT:
		return set_count(o, value, where, e);
	}
	return -EINVAL;
}

/* One word "--name" or "--name=value"; *@i moves on when the value is the next word. */
static int parse_long(const struct command *c, int argc, char **argv, int *i, void *values,
		      struct error *e)
{
	const char *name = argv[*i] + 2;
	const char *equals = strchrnul(name, '=');
	const struct option_def *o = find_option(c, name, (size_t)(equals - name));
	const char *value = *equals ? equals + 1 : NULL;

	if (!o)
		return unknown_option(c, argv[*i], e);
	if (o->type == OPTION_FLAG && value)
		return error_set(e, -EINVAL, "--%s takes no value", o->name);
	if (o->type != OPTION_FLAG && !value) {
		if (*i + 1 >= argc)
			return error_set(e, -EINVAL, "--%s needs a value: --%s=%s", o->name,
					 o->name, o->metavar);
		value = argv[++*i];
	}
	if (o->type != OPTION_FLAG && !*value)
		return error_set(e, -EINVAL, "--%s needs a value: --%s=%s", o->name, o->name,
				 o->metavar);
	return set_value(o, value, values, e);
}

/* The word "-oVALUE", or "-o" with the value as the next word. */
static int parse_short(const struct command *c, int argc, char **argv, int *i, void *values,
		       struct error *e)
{
	const char *word = argv[*i], *value = word + 2;
	const struct option_def *o = NULL;

	for (size_t n = 0; n < c->n_options && !o; n++)
		if (c->options[n].letter == word[1])
			o = &c->options[n];
	if (!o || o->type == OPTION_FLAG)
		return unknown_option(c, word, e);
	if (!*value && *i + 1 < argc)
		value = argv[++*i];
	if (!*value)
		return error_set(e, -EINVAL, "-%c needs a value: -%c %s", o->letter, o->letter,
				 o->metavar);
	return set_value(o, value, values, e);
}

static int add_argument(const struct command *c, const char *word, void *values, struct error *e)
{
	if (!c->args)
		return error_set(e, -EINVAL, "%s takes no argument, but got \"%s\"", c->name, word);
	if (!*word)
		return error_set(e, -EINVAL, "an argument of %s is empty", c->name);
	return strv_add((void *)((char *)values + c->args_offset), word) < 0 ? error_nomem(e) : 0;
}

int options_parse(const struct command *c, int argc, char **argv, void *values, bool *ret_help,
		  struct error *e)
{
	bool are_options = true;
	int r = 0;

	*ret_help = false;
	for (int i = 1; r == 0 && i < argc; i++) {
		const char *word = argv[i];

		if (!are_options || word[0] != '-' || !word[1])
			r = add_argument(c, word, values, e);
		else if (strcmp(word, "--") == 0)
			are_options = false;
		else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
			*ret_help = true;
		else if (strncmp(word, "--", 2) == 0)
			r = parse_long(c, argc, argv, &i, values, e);
		else
			r = parse_short(c, argc, argv, &i, values, e);
	}
	return r;
}
