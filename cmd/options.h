/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options as a table: each row says its name, what it takes, where the value goes in the
 * command's struct and what it means; --help is printed from the same rows.
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <sriovctl/base.h>

struct command;
struct error;

/* What the kernel takes for a number of VFs is a u16. */
#define OPTION_COUNT_MAX 65535

enum option_type {
	OPTION_FLAG,   /* bool */
	OPTION_STRING, /* const char *: points into argv */
	OPTION_CHOICE, /* const char *: one of @choices */
	OPTION_LIST,   /* struct strv: may be given more than once */
	OPTION_COUNT,  /* uint32_t, from 1 to OPTION_COUNT_MAX */
};

struct option_def {
	const char *name;
	char letter;	     /* "-f VALUE" and "-fVALUE" are the same as "--file=VALUE"; 0: none */
	const char *metavar; /* NULL for a flag */
	enum option_type type;
	size_t offset;
	const char *const *choices; /* NULL behind the last */
	const char *help;
	const char *once; /* why it is not given again, and what is done instead; NULL: the last
			     counts */
	/* Of a command that is used in several ways: a bit for each that it belongs to; 0: all. */
	uint32_t uses;
};

/*
 * Fill @values from argv: options until "--", and the command's arguments.  -EINVAL with a
 * sentence that names the word at fault and says what would be right.  *@ret_help: --help was among
 * the words.
 */
int options_parse(const struct command *c, int argc, char **argv, void *values, bool *ret_help,
		  struct error *e) MUST_USE;

/* The first option that was given and does not belong to @use, which has one bit; NULL: none. */
const struct option_def *options_find_other(const struct command *c, const void *values,
					    uint32_t use);

#endif
