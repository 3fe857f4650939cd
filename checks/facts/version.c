/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern is text that stands for itself, but for:
 *
 *   %d   a number                    %h   a hexadecimal one
 *   %b   two hexadecimal digits, a lone one is the first: "9.5" is 9.50
 *   %l   a number that tells the line
 *   %x   a hexadecimal one that names the image
 *   %n   numbers with dots in between, one at least
 *   %o   a number that does not matter
 *   %t   the tag: all up to what follows, or to the end
 *   %w   a word that does not matter, likewise, without blanks
 *   { }  may be missing
 */
#include <sriovctl/version.h>

#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

struct scan {
	const char *pattern, *text;
	struct version v;
	const char **furthest; /* that any attempt came */
};

static bool take(struct scan *s, unsigned base, unsigned digits, uint32_t *ret)
{
	uint64_t value;

	if (parse_digits(&s->text, base, digits, &value) < 0 || value > UINT32_MAX)
		return false;
	*ret = (uint32_t)value;
	return true;
}

static bool take_part(struct scan *s, unsigned base)
{
	struct version *v = &s->v;

	if (v->n_parts == VERSION_PARTS || !take(s, base, UINT32_MAX, &v->parts[v->n_parts]))
		return false;
	v->n_parts++;
	return true;
}

static bool take_bytewise(struct scan *s)
{
	const char *start = s->text;
	struct version *v = &s->v;

	if (v->n_parts == VERSION_PARTS || !take(s, 16, 2, &v->parts[v->n_parts]))
		return false;
	if (s->text - start == 1)
		v->parts[v->n_parts] *= 16;
	v->n_parts++;
	return true;
}

static bool take_list(struct scan *s)
{
	do {
		if (!take_part(s, 10))
			return false;
	} while (*s->text == '.' && s->text[1] >= '0' && s->text[1] <= '9' && s->text++);
	return true;
}

/* @s->pattern is behind the letter. */
static bool take_word(struct scan *s, bool is_tag)
{
	const char *next = s->pattern + strspn(s->pattern, "}");
	size_t len = *next && *next != '{' ? (size_t)(strchrnul(s->text, *next) - s->text)
					   : strlen(s->text);

	if (is_tag) {
		s->v.tag = s->text;
		s->v.tag_len = len;
	} else if (memchr(s->text, ' ', len)) {
		return false;
	}
	s->text += len;
	return len > 0;
}

static bool take_field(struct scan *s, char field)
{
	uint32_t unused;

	switch (field) {
	case 'd':
		return take_part(s, 10);
	case 'h':
		return take_part(s, 16);
	case 'b':
		return take_bytewise(s);
	case 'n':
		return take_list(s);
	case 'l':
		return take(s, 10, UINT32_MAX, &s->v.line);
	case 'x':
		return take(s, 16, UINT32_MAX, &s->v.image);
	case 'o':
		return take(s, 10, UINT32_MAX, &unused);
	default:
		return take_word(s, field == 't');
	}
}

/* Behind the brace that closes the one before @p. */
static const char *behind_group(const char *p)
{
	for (unsigned depth = 1; depth > 0; p++)
		depth += *p == '{' ? 1 : *p == '}' ? UINT32_MAX : 0;
	return p;
}

static bool match(struct scan *s)
{
	while (*s->pattern) {
		char c = *s->pattern++;

		if (c == '{') {
			struct scan with = *s;

			if (match(&with)) {
				*s = with;
				return true;
			}
			s->pattern = behind_group(s->pattern);
		} else if (c == '%') {
			char field = *s->pattern++;

			if (!take_field(s, field))
				return false;
		} else if (c != '}') {
			if (*s->text != c)
				return false;
			s->text++;
		}
		if (s->text > *s->furthest)
			*s->furthest = s->text;
	}
	return *s->text == '\0';
}

static bool match_form(const struct version_scheme *scheme, const struct version_form *form,
		       const char *text, const char **furthest, struct version *ret)
{
	struct scan s = {
		.pattern = form->pattern,
		.text = text,
		.v = { .scheme = scheme, .form = form, .tag = "" },
		.furthest = furthest,
	};

	if (!match(&s))
		return false;
	*ret = s.v;
	return true;
}

int version_parse(const struct version_scheme *s, const char *text, struct version *ret,
		  struct error *e)
{
	const char *furthest = text;

	for (size_t i = 0; i < ARRAY_SIZE(s->forms) && s->forms[i].pattern; i++)
		if (match_form(s, &s->forms[i], text, &furthest, ret))
			return 0;
	if (!*text)
		return error_set(e, -EINVAL, "no version, where one as \"%s\" was expected",
				 s->example);
	return error_set(e, -EINVAL, "\"%s\" is no version as %s has them (\"%s\"): %s%s%s", text,
			 s->name, s->example,
			 *furthest ? "not understood from \"" : "it ends early", furthest,
			 *furthest ? "\" on" : "");
}

static uint32_t part(const struct version *v, size_t i)
{
	return i < v->n_parts ? v->parts[i] : 0;
}

bool version_has_order(const struct version *v)
{
	return v->n_parts > 0 && !v->form->is_unordered;
}

static enum version_order compare_parts(const struct version *a, const struct version *b)
{
	for (size_t i = 0; i < VERSION_PARTS; i++)
		if (part(a, i) != part(b, i))
			return part(a, i) < part(b, i) ? VERSION_OLDER : VERSION_NEWER;
	return VERSION_SAME;
}

enum version_order version_compare(const struct version *a, const struct version *b)
{
	enum version_order order = compare_parts(a, b);

	if (a->scheme != b->scheme || a->line != b->line)
		return VERSION_APART;
	if (version_has_order(a) && version_has_order(b))
		return order;
	if (a->form == b->form && a->image == b->image && order == VERSION_SAME &&
	    a->tag_len == b->tag_len && memcmp(a->tag, b->tag, a->tag_len) == 0)
		return VERSION_SAME;
	return VERSION_APART;
}
