/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/buf.h>

#include "test.h"

#include <errno.h>
#include <string.h>

static bool holds(const struct buf *b, const char *text)
{
	return b->len == strlen(text) && strcmp(buf_text(b), text) == 0;
}

TEST(zeroed_is_empty_text)
{
	struct buf b = { 0 };

	EXPECT(holds(&b, ""));
	EXPECT(buf_error(&b) == 0);
}

TEST(appending_adds_at_the_end)
{
	AUTO_BUF struct buf b = { 0 };

	buf_puts(&b, "a");
	buf_append(&b, "bcd", 2);
	buf_append(&b, NULL, 0);
	buf_printf(&b, "%d", 42);
	EXPECT(holds(&b, "abc42"));
}

TEST(it_grows_as_far_as_it_must)
{
	AUTO_BUF struct buf b = { 0 };

	for (unsigned i = 0; i < 10000; i++)
		buf_printf(&b, "%u", i % 10);
	EXPECT(b.len == 10000 && strlen(buf_text(&b)) == 10000);
	EXPECT(buf_text(&b)[9999] == '9');
	EXPECT(buf_error(&b) == 0);
}

TEST(bytes_may_be_zero)
{
	AUTO_BUF struct buf b = { 0 };

	buf_append(&b, "a\0b", 3);
	EXPECT(b.len == 3 && memcmp(b.data, "a\0b", 4) == 0);
}

TEST(the_first_failure_sticks)
{
	AUTO_BUF struct buf b = { 0 };

	buf_puts(&b, "kept");
	EXPECT(buf_reserve(&b, SIZE_MAX) == NULL);
	buf_puts(&b, "lost");
	buf_printf(&b, "lost");
	EXPECT(buf_error(&b) == -EOVERFLOW);
	EXPECT(holds(&b, "kept"));
}

TEST(a_format_that_cannot_be_printed_is_a_failure)
{
	static const wchar_t no_character[] = { 0x7fffffff, 0 };
	AUTO_BUF struct buf b = { 0 };

	buf_printf(&b, "%ls", no_character);
	EXPECT(buf_error(&b) == -EINVAL);
}

TEST(a_failure_outlives_clearing)
{
	AUTO_BUF struct buf b = { 0 };

	buf_puts(&b, "old");
	(void)buf_reserve(&b, SIZE_MAX);
	buf_clear(&b);
	buf_puts(&b, "new");
	EXPECT(buf_error(&b) < 0 && holds(&b, ""));
}

TEST(reserved_room_counts_once_it_is_used)
{
	AUTO_BUF struct buf b = { 0 };
	char *room;

	buf_puts(&b, "a");
	room = buf_reserve(&b, 100);
	EXPECT(room == b.data + 1);
	EXPECT(b.len == 1);
	room[0] = 'b';
	b.len++;
	buf_puts(&b, "c");
	EXPECT(holds(&b, "abc"));
}

TEST(take_gives_the_text_away)
{
	struct buf b = { 0 };
	char *text;

	buf_puts(&b, "mine");
	text = buf_take(&b);
	EXPECT(text && strcmp(text, "mine") == 0);
	EXPECT(b.data == NULL && holds(&b, ""));
	free(text);
}

TEST(take_of_an_empty_one_is_an_empty_string)
{
	struct buf b = { 0 };
	char *text = buf_take(&b);

	EXPECT(text && *text == '\0');
	free(text);
}

TEST(take_of_a_failed_one_is_nothing)
{
	struct buf b = { 0 };

	buf_puts(&b, "half");
	(void)buf_reserve(&b, SIZE_MAX);
	EXPECT(buf_take(&b) == NULL);
	EXPECT(b.data == NULL && buf_error(&b) == 0);
}

TEST(rtrim_cuts_blanks_and_newlines_at_the_end_only)
{
	static const struct {
		const char *text, *trimmed;
	} rows[] = {
		{ .text = " a b \t\r\n\n", .trimmed = " a b" },
		{ .text = "ab", .trimmed = "ab" },
		{ .text = " \n", .trimmed = "" },
		{ .text = "", .trimmed = "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_BUF struct buf b = { 0 };

		buf_puts(&b, rows[i].text);
		buf_rtrim(&b);
		EXPECT(holds(&b, rows[i].trimmed));
	}
}
