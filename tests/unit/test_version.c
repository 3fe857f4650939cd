/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/version.h>

#include <sriovctl/error.h>

#include "test.h"

#include <errno.h>
#include <string.h>

/* What drivers printed on real machines, or their sources say that they print. */
static const struct {
	const char *scheme, *text;
	uint32_t parts[4];
	uint32_t line, image;
	const char *tag;
} understood[] = {
	{ .scheme = "igb", .text = "1.63, 0x80000dda", .parts = { 1, 63 }, .image = 0x80000dda },
	{ .scheme = "igb",
	  .text = "3.25, 0x800006eb, 1.1824.0",
	  .parts = { 3, 25 },
	  .image = 0x800006eb },
	{ .scheme = "igb", .text = "3.29", .parts = { 3, 29 } },
	{ .scheme = "ixgbe", .text = "0x800003e2", .image = 0x800003e2 },
	{ .scheme = "ixgbe", .text = "0x80000a49, 1.1767.0", .image = 0x80000a49 },
	{ .scheme = "ixgbe", .text = "1.2.1", .parts = { 1, 2, 1 } },
	{ .scheme = "ixgbe-e610",
	  .text = "3.70 0x8000184a 1.3052.0",
	  .parts = { 3, 0x70 },
	  .image = 0x8000184a },
	{ .scheme = "i40e",
	  .text = "8.30 0x8000a49d 1.2926.0",
	  .parts = { 8, 0x30 },
	  .image = 0x8000a49d },
	{ .scheme = "i40e", .text = "6.01 0x8000321c", .parts = { 6, 1 }, .image = 0x8000321c },
	{ .scheme = "i40e",
	  .text = "7.10 0x800051ac 19.0.12",
	  .parts = { 7, 0x10 },
	  .image = 0x800051ac },
	{ .scheme = "i40e", .text = "9.5", .parts = { 9, 0x50 } },
	{ .scheme = "i40e",
	  .text = "f4.33.31377 a1.2 n04.42 e8000191b",
	  .parts = { 4, 0x42 },
	  .image = 0x8000191b },
	{ .scheme = "i40e-x722",
	  .text = "3.33 0x80000f09 255.65535.255",
	  .parts = { 3, 0x33 },
	  .image = 0x80000f09 },
	{ .scheme = "ice",
	  .text = "4.20 0x80017785 1.3346.0",
	  .parts = { 4, 0x20 },
	  .image = 0x80017785 },
	{ .scheme = "ice", .text = "4.9", .parts = { 4, 0x90 } },
	{ .scheme = "ice-e830", .text = "2.10", .parts = { 2, 0x10 } },
	{ .scheme = "ice-e82x",
	  .text = "3.26 0x8001b733 1.3429.0",
	  .parts = { 3, 0x26 },
	  .image = 0x8001b733 },
	{ .scheme = "ddp", .text = "1.3.36.0", .parts = { 1, 3, 36, 0 } },
	{ .scheme = "mlx5",
	  .text = "22.35.1012 (MT_0000000359)",
	  .parts = { 35, 1012 },
	  .line = 22,
	  .tag = "MT_0000000359" },
	{ .scheme = "mlx5", .text = "28.48.1000", .parts = { 48, 1000 }, .line = 28 },
	{ .scheme = "mlx5",
	  .text = "14.32.1912 (DEL2420110034)",
	  .parts = { 32, 1912 },
	  .line = 14,
	  .tag = "DEL2420110034" },
	{ .scheme = "mlx4", .text = "2.42.5000", .parts = { 2, 42, 5000 } },
	{ .scheme = "bnxt",
	  .text = "218.0.219.13/pkg 218.0.221.1",
	  .parts = { 218, 0, 219, 13 },
	  .tag = "218.0.221.1" },
	{ .scheme = "bnxt", .text = "214.4.81.0", .parts = { 214, 4, 81, 0 } },
	{ .scheme = "bnxt",
	  .text = "20.6.143/1.8.0/pkg 20.06.05.06",
	  .parts = { 20, 6, 143 },
	  .tag = "20.06.05.06" },
	{ .scheme = "bnxt", .text = "bc 20.2.14 rm 1.4.0", .parts = { 20, 2, 14 } },
	{ .scheme = "bnx2x", .text = "bc 7.10.10 phy 1.40", .parts = { 7, 10, 10 } },
	{ .scheme = "bnx2x", .text = "FFV7.10.17 bc 7.10.11", .parts = { 7, 10, 11 } },
	{ .scheme = "cxgb4", .text = "1.25.6.0, TP 0.1.23.2", .parts = { 1, 25, 6, 0 } },
	{ .scheme = "qede", .text = "mbi 15.10.9 [mfw 8.30.14.0]", .parts = { 8, 30, 14, 0 } },
	{ .scheme = "qede", .text = "mfw 8.30.12.0", .parts = { 8, 30, 12, 0 } },
	{ .scheme = "sfc", .text = "6.0.2.1004 rx1 tx1", .parts = { 6, 0, 2, 1004 } },
	{ .scheme = "hns3", .text = "1.8.10.0", .parts = { 1, 8, 10, 0 } },
	{ .scheme = "hinic", .text = "2.4.1.0", .tag = "2.4.1.0" },
	{ .scheme = "ionic", .text = "0.11.0-50", .parts = { 0, 11, 0, 50 } },
	{ .scheme = "ionic", .text = "1.8.0-E-48", .parts = { 1, 8, 0, 48 } },
	{ .scheme = "nfp", .text = "0.0.3.5 0.25 nic-2.1.16.1 nic", .parts = { 2, 1, 16, 1 } },
	{ .scheme = "be2net", .text = "10.2.478.38", .parts = { 10, 2, 478, 38 } },
	{ .scheme = "be2net",
	  .text = "11.4.1186.0 [11.4.1226.0]",
	  .parts = { 11, 4, 1186, 0 },
	  .tag = "11.4.1226.0" },
	{ .scheme = "liquidio", .text = "1.7.2", .parts = { 1, 7, 2 } },
	{ .scheme = "liquidio", .text = "LIQUIDIO: 1.7.2", .parts = { 1, 7, 2 } },
	{ .scheme = "qlcnic", .text = "4.20.1", .parts = { 4, 20, 1 } },
	{ .scheme = "wangxun", .text = "0x0001002a", .image = 0x1002a },
	{ .scheme = "wangxun", .text = "0x80000203, 1.2.3", .image = 0x80000203 },
	{ .scheme = "i40e", .text = "1.2.3", .parts = { 1, 2, 3 } },
	{ .scheme = "nvme", .text = "MPK76H5Q", .tag = "MPK76H5Q" },
	{ .scheme = "driver", .text = "1.15.4", .parts = { 1, 15, 4 } },
	{ .scheme = "driver", .text = "23.10-0.5.5", .parts = { 23, 10, 0, 5 } },
	{ .scheme = "driver", .text = "5.1.0-k-rh8.2.0", .parts = { 5, 1, 0 } },
	{ .scheme = "driver", .text = "2.8.20-k", .parts = { 2, 8, 20 } },
};

TEST(what_drivers_print_is_understood)
{
	for (size_t i = 0; i < ARRAY_SIZE(understood); i++) {
		const struct version_scheme *s = version_scheme_find(understood[i].scheme);
		const char *tag = understood[i].tag ? understood[i].tag : "";
		struct version v = { 0 };

		EXPECT(s != NULL);
		EXPECT(version_parse(s, understood[i].text, &v, NULL) == 0);
		EXPECT(memcmp(v.parts, understood[i].parts, sizeof(understood[i].parts)) == 0);
		EXPECT(v.line == understood[i].line && v.image == understood[i].image);
		EXPECT(v.tag_len == strlen(tag) && memcmp(v.tag, tag, v.tag_len) == 0);
	}
}

static const char *const strange[][2] = {
	{ "igb", "N/A" },
	{ "igb", "1.63, 80000dda" },
	{ "ixgbe", "0x" },
	{ "ixgbe", "0x1ffffffff" },
	{ "ixgbe-e610", "0x8000184a" },
	{ "i40e", "8.301" },
	{ "i40e", "8.30 0x8000a49d 1.2926.0 " },
	{ "i40e", "8" },
	{ "i40e", "n/a" },
	{ "ice", "4.20 80017785" },
	{ "ice", "" },
	{ "ddp", "1.3" },
	{ "mlx5", "22.35" },
	{ "mlx5", "22.35.1012 (MT_0000000359" },
	{ "mlx5", "22.35.1012 ()" },
	{ "mlx4", "2.42.5000.1" },
	{ "bnxt", "218.0.219.13/pkg " },
	{ "bnxt", "218.0" },
	{ "bnx2x", "7.10.11" },
	{ "cxgb4", "N/A" },
	/* Cut at the 31 bytes that there are: the last number may have gone on. */
	{ "qede", "mbi 15.35.100.1 [mfw 8.37.30.10" },
	{ "sfc", "6.0.2" },
	{ "hns3", "1.8.10" },
	{ "hinic", "" },
	{ "ionic", "1.8.0" },
	{ "nfp", "* 0.25 AOTC-2.10.A.38 flower" },
	{ "be2net", "Unknown" },
	{ "liquidio", "1.7" },
	{ "qlcnic", "4.20" },
	{ "wangxun", "1.2" },
	{ "nvme", "" },
	{ "driver", "v1.2" },
	{ "driver", "1.2.3_rc4" },
	{ "driver", "99999999999.1" },
	{ "driver", "1.2.3.4.5.6.7.8.9" },
};

TEST(what_is_not_understood_is_no_version)
{
	for (size_t i = 0; i < ARRAY_SIZE(strange); i++) {
		const struct version_scheme *s = version_scheme_find(strange[i][0]);
		struct error e = { 0 };
		struct version v;

		EXPECT(s != NULL);
		EXPECT(version_parse(s, strange[i][1], &v, &e) == -EINVAL);
		EXPECT(strstr(e.text, s->example) && strstr(e.text, strange[i][1]));
	}
}

TEST(the_error_shows_where_it_stops_being_a_version)
{
	struct error e = { 0 };
	struct version v;

	EXPECT(version_parse(version_scheme_find("i40e"), "8.30 etrack", &v, &e) == -EINVAL);
	EXPECT(strstr(e.text, "not understood from \"etrack\" on"));
	EXPECT(version_parse(version_scheme_find("mlx5"), "22.35", &v, &e) == -EINVAL);
	EXPECT(strstr(e.text, "ends early"));
}

static const struct {
	const char *scheme, *a, *b;
	enum version_order order;
} ordered[] = {
	{ .scheme = "i40e", .a = "4.9", .b = "4.90 0x80001234", .order = VERSION_SAME },
	{ .scheme = "i40e", .a = "9.57", .b = "9.5", .order = VERSION_NEWER },
	{ .scheme = "i40e", .a = "9.01 0x8000cfeb", .b = "9.10", .order = VERSION_OLDER },
	{ .scheme = "i40e",
	  .a = "f4.33.31377 a1.2 n04.42 e8000191b",
	  .b = "6.01 0x8000321c",
	  .order = VERSION_OLDER },
	{ .scheme = "ice", .a = "4.91", .b = "4.9", .order = VERSION_NEWER },
	{ .scheme = "ice", .a = "5.0", .b = "4.91", .order = VERSION_NEWER },
	{ .scheme = "ice-e830", .a = "1.20", .b = "1.11", .order = VERSION_NEWER },
	{ .scheme = "igb", .a = "1.7, 0x80000dda", .b = "1.63", .order = VERSION_OLDER },
	{ .scheme = "ixgbe",
	  .a = "0x800003e2",
	  .b = "0x800003e2, 1.1824.0",
	  .order = VERSION_SAME },
	{ .scheme = "ixgbe", .a = "0x800003e2", .b = "0x80000a49", .order = VERSION_APART },
	{ .scheme = "ixgbe", .a = "1.2.1", .b = "1.2.2", .order = VERSION_APART },
	{ .scheme = "ixgbe", .a = "1.2.1", .b = "0x80000a49", .order = VERSION_APART },
	{ .scheme = "i40e", .a = "1.2.3", .b = "9.20", .order = VERSION_APART },
	{ .scheme = "i40e", .a = "1.2.3", .b = "1.2.4", .order = VERSION_APART },
	{ .scheme = "mlx5", .a = "16.35.1012", .b = "16.35.2000", .order = VERSION_OLDER },
	{ .scheme = "mlx5",
	  .a = "16.35.1012 (MT_0000000012)",
	  .b = "16.35.1012 (DEL0000000004)",
	  .order = VERSION_SAME },
	{ .scheme = "mlx5", .a = "16.35.1012", .b = "22.35.1012", .order = VERSION_APART },
	{ .scheme = "bnxt",
	  .a = "218.0.219.13/pkg 218.0.221.1",
	  .b = "218.0.219.13/pkg 219.0.0.0",
	  .order = VERSION_SAME },
	{ .scheme = "bnxt", .a = "20.6.143/1.8.0", .b = "214.4.81.0", .order = VERSION_OLDER },
	{ .scheme = "qede",
	  .a = "mbi 15.10.9 [mfw 8.30.14.0]",
	  .b = "8.30.0.0",
	  .order = VERSION_NEWER },
	{ .scheme = "nvme", .a = "MPK76H5Q", .b = "MPK76H5Q", .order = VERSION_SAME },
	{ .scheme = "nvme", .a = "MPK76H5Q", .b = "MPK76H6Q", .order = VERSION_APART },
	{ .scheme = "driver", .a = "2.4", .b = "2.4.0", .order = VERSION_SAME },
	{ .scheme = "driver", .a = "2.30.18", .b = "2.4.6", .order = VERSION_NEWER },
	{ .scheme = "driver", .a = "5.8-1.1.2", .b = "23.10-0.5.5", .order = VERSION_OLDER },
};

static enum version_order compare(const char *scheme, const char *a, const char *b)
{
	const struct version_scheme *s = version_scheme_find(scheme);
	struct version va = { 0 }, vb = { 0 };

	EXPECT(s && version_parse(s, a, &va, NULL) == 0);
	EXPECT(s && version_parse(s, b, &vb, NULL) == 0);
	return version_compare(&va, &vb);
}

TEST(only_what_has_an_order_is_ordered)
{
	static const enum version_order turned[] = {
		[VERSION_OLDER] = VERSION_NEWER,
		[VERSION_SAME] = VERSION_SAME,
		[VERSION_NEWER] = VERSION_OLDER,
		[VERSION_APART] = VERSION_APART,
	};

	for (size_t i = 0; i < ARRAY_SIZE(ordered); i++) {
		const char *scheme = ordered[i].scheme, *a = ordered[i].a, *b = ordered[i].b;

		EXPECT(compare(scheme, a, b) == ordered[i].order);
		EXPECT(compare(scheme, b, a) == turned[ordered[i].order]);
	}
}

TEST(versions_of_two_schemes_are_apart)
{
	struct version a = { 0 }, b = { 0 };

	EXPECT(version_parse(version_scheme_find("ice"), "2.10", &a, NULL) == 0);
	EXPECT(version_parse(version_scheme_find("ice-e830"), "2.10", &b, NULL) == 0);
	EXPECT(version_compare(&a, &b) == VERSION_APART);
}

TEST(each_scheme_understands_its_own_example)
{
	const struct version_scheme *s;

	for (size_t i = 0; (s = version_scheme_at(i)); i++) {
		struct version v;

		EXPECT(version_parse(s, s->example, &v, NULL) == 0);
		EXPECT(version_compare(&v, &v) == VERSION_SAME);
		EXPECT(version_scheme_find(s->name) == s);
		EXPECT(*s->source);
	}
}

static bool has_scheme(const char *driver, uint16_t device, const char *name)
{
	const struct version_scheme *s = version_scheme_of(driver, device);

	return s && strcmp(s->name, name) == 0;
}

TEST(a_driver_has_a_scheme_for_each_of_its_kinds_of_device)
{
	EXPECT(has_scheme("ice", 0x1592, "ice") && has_scheme("ice", 0, "ice"));
	EXPECT(has_scheme("ice", 0x12d2, "ice-e830") && has_scheme("ice", 0x1249, "ice-e830"));
	EXPECT(has_scheme("ice", 0x1248, "ice-e830") && has_scheme("ice", 0x1267, "ice-e830"));
	EXPECT(has_scheme("ice", 0x579e, "ice-e82x") && has_scheme("ice", 0x1890, "ice-e82x"));
	EXPECT(has_scheme("i40e", 0x1572, "i40e") && has_scheme("i40e", 0x37d0, "i40e-x722"));
	EXPECT(has_scheme("ixgbe", 0x10fb, "ixgbe") && has_scheme("ixgbe", 0x57b0, "ixgbe-e610"));
	EXPECT(has_scheme("mlx5_core", 0x1017, "mlx5") && has_scheme("bnxt_en", 0, "bnxt"));
	EXPECT(version_scheme_of("iavf", 0x1889) == NULL);
	EXPECT(version_scheme_of("ena", 0) == NULL);
}
