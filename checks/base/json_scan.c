/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/json_scan.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/utf8.h>

#include <errno.h>
#include <limits.h>
#include <string.h>

struct scan {
	const char *text;
	size_t len, at;
	size_t line, line_start;
	unsigned depth;
	struct buf *places;
	struct error *e;
};

static int scan_value(struct scan *s);

static size_t column(const struct scan *s)
{
	return s->at - s->line_start + 1;
}

static int refuse(const struct scan *s, const char *what)
{
	return error_set(s->e, -EINVAL, "%zu:%zu: %s", s->line, column(s), what);
}

static void note_place(struct scan *s)
{
	int place = (int)s->at;

	buf_append(s->places, &place, sizeof(place));
}

/* The byte at the cursor; NUL at the end, which no rule accepts. */
static char peek(const struct scan *s)
{
	return s->at < s->len ? s->text[s->at] : '\0';
}

static bool take(struct scan *s, char c)
{
	if (s->at == s->len || s->text[s->at] != c)
		return false;
	s->at++;
	return true;
}

static void skip_space(struct scan *s)
{
	while (s->at < s->len && strchr(" \t\r\n", s->text[s->at]) && s->text[s->at]) {
		if (s->text[s->at++] == '\n') {
			s->line++;
			s->line_start = s->at;
		}
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool take_hex4(struct scan *s, unsigned *ret)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	unsigned value = 0;
	int i;

	for (i = 0; i < 4; i++, s->at++) {
		const char *digit = peek(s) ? strchr(digits, peek(s)) : NULL;

		if (!digit)
			return false;
		value = value << 4 | (unsigned)((digit - digits) & 15);
	}
	*ret = value;
	return true;
}

static int scan_unicode(struct scan *s)
{
	unsigned unit, low;

	if (!take_hex4(s, &unit))
		return refuse(s, "four hexadecimal digits are expected after \\u");
	if (unit == 0)
		return refuse(s, "U+0000 has no place in a string");
	if (unit < 0xd800 || unit > 0xdfff)
		return 0;
	if (unit > 0xdbff || !take(s, '\\') || !take(s, 'u') || !take_hex4(s, &low) ||
	    low < 0xdc00 || low > 0xdfff)
		return refuse(s, "half of a surrogate pair");
	return 0;
}

static int scan_escape(struct scan *s)
{
	if (take(s, 'u'))
		return scan_unicode(s);
	if (!peek(s) || !strchr("\"\\/bfnrt", peek(s)))
		return refuse(s, "no such escape in a string");
	s->at++;
	return 0;
}

static int scan_string(struct scan *s)
{
	s->at++;
	while (!take(s, '"')) {
		size_t n;
		int r;

		if (s->at == s->len)
			return refuse(s, "the text ends inside a string");
		if (take(s, '\\')) {
			r = scan_escape(s);
			if (r)
				return r;
			continue;
		}
		if ((unsigned char)peek(s) < 0x20)
			return refuse(s, "control character in a string (a missing quote?)");
		n = utf8_len(s->text + s->at, s->len - s->at);
		if (n == 0)
			return refuse(s, "not valid UTF-8");
		s->at += n;
	}
	return 0;
}

static bool take_digits(struct scan *s)
{
	if (!is_digit(peek(s)))
		return false;
	while (is_digit(peek(s)))
		s->at++;
	return true;
}

static int scan_number(struct scan *s)
{
	size_t start = s->at;

	take(s, '-');
	if (take(s, '0') ? is_digit(peek(s)) : !take_digits(s))
		return refuse(s, "not a number of JSON (a leading zero or no digit)");
	if (take(s, '.') && !take_digits(s))
		return refuse(s, "a digit is expected after the decimal point");
	if (take(s, 'e') || take(s, 'E')) {
		if (!take(s, '+'))
			take(s, '-');
		if (!take_digits(s))
			return refuse(s, "a digit is expected in the exponent");
	}
	if (s->at - start > JSON_SCAN_NUMBER_MAX)
		return refuse(s, "the number is too long");
	return 0;
}

static int scan_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	if (s->len - s->at < n || memcmp(s->text + s->at, word, n) != 0)
		return refuse(s, "a value is expected; words are true, false and null");
	s->at += n;
	return 0;
}

static int scan_array(struct scan *s)
{
	s->at++;
	skip_space(s);
	if (take(s, ']'))
		return 0;
	for (;;) {
		int r;

		note_place(s);
		r = scan_value(s);
		if (r)
			return r;
		skip_space(s);
		if (take(s, ']'))
			return 0;
		if (!take(s, ','))
			return refuse(s, "',' or ']' is expected");
		skip_space(s);
	}
}

static int scan_member(struct scan *s)
{
	int r;

	if (peek(s) != '"')
		return refuse(s, "a key in double quotes is expected");
	note_place(s);
	r = scan_string(s);
	if (r)
		return r;
	skip_space(s);
	if (!take(s, ':'))
		return refuse(s, "':' is expected after the key");
	skip_space(s);
	return scan_value(s);
}

static int scan_object(struct scan *s)
{
	s->at++;
	skip_space(s);
	if (take(s, '}'))
		return 0;
	for (;;) {
		int r = scan_member(s);

		if (r)
			return r;
		skip_space(s);
		if (take(s, '}'))
			return 0;
		if (!take(s, ','))
			return refuse(s, "',' or '}' is expected");
		skip_space(s);
	}
}

static int scan_container(struct scan *s)
{
	int r;

	if (s->depth == JSON_SCAN_DEPTH_MAX)
		return refuse(s, "nested too deeply");
	s->depth++;
	r = peek(s) == '{' ? scan_object(s) : scan_array(s);
	s->depth--;
	return r;
}

static int scan_value(struct scan *s)
{
	if (s->at == s->len)
		return refuse(s, "the text ends where a value is expected");
	switch (peek(s)) {
	case '{':
	case '[':
		return scan_container(s);
	case '"':
		return scan_string(s);
	case 't':
		return scan_word(s, "true");
	case 'f':
		return scan_word(s, "false");
	case 'n':
		return scan_word(s, "null");
	default:
		if (peek(s) == '-' || is_digit(peek(s)))
			return scan_number(s);
		return refuse(s, "a value is expected");
	}
}

int json_scan(const char *text, size_t len, struct buf *ret_places, struct error *e)
{
	struct scan s = {
		.text = text,
		.len = len,
		.line = 1,
		.places = ret_places,
		.e = e,
	};
	int r;

	if (len > INT_MAX)
		return error_set(e, -EINVAL, "1:1: the text is too long");
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		return refuse(&s, "a byte order mark, which has no place here: save the file as "
				  "UTF-8 without one");
	skip_space(&s);
	note_place(&s);
	r = scan_value(&s);
	if (r)
		return r;
	skip_space(&s);
	if (s.at != s.len)
		return refuse(&s, "something follows the end of the value");
	return buf_error(ret_places) ? error_nomem(e) : 0;
}
