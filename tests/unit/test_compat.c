/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of tables of compatibility, and what it refuses. */
#include <sriovctl/compat.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "{ \"schema\": 1, \"rows\": [\n"
#define TAIL "\n] }"
/* Members that every row has. */
#define SURE "\"source\": \"a document\", \"sure\": \"verified\""

static int parse(const char *text, struct compat_table **ret, struct error *e)
{
	return compat_parse(text, strlen(text), "t", &compat_built_in, ret, e);
}

/* Is this one row refused, in its line, with these words? */
static bool refuses(const char *row, const char *words)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	AUTO_BUF struct buf text = { 0 };
	struct error e = { 0 };
	int r;

	buf_printf(&text, HEAD "%s" TAIL, row);
	r = parse(buf_text(&text), &t, &e);
	if (r != -EINVAL || strncmp(e.text, "t:", 2) != 0 || !strstr(e.text, words))
		(void)fprintf(stderr, "# %d %s\n", r, e.text);
	return r == -EINVAL && strncmp(e.text, "t:", 2) == 0 && strstr(e.text, words);
}

static bool takes(const char *rows)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	AUTO_BUF struct buf text = { 0 };
	struct error e = { 0 };
	int r;

	buf_printf(&text, HEAD "%s" TAIL, rows);
	r = parse(buf_text(&text), &t, &e);
	if (r < 0)
		(void)fprintf(stderr, "# %s\n", e.text);
	return r == 0;
}

#define BAD_FIRMWARE(id, rest) \
	"{ \"id\": \"" id      \
	"\", \"judges\": \"firmware\", \"says\": \"bad\", \"fault\": \"f\", " SURE ", " rest " }"
#define TESTED(id, rest) \
	"{ \"id\": \"" id "\", \"judges\": \"firmware\", \"says\": \"tested\", " SURE ", " rest " }"
#define FAMILY "\"families\": [\"intel-700\"]"

TEST(a_row_says_what_it_holds_for)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	const struct compat_row *r;

	EXPECT(parse(HEAD
		     "{ \"id\": \"a\", \"judges\": \"firmware\", \"says\": \"bad\", \"fault\": "
		     "\"f\", \"fix\": \"x\", " SURE ", \"families\": [\"intel-700\", "
		     "\"intel-x722\"], \"subsystem\": [\"1028:1f9c\"], \"tree\": \"out\", "
		     "\"driver\": {\"from\": \"2.1\", \"below\": \"2.3\"}, \"vfs\": 64, "
		     "\"weight\": \"note\", \"version\": {\"from\": \"4.9\", \"to\": \"4.91\"} "
		     "}" TAIL,
		     &t, NULL) == 0);
	EXPECT(t->n_rows == 1 && t->n_keys == 2);
	r = &t->rows[0];
	EXPECT(strcmp(compat_text(t, r->id), "a") == 0);
	EXPECT(strcmp(compat_text(t, r->source), "a document") == 0);
	EXPECT(compat_lists(t, r->families, "intel-x722") &&
	       !compat_lists(t, r->families, "intel"));
	EXPECT(compat_lists(t, r->subsystem, "1028:1f9c"));
	EXPECT(r->judges == COMPAT_FIRMWARE && r->says == COMPAT_BAD && r->weight == COMPAT_NOTE);
	EXPECT(r->tree == COMPAT_OUT_OF_TREE && r->vfs == 64 && r->sure == COMPAT_VERIFIED);
	EXPECT(r->driver.below && !r->version.below);
	EXPECT(strcmp(compat_text(t, r->driver.to), "2.3") == 0);
	EXPECT(strcmp(compat_text(t, r->version.to), "4.91") == 0);
}

TEST(one_version_is_a_range)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;

	EXPECT(parse(HEAD TESTED("a", FAMILY ", \"version\": \"9.57\"") TAIL, &t, NULL) == 0);
	EXPECT(t->rows[0].version.from && t->rows[0].version.from == t->rows[0].version.to);
}

TEST(what_is_no_table)
{
	static const struct {
		const char *text, *says;
	} all[] = {
		{ "", "t:1:1: " },
		{ "[]", "t:1:1: a table is an object" },
		{ "{ \"rows\": [] }", "t:1:1: a table is an object with \"schema\": 1" },
		{ "{ \"schema\": 2 }", "t:1:3: \"schema\" wants 1" },
		{ "{ \"schema\": 1, \"rows\": {} }", "t:1:16: \"rows\" wants an array" },
		{ "{ \"schema\": 1,\n \"row\": [] }", "t:2:2: unknown key \"row\"" },
		{ "{ \"schema\": 1, \"rows\": [1] }", "an object is wanted" },
		{ "{ \"schema\": 1, \"rows\": [\n  {\"id\": \"a\"} ] }",
		  "t:2:3: \"source\" is missing" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct compat_table *t = NULL;
		struct error e = { 0 };

		EXPECT(parse(all[i].text, &t, &e) == -EINVAL);
		EXPECT(strncmp(e.text, all[i].says, 6) == 0 || strstr(e.text, all[i].says));
		EXPECT(strstr(e.text, all[i].says));
	}
}

TEST(rows_without_a_source)
{
	EXPECT(refuses("{ \"id\": \"a\", \"judges\": \"driver\", \"says\": \"tested\", \"sure\": "
		       "\"verified\", \"drivers\": [\"ice\"], \"version\": \"1.0\" }",
		       "2:1: \"source\" is missing"));
	EXPECT(refuses("{ \"id\": \"a\", \"source\": \"\", \"judges\": \"driver\" }",
		       "2:14: \"source\" wants a text that is not empty"));
}

TEST(unknown_keys_words_and_names)
{
	EXPECT(refuses(TESTED("a", FAMILY ", \"versions\": \"9.57\""),
		       "unknown key \"versions\"; did you mean \"version\"?"));
	EXPECT(refuses(BAD_FIRMWARE("a", FAMILY ", \"version\": {\"upto\": \"9.57\"}"),
		       "unknown key \"upto\"; a range has"));
	EXPECT(refuses("{ \"id\": \"a\", \"judges\": \"fan\" }",
		       "\"judges\" wants one of \"firmware\""));
	EXPECT(refuses(TESTED("a", "\"families\": [\"intel-7000\"], \"version\": \"9.57\""),
		       "no family is called \"intel-7000\""));
	EXPECT(refuses(TESTED("a", "\"pci\": [\"8086:157\"], \"version\": \"9.57\""),
		       "\"8086:157\" is no PCI id"));
	EXPECT(refuses(TESTED("a", "\"pci\": [\"8086:0001\"], \"version\": \"9.57\""),
		       "no family has the PCI id \"8086:0001\""));
	EXPECT(refuses(TESTED("a", "\"pci\": [], \"version\": \"9.57\""), "an array of one text"));
	EXPECT(refuses(TESTED("A!", FAMILY ", \"version\": \"9.57\""), "\"A!\" is no id"));
	EXPECT(refuses(TESTED("a", FAMILY ", \"version\": \"9.57\", \"vfs\": 0"),
		       "\"vfs\" wants a number from 1 to 65535"));
}

TEST(ids_that_are_there_twice)
{
	EXPECT(refuses(TESTED("a", FAMILY ", \"version\": \"9.57\"") ",\n" TESTED(
			       "b", FAMILY
			       ", \"version\": \"9.57\"") ",\n" TESTED("a", FAMILY
								       ", \"version\": \"9.56\""),
		       "t:4:3: row \"a\" has the id of the one in line 2"));
}

TEST(ranges_that_nothing_is_in)
{
	EXPECT(refuses(BAD_FIRMWARE("a", FAMILY ", \"version\": {\"from\": \"9.5\", \"below\": "
						"\"9.50\"}"),
		       "no version is from \"9.5\" on and below \"9.50\""));
	EXPECT(refuses(BAD_FIRMWARE("a", FAMILY ", \"version\": {\"from\": \"9.1\", \"to\": "
						"\"9.01\"}"),
		       "no version is from"));
	EXPECT(takes(
		BAD_FIRMWARE("a", FAMILY ", \"version\": {\"from\": \"9.5\", \"to\": \"9.50\"}")));
	EXPECT(refuses(BAD_FIRMWARE("a", FAMILY ", \"version\": {}"), "wants a limit at least"));
	EXPECT(refuses(BAD_FIRMWARE("a", FAMILY ", \"version\": {\"to\": \"9.1\", \"below\": "
						"\"9.2\"}"),
		       "either \"to\" or \"below\""));
	EXPECT(refuses("{ \"id\": \"a\", \"judges\": \"kernel\", \"says\": \"bad\", \"fault\": "
		       "\"f\", " SURE ", \"version\": {\"from\": \"6.2\", \"below\": \"6.1.9\"} }",
		       "no release is from \"6.2\" on and below \"6.1.9\""));
}

TEST(versions_of_another_form)
{
	EXPECT(refuses(TESTED("a", FAMILY ", \"version\": \"new\""),
		       "\"new\" is no version as i40e"));
	EXPECT(refuses(TESTED("a", "\"families\": [\"mlx-cx5\"], \"version\": \"9.57\""),
		       "no version as mlx5"));
	EXPECT(refuses(BAD_FIRMWARE("a", "\"families\": [\"intel-82599\"], \"version\": {\"from\": "
					 "\"0x800003e1\", \"to\": \"0x800003e2\"}"),
		       "such versions have no order"));
	/* The firmware of OCTEON has no scheme. */
	EXPECT(refuses(TESTED("a", "\"families\": [\"octeontx2\"], \"version\": \"1\""),
		       "is not known: their family has no \"scheme\""));
}

TEST(what_kinds_of_rows_cannot_do_without)
{
	static const struct {
		const char *row, *says;
	} all[] = {
		{ BAD_FIRMWARE("a", "\"version\": \"9.5\""), "\"families\", or of \"pci\"" },
		{ BAD_FIRMWARE("a", FAMILY), "\"version\" is missing" },
		{ "{ \"id\": \"a\", \"judges\": \"firmware\", \"says\": \"bad\", " SURE ", " FAMILY
		  ", \"version\": \"9.5\" }",
		  "\"fault\" is missing" },
		{ "{ \"id\": \"a\", \"judges\": \"firmware\", \"says\": \"minimum\", \"fault\": "
		  "\"f\", " SURE ", " FAMILY ", \"version\": \"9.5\" }",
		  "\"from\" alone" },
		{ TESTED("a", FAMILY ", \"version\": {\"from\": \"9.5\"}"),
		  "wants one \"version\"" },
		{ "{ \"id\": \"a\", \"judges\": \"firmware\", \"says\": \"pairs\", " SURE
		  ", " FAMILY ", \"version\": \"9.5\" }",
		  "a version of its \"driver\"" },
		{ TESTED("a", FAMILY ", \"version\": \"9.5\", \"fixed_in\": [\"6.1.2\"]"),
		  "only faults of kernels" },
		{ "{ \"id\": \"a\", \"judges\": \"bios\", \"says\": \"tested\", " SURE
		  ", \"version\": \"1.2\" }",
		  "that of a \"vendor\"" },
		{ "{ \"id\": \"a\", \"judges\": \"driver\", \"says\": \"tested\", " SURE
		  ", \"version\": \"1.2\" }",
		  "wants \"drivers\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		EXPECT(refuses(all[i].row, all[i].says));
}

#define KERNEL(id, rest)                                                                           \
	"{ \"id\": \"" id "\", \"judges\": \"kernel\", \"says\": \"bad\", \"fault\": \"f\", " SURE \
	", " rest " }"

TEST(fixes_of_kernels)
{
	EXPECT(takes(KERNEL("a", "\"fixed_in\": [\"6.1.9\", \"6.2.1\"], \"mainline\": \"6.3\"")));
	EXPECT(refuses(KERNEL("a", "\"fixed_in\": [\"6.1.9\", \"6.1.10\"]"), "are of one branch"));
	EXPECT(refuses(KERNEL("a", "\"fixed_in\": [\"6.1.9\"], \"mainline\": \"6.0\""),
		       "where all from \"6.0\" on have it"));
	EXPECT(refuses(KERNEL("a", "\"fixed_in\": [\"six\"]"), "\"six\" is no release"));
	EXPECT(refuses(KERNEL("a", "\"version\": {\"from\": \"6.1\", \"to\": \"6.2\"}"),
		       "end \"below\" one"));
}

/* What a check would never ask, or would take for something else. */
TEST(rows_of_what_their_kind_has_not)
{
#define BIOS(rest)                                                           \
	"{ \"id\": \"a\", \"judges\": \"bios\", \"says\": \"tested\", " SURE \
	", \"vendor\": \"Dell Inc.\", \"version\": \"1.2\", " rest " }"
	EXPECT(refuses(BIOS(FAMILY), "a BIOS is that of a machine"));
	EXPECT(refuses(BIOS("\"drivers\": [\"ice\"]"), "a BIOS is that of a machine"));
	EXPECT(refuses(TESTED("a", FAMILY ", \"version\": \"9.5\", \"vendor\": \"Dell Inc.\""),
		       "only a BIOS has a \"vendor\""));
	EXPECT(refuses(KERNEL("a", "\"distribution\": \"RHEL\", \"fixed_in\": [\"5.14.1\"]"),
		       "of a \"distribution\" are meant"));
	EXPECT(refuses(KERNEL("a", "\"fixed_in\": [\"6.1.9\"], \"version\": {\"below\": \"6.2\"}"),
		       "a fault ends with \"fixed_in\", or"));
	EXPECT(refuses(KERNEL("a", "\"fixed_in\": [\"6.1.9\"], \"config\": \"CONFIG_A\", "
				   "\"config_off\": \"CONFIG_A\""),
		       "no symbol is both on and off"));
	EXPECT(refuses(TESTED("a", FAMILY ", \"version\": \"9.5\", \"ddp\": {\"os\": \"1.3.4\"}"),
		       "of what \"pairs\""));
	EXPECT(refuses("{ \"id\": \"a\", \"judges\": \"firmware\", \"says\": \"pairs\", " SURE
		       ", \"families\": [\"intel-e810\"], \"driver\": \"1.2\", \"version\": "
		       "\"4.2\", \"ddp\": {\"os\": \"new\"} }",
		       "\"new\" is no version as ddp"));
	EXPECT(refuses(TESTED("a", FAMILY ", \"pci\": [\"8086:1592\"], \"version\": \"9.5\""),
		       "\"8086:1592\" is of \"intel-e810\", which"));
}

TEST(faults_that_are_mended_before_they_are_there)
{
	EXPECT(refuses(KERNEL("a", "\"version\": {\"from\": \"6.2\"}, \"fixed_in\": [\"6.1.9\"]"),
		       "\"6.1.9\" mends no fault that is from \"6.2\" on"));
	EXPECT(refuses(KERNEL("a", "\"version\": {\"from\": \"6.1\"}, \"fixed_in\": [\"6.1.9\"], "
				   "\"mainline\": \"6.0\""),
		       "\"6.0\" mends no fault"));
	EXPECT(takes(KERNEL("a", "\"version\": {\"from\": \"6.1.3\"}, \"fixed_in\": [\"6.1.9\"]")));
}

TEST(limits_of_versions_without_an_order)
{
#define IMAGE "\"families\": [\"intel-82599\"], \"version\": "
	EXPECT(refuses(BAD_FIRMWARE("a", IMAGE "{\"from\": \"0x800003e1\"}"), "is no limit"));
	EXPECT(refuses(BAD_FIRMWARE("a", IMAGE "{\"below\": \"0x800003e1\"}"), "is no limit"));
	EXPECT(takes(BAD_FIRMWARE("a", IMAGE "\"0x800003e1\"")));
}

TEST(rows_that_contradict)
{
	/* Bad, and tested: of all the same functions. */
	EXPECT(refuses(BAD_FIRMWARE("a", FAMILY ", \"version\": {\"to\": \"9.5\"}") ",\n" TESTED(
			       "b", FAMILY ", \"version\": \"9.40\""),
		       "t:3:1: row \"b\" contradicts the one in line 2"));
	EXPECT(refuses(
		TESTED("b", "\"pci\": [\"8086:1572\"], \"version\": \"9.40\"") ",\n" BAD_FIRMWARE(
			"a", FAMILY ", \"version\": \"9.40\""),
		"t:3:1: row \"a\" contradicts the one in line 2"));
	/* By ids of the family that is said to be well. */
	EXPECT(refuses(TESTED("b", FAMILY ", \"version\": \"9.40\"") ",\n" BAD_FIRMWARE(
			       "a", "\"pci\": [\"8086:1572\"], \"version\": \"9.40\""),
		       "t:3:1: row \"a\" contradicts the one in line 2"));
	EXPECT(takes(TESTED("b", FAMILY ", \"version\": \"9.40\"") ",\n" BAD_FIRMWARE(
		"a", "\"pci\": [\"8086:37d2\"], \"version\": \"4.40\"")));
	/* Of some of them alone, under a condition, or in other words: an exception. */
	EXPECT(takes(TESTED("b", FAMILY ", \"version\": \"9.40\"") ",\n" BAD_FIRMWARE(
		"a", FAMILY ", \"subsystem\": [\"1028:1f9c\"], \"version\": \"9.40\"")));
	EXPECT(takes(TESTED("b", FAMILY ", \"version\": \"9.40\"") ",\n" BAD_FIRMWARE(
		"a", FAMILY ", \"version\": \"9.40\", \"vfs\": 64")));
	EXPECT(takes(TESTED("b", FAMILY ", \"version\": \"9.40\"") ",\n" BAD_FIRMWARE(
		"a", FAMILY ", \"version\": {\"below\": \"9.4\"}")));
}

#define PAIR(id, driver, version)                                                                \
	"{ \"id\": \"" id "\", \"judges\": \"firmware\", \"says\": \"pairs\", " SURE ", " FAMILY \
	", \"driver\": \"" driver "\", \"version\": \"" version "\" }"
#define LEAST(id, version)                                                                         \
	"{ \"id\": \"" id                                                                          \
	"\", \"judges\": \"firmware\", \"says\": \"minimum\", \"fault\": \"f\", " SURE ", " FAMILY \
	", \"version\": {\"from\": \"" version "\"} }"

TEST(pairs_and_minimums_that_contradict)
{
	EXPECT(refuses(PAIR("a", "2.1", "9.1") ",\n" PAIR("b", "2.1", "9.2"), "contradicts"));
	EXPECT(takes(PAIR("a", "2.1", "9.1") ",\n" PAIR("b", "2.2", "9.2")));
	/* In other words the same. */
	EXPECT(refuses(PAIR("a", "2.1", "9.1") ",\n" PAIR("b", "2.1.0", "9.2"), "contradicts"));
	EXPECT(takes(PAIR("a", "2.1", "9.1") ",\n" PAIR("b", "2.1.0", "9.10")));
	EXPECT(refuses(LEAST("a", "9.1") ",\n" LEAST("b", "9.2"), "contradicts"));
	EXPECT(takes(LEAST("a", "9.1") ",\n" LEAST("b", "9.10")));
	EXPECT(refuses(LEAST("a", "9.1") ",\n" BAD_FIRMWARE("b", FAMILY ", \"version\": \"9.1\""),
		       "contradicts"));
}

TEST(families_of_a_file)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	struct error e = { 0 };
	const char *own =
		"{ \"schema\": 1, \"families\": [ { \"id\": \"new\", \"name\": \"New\", "
		"\"driver\": \"new\", \"scheme\": \"hns3\", \"pfs\": [\"1234:00xx\"] } ], "
		"\"rows\": [ " TESTED("a", "\"families\": [\"new\"], \"version\": "
					   "\"1.8.0.0\"") " ] }";

	EXPECT(parse(own, &t, &e) == 0);
	EXPECT(t->n_families == 1 && t->n_ids == 1 && t->ids[0].mask == 0xff00);
	compat_table_free(TAKE(t));
	EXPECT(parse("{ \"schema\": 1, \"families\": [ { \"id\": \"a\", \"name\": \"A\", "
		     "\"driver\": \"a\", \"pfs\": [\"1234:0001\", \"1234:0001\"] } ], \"rows\": [] "
		     "}",
		     &t, &e) == -EINVAL);
	EXPECT(strstr(e.text, "t:1:92: 1234:0001 is in \"a\" and \"a\""));
	EXPECT(parse("{ \"schema\": 1, \"families\": [ { \"id\": \"a\", \"name\": \"A\", "
		     "\"driver\": \"a\", \"pfs\": [\"1234:0001\"] },\n{ \"id\": \"a\", \"name\": "
		     "\"A\", \"driver\": \"a\", \"pfs\": [\"1234:0002\"] } ], \"rows\": [] }",
		     &t, &e) == -EINVAL);
	EXPECT(strstr(e.text, "t:2:3: family \"a\" is there twice"));
}

#define DRIVER(id, rest)                                                            \
	"{ \"id\": \"" id "\", \"judges\": \"driver\", \"says\": \"tested\", " SURE \
	", \"version\": "                                                           \
	"\"1.0\", " rest " }"

TEST(rows_that_nobody_gets)
{
	EXPECT(refuses(TESTED("a", "\"families\": [\"mlx-cx5\"], \"version\": \"22.35.1012\""),
		       "is no firmware of \"mlx-cx5\", of which each begins \"16.\""));
	EXPECT(refuses(TESTED("a", "\"pci\": [\"15b3:1017\"], \"version\": \"1.35.1012\""),
		       "is no firmware of \"mlx-cx5\""));
	EXPECT(takes(TESTED("a", "\"families\": [\"mlx-cx5\"], \"version\": \"16.35.1012\"")));
	EXPECT(refuses(DRIVER("a", "\"drivers\": [\"ice\"], " FAMILY),
		       "\"intel-700\" has the driver \"i40e\""));
	EXPECT(refuses(DRIVER("a", "\"drivers\": [\"ice\"], \"pci\": [\"8086:1572\"]"),
		       "\"8086:1572\" has the driver \"i40e\""));
	EXPECT(takes(DRIVER("a", "\"drivers\": [\"i40e\"], " FAMILY)));
	EXPECT(refuses(DRIVER("a", "\"drivers\": [\"icee\"]"), "is called \"icee\""));
	EXPECT(takes(DRIVER("a", "\"drivers\": [\"iavf\", \"vfio-pci\"]")));
	EXPECT(refuses(DRIVER("a", "\"drivers\": [\"ice\"], \"distribution\": \"Debain\""),
		       "known to be of \"Debain\""));
	EXPECT(takes(DRIVER("a", "\"drivers\": [\"ice\"], \"distribution\": \"rhel\"")));
	EXPECT(refuses(DRIVER("a", "\"drivers\": [\"ice\"], \"config\": \"PREEMPT\""),
		       "no symbol of the kernel's configuration as \"CONFIG_PREEMPT\""));
	EXPECT(takes(DRIVER("a", "\"drivers\": [\"ice\"], \"config_off\": \"CONFIG_PREEMPT\"")));
}

TEST(a_source_of_blanks)
{
	EXPECT(refuses("{ \"id\": \"a\", \"source\": \" \\t \", \"judges\": \"driver\" }",
		       "2:14: \"source\" wants a text that is not empty"));
}

/* What is wrong stands in a line of its own. */
TEST(the_place_is_that_of_the_value)
{
	EXPECT(refuses(TESTED("a", FAMILY ",\n\"version\": \"new\""), "t:3:1: \"new\""));
	EXPECT(refuses(TESTED("a", "\"version\": \"1\", \"families\": [\n\"intel-700\",\n "
				   "\"intel-7\"]"),
		       "t:4:2: no family"));
	EXPECT(refuses(TESTED("a", "\"version\": \"1\", \"pci\": [\n\"8086:1\"]"),
		       "t:3:1: \"8086:1\""));
	EXPECT(refuses("{\n\"id\": \"A\", \"judges\": \"driver\", \"says\": \"tested\", " SURE
		       ", \"version\": \"1\", \"drivers\": [\"ice\"] }",
		       "t:3:1: \"A\" is no id"));
	EXPECT(refuses(DRIVER("a", "\"drivers\": [\n\"icee\"]"), "t:3:1: no driver"));
	EXPECT(refuses(TESTED("a", FAMILY ", \"version\": \"9.5\",\n\"fixed_in\": [\"6.1.2\"]"),
		       "t:3:1: row \"a\": only faults"));
	EXPECT(refuses(KERNEL("a", "\n\"fixed_in\": [\"six\"]"), "t:3:1: \"six\""));
}

static bool refuses_file(const char *rest, const char *words)
{
	AUTO_COMPAT_TABLE struct compat_table *t = NULL;
	AUTO_BUF struct buf text = { 0 };
	struct error e = { 0 };
	int r;

	buf_printf(&text, "{ \"schema\": 1%s }", rest);
	r = parse(buf_text(&text), &t, &e);
	if (r != -EINVAL || !strstr(e.text, words))
		(void)fprintf(stderr, "# %d %s\n", r, e.text);
	return r == -EINVAL && strstr(e.text, words);
}

#define LOG(branch, to) \
	"{ \"branch\": \"" branch "\", \"to\": \"" to "\",\n\"source\": \"a document\" }"
#define ONE_FAMILY(id, driver, rest)                                                           \
	", \"rows\": [], \"families\": [ { \"id\": \"" id "\", \"name\": \"N\",\n\"driver\": " \
	"\"" driver "\", " rest " } ]"

TEST(tables_changelogs_and_families_that_cannot_be)
{
	EXPECT(refuses_file("", "t:1:1: \"rows\" is missing"));
	EXPECT(refuses_file(", \"rows\": [], \"changelogs\": [ " LOG("6.6", "6.6.1") ", " LOG(
				    "6.6", "6.6.9") " ]",
			    "t:2:29: the branch \"6.6\" is there twice"));
	EXPECT(refuses_file(", \"rows\": [], \"changelogs\": [ " LOG("6.6", "6.7.1") " ]",
			    "\"6.7.1\" is no release of the branch \"6.6\""));
	EXPECT(refuses_file(ONE_FAMILY("mine", "mine", "\n\"pfs\": [\"8086:1572\"]"),
			    "t:3:9: \"8086:1572\" is of the family \"intel-700\""));
	EXPECT(refuses_file(ONE_FAMILY("Mine", "mine", "\"pfs\": [\"1234:0001\"]"),
			    "\"Mine\" is no id"));
	EXPECT(refuses_file(
		ONE_FAMILY("mine", "mine", "\"scheme\": \"nmie\", \"pfs\": [\"1234:0001\"]"),
		"no scheme is called \"nmie\""));
	/* One that others are within. */
	EXPECT(refuses_file(ONE_FAMILY("mine", "mine", "\n\"pfs\": [\"1234:5678\", \"1234:567x\"]"),
			    "t:3:9: 1234:5678 is in"));
	EXPECT(refuses_file(ONE_FAMILY("mine", "mine", "\"pfs\": [\"8086:15xx\"]"),
			    "is of the family"));
	EXPECT(refuses_file(ONE_FAMILY("intel-700", "ice", "\"pfs\": [\"8086:1572\"]"),
			    "t:2:1: family \"intel-700\" has the driver \"i40e\""));
	EXPECT(refuses_file(
		ONE_FAMILY("intel-700", "i40e", "\"scheme\": \"ice\", \"pfs\": [\"8086:1572\"]"),
		"family \"intel-700\" has the scheme \"i40e\""));
}

TEST(a_row_of_the_same_id_replaces_one)
{
	AUTO_COMPAT_TABLE struct compat_table *over = NULL;
	const struct compat_table *tables[] = { &compat_built_in };
	const struct compat base = { .tables = tables, .n = 1 };
	AUTO_COMPAT struct compat c = { 0 };
	AUTO_COMPAT_HITS struct compat_hits hits = { 0 };
	const struct compat_row *row;
	size_t found = 0;

	EXPECT(parse(HEAD LEAST("least-cx5", "9.1") TAIL, &over, NULL) == 0);
	row = &over->rows[0];
	EXPECT(compat_over(&base, &c, NULL) == 0);
	EXPECT(compat_add(&c, TAKE(over), NULL) == 0 && c.n == 2);
	EXPECT(compat_find(&c, COMPAT_FIRMWARE, "mlx-cx5", &hits) == 0);
	for (size_t i = 0; i < hits.n; i++)
		found += strcmp(compat_text(hits.items[i].table, hits.items[i].row->id),
				"least-cx5") == 0;
	EXPECT(hits.n > 0 && found == 0);
	EXPECT(compat_find(&c, COMPAT_FIRMWARE, "intel-700", &hits) == 0);
	for (size_t i = 0; i < hits.n; i++)
		found += hits.items[i].row == row;
	EXPECT(found == 1);
}
