/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/suggest.h>

#include "test.h"

#include <string.h>

#define LONGEST 64

TEST(distance_counts_letters_added_dropped_and_changed)
{
	static const struct {
		const char *a, *b;
		size_t distance; /* LONGEST: not alike */
	} rows[] = {
		{ .a = "", .b = "", .distance = 0 },
		{ .a = "", .b = "abc", .distance = LONGEST },
		{ .a = "abc", .b = "", .distance = LONGEST },
		{ .a = "root", .b = "root", .distance = 0 },
		{ .a = "rot", .b = "root", .distance = 1 },
		{ .a = "roott", .b = "root", .distance = 1 },
		{ .a = "roat", .b = "root", .distance = 1 },
		{ .a = "orot", .b = "root", .distance = 2 },
		{ .a = "kitten", .b = "sitting", .distance = 3 },
		{ .a = "irq.remaping", .b = "irq.remapping", .distance = 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct suggest s = { .word = rows[i].a };

		suggest_offer(&s, rows[i].b);
		EXPECT(s.best ? s.best == rows[i].b && s.distance == rows[i].distance
			      : rows[i].distance == LONGEST);
	}
}

TEST(words_of_any_length_are_compared)
{
	char just[LONGEST + 1], more[LONGEST + 2];
	struct suggest s = { .word = just }, t = { .word = more };

	memset(just, 'a', sizeof(just));
	memset(more, 'a', sizeof(more));
	just[LONGEST] = more[LONGEST + 1] = '\0';
	suggest_offer(&s, more);
	EXPECT(!s.best);
	suggest_offer(&s, just);
	EXPECT(s.best == just && s.distance == 0);
	suggest_offer(&t, just);
	suggest_offer(&t, "a");
	EXPECT(!t.best);
}

static const char *best(const char *word)
{
	static const char *const ids[] = { "irq.remapping", "iommu.active", "iommu.domain",
					   "vfio.safe" };
	struct suggest s = { .word = word };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		suggest_offer(&s, ids[i]);
	return s.best ? s.best : "";
}

TEST(the_most_similar_is_suggested_if_any_is_similar)
{
	EXPECT(strcmp(best("irq.remap"), "irq.remapping") == 0);
	EXPECT(strcmp(best("iommu.activ"), "iommu.active") == 0);
	EXPECT(strcmp(best("iommu.domian"), "iommu.domain") == 0);
	EXPECT(strcmp(best("vfio-safe"), "vfio.safe") == 0);
	EXPECT(strcmp(best("x"), "") == 0);
	EXPECT(strcmp(best(""), "") == 0);
	EXPECT(strcmp(best("pf.link_speed"), "") == 0);
}
