/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/macs.h>

#include <sriovctl/buf.h>

#include "test.h"

#include <errno.h>
#include <string.h>

TEST(one_form_is_an_address)
{
	static const char *const wrong[] = {
		"",
		"02:00:00:00:00",
		"02:00:00:00:00:01:02",
		"02:00:00:00:00:1",
		"02-00-00-00-00-01",
		"0200.0000.0001",
		"020000000001",
		"02:00:00:00:00:0g",
		"0x:00:00:00:00:01",
		"02:0x:00:00:00:01",
		"02:00:00:00:00: 1",
		" 2:00:00:00:00:01",
		"+2:00:00:00:00:01",
		"02:00:00:00:00:01 ",
		"02:00:00:00:00:01\n",
		"0:200:00:00:00:01",
		"02::00:00:00:00:1",
	};
	uint64_t mac = 7;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT(macs_parse(wrong[i], &mac) == -EINVAL && mac == 7);
	EXPECT(macs_parse("00:00:00:00:00:00", &mac) == 0 && mac == 0);
	EXPECT(macs_parse("02:00:5e:10:00:ff", &mac) == 0 && mac == 0x02005e1000ff);
	EXPECT(macs_parse("FF:Ff:fF:ff:fE:DC", &mac) == 0 && mac == 0xfffffffffedc);
}

static bool prints(uint64_t mac, const char *text)
{
	AUTO_BUF struct buf b = { 0 };
	uint64_t again;

	macs_print(mac, &b);
	if (strcmp(buf_text(&b), text) != 0)
		printf("# %s\n", buf_text(&b));
	return strcmp(buf_text(&b), text) == 0 && macs_parse(text, &again) == 0 && again == mac;
}

TEST(an_address_is_printed_as_it_is_read)
{
	EXPECT(prints(0, "00:00:00:00:00:00"));
	EXPECT(prints(0x02005e1000ff, "02:00:5e:10:00:ff"));
	EXPECT(prints(0xffffffffffff, "ff:ff:ff:ff:ff:ff"));
}

TEST(multicast)
{
	EXPECT(macs_is_multicast(0xffffffffffff) && macs_is_multicast(0x01005e000001));
	EXPECT(!macs_is_multicast(0x02ffffffffff) && !macs_is_multicast(0));
}

/* Machines have these addresses: a row that has to be changed is a broken promise. */
TEST(what_is_derived_never_changes)
{
	static const struct {
		uint64_t permanent;
		uint32_t vf;
		const char *text;
	} rows[] = {
		{ .permanent = 0x001b21aabbcc, .vf = 0, .text = "3e:b0:00:aa:bb:cc" },
		{ .permanent = 0x001b21aabbcc, .vf = 1, .text = "3e:b0:01:aa:bb:cc" },
		{ .permanent = 0x001b21aabbcc, .vf = 5, .text = "3e:b0:05:aa:bb:cc" },
		{ .permanent = 0x001b21aabbcc, .vf = 255, .text = "3e:b0:ff:aa:bb:cc" },
		{ .permanent = 0x001b21aabbcc, .vf = 4095, .text = "3e:bf:ff:aa:bb:cc" },
		{ .permanent = 0x001b21aabbcc, .vf = 4096, .text = "3e:a0:00:aa:bb:cc" },
		{ .permanent = 0x001b21aabbcc, .vf = 65535, .text = "3e:4f:ff:aa:bb:cc" },
		{ .permanent = 0xb8cef6123456, .vf = 0, .text = "2a:80:00:12:34:56" },
		{ .permanent = 0xb8cef6123456, .vf = 100, .text = "2a:80:64:12:34:56" },
		{ .permanent = 0x525400123456, .vf = 0, .text = "32:40:00:12:34:56" },
		{ .permanent = 0xfcffffffffff, .vf = 63, .text = "ae:60:3f:ff:ff:ff" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(prints(macs_derive(rows[i].permanent, rows[i].vf), rows[i].text));
}

static bool is_private(uint64_t mac)
{
	return (mac >> 40 & 3) == 2 && mac >> 48 == 0;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static size_t count_twice(uint64_t *all, size_t n)
{
	size_t twice = 0;

	qsort(all, n, sizeof(*all), compare);
	for (size_t i = 1; i < n; i++)
		twice += all[i] == all[i - 1];
	return twice;
}

/* A multiplier that is odd permutes 24 bits: no card twice, and all over the place. */
static uint64_t card(uint32_t i)
{
	return (i * UINT32_C(0x9e3779)) & 0xffffff;
}

#define CARDS 2000
#define VFS   256

/* @prefixes, then the cards of each, then their VFs. */
static size_t derive_all(const uint64_t *prefixes, size_t n, uint64_t *ret)
{
	size_t wrong = 0, k = 0;

	for (size_t p = 0; p < n; p++)
		for (uint32_t c = 0; c < CARDS; c++)
			for (uint32_t vf = 0; vf < VFS; vf++) {
				ret[k] = macs_derive(prefixes[p] << 24 | card(c), vf);
				wrong += !is_private(ret[k++]);
			}
	return wrong;
}

TEST(many_cards_of_one_vendor_and_no_address_twice)
{
	static const uint64_t prefixes[] = { 0x001b21, 0xb8cef6, 0x525400 };
	AUTO_FREE uint64_t *all = calloc((size_t)CARDS * VFS, sizeof(*all));

	EXPECT(all != NULL);
	for (size_t p = 0; all && p < ARRAY_SIZE(prefixes); p++) {
		EXPECT(derive_all(&prefixes[p], 1, all) == 0);
		EXPECT(count_twice(all, (size_t)CARDS * VFS) == 0);
	}
}

/* The same cards under each prefix, which is the worst case; these prefixes hash differently. */
TEST(cards_of_several_vendors_and_no_address_twice)
{
	static const uint64_t prefixes[] = { 0x001b21, 0xb8cef6, 0x525400, 0x40a6b7 };
	const size_t n = (size_t)CARDS * VFS * ARRAY_SIZE(prefixes);
	AUTO_FREE uint64_t *all = calloc(n, sizeof(*all));

	EXPECT(all != NULL);
	if (!all)
		return;
	EXPECT(derive_all(prefixes, ARRAY_SIZE(prefixes), all) == 0);
	EXPECT(count_twice(all, n) == 0);
}

/* Every VF index that PCI has, on cards whose numbers are neighbours. */
TEST(all_vfs_of_neighbours_and_no_address_twice)
{
	const size_t n = (size_t)8 * 65536;
	AUTO_FREE uint64_t *all = calloc(n, sizeof(*all));
	size_t k = 0, wrong = 0;

	EXPECT(all != NULL);
	for (uint32_t c = 0; all && c < 8; c++)
		for (uint32_t vf = 0; vf < 65536; vf++) {
			all[k] = macs_derive(UINT64_C(0xb8cef6fffffc) + c - 4, vf);
			wrong += !is_private(all[k++]);
		}
	EXPECT(wrong == 0);
	EXPECT(all && count_twice(all, n) == 0);
}

/* The limits that macs.c states are where it says. */
TEST(prefixes_that_hash_alike_meet_where_it_is_said)
{
	const uint64_t first = 0x001b21;
	uint64_t other = first + 1;
	unsigned alike = 0;

	for (uint64_t p = 0; p < 0x100000; p++)
		alike += macs_derive(p << 28 | 0xabcdef, 0) ==
			 macs_derive(first << 24 | 0xabcdef, 0);
	/* One in 1024, give or take. */
	EXPECT(alike > 900 && alike < 1150);
	while (macs_derive(other << 24, 0) != macs_derive(first << 24, 0))
		other++;
	EXPECT(macs_derive(other << 24 | 5, 9) == macs_derive(first << 24 | 5, 9));
	EXPECT(macs_derive(other << 24 | 6, 9) != macs_derive(first << 24 | 5, 9));
}
