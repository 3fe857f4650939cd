/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include "command.h"

#include <sriovctl/error.h>
#include <sriovctl/buf.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>
#include <sriovctl/suggest.h>

#include <errno.h>
#include <string.h>

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
	struct suggest s = { .word = alone };

	if (!alone)
		return error_nomem(e);
	for (size_t i = 0; i < c->n_options; i++)
		suggest_offer(&s, c->options[i].name);
	suggest_offer(&s, "help");
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

/* What has a value by default belongs to all uses. */
static bool is_given(const struct option_def *o, const void *values)
{
	const void *where = (const char *)values + o->offset;

	switch (o->type) {
	case OPTION_FLAG:
		return *(const bool *)where;
	case OPTION_STRING:
	case OPTION_CHOICE:
		return *(const char *const *)where != NULL;
	case OPTION_LIST:
		return ((const struct strv *)where)->n > 0;
	case OPTION_COUNT:
		return *(const uint32_t *)where > 0;
	}
	return false;
}

static int set_value(const struct option_def *o, const char *value, void *values, struct error *e)
{
	void *where = (char *)values + o->offset;

	if (o->once && is_given(o, values))
		return error_set(e, -EINVAL, "--%s is given twice: %s", o->name, o->once);
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

/* @value: what stands in the option's own word, or NULL; *@i moves on when it is the next word. */
static int take_value(const struct option_def *o, const char *value, int argc, char **argv, int *i,
		      const char **ret)
{
	if (o->type != OPTION_FLAG && !value && *i + 1 < argc)
		value = argv[++*i];
	*ret = value;
	return o->type == OPTION_FLAG || (value && *value) ? 0 : -EINVAL;
}

static int needs_value(const struct option_def *o, struct error *e)
{
	return error_set(e, -EINVAL, "--%s needs a value: --%s=%s", o->name, o->name, o->metavar);
}

/* One word "--name" or "--name=value". */
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
	if (take_value(o, value, argc, argv, i, &value) < 0)
		return needs_value(o, e);
	return set_value(o, value, values, e);
}

/* One word "-f" or "-fvalue". */
static int parse_letter(const struct command *c, int argc, char **argv, int *i, void *values,
			struct error *e)
{
	const char *word = argv[*i], *value = word[2] ? word + 2 : NULL;

	for (size_t k = 0; k < c->n_options; k++) {
		const struct option_def *o = &c->options[k];

		if (o->letter != word[1] || (o->type == OPTION_FLAG && value))
			continue;
		if (take_value(o, value, argc, argv, i, &value) < 0)
			return needs_value(o, e);
		return set_value(o, value, values, e);
	}
	return unknown_option(c, word, e);
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
			r = parse_letter(c, argc, argv, &i, values, e);
	}
	return r;
}

const struct option_def *options_find_other(const struct command *c, const void *values,
					    uint32_t use)
{
	for (size_t i = 0; i < c->n_options; i++) {
		const struct option_def *o = &c->options[i];

		if (o->uses && !(o->uses & use) && is_given(o, values))
			return o;
	}
	return NULL;
}
