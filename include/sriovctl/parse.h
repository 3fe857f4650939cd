/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and words out of text, strictly: the whole text must be the number,
 * nothing before or after it.  All return 0, -EINVAL (not such a thing) or
 * -ERANGE (above @max), and write @ret only on 0.
 */
#ifndef SRIOVCTL_PARSE_H
#define SRIOVCTL_PARSE_H

#include <sriovctl/base.h>

/* @base 10 or 16 (with or without 0x), or 0: hexadecimal where it starts with 0x. */
int parse_u64(const char *text, unsigned base, uint64_t max, uint64_t *ret) MUST_USE;

/*
 * The digits at *@text, at least one and at most @digits of them; *@text moves behind them, also
 * where the number is too large.  Here what follows is the caller's.
 */
int parse_digits(const char **text, unsigned base, unsigned digits, uint64_t *ret) MUST_USE;

/* A kernel boolean: Y, y, 1, on and N, n, 0, off. */
int parse_bool(const char *text, bool *ret) MUST_USE;

/* DDDD:BB:DD.F; a domain has four to eight hex digits. */
struct bdf {
	uint32_t domain;
	uint8_t bus, device, function;
};
int parse_bdf(const char *text, struct bdf *ret) MUST_USE;

/*
 * Cut the next line (or word, at blanks) off *@cursor: its start and length.
 * False at the end.  Neither writes to the text.
 */
bool parse_line(const char **cursor, const char **ret, size_t *ret_len);
bool parse_word(const char **cursor, const char **ret, size_t *ret_len);

bool parse_has_prefix(const char *text, const char *prefix);
/* Behind the last "/"; without one all of it. */
const char *parse_base_name(const char *path);
/* Is @text one of the @n words?  The macro takes an array. */
bool parse_is_one_of(const char *text, const char *const *words, size_t n);
#define PARSE_IS_ONE_OF(text, words) parse_is_one_of(text, words, ARRAY_SIZE(words))

#endif
