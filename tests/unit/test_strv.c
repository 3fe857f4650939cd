/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/strv.h>

#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

TEST(add_keeps_a_copy)
{
	AUTO_STRV struct strv v = { 0 };
	char text[] = "eth0";

	EXPECT(strv_add(&v, text) == 0);
	text[3] = '1';
	EXPECT(v.n == 1 && strcmp(v.items[0], "eth0") == 0);
}

TEST(take_keeps_the_string_itself)
{
	AUTO_STRV struct strv v = { 0 };
	char *text = strdup("eth0");

	EXPECT(strv_take(&v, text) == 0);
	EXPECT(v.items[0] == text);
}

TEST(take_of_nothing_tells_that_memory_ran_out)
{
	AUTO_STRV struct strv v = { 0 };

	EXPECT(strv_take(&v, NULL) == -ENOMEM);
	EXPECT(v.n == 0);
}

TEST(it_grows_as_far_as_it_must)
{
	AUTO_STRV struct strv v = { 0 };
	char name[16];

	for (int i = 0; i < 1000; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		EXPECT(strv_add(&v, name) == 0);
	}
	EXPECT(v.n == 1000 && strcmp(v.items[999], "999") == 0);
}

TEST(has_compares_whole_strings)
{
	AUTO_STRV struct strv v = { 0 };

	EXPECT(!strv_has(&v, "FACP"));
	EXPECT(strv_add(&v, "FACP") == 0);
	EXPECT(strv_has(&v, "FACP"));
	EXPECT(!strv_has(&v, "FAC") && !strv_has(&v, "FACP2") && !strv_has(&v, "facp"));
}

TEST(sorting_takes_numbers_in_names_for_numbers)
{
	static const char *const in[] = { "virtfn10", "virtfn2", "net", "virtfn1" };
	static const char *const out[] = { "net", "virtfn1", "virtfn2", "virtfn10" };
	AUTO_STRV struct strv v = { 0 };

	strv_sort(&v);
	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		EXPECT(strv_add(&v, in[i]) == 0);
	strv_sort(&v);
	for (size_t i = 0; i < ARRAY_SIZE(out); i++)
		EXPECT(strcmp(v.items[i], out[i]) == 0);
}

TEST(done_leaves_an_empty_list)
{
	struct strv v = { 0 };

	EXPECT(strv_add(&v, "a") == 0);
	strv_done(&v);
	EXPECT(v.n == 0 && v.items == NULL);
}
