/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/setting.h>

#include <sriovctl/buf.h>

#include "test.h"

#include <errno.h>
#include <string.h>

static struct setting_value name(const char *text)
{
	struct setting_value v = { 0 };

	EXPECT(setting_text(text, &v) == 0);
	return v;
}

TEST(each_name_finds_its_setting)
{
	for (enum setting s = 0; s < SETTING_END; s++) {
		EXPECT(setting_find(setting_name(s)) == s);
		EXPECT(setting_is_of_vf(s) == (s >= SETTING_MAC));
		EXPECT(setting_is_name(s) ==
		       (s == SETTING_OVERRIDE || s == SETTING_DRIVER || s == SETTING_VF_NAME));
	}
	EXPECT(setting_find("Vlan") == SETTING_END && setting_find("") == SETTING_END);
}

TEST(printed_for_a_person)
{
	static const struct {
		enum setting s;
		struct setting_value v;
		const char *text;
	} rows[] = {
#define NUMBER(what, n, is) \
	{ .s = (what), .v = { .state = SETTING_KNOWN, .number = (n) }, .text = (is) }
		NUMBER(SETTING_AUTOPROBE, 0, "off"),
		NUMBER(SETTING_ESWITCH, 1, "switchdev"),
		NUMBER(SETTING_ESWITCH, 2, "2"),
		NUMBER(SETTING_UP, 1, "on"),
		NUMBER(SETTING_MTU, 9000, "9000"),
		NUMBER(SETTING_VFS, 0, "0"),
		NUMBER(SETTING_MAC, 0x525400000001, "52:54:00:00:00:01"),
		NUMBER(SETTING_MAC, 0, "none"),
		NUMBER(SETTING_VLAN, SETTING_VLAN_OF(100, 3, 0x88a8), "100, qos 3, 802.1ad"),
		NUMBER(SETTING_VLAN, SETTING_VLAN_OF(100, 0, 0x8100), "100"),
		NUMBER(SETTING_VLAN, SETTING_VLAN_OF(0, 5, 0x8100), "0, qos 5"),
		NUMBER(SETTING_VLAN, SETTING_VLAN_OF(1, 0, 0x9100), "1, protocol 0x9100"),
		NUMBER(SETTING_VLAN, SETTING_VLAN_OF(0, 0, 0x8100), "none"),
		NUMBER(SETTING_VLAN, 0, "none"),
		NUMBER(SETTING_SPOOFCHK, 1, "on"),
		NUMBER(SETTING_TRUST, 0, "off"),
		NUMBER(SETTING_RATE, 0, "no limit"),
		NUMBER(SETTING_RATE, SETTING_RATE_OF(0, 1000), "at most 1000 Mbit/s"),
		NUMBER(SETTING_RATE, SETTING_RATE_OF(10, 0), "at least 10 Mbit/s"),
		NUMBER(SETTING_RATE, SETTING_RATE_OF(10, 1000), "at least 10, at most 1000 Mbit/s"),
		NUMBER(SETTING_LINK_STATE, 2, "disable"),
		NUMBER(SETTING_RSS_QUERY, 1, "on"),
		NUMBER(SETTING_QUEUES, 4, "4"),
		{ .s = SETTING_DRIVER,
		  .v = { .state = SETTING_KNOWN, .name = "vfio-pci" },
		  .text = "vfio-pci" },
		{ .s = SETTING_OVERRIDE, .v = { .state = SETTING_KNOWN }, .text = "none" },
		{ .s = SETTING_TRUST, .v = { .state = SETTING_UNSET }, .text = "as it is" },
		{ .s = SETTING_TRUST,
		  .v = { .state = SETTING_UNSUPPORTED },
		  .text = "not supported" },
		{ .s = SETTING_TRUST,
		  .v = { .state = SETTING_UNKNOWN, .error = -EACCES },
		  .text = "not known" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_BUF struct buf b = { 0 };

		setting_print(rows[i].s, &rows[i].v, &b);
		EXPECT(strcmp(buf_text(&b), rows[i].text) == 0);
		if (strcmp(buf_text(&b), rows[i].text) != 0)
			printf("# %s for %s\n", buf_text(&b), rows[i].text);
	}
}

TEST(equal_is_what_needs_no_change)
{
	struct setting_value unset = { 0 }, lacks = { .state = SETTING_UNSUPPORTED };
	struct setting_value unknown = { .state = SETTING_UNKNOWN, .error = -EIO };
	struct setting_value one = setting_number(1), two = setting_number(2);
	struct setting_value ad = setting_number(SETTING_VLAN_OF(0, 0, 0x88a8)),
			     q = setting_number(0);
	struct setting_value qos = setting_number(SETTING_VLAN_OF(0, 1, 0x8100));
	struct setting_value vfio = name("vfio-pci"), none = name("");

	EXPECT(setting_equal(SETTING_MTU, &one, &one) && !setting_equal(SETTING_MTU, &one, &two));
	EXPECT(!setting_equal(SETTING_MTU, &one, &unset));
	EXPECT(!setting_equal(SETTING_MTU, &one, &lacks));
	EXPECT(setting_equal(SETTING_MTU, &unset, &unset));
	EXPECT(setting_equal(SETTING_MTU, &lacks, &lacks));
	EXPECT(!setting_equal(SETTING_MTU, &unknown, &unknown));
	EXPECT(setting_equal(SETTING_VLAN, &ad, &q) && !setting_equal(SETTING_VLAN, &qos, &q));
	EXPECT(!setting_equal(SETTING_RATE, &ad, &q));
	EXPECT(setting_equal(SETTING_DRIVER, &vfio, &vfio));
	EXPECT(!setting_equal(SETTING_DRIVER, &vfio, &none));
}

TEST(names_have_an_end)
{
	char text[SETTING_NAME_MAX + 1];
	struct setting_value v = { 0 };

	memset(text, 'a', sizeof(text));
	text[SETTING_NAME_MAX] = '\0';
	EXPECT(setting_text(text, &v) == -ENAMETOOLONG && v.state == SETTING_UNSET);
	text[SETTING_NAME_MAX - 1] = '\0';
	EXPECT(setting_text(text, &v) == 0 && strcmp(v.name, text) == 0);
}

static bool comes_back(enum setting s, const struct setting_value *v, const char *word)
{
	AUTO_BUF struct buf b = { 0 };
	struct setting_value again;

	setting_write(s, v, &b);
	if (strcmp(buf_text(&b), word) != 0)
		printf("# \"%s\", not \"%s\"\n", buf_text(&b), word);
	return strcmp(buf_text(&b), word) == 0 && setting_parse(s, word, &again) == 0 &&
	       again.state == v->state && again.error == v->error && again.number == v->number &&
	       strcmp(again.name, v->name) == 0;
}

TEST(a_word_of_a_journal_comes_back)
{
	static const uint64_t numbers[] = { 0, 1 };
	struct setting_value v = name("a b/%\n\xff-._Z");

	EXPECT(comes_back(SETTING_DRIVER, &v, "=a%20b%2f%25%0a%ff-._Z"));
	v = name("");
	EXPECT(comes_back(SETTING_OVERRIDE, &v, "="));
	v = setting_number(UINT64_MAX);
	EXPECT(comes_back(SETTING_RATE, &v, "18446744073709551615"));
	for (enum setting s = 0; s < SETTING_END; s++) {
		v = (struct setting_value){ 0 };
		EXPECT(comes_back(s, &v, "-"));
		v.state = SETTING_UNSUPPORTED;
		EXPECT(comes_back(s, &v, "lacks"));
		v = (struct setting_value){ .state = SETTING_UNKNOWN, .error = -ENOSPC };
		EXPECT(comes_back(s, &v, "?28"));
		for (size_t i = 0; !setting_is_name(s) && i < ARRAY_SIZE(numbers); i++) {
			v = setting_number(numbers[i]);
			EXPECT(comes_back(s, &v, numbers[i] ? "1" : "0"));
		}
	}
}

TEST(no_other_word_is_taken)
{
	static const struct {
		enum setting s;
		const char *word;
	} rows[] = {
		{ .s = SETTING_MTU, .word = "" },
		{ .s = SETTING_MTU, .word = "01" },
		{ .s = SETTING_MTU, .word = "+1" },
		{ .s = SETTING_MTU, .word = "0x1" },
		{ .s = SETTING_MTU, .word = "1 " },
		{ .s = SETTING_MTU, .word = "=1" },
		{ .s = SETTING_MTU, .word = "4294967296" },
		{ .s = SETTING_TRUST, .word = "2" },
		{ .s = SETTING_ESWITCH, .word = "2" },
		{ .s = SETTING_LINK_STATE, .word = "3" },
		{ .s = SETTING_MAC, .word = "281474976710656" },
		{ .s = SETTING_RATE, .word = "18446744073709551616" },
		{ .s = SETTING_RATE, .word = "?" },
		{ .s = SETTING_RATE, .word = "?05" },
		{ .s = SETTING_RATE, .word = "lack" },
		{ .s = SETTING_DRIVER, .word = "vfio-pci" },
		{ .s = SETTING_DRIVER, .word = "=%" },
		{ .s = SETTING_DRIVER, .word = "=%2" },
		{ .s = SETTING_DRIVER, .word = "=%2x" },
		{ .s = SETTING_DRIVER, .word = "=%2F" },
		{ .s = SETTING_DRIVER, .word = "=%41" },
		{ .s = SETTING_DRIVER, .word = "=%00" },
		{ .s = SETTING_DRIVER, .word = "=a b" },
		{ .s = SETTING_DRIVER,
		  .word = "=0123456789012345678901234567890123456789012345678901234567890123" },
	};
	struct setting_value v = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT(setting_parse(rows[i].s, rows[i].word, &v) == -EINVAL);
		EXPECT(v.state == SETTING_UNSET && v.number == 0);
	}
}
