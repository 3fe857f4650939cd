/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/profile.h>

#include <sriovctl/error.h>

#include "test.h"

#include <errno.h>
#include <string.h>

static int parse(const char *text, struct profile *ret, struct error *e)
{
	return profile_parse(text, strlen(text), "own", ret, e);
}

static enum severity severity_of(const struct profile *p, const char *id)
{
	return profile_severity(p, check_find(id));
}

TEST(each_of_the_data_is_read_and_has_its_name)
{
	for (size_t i = 0; profile_names[i]; i++) {
		AUTO_PROFILE struct profile p = { 0 };
		struct error e = { 0 };

		EXPECT(profile_find(profile_names[i], &p, &e) == 0);
		EXPECT(strcmp(p.name, profile_names[i]) == 0);
	}
}

TEST(the_default_one_changes_no_check)
{
	AUTO_PROFILE struct profile p = { 0 };
	const struct check *c;

	EXPECT(profile_find(profile_names[0], &p, NULL) == 0);
	for (size_t i = 0; (c = check_at(i)); i++) {
		EXPECT(profile_severity(&p, c) == c->severity);
		EXPECT(profile_severity(NULL, c) == c->severity);
	}
}

TEST(a_file_says_more_than_its_base_and_an_option_more_than_both)
{
	AUTO_PROFILE struct profile p = { 0 };

	EXPECT(parse("{ \"schema\": 1, \"name\": \"mine\", // ours\n"
		     "  \"severity\": { \"vfio.available\": \"info\" }, \"base\": \"vfio\" }",
		     &p, NULL) == 0);
	EXPECT(strcmp(p.name, "mine") == 0);
	EXPECT(severity_of(&p, "vfio.available") == SEVERITY_INFO);
	EXPECT(severity_of(&p, "cpu.virtualization") == SEVERITY_REQUIRED);
	EXPECT(severity_of(&p, "irq.remapping") == SEVERITY_REQUIRED);
	EXPECT(profile_override(&p, "vfio.available=recommended", NULL) == 0);
	EXPECT(severity_of(&p, "vfio.available") == SEVERITY_RECOMMENDED);
	EXPECT(p.overrides.n == 2 && strcmp(p.overrides.items[0], "vfio.available=info") == 0);
}

TEST(what_is_wrong_is_told_with_its_place)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "", "own:1:1:" },
		{ "[]", "own: a profile is an object" },
		{ "{ \"name\": \"x\" }", "own: a profile is an object" },
		{ "{ \"schema\": 1 }", "own: a profile is an object" },
		{ "{ \"schema\": 2, \"name\": \"x\" }", "own:1:3: 1 is wanted for \"schema\"" },
		{ "{ \"schema\": 1, \"name\": \"\" }", "own:1:16: a text is wanted for \"name\"" },
		{ "{ \"schema\": 1, \"name\": \"x\",\n \"levels\": {} }",
		  "own:2:2: a profile has no key \"levels\"" },
		{ "{ \"schema\": 1, \"name\": \"x\", \"base\": \"dpdk\" }",
		  "own:1:29: the name of a profile of this program is wanted for \"base\"" },
		{ "{ \"schema\": 1, \"name\": \"x\", \"severity\": [] }",
		  "own:1:29: an object of ids and levels is wanted for \"severity\"" },
		{ "{ \"schema\": 1, \"name\": \"x\",\n\"severity\": { \"vfio.saef\": \"info\" } }",
		  "own:2:15: this id no check has; did you mean \"vfio.safe\"" },
		{ "{ \"schema\": 1, \"name\": \"x\", \"severity\": { \"zzzz\": \"info\" } }",
		  "own:1:43: no check has the id \"zzzz\"" },
		{ "{ \"schema\": 1, \"name\": \"x\", \"severity\": { \"vfio.safe\": \"off\" } }",
		  "own:1:43: \"required\", \"recommended\" or \"info\" is wanted for "
		  "\"vfio.safe\"" },
		{ "{ \"schema\": 1, \"name\": \"x\", \"about\": 1 }",
		  "own:1:29: a text is wanted for \"about\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_PROFILE struct profile p = { 0 };
		struct error e = { 0 };

		EXPECT(parse(cases[i].text, &p, &e) == -EINVAL);
		EXPECT(strncmp(e.text, cases[i].said, strlen(cases[i].said)) == 0);
		EXPECT(p.n == 0 && !p.name);
	}
}

TEST(an_override_names_a_check_and_a_level)
{
	static const char *const wrong[] = { "",
					     "vfio.safe",
					     "vfio.safe=",
					     "=info",
					     "vfio.safe=off",
					     "vfio.saef=info",
					     "vfio.safe=info=info" };
	AUTO_PROFILE struct profile p = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT(profile_override(&p, wrong[i], NULL) == -EINVAL);
	EXPECT(p.n == 0 && p.overrides.n == 0);
	EXPECT(profile_find("nope", &p, NULL) == -ENOENT);
}
