/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Part of the command line program, which the tests do not link: hence the source itself. */
#include "../../cmd/options.c"

#include "test.h"

#include "../../cmd/command.h"

struct values {
	bool strict;
	const char *root, *output;
	struct strv only;
	uint32_t vfs;
};

enum { USE_ONE = 1, USE_OTHER = 2 };

static const char *const formats[] = { "text", "json", NULL };

static const struct option_def defs[] = {
	{ .name = "strict",
	  .uses = USE_ONE,
	  .letter = 's',
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct values, strict) },
	{ .name = "root",
	  .uses = USE_ONE | USE_OTHER,
	  .letter = 'r',
	  .metavar = "DIR",
	  .type = OPTION_STRING,
	  .offset = offsetof(struct values, root) },
	{ .name = "output",
	  .metavar = "FORMAT",
	  .type = OPTION_CHOICE,
	  .choices = formats,
	  .offset = offsetof(struct values, output) },
	{ .name = "only",
	  .metavar = "ID",
	  .uses = USE_OTHER,
	  .type = OPTION_LIST,
	  .offset = offsetof(struct values, only) },
	{ .name = "vfs",
	  .metavar = "N",
	  .uses = USE_OTHER,
	  .type = OPTION_COUNT,
	  .offset = offsetof(struct values, vfs) },
};

static const struct command command = { .name = "check",
					.options = defs,
					.n_options = ARRAY_SIZE(defs) };

#define WORDS_MAX 6

/* @words: those behind the command's name, NULL behind the last. */
static int parse(const char *const words[WORDS_MAX], struct values *v, bool *help, struct error *e)
{
	char name[] = "check";
	char *argv[WORDS_MAX + 2] = { name };
	int argc = 1, r;

	for (size_t i = 0; i < WORDS_MAX && words[i]; i++)
		argv[argc++] = strdup(words[i]);
	r = options_parse(&command, argc, argv, v, help, e);
	/* Values point into argv, which is gone after this. */
	v->root = v->root ? "" : NULL;
	for (size_t i = 0; v->output && formats[i]; i++)
		if (strcmp(v->output, formats[i]) == 0)
			v->output = formats[i];
	while (argc > 1)
		free(argv[--argc]);
	return r;
}

TEST(flags_and_values_in_both_forms)
{
	char words[][16] = { "check",	      "--strict",   "--root", "/a",
			     "--output=json", "--only=a.b", "--only", "c.d" };
	char *argv[ARRAY_SIZE(words)];
	struct values v = { 0 };
	bool help = true;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		argv[i] = words[i];
	EXPECT(options_parse(&command, (int)ARRAY_SIZE(argv), argv, &v, &help, NULL) == 0);
	EXPECT(!help && v.strict);
	EXPECT(v.root == argv[3] && strcmp(v.output, "json") == 0);
	EXPECT(v.only.n == 2 && strv_has(&v.only, "a.b") && strv_has(&v.only, "c.d"));
	strv_done(&v.only);
}

TEST(letters_in_both_forms)
{
	char words[][16] = { "check", "-s", "-r", "-s", "-r/b" };
	char *argv[ARRAY_SIZE(words)];
	struct values v = { 0 };
	bool help = true;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		argv[i] = words[i];
	EXPECT(options_parse(&command, 4, argv, &v, &help, NULL) == 0);
	EXPECT(v.strict && v.root == argv[3]);
	EXPECT(options_parse(&command, 5, argv, &v, &help, NULL) == 0);
	EXPECT(v.root == argv[4] + 2 && !help);
}

TEST(what_is_not_given_stays_as_it_was)
{
	static const char *const none[WORDS_MAX] = { NULL };
	struct values v = { .output = "text" };
	bool help = true;

	EXPECT(parse(none, &v, &help, NULL) == 0);
	EXPECT(!help && !v.strict && strcmp(v.output, "text") == 0 && v.only.n == 0);
}

TEST(help_in_any_place)
{
	static const char *const rows[][WORDS_MAX] = {
		{ "--help" }, { "-h" }, { "--strict", "-h" }, { "--help", "--strict" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct values v = { 0 };
		bool help = false;

		EXPECT(parse(rows[i], &v, &help, NULL) == 0 && help);
	}
}

TEST(a_value_may_hold_anything)
{
	static const char *const rows[][WORDS_MAX] = {
		{ "--root=a=b" }, { "--root", "--strict" }, { "--root", "-h" },
		{ "--root=--" },  { "--root= " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct values v = { 0 };
		bool help = false;

		EXPECT(parse(rows[i], &v, &help, NULL) == 0);
		EXPECT(v.root && !v.strict && !help);
	}
}

TEST(the_last_value_counts)
{
	static const char *const words[WORDS_MAX] = { "--output=json", "--output=text" };
	struct values v = { 0 };
	bool help;

	EXPECT(parse(words, &v, &help, NULL) == 0);
	EXPECT(v.output && strcmp(v.output, "text") == 0);
}

static const struct {
	const char *words[WORDS_MAX], *text;
} mistakes[] = {
	{ .words = { "--root" }, .text = "--root needs a value: --root=DIR" },
	{ .words = { "--root=" }, .text = "--root needs a value: --root=DIR" },
	{ .words = { "--root", "" }, .text = "--root needs a value: --root=DIR" },
	{ .words = { "-r" }, .text = "--root needs a value: --root=DIR" },
	{ .words = { "-r", "" }, .text = "--root needs a value: --root=DIR" },
	{ .words = { "-st" }, .text = "unknown option -st; see sriovctl check --help" },
	{ .words = { "--strict=1" }, .text = "--strict takes no value" },
	{ .words = { "--strict=" }, .text = "--strict takes no value" },
	{ .words = { "--output=xml" }, .text = "--output: \"xml\" is none of: text, json" },
	{ .words = { "--output=tex" }, .text = "--output: \"tex\" is none of: text, json" },
	{ .words = { "--strikt" }, .text = "unknown option --strikt; did you mean --strict?" },
	{ .words = { "--helpp" }, .text = "unknown option --helpp; did you mean --help?" },
	{ .words = { "-strict" }, .text = "unknown option -strict; did you mean --strict?" },
	{ .words = { "-x" }, .text = "unknown option -x; see sriovctl check --help" },
	{ .words = { "--frobnicate" },
	  .text = "unknown option --frobnicate; see sriovctl check --help" },
	{ .words = { "--rootfs", "/a" }, .text = "unknown option --rootfs; did you mean --root?" },
	{ .words = { "host" }, .text = "check takes no argument, but got \"host\"" },
	{ .words = { "" }, .text = "check takes no argument, but got \"\"" },
	{ .words = { "-" }, .text = "check takes no argument, but got \"-\"" },
	{ .words = { "--", "--strict" }, .text = "check takes no argument, but got \"--strict\"" },
	{ .words = { "--strict", "host" }, .text = "check takes no argument, but got \"host\"" },
};

TEST(mistakes_are_named_and_answered)
{
	for (size_t i = 0; i < ARRAY_SIZE(mistakes); i++) {
		struct values v = { 0 };
		struct error e = { 0 };
		bool help;

		EXPECT(parse(mistakes[i].words, &v, &help, &e) == -EINVAL);
		EXPECT(strcmp(e.text, mistakes[i].text) == 0);
		if (strcmp(e.text, mistakes[i].text) != 0)
			printf("# %s\n", e.text);
		strv_done(&v.only);
	}
}

TEST(two_dashes_with_nothing_behind_are_no_mistake)
{
	static const char *const words[WORDS_MAX] = { "--strict", "--" };
	struct values v = { 0 };
	bool help;

	EXPECT(parse(words, &v, &help, NULL) == 0 && v.strict);
}

static const char *other(const struct values *v, uint32_t use)
{
	const struct option_def *o = options_find_other(&command, v, use);

	return o ? o->name : "none";
}

TEST(an_option_of_another_use_is_found)
{
	struct values none = { .output = "text" };
	struct values all = { .output = "text", .root = "", .strict = true, .vfs = 1 };

	EXPECT(strcmp(other(&none, USE_ONE), "none") == 0);
	EXPECT(strcmp(other(&all, USE_ONE), "vfs") == 0);
	EXPECT(strcmp(other(&all, USE_OTHER), "strict") == 0);
	EXPECT(strv_add(&all.only, "x") == 0 && strcmp(other(&all, USE_ONE), "only") == 0);
	all.strict = false;
	EXPECT(strcmp(other(&all, USE_OTHER), "none") == 0);
	strv_done(&all.only);
}
