/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/kargs.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include "test.h"

#include <errno.h>
#include <string.h>

#define WORDS 3

struct row {
	const char *before, *add[WORDS], *remove[WORDS], *after;
};

static void fill(const struct row *r, struct kargs *k)
{
	for (size_t i = 0; i < WORDS && r->add[i]; i++)
		EXPECT(strv_add(&k->add, r->add[i]) == 0);
	for (size_t i = 0; i < WORDS && r->remove[i]; i++)
		EXPECT(strv_add(&k->remove, r->remove[i]) == 0);
}

static bool edits(const struct row *r)
{
	AUTO_KARGS struct kargs k = { 0 };
	AUTO_BUF struct buf once = { 0 }, twice = { 0 };
	bool good;

	fill(r, &k);
	kargs_edit(r->before, &k, &once);
	kargs_edit(buf_text(&once), &k, &twice);
	good = strcmp(buf_text(&once), r->after) == 0 &&
	       strcmp(buf_text(&twice), buf_text(&once)) == 0 && kargs_holds(buf_text(&once), &k) &&
	       kargs_holds(r->before, &k) == (strcmp(r->before, r->after) == 0);
	if (!good)
		printf("# \"%s\" became \"%s\", then \"%s\"\n", r->before, buf_text(&once),
		       buf_text(&twice));
	return good;
}

TEST(every_edit_is_exact_and_done_once)
{
	static const struct row rows[] = {
		{ .before = "", .add = { "a=on" }, .after = "a=on" },
		{ .before = "quiet", .add = { "a=on", "b" }, .after = "quiet a=on b" },
		{ .before = "a=on quiet", .add = { "a=on" }, .after = "a=on quiet" },
		{ .before = "a=sm,on", .add = { "a=on" }, .after = "a=sm,on" },
		{ .before = "a-b=on", .add = { "a_b=on" }, .after = "a-b=on" },
		/* No part of a word or a value is the word. */
		{ .before = "aa=on a=onx", .add = { "a=on" }, .after = "aa=on a=onx a=on" },
		/* The last word of a name is the one that counts. */
		{ .before = "a=on a=off", .add = { "a=on" }, .after = "a=on a=off a=on" },
		{ .before = "quiet\n", .add = { "a=on" }, .after = "quiet a=on\n" },
		{ .before = "quiet -- a=on", .add = { "a=on" }, .after = "quiet a=on -- a=on" },
		{ .before = "-- init", .add = { "a=on" }, .after = "a=on -- init" },
		{ .before = "x=\"a=on b\"", .add = { "a=on" }, .after = "x=\"a=on b\" a=on" },
		{ .before = "a=off", .remove = { "a=off" }, .after = "" },
		{ .before = "q a=off", .remove = { "a=off" }, .after = "q" },
		{ .before = "a=off q", .remove = { "a=off" }, .after = "q" },
		{ .before = "q  a=off\tr", .remove = { "a=off" }, .after = "q\tr" },
		{ .before = "a=off a=off\n", .remove = { "a=off" }, .after = "\n" },
		{ .before = "p=off,x,off q", .remove = { "p=off" }, .after = "p=x q" },
		{ .before = "p=off,off", .remove = { "p=off" }, .after = "" },
		{ .before = "p=\"a b,off\" q", .remove = { "p=off" }, .after = "p=\"a b\" q" },
		{ .before = "\"p=off,a b\"", .remove = { "p=off" }, .after = "p=\"a b\"" },
		{ .before = "p=x,y", .remove = { "p=x", "p=y" }, .after = "" },
		{ .before = "p=realloc=off,x", .remove = { "p=realloc=off" }, .after = "p=x" },
		{ .before = "m.u=1 m.u m.ux=1", .remove = { "m.u" }, .after = "m.ux=1" },
		{ .before = "a=offx xa=off", .remove = { "a=off" }, .after = "a=offx xa=off" },
		{ .before = "q -- a=off", .remove = { "a=off" }, .after = "q -- a=off" },
		{ .before = "d=\"x y\" a=off", .remove = { "a=off" }, .after = "d=\"x y\"" },
		{ .before = "root=U ro a=off $t",
		  .add = { "a=on" },
		  .remove = { "a=off" },
		  .after = "root=U ro $t a=on" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(edits(&rows[i]));
}

TEST(words_that_files_could_read_otherwise_are_refused)
{
	static const char *const bad[] = { "",	 "a b", "a\"b", "a;b",	"$a",  "a=`b`",
					   "-a", "=b",	"a#b",	"a\\b", "a'b", "a\nb" };

	EXPECT(kargs_check_word("pci=config_acs=xx111x1@0000:00:1c.0", NULL) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT(kargs_check_word(bad[i], NULL) == -EINVAL);
}

TEST(what_contradicts_itself_is_refused)
{
	static const struct row rows[] = {
		{ .add = { "a=on" }, .remove = { "a=on" } },
		{ .add = { "a=on" }, .remove = { "a" } },
		{ .add = { "a=x,on" }, .remove = { "a=on" } },
	};
	static const struct row fine = { .add = { "a=on" }, .remove = { "a=off" } };
	struct error e = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_KARGS struct kargs k = { 0 };

		fill(&rows[i], &k);
		EXPECT(kargs_check(&k, &e) == -EINVAL && strstr(e.text, "to be removed"));
	}
	AUTO_KARGS struct kargs k = { 0 };

	fill(&fine, &k);
	EXPECT(kargs_check(&k, NULL) == 0);
}
