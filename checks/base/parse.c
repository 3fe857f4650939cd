/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>
#include <strings.h>

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int parse_digits(const char **text, unsigned base, unsigned digits, uint64_t *ret)
{
	uint64_t value = 0;
	unsigned n = 0;

	for (; n < digits; n++, (*text)++) {
		int d = digit_value(**text);

		if (d < 0 || (unsigned)d >= base)
			break;
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, (unsigned)d, &value))
			return -ERANGE;
	}
	if (n == 0)
		return -EINVAL;
	*ret = value;
	return 0;
}

int parse_u64(const char *text, unsigned base, uint64_t max, uint64_t *ret)
{
	bool prefixed = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	uint64_t value;
	int r;

	if (prefixed && base != 10)
		text += 2;
	if (base == 0)
		base = prefixed ? 16 : 10;
	r = parse_digits(&text, base, UINT32_MAX, &value);
	if (r < 0)
		return r;
	if (*text)
		return -EINVAL;
	if (value > max)
		return -ERANGE;
	*ret = value;
	return 0;
}

/* lib/kstrtox.c kstrtobool(): only the beginning counts. */
int parse_bool(const char *text, bool *ret)
{
	static const char *const yes[] = { "y", "t", "1", "on" };
	static const char *const no[] = { "n", "f", "0", "of" };

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		bool is_yes = strncasecmp(text, yes[i], strlen(yes[i])) == 0;

		if (is_yes || strncasecmp(text, no[i], strlen(no[i])) == 0) {
			*ret = is_yes;
			return 0;
		}
	}
	return -EINVAL;
}

/* @max digits of hex, at least @min, then @end. */
static int take_field(const char **text, unsigned min, unsigned max, char end, uint64_t *ret)
{
	const char *start = *text;
	int r = parse_digits(text, 16, max, ret);

	if (r < 0)
		return r;
	if (*text - start < (ptrdiff_t)min || **text != end)
		return -EINVAL;
	*text += end != '\0';
	return 0;
}

int parse_bdf(const char *text, struct bdf *ret)
{
	uint64_t domain, bus, device, function;

	if (take_field(&text, 4, 8, ':', &domain) < 0 || take_field(&text, 2, 2, ':', &bus) < 0 ||
	    take_field(&text, 2, 2, '.', &device) < 0 ||
	    take_field(&text, 1, 1, '\0', &function) < 0)
		return -EINVAL;
	if (device > 31 || function > 7)
		return -ERANGE;
	*ret = (struct bdf){
		.domain = (uint32_t)domain,
		.bus = (uint8_t)bus,
		.device = (uint8_t)device,
		.function = (uint8_t)function,
	};
	return 0;
}

bool parse_line(const char **cursor, const char **ret, size_t *ret_len)
{
	const char *start = *cursor;
	const char *end;

	if (!*start)
		return false;
	end = strchrnul(start, '\n');
	*cursor = *end ? end + 1 : end;
	*ret = start;
	*ret_len = (size_t)(end - start);
	return true;
}

bool parse_word(const char **cursor, const char **ret, size_t *ret_len)
{
	const char *start = *cursor + strspn(*cursor, " \t\r\n\v\f");

	*ret = start;
	*ret_len = strcspn(start, " \t\r\n\v\f");
	*cursor = start + *ret_len;
	return *ret_len > 0;
}

bool parse_has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *parse_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool parse_is_one_of(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}
