/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/parse.h>

#include "test.h"

#include <errno.h>
#include <string.h>

#define UNTOUCHED 0xabcdef

static const struct {
	const char *text;
	unsigned base;
	uint64_t max;
	int code;
	uint64_t value;
} numbers[] = {
	{ .text = "0", .base = 10, .max = 0, .value = 0 },
	{ .text = "42", .base = 10, .max = 42, .value = 42 },
	{ .text = "43", .base = 10, .max = 42, .code = -ERANGE },
	{ .text = "007", .base = 10, .max = 99, .value = 7 },
	{ .text = "18446744073709551615", .base = 10, .max = UINT64_MAX, .value = UINT64_MAX },
	{ .text = "18446744073709551616", .base = 10, .max = UINT64_MAX, .code = -ERANGE },
	{ .text = "99999999999999999999", .base = 10, .max = UINT64_MAX, .code = -ERANGE },
	{ .text = "ffffffffffffffff", .base = 16, .max = UINT64_MAX, .value = UINT64_MAX },
	{ .text = "10000000000000000", .base = 16, .max = UINT64_MAX, .code = -ERANGE },
	/* Strict: nothing before, behind or between the digits, and no sign. */
	{ .text = "", .base = 10, .max = 9, .code = -EINVAL },
	{ .text = " 1", .base = 10, .max = 9, .code = -EINVAL },
	{ .text = "1 ", .base = 10, .max = 9, .code = -EINVAL },
	{ .text = "1\n", .base = 10, .max = 9, .code = -EINVAL },
	{ .text = "+1", .base = 10, .max = 9, .code = -EINVAL },
	{ .text = "-1", .base = 10, .max = 9, .code = -EINVAL },
	{ .text = "1_0", .base = 10, .max = 99, .code = -EINVAL },
	{ .text = "1a", .base = 10, .max = 99, .code = -EINVAL },
	{ .text = "1g", .base = 16, .max = 99, .code = -EINVAL },
	/* Base 16 may have 0x, base 10 may not, base 0 tells by it, and none is octal. */
	{ .text = "1f", .base = 16, .max = 99, .value = 31 },
	{ .text = "0x1F", .base = 16, .max = 99, .value = 31 },
	{ .text = "0X1f", .base = 0, .max = 99, .value = 31 },
	{ .text = "010", .base = 0, .max = 99, .value = 10 },
	{ .text = "1f", .base = 0, .max = 99, .code = -EINVAL },
	{ .text = "0x1", .base = 10, .max = 99, .code = -EINVAL },
	{ .text = "0x", .base = 16, .max = 99, .code = -EINVAL },
	{ .text = "0x", .base = 0, .max = 99, .code = -EINVAL },
	{ .text = "0x0x1", .base = 16, .max = 99, .code = -EINVAL },
	{ .text = "x1", .base = 16, .max = 99, .code = -EINVAL },
};

TEST(numbers_are_strict)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		uint64_t value = UNTOUCHED;
		int code = parse_u64(numbers[i].text, numbers[i].base, numbers[i].max, &value);
		uint64_t want = numbers[i].code ? UNTOUCHED : numbers[i].value;

		EXPECT(code == numbers[i].code && value == want);
		if (code != numbers[i].code || value != want)
			printf("# \"%s\" base %u: %d\n", numbers[i].text, numbers[i].base, code);
	}
}

TEST(booleans_are_those_of_the_kernel)
{
	/* lib/kstrtox.c: what it takes for true by its beginning is on, however it goes on. */
	static const char *const yes[] = { "Y", "y", "1", "on", "ON", "Yes", "true", "T", "1x" };
	static const char *const no[] = { "N", "n", "0", "off", "OFF", "No", "false", "F" };
	static const char *const neither[] = { "", "o", "2", "-1", " 1", "enable" };
	bool value;

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++) {
		value = false;
		EXPECT(parse_bool(yes[i], &value) == 0 && value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(no); i++) {
		value = true;
		EXPECT(parse_bool(no[i], &value) == 0 && !value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(neither); i++)
		EXPECT(parse_bool(neither[i], &value) == -EINVAL);
}

TEST(addresses_of_functions)
{
	static const struct {
		const char *text;
		struct bdf bdf;
	} rows[] = {
		{ .text = "0000:3b:00.1", .bdf = { .bus = 0x3b, .function = 1 } },
		{ .text = "ffff:FF:1f.7",
		  .bdf = { .domain = 0xffff, .bus = 0xff, .device = 31, .function = 7 } },
		/* Behind Intel VMD and Hyper-V domains are longer. */
		{ .text = "10000:e1:00.0", .bdf = { .domain = 0x10000, .bus = 0xe1 } },
		{ .text = "ffffffff:00:00.0", .bdf = { .domain = 0xffffffff } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bdf b = { 0 };

		EXPECT(parse_bdf(rows[i].text, &b) == 0);
		EXPECT(b.domain == rows[i].bdf.domain && b.bus == rows[i].bdf.bus);
		EXPECT(b.device == rows[i].bdf.device && b.function == rows[i].bdf.function);
	}
}

TEST(what_is_no_address_of_a_function)
{
	static const struct {
		const char *text;
		int code;
	} rows[] = {
		{ .text = "0000:3b:20.0", .code = -ERANGE },
		{ .text = "0000:3b:00.8", .code = -ERANGE },
		{ .text = "3b:00.0", .code = -EINVAL },
		{ .text = "000:3b:00.0", .code = -EINVAL },
		{ .text = "123456789:3b:00.0", .code = -EINVAL },
		{ .text = "0000:b:00.0", .code = -EINVAL },
		{ .text = "0000:3b:0.0", .code = -EINVAL },
		{ .text = "0000:3b:00", .code = -EINVAL },
		{ .text = "0000:3b:00.", .code = -EINVAL },
		{ .text = "0000:3b:00.00", .code = -EINVAL },
		{ .text = "0000:3b:00.0 ", .code = -EINVAL },
		{ .text = "0000-3b-00.0", .code = -EINVAL },
		{ .text = "", .code = -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bdf b = { .domain = UNTOUCHED };

		EXPECT(parse_bdf(rows[i].text, &b) == rows[i].code);
		EXPECT(b.domain == UNTOUCHED);
	}
}

/* The pieces that @cut gives, joined by '|'. */
static void join(bool (*cut)(const char **, const char **, size_t *), const char *text, char *ret)
{
	const char *piece;
	size_t len;

	for (*ret = '\0'; cut(&text, &piece, &len);) {
		(void)strncat(ret, piece, len);
		(void)strncat(ret, "|", 2);
	}
}

TEST(lines_end_at_a_newline_or_the_end)
{
	static const char *const rows[][2] = {
		{ "a\nb", "a|b|" }, { "a\n", "a|" },	 { "\n\na", "||a|" },
		{ "", "" },	    { "a\r\n", "a\r|" },
	};
	char got[32];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		join(parse_line, rows[i][0], got);
		EXPECT(strcmp(got, rows[i][1]) == 0);
	}
}

TEST(words_are_parted_by_any_run_of_blanks)
{
	static const char *const rows[][2] = {
		{ " a \t b\nc\v\f\rd ", "a|b|c|d|" },
		{ "a", "a|" },
		{ " \n ", "" },
		{ "", "" },
	};
	char got[32];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		join(parse_word, rows[i][0], got);
		EXPECT(strcmp(got, rows[i][1]) == 0);
	}
}

TEST(prefixes)
{
	EXPECT(parse_has_prefix("IR-PCI-MSI", "IR-"));
	EXPECT(parse_has_prefix("IR-", "IR-") && parse_has_prefix("x", ""));
	EXPECT(!parse_has_prefix("IR", "IR-") && !parse_has_prefix("PIR-", "IR-"));
}
