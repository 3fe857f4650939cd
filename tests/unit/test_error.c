/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/error.h>

#include "test.h"

#include <errno.h>
#include <string.h>

#define ROOM (sizeof(((struct error *)0)->text) - 1)

/* @n letters. */
static const char *letters(size_t n)
{
	static char text[2 * ROOM + 1];

	memset(text, 'x', sizeof(text));
	text[n] = '\0';
	return text;
}

static bool ends_in_dots(const struct error *e)
{
	return strlen(e->text) == ROOM && strcmp(e->text + ROOM - 3, "...") == 0;
}

TEST(set_returns_the_code_and_keeps_it_with_the_text)
{
	struct error e = { 0 };

	EXPECT(error_set(&e, -EINVAL, "%s: %d", "file", 7) == -EINVAL);
	EXPECT(e.code == -EINVAL);
	EXPECT(strcmp(e.text, "file: 7") == 0);
}

TEST(nobody_has_to_ask_for_the_text)
{
	EXPECT(error_set(NULL, -EIO, "%d", 1) == -EIO);
	EXPECT(error_prefix(NULL, -EIO, "%d", 1) == -EIO);
	EXPECT(error_nomem(NULL) == -ENOMEM);
}

TEST(text_that_just_fits_is_whole)
{
	struct error e = { 0 };

	(void)error_set(&e, -EIO, "%s", letters(ROOM));
	EXPECT(strcmp(e.text, letters(ROOM)) == 0);
}

TEST(longer_text_ends_in_dots)
{
	struct error e = { 0 };

	(void)error_set(&e, -EIO, "%s", letters(ROOM + 1));
	EXPECT(ends_in_dots(&e));
}

TEST(prefix_stands_before_what_was_said)
{
	struct error e = { 0 };

	(void)error_set(&e, -EIO, "inner");
	EXPECT(error_prefix(&e, -EBADMSG, "outer %d", 1) == -EBADMSG);
	EXPECT(e.code == -EBADMSG);
	EXPECT(strcmp(e.text, "outer 1: inner") == 0);
}

TEST(prefix_that_leaves_too_little_room_ends_in_dots)
{
	static const size_t lens[] = { ROOM - 6, ROOM - 1, ROOM, ROOM + 1 };

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		struct error e = { 0 };

		(void)error_set(&e, -EIO, "inner");
		(void)error_prefix(&e, -EIO, "%s", letters(lens[i]));
		EXPECT(ends_in_dots(&e));
	}
}

TEST(prefix_that_leaves_just_enough_room_is_whole)
{
	struct error e = { 0 };

	(void)error_set(&e, -EIO, "inner");
	(void)error_prefix(&e, -EIO, "%s", letters(ROOM - 7));
	EXPECT(strlen(e.text) == ROOM);
	EXPECT(strcmp(e.text + ROOM - 7, ": inner") == 0);
}
