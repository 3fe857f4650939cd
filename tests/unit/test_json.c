/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/json.h>
#include <sriovctl/json_scan.h>

#include "test.h"

#include <errno.h>
#include <string.h>

static int parse(const char *text, struct json **ret, struct error *e)
{
	return json_parse(text, strlen(text), ret, e);
}

/* Refused, and the error says @where. */
static bool refused(const char *text, const char *where)
{
	AUTO_JSON struct json *j = NULL;
	struct error e = { 0 };
	int r = parse(text, &j, &e);

	if (r == -EINVAL && !j && strstr(e.text, where))
		return true;
	printf("# %d \"%s\" for %s\n", r, e.text, text);
	return false;
}

static bool prints(const struct json *j, const char *expected)
{
	AUTO_BUF struct buf b = { 0 };

	if (json_print(j, &b, NULL) == 0 && strcmp(buf_text(&b), expected) == 0)
		return true;
	printf("# %s\n", buf_text(&b));
	return false;
}

TEST(write_keeps_order)
{
	AUTO_JSON struct json *j = json_object();
	struct json *list = json_array();

	json_set_int(j, "schema", 1);
	json_set_str(j, "name", "a\"b\\c");
	json_set_str(j, "absent", NULL);
	json_set(j, "ready", json_bool(false));
	json_add_str(list, "x");
	json_add(list, json_int(-5));
	json_set(j, "list", list);
	EXPECT(prints(j, "{\n"
			 "\t\"schema\":\t1,\n"
			 "\t\"name\":\t\"a\\\"b\\\\c\",\n"
			 "\t\"absent\":\tnull,\n"
			 "\t\"ready\":\tfalse,\n"
			 "\t\"list\":\t[\"x\", -5]\n"
			 "}\n"));
}

TEST(write_integers_exactly)
{
	static const struct {
		int64_t value;
		const char *text;
	} rows[] = {
		{ .value = 0, .text = "0\n" },
		{ .value = 999999999999999, .text = "999999999999999\n" },
		{ .value = 1000000000000000, .text = "1000000000000000\n" },
		{ .value = 9007199254740993, .text = "9007199254740993\n" },
		{ .value = INT64_MAX, .text = "9223372036854775807\n" },
		{ .value = INT64_MIN, .text = "-9223372036854775808\n" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_JSON struct json *j = json_int(rows[i].value);

		EXPECT(prints(j, rows[i].text));
	}
}

TEST(write_any_bytes)
{
	static const char *const hostile[] = {
		"\xff",
		"a\xc3",
		"\xed\xa0\x80",
		"\xc0\xaf",
		"\xf4\x90\x80\x80",
		"\xe2\x82\xac ok",
		"\x01\x1b[31m",
		"\xf0\x9f\x98",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hostile); i++) {
		AUTO_JSON struct json *j = json_object();
		AUTO_JSON struct json *again = NULL;
		AUTO_BUF struct buf b = { 0 };
		struct error e = { 0 };

		json_set_str(j, hostile[i], hostile[i]);
		EXPECT(json_print(j, &b, &e) == 0);
		EXPECT(json_parse(buf_text(&b), b.len, &again, &e) == 0);
	}
}

TEST(write_replaces_bad_utf8)
{
	AUTO_JSON struct json *j = json_str("a\xff\xc3z\x1b");

	EXPECT(prints(j, "\"a\xef\xbf\xbd\xef\xbf\xbdz\\u001b\"\n"));
}

TEST(write_failure_sticks)
{
	AUTO_JSON struct json *j = json_object();
	AUTO_BUF struct buf b = { 0 };
	struct json *list = json_array();
	struct error e = { 0 };

	/* A value that could not be made is NULL. */
	json_add(list, NULL);
	json_set(j, "list", list);
	json_set_int(j, "after", 1);
	EXPECT(json_print(j, &b, &e) == -ENOMEM);
	EXPECT(e.code == -ENOMEM);
	EXPECT(b.len == 0);
	json_set_int(NULL, "x", 1);
	EXPECT(json_print(NULL, &b, NULL) == -ENOMEM);
}

TEST(read_values)
{
	static const char text[] = " {\"a\": [1, 2.5, -3e2, \"x\\u00e9\\ud83d\\ude00\"],"
				   " \"t\": true, \"n\": null } ";
	AUTO_JSON struct json *j = NULL;
	const struct json *it;
	bool yes = false;
	unsigned n = 0;

	EXPECT(parse(text, &j, NULL) == 0);
	JSON_EACH(it, json_get(j, "a"))
	n++;
	EXPECT(n == 4);
	it = json_first(json_get(j, "a"));
	EXPECT(!json_text(it) && json_read_bool(it, &yes) == -EINVAL && !yes);
	for (n = 1; n < 4; n++)
		it = json_next(it);
	EXPECT(strcmp(json_text(it), "x\xc3\xa9\xf0\x9f\x98\x80") == 0);
	EXPECT(json_next(it) == NULL);
	EXPECT(json_read_bool(json_get(j, "t"), &yes) == 0 && yes);
	EXPECT(prints(json_get(j, "n"), "null\n"));
}

TEST(getters_take_anything)
{
	AUTO_JSON struct json *j = NULL;
	bool b;

	EXPECT(parse("[1]", &j, NULL) == 0);
	EXPECT(json_get(NULL, "a") == NULL && json_get(j, "a") == NULL);
	EXPECT(json_get(json_first(j), "a") == NULL);
	EXPECT(json_text(NULL) == NULL && json_text(j) == NULL);
	EXPECT(json_first(NULL) == NULL && json_next(NULL) == NULL);
	EXPECT(json_read_bool(NULL, &b) == -ENOENT && json_read_bool(j, &b) == -EINVAL);
	json_free(NULL);
}

TEST(read_refuses)
{
	static const struct {
		const char *text, *where;
	} rows[] = {
		{ .text = "", .where = "1:1: " },
		{ .text = "  \n ", .where = "2:2: " },
		{ .text = "{} x", .where = "1:4: " },
		{ .text = "{}\n{}", .where = "2:1: " },
		{ .text = "{\n\t\"a\" 1}", .where = "2:6: " },
		{ .text = "{\"a\": 1,}", .where = "1:9: " },
		{ .text = "[1,]", .where = "1:4: " },
		{ .text = "[1 2]", .where = "1:4: " },
		{ .text = "{a: 1}", .where = "1:2: " },
		{ .text = "{'a': 1}", .where = "1:2: " },
		{ .text = "[01]", .where = "leading zero" },
		{ .text = "-", .where = "1:2: " },
		{ .text = "+1", .where = "1:1: " },
		{ .text = "1.", .where = "decimal point" },
		{ .text = "1e", .where = "exponent" },
		{ .text = ".5", .where = "1:1: " },
		{ .text = "1e999", .where = "too large" },
		{ .text = "[1,\n 1e999]", .where = "2:2: " },
		{ .text = "NaN", .where = "1:1: " },
		{ .text = "truex", .where = "1:5: " },
		{ .text = "nul", .where = "1:1: " },
		{ .text = "\"a", .where = "inside a string" },
		{ .text = "\"a\nb\"", .where = "control character" },
		{ .text = "\"\\x\"", .where = "escape" },
		{ .text = "\"\\u12g4\"", .where = "hexadecimal" },
		{ .text = "\"\\u0000\"", .where = "U+0000" },
		{ .text = "\"\\ud800\"", .where = "surrogate" },
		{ .text = "\"\\udc00\\ud800\"", .where = "surrogate" },
		{ .text = "\"\xff\"", .where = "UTF-8" },
		{ .text = "\"\xed\xa0\x80\"", .where = "UTF-8" },
		{ .text = "\xef\xbb\xbf{}", .where = "1:1: a byte order mark" },
		{ .text = "// c\n{}", .where = "1:1: " },
		{ .text = "{\"a\": 1,\n  \"b\": {\"c\": 1, \"c\": 2}}", .where = "2:17: " },
		{ .text = "{\"a\": 1, \"b\": 2,\n \"\\u0061\": 3}", .where = "2:2: " },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(refused(rows[i].text, rows[i].where));
}

TEST(read_refuses_what_does_not_end)
{
	static const char text[] = "{\"a\": [1.5e3, true, \"x\\u0041\\n\"], \"b\": null}";
	size_t i;

	/* Each prefix in a block of its own size, for the sanitizer to see a read beyond it. */
	for (i = 0; i < sizeof(text) - 1; i++) {
		AUTO_JSON struct json *j = NULL;
		AUTO_FREE char *part = malloc(i + 1);

		EXPECT(part != NULL);
		if (!part)
			return;
		memcpy(part, text, i);
		EXPECT(json_parse(part, i, &j, NULL) == -EINVAL);
	}
}

TEST(read_limits)
{
	char deep[2 * JSON_SCAN_DEPTH_MAX + 3];
	char number[JSON_SCAN_NUMBER_MAX + 2];
	AUTO_JSON struct json *a = NULL;
	AUTO_JSON struct json *b = NULL;

	memset(deep, '[', JSON_SCAN_DEPTH_MAX);
	memset(deep + JSON_SCAN_DEPTH_MAX, ']', JSON_SCAN_DEPTH_MAX);
	EXPECT(json_parse(deep, (size_t)2 * JSON_SCAN_DEPTH_MAX, &a, NULL) == 0);
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	EXPECT(refused(deep, "too deeply"));
	memset(number, '1', sizeof(number) - 1);
	number[sizeof(number) - 1] = '\0';
	EXPECT(refused(number, "too long"));
	EXPECT(json_parse(number, JSON_SCAN_NUMBER_MAX, &b, NULL) == 0);
}

TEST(read_nul_bytes)
{
	AUTO_JSON struct json *j = NULL;
	struct error e = { 0 };

	EXPECT(json_parse("\"a\0b\"", 5, &j, &e) == -EINVAL);
	EXPECT(json_parse("1\0", 2, &j, &e) == -EINVAL);
	EXPECT(json_parse("\0", 1, &j, &e) == -EINVAL);
	EXPECT(json_parse("\"\\\0\"", 4, &j, &e) == -EINVAL);
}

static bool stands_at(const char *text, const struct json *j, unsigned line, unsigned column)
{
	struct json_place at = json_place(text, json_offset(j));

	if (at.line == line && at.column == column)
		return true;
	printf("# %u:%u\n", at.line, at.column);
	return false;
}

TEST(places_are_those_of_keys_and_elements)
{
	static const char text[] = "{\n  \"vfs\": 4,\n  \"vsf\": [ 1,\n 2 ]\n}";
	AUTO_JSON struct json *j = NULL;
	const struct json *list;

	EXPECT(parse(text, &j, NULL) == 0);
	list = json_get(j, "vsf");
	EXPECT(stands_at(text, j, 1, 1));
	EXPECT(stands_at(text, list, 3, 3) && strcmp(json_key(list), "vsf") == 0);
	EXPECT(stands_at(text, json_next(json_first(list)), 4, 2));
	EXPECT(!json_key(j) && !json_key(json_first(list)));
	/* The place does not show when what was parsed is printed. */
	EXPECT(prints(json_get(j, "vfs"), "4\n"));
}

TEST(places_are_right_far_to_the_right)
{
	AUTO_JSON struct json *j = NULL;
	AUTO_BUF struct buf b = { 0 };
	const struct json *last = NULL, *it;

	buf_puts(&b, "[0");
	for (unsigned i = 1; i < 5000; i++)
		buf_puts(&b, ",1");
	buf_puts(&b, "]");
	EXPECT(json_parse(buf_text(&b), b.len, &j, NULL) == 0);
	JSON_EACH(it, j)
	last = it;
	EXPECT(last && stands_at(buf_text(&b), last, 1, 10000));
}

TEST(kinds)
{
	AUTO_JSON struct json *j = NULL;

	EXPECT(parse("{\"a\": [], \"b\": 1}", &j, NULL) == 0);
	EXPECT(json_is_object(j) && !json_is_array(j));
	EXPECT(json_is_array(json_get(j, "a")) && !json_is_object(json_get(j, "a")));
	EXPECT(!json_is_array(json_get(j, "b")) && !json_is_object(json_get(j, "b")));
	EXPECT(!json_is_array(NULL) && !json_is_object(NULL));
}

TEST(read_whole_numbers)
{
	static const struct {
		const char *text;
		int code;
		uint64_t value;
	} rows[] = {
		{ .text = "0", .value = 0 },
		{ .text = "-0", .value = 0 },
		{ .text = "65535", .value = 65535 },
		{ .text = "1e3", .value = 1000 },
		{ .text = "9007199254740991", .value = 9007199254740991 },
		{ .text = "9007199254740992", .code = -EINVAL },
		{ .text = "1e300", .code = -EINVAL },
		{ .text = "-1", .code = -EINVAL },
		{ .text = "1.5", .code = -EINVAL },
		{ .text = "\"1\"", .code = -EINVAL },
		{ .text = "true", .code = -EINVAL },
		{ .text = "null", .code = -EINVAL },
	};
	uint64_t value = 7;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_JSON struct json *j = NULL;

		EXPECT(parse(rows[i].text, &j, NULL) == 0);
		value = 7;
		EXPECT(json_read_u64(j, &value) == rows[i].code);
		EXPECT(value == (rows[i].code ? 7 : rows[i].value));
	}
	EXPECT(json_read_u64(NULL, &value) == -ENOENT);
}

TEST(comments_are_blanks)
{
	static const char text[] = "// \"first\n{ // {\n \"a//b\": 1, // \\\n\t\"c\\\"//\": 2 }//";
	AUTO_JSON struct json *j = NULL;

	EXPECT(json_parse_commented(text, strlen(text), &j, NULL) == 0);
	EXPECT(json_get(j, "a//b") && stands_at(text, json_get(j, "a//b"), 3, 2));
	EXPECT(json_get(j, "c\"//") && stands_at(text, json_get(j, "c\"//"), 4, 2));
	EXPECT(!json_get(j, "first"));
}

TEST(comments_hide_no_mistake)
{
	static const struct {
		const char *text, *where;
	} rows[] = {
		{ .text = "// nothing", .where = "1:11: the text ends" },
		{ .text = "/* c */ {}", .where = "1:1: " },
		{ .text = "{ / / c\n}", .where = "1:3: " },
		{ .text = "[1, // one\n\n 2 // two\n 3]", .where = "4:2: ',' or ']'" },
		{ .text = "[\"a\n//\"]", .where = "1:4: control character" },
		{ .text = "[\"a\\\n//\"]", .where = "1:5: no such escape" },
		{ .text = "{} // a\n// b\n{}", .where = "3:1: something follows" },
		{ .text = "{\"a\": 1, // x\n\"a\": 2}", .where = "2:1: this key" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_JSON struct json *j = NULL;
		struct error e = { 0 };
		size_t len = strlen(rows[i].text);

		EXPECT(json_parse_commented(rows[i].text, len, &j, &e) == -EINVAL);
		EXPECT(strstr(e.text, rows[i].where) == e.text);
		if (strstr(e.text, rows[i].where) != e.text)
			printf("# %s\n", e.text);
	}
}

TEST(what_is_printed_parses)
{
	static const char text[] =
		"{\"a\":[1,2.25,-3,1e20,9007199254740991,[],{}],\"b\":\"\\u2028\\/\"}";
	AUTO_JSON struct json *first = NULL;
	AUTO_JSON struct json *second = NULL;
	AUTO_BUF struct buf b = { 0 };

	EXPECT(parse(text, &first, NULL) == 0);
	EXPECT(json_print(first, &b, NULL) == 0);
	EXPECT(json_parse(buf_text(&b), b.len, &second, NULL) == 0);
	EXPECT(prints(second, buf_text(&b)));
}
