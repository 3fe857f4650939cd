/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/base.h>

#include "test.h"

#include <stdlib.h>

TEST(an_array_has_room_for_one_more_and_keeps_what_it_had)
{
	AUTO_FREE unsigned *items = NULL;

	for (unsigned n = 0; n < 1000; n++) {
		unsigned *more = base_room(items, n, sizeof(*more));

		EXPECT(more);
		items = more;
		items[n] = n;
	}
	for (unsigned n = 0; n < 1000; n++)
		EXPECT(items[n] == n);
}

TEST(it_moves_seldom)
{
	AUTO_FREE char *items = NULL;
	size_t moves = 0;

	for (size_t n = 0; n < 1000; n++) {
		char *more = base_room(items, n, 1);

		moves += more != items;
		items = more;
	}
	EXPECT(moves <= 9);
}
