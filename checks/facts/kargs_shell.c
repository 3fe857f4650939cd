/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kargs_shell.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
#define BLANKS	   " \t\r"

static const char *const names[KARGS_SHELL_NAMES] = {
	[KARGS_SHELL_LINUX] = "GRUB_CMDLINE_LINUX",
	[KARGS_SHELL_DEFAULT] = "GRUB_CMDLINE_LINUX_DEFAULT",
};

struct scan {
	const char *path, *text;
	size_t at;
	unsigned depth; /* of if, loops, functions */
};

/* A value as it stands in the text. */
struct value {
	size_t start, end;
	unsigned pieces; /* quoted ones, and runs of bare characters */
	char quote;	 /* of the last piece */
	bool is_complex; /* something in it is for the shell to find out */
};

const char *kargs_shell_name(enum kargs_shell_name n)
{
	return names[n];
}

static bool is_name(const char *text, size_t len, enum kargs_shell_name *ret)
{
	for (size_t i = 0; i < KARGS_SHELL_NAMES; i++) {
		if (strlen(names[i]) == len && strncmp(names[i], text, len) == 0) {
			*ret = (enum kargs_shell_name)i;
			return true;
		}
	}
	return false;
}

size_t kargs_shell_reference(const char *text, enum kargs_shell_name *ret)
{
	size_t brace = text[0] == '$' && text[1] == '{', len;

	if (text[0] != '$')
		return 0;
	len = strspn(text + 1 + brace, NAME_CHARS);
	if (brace && text[2 + len] != '}')
		return 0;
	return is_name(text + 1 + brace, len, ret) ? 1 + 2 * brace + len : 0;
}

static int refuse(const struct scan *s, size_t at, const char *why, struct error *e)
{
	unsigned line = 1;

	for (size_t i = 0; i < at; i++)
		line += s->text[i] == '\n';
	return error_set(e, -ENOTSUP, "%s:%u: %s", s->path, line, why);
}

/* Behind the '"' that closes what begins at @at. */
static size_t skip_double(const char *text, size_t at, bool *complex)
{
	for (at++; text[at] && text[at] != '"'; at++) {
		if (text[at] == '`' || (text[at] == '$' && text[at + 1] == '('))
			*complex = true;
		if (text[at] == '\\') {
			*complex |= text[at + 1] != '\n';
			at += text[at + 1] != '\0';
		}
	}
	return text[at] ? at + 1 : at;
}

static size_t skip_to(const char *text, size_t at, char c)
{
	const char *end = text[at] ? strchr(text + at + 1, c) : NULL;

	return end ? (size_t)(end - text) + 1 : at + strlen(text + at);
}

/* One piece of a word: what is quoted, what is run, or one character. */
static size_t skip_piece(const char *text, size_t at, bool *complex)
{
	switch (text[at]) {
	case '"':
		return skip_double(text, at, complex);
	case '\'':
		return skip_to(text, at, '\'');
	case '`':
		*complex = true;
		return skip_to(text, at, '`');
	case '\\':
		*complex = true;
		return at + 1 + (text[at + 1] != '\0');
	case '$':
		*complex = true;
		return text[at + 1] == '(' ? skip_to(text, at, ')') : at + 1;
	default:
		return at + 1;
	}
}

static void scan_value(struct scan *s, struct value *v)
{
	const char *text = s->text;
	bool was_bare = false;

	*v = (struct value){ .start = s->at };
	while (text[s->at] && !strchr(BLANKS "\n;&|()<>", text[s->at])) {
		char c = text[s->at];
		bool is_quoted = c == '"' || c == '\'';

		if (is_quoted || !was_bare)
			v->pieces++;
		was_bare = !is_quoted;
		v->quote = is_quoted ? c : '\0';
		s->at = skip_piece(text, s->at, &v->is_complex);
	}
	v->end = s->at;
}

static int add_set(struct kargs_shell *ret, enum kargs_shell_name name, const struct value *v)
{
	struct kargs_shell_set *sets = base_room(ret->sets, ret->n, sizeof(*sets));

	if (!sets)
		return -ENOMEM;
	ret->sets = sets;
	ret->sets[ret->n++] = (struct kargs_shell_set){
		.name = name,
		.start = v->start + (v->quote != '\0'),
		.end = v->end - (v->quote != '\0'),
		.quote = v->quote,
	};
	return 0;
}

/* Only a comment may follow. */
static bool ends_here(const struct scan *s)
{
	const char *rest = s->text + s->at + strspn(s->text + s->at, BLANKS);

	return *rest == '\0' || *rest == '\n' || *rest == ';' ||
	       (*rest == '#' && rest != s->text + s->at);
}

static int take_assignment(struct scan *s, enum kargs_shell_name name, struct kargs_shell *ret,
			   struct error *e)
{
	size_t begin = s->at;
	struct value v;

	scan_value(s, &v);
	if (s->depth > 0)
		return refuse(s, begin,
			      "whether this assignment is made is not known: it is inside an if, a "
			      "loop or a function",
			      e);
	if (v.pieces > 1 || v.is_complex || !ends_here(s))
		return refuse(s, begin,
			      "this value is not one text in quotes that can be edited as it is",
			      e);
	return add_set(ret, name, &v) < 0 ? error_nomem(e) : 0;
}

/* Words that begin and end what is not, or not once, carried out. */
static void count_depth(struct scan *s, const char *word, size_t len, char last)
{
	static const char *const open[] = { "if",   "for",    "while", "until",
					    "case", "select", "{",     "(" };
	static const char *const close[] = { "fi", "done", "esac", "}", ")" };

	for (size_t i = 0; i < ARRAY_SIZE(open); i++) {
		if (strlen(open[i]) == len && strncmp(open[i], word, len) == 0) {
			s->depth++;
			return;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(close); i++)
		if (strlen(close[i]) == len && strncmp(close[i], word, len) == 0 && s->depth > 0)
			s->depth--;
	/* NAME() { */
	if (last == '{')
		s->depth++;
}

static bool may_set(const char *text, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++) {
		size_t len = strspn(text + i, NAME_CHARS);
		enum kargs_shell_name name;

		if (len > 0 && is_name(text + i, len, &name) &&
		    (i == start || (text[i - 1] != '$' && text[i - 1] != '{')))
			return true;
		i += len;
	}
	return false;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncmp(text, word, len) == 0;
}

/* What is no assignment, to its end. */
static int skip_statement(struct scan *s, struct error *e)
{
	const char *text = s->text;
	size_t start = s->at, len = strcspn(text + start, BLANKS "\n;");
	bool complex = false;
	char last = '\0';

	while (text[s->at] && text[s->at] != '\n' && text[s->at] != ';') {
		if (text[s->at] == '<' && text[s->at + 1] == '<')
			return refuse(s, s->at, "a here-document is not understood", e);
		if (text[s->at] == '#' && s->at > start && strchr(BLANKS, text[s->at - 1]))
			break;
		if (!strchr(BLANKS, text[s->at]))
			last = text[s->at];
		s->at = skip_piece(text, s->at, &complex);
	}
	if (may_set(text, start, s->at))
		return refuse(s, start,
			      "what this does to the kernel command line is not understood", e);
	if (is_word(text + start, len, ".") || is_word(text + start, len, "source") ||
	    is_word(text + start, len, "eval"))
		return refuse(s, start, "what this may set is not known", e);
	count_depth(s, text + start, len, len > 1 ? last : '\0');
	return 0;
}

static int take_statement(struct scan *s, struct kargs_shell *ret, struct error *e)
{
	const char *text = s->text;
	size_t before = s->at, len;
	enum kargs_shell_name name;
	struct value v;

	if (strncmp(text + s->at, "export ", 7) == 0)
		s->at += 7 + strspn(text + s->at + 7, BLANKS);
	len = strspn(text + s->at, NAME_CHARS);
	if (len == 0 || text[s->at + len] != '=') {
		/* It makes a variable known to others, and leaves its value. */
		if (s->at > before && len > 0 && text[s->at + len] &&
		    strchr("\n;", text[s->at + len])) {
			s->at += len;
			return 0;
		}
		s->at = before;
		return skip_statement(s, e);
	}
	before = s->at;
	s->at += len + 1;
	if (is_name(text + before, len, &name))
		return take_assignment(s, name, ret, e);
	scan_value(s, &v);
	/* A command may follow, for which alone the variable is. */
	return ends_here(s) ? 0 : skip_statement(s, e);
}

int kargs_shell_parse(const char *path, const char *text, struct kargs_shell *ret, struct error *e)
{
	struct scan s = { .path = path, .text = text };
	int r = 0;

	while (r == 0) {
		s.at += strspn(text + s.at, BLANKS "\n;");
		if (!text[s.at])
			break;
		if (text[s.at] == '#')
			s.at += strcspn(text + s.at, "\n");
		else
			r = take_statement(&s, ret, e);
	}
	if (r < 0)
		kargs_shell_done(ret);
	return r;
}

void kargs_shell_done(struct kargs_shell *s)
{
	free(s->sets);
	*s = (struct kargs_shell){ 0 };
}
