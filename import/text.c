/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

#include <sriovctl/buf.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool text_line(const char **cursor, struct buf *ret)
{
	const char *line;
	size_t len;

	buf_clear(ret);
	if (!parse_line(cursor, &line, &len))
		return false;
	if (len > TEXT_LINE_MAX)
		len = TEXT_LINE_MAX;
	while (len > 0 && strchr(" \t\r\f\v", line[len - 1]))
		len--;
	buf_append(ret, line, len);
	return true;
}

const char *text_after(const char *text, const char *prefix)
{
	return parse_has_prefix(text, prefix) ? text + strlen(prefix) : NULL;
}

const char *text_behind(const char *text, const char *word)
{
	const char *hit = strstr(text, word);

	return hit ? hit + strlen(word) : NULL;
}

const char *text_skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

bool text_is_indented(const char *line)
{
	return line[0] == ' ' || line[0] == '\t';
}

/* Dots, dashes and the like alone, or a few words in brackets, which have no number as stamps do.
 */
bool text_is_gap(const char *line)
{
	static const char open[] = "[<({", close[] = "]>)}";
	const char *p = text_skip_blanks(line), *bracket = *p ? strchr(open, *p) : NULL;
	size_t len = strlen(p);

	if (len >= 2 && strspn(p, ".-_=*~8<>%#") == len)
		return true;
	if (strncmp(p, "\xe2\x80\xa6", 3) == 0)
		return true;
	return bracket && len >= 3 && len <= 40 && p[len - 1] == close[bracket - open] &&
	       strcspn(p, "0123456789/") == len;
}

#define WIDTH_MIN    40
#define WIDTH_NEAR   4 /* columns */
#define WIDTH_ENOUGH 5 /* lines */

size_t text_width(const char *text)
{
	size_t longest = 0, full = 0, nearly = 0, len;
	const char *line;

	for (const char *at = text; parse_line(&at, &line, &len);) {
		len -= len > 0 && line[len - 1] == '\r';
		if (len > longest) {
			nearly = len - longest <= WIDTH_NEAR ? nearly + full : 0;
			full = 0;
			longest = len;
		}
		full += len == longest;
		nearly += len < longest && longest - len <= WIDTH_NEAR;
	}
	return longest >= WIDTH_MIN && full >= WIDTH_ENOUGH && full > nearly ? longest : 0;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool text_hex(const char **at, unsigned most, uint64_t *ret)
{
	const char *p = *at;
	uint64_t value = 0;
	unsigned n = 0;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit(p[2]) >= 0)
		p += 2;
	for (; digit(*p) >= 0; p++, n++)
		value = value << 4 | (unsigned)digit(*p);
	if (n == 0 || n > most)
		return false;
	*ret = value;
	*at = p;
	return true;
}

bool text_decimal(const char **at, uint64_t *ret)
{
	const char *p = *at;
	uint64_t value = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (unsigned)(*p - '0'), &value))
			return false;
	if (p == *at)
		return false;
	*ret = value;
	*at = p;
	return true;
}

/* Exactly @n digits. */
static bool take_digits(const char **at, unsigned n, uint64_t *ret)
{
	const char *p = *at;

	*ret = 0;
	for (unsigned i = 0; i < n; i++, p++) {
		if (digit(*p) < 0)
			return false;
		*ret = *ret << 4 | (unsigned)digit(*p);
	}
	*at = p;
	return true;
}

/* "3b:00.0" */
static bool take_short(const char **at, struct bdf *ret)
{
	uint64_t bus, device, function;
	const char *p = *at;

	if (!take_digits(&p, 2, &bus) || *p++ != ':' || !take_digits(&p, 2, &device) ||
	    *p++ != '.' || *p < '0' || *p > '7')
		return false;
	function = (uint64_t)(*p++ - '0');
	if (device > 0x1f || isalnum((unsigned char)*p) || *p == '.')
		return false;
	ret->bus = (uint8_t)bus;
	ret->device = (uint8_t)device;
	ret->function = (uint8_t)function;
	*at = p;
	return true;
}

bool text_bdf(const char **at, struct bdf *ret)
{
	struct bdf b = { 0 };
	const char *p = *at;
	size_t len = strspn(p, "0123456789abcdefABCDEF");
	uint64_t domain = 0;

	if (len >= 4 && len <= 8 && p[len] == ':') {
		(void)take_digits(&p, (unsigned)len, &domain);
		p++;
	}
	if (!take_short(&p, &b))
		return false;
	b.domain = (uint32_t)domain;
	*ret = b;
	*at = p;
	return true;
}

bool text_interface_bdf(const char *name, struct bdf *ret)
{
	uint64_t domain = 0, bus, device, function = 0;
	const char *p = text_after(name, "en");

	if (!p || (*p == 'P' && (p++, !text_decimal(&p, &domain))))
		return false;
	if (*p++ != 'p' || !text_decimal(&p, &bus) || *p++ != 's' || !text_decimal(&p, &device))
		return false;
	if (*p == 'f' && (p++, !text_decimal(&p, &function)))
		return false;
	if (*p == 'n')
		p += strlen(p);
	if (*p || domain > UINT16_MAX || bus > UINT8_MAX || device > 31 || function > 7)
		return false;
	*ret = (struct bdf){ .domain = (uint32_t)domain,
			     .bus = (uint8_t)bus,
			     .device = (uint8_t)device,
			     .function = (uint8_t)function };
	return true;
}

void text_bdf_name(const struct bdf *at, char ret[TEXT_BDF_MAX])
{
	if (snprintf(ret, TEXT_BDF_MAX, "%04" PRIx32 ":%02x:%02x.%x", at->domain, at->bus,
		     at->device & 0x1fu, at->function & 0x7u) >= TEXT_BDF_MAX)
		ret[0] = '\0';
}

int text_flag(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += len) {
		bool is_word = p == text || !isalnum((unsigned char)p[-1]);

		if (is_word && (p[len] == '+' || p[len] == '-'))
			return p[len] == '+';
	}
	return -1;
}
