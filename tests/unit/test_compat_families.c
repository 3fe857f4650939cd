/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Firmware of each family, as its driver prints it: what fits, what is too old, what is known to be
 * bad and what is no version.  Where the table inside the program has no such row, one of a
 * site's own stands in, as --compat would bring it.
 */
#include <sriovctl/compat_judge.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include "test.h"

#include <string.h>

static const struct kind {
	const char *family;
	uint16_t vendor, device;
	const char *driver, *own; /* the version of one that is not of the kernel's tree; or NULL */
	const char *fits, *old, *bad;
	const char *least; /* of a site's own row; NULL: the table has what @old is too old for */
	bool knows_bad;	   /* the table has @bad; else a site's own row */
	const char *no_version;
} kinds[] = {
	{ "intel-82576", 0x8086, 0x10c9, "igb", NULL, "1.2.1", "1.2.0", "1.2.3", "1.2.1", false,
	  "1.2.1 beta" },
	{ "intel-i350", 0x8086, 0x1521, "igb", NULL, "1.63, 0x8000116b", "1.48, 0x800006e7",
	  "1.61, 0x80000daa", "1.63", false, "1.63 0x" },
	{ "intel-x550", 0x8086, 0x1563, "ixgbe", "6.4.4", "3.70 0x8000184a 1.3052.0",
	  "3.60 0x80001860 1.3105.0", "3.65 0x80001870 1.3052.0", NULL, false, "3.7x 0x8000184a" },
	{ "intel-e610", 0x8086, 0x57b0, "ixgbe", "6.4.4", "1.60 0x800105c3 1.3909.0",
	  "1.41 0x8000f4a1 1.3863.0", "1.50 0x80010000 1.3863.0", NULL, false, "1.60-rc" },
	{ "intel-700", 0x8086, 0x158b, "i40e", "2.22.18", "9.20 0x8000d89c 1.3353.0",
	  "8.30 0x8000a49d 1.2926.0", "6.01 0x80003221", NULL, true, "9.2O 0x8000d89c 1.3353.0" },
	{ "intel-x722", 0x8086, 0x37d2, "i40e", "2.22.18", "6.20 0x80003d3e 1.2935.0",
	  "5.60 0x8000357f 1.2935.0", "5.00 0x800023c3 1.2766.0", NULL, false, "n/a 6.20" },
	{ "intel-e810", 0x8086, 0x1592, "ice", "1.11.1", "4.20 0x80017785 1.3346.0",
	  "4.00 0x800117e8 1.3236.0", "3.10 0x8000aa66 1.3100.0", NULL, false, "4.20 80017785" },
	{ "intel-e82x", 0x8086, 0x188b, "ice", NULL, "3.42 0x8001f66b 1.3682.0",
	  "3.12 0x80017ca8 1.3243.0", "3.33 0x8001b295 1.3443.0", "3.39", false, "3,42" },
	{ "intel-e825c", 0x8086, 0x579d, "ice", NULL, "3.90 0x8001f66b 1.3682.0",
	  "3.70 0x8001f000 1.3682.0", "3.80 0x8001f100 1.3682.0", "3.84", false, "3.90 0x" },
	{ "intel-e830", 0x8086, 0x12d2, "ice", "2.6.6", "2.10 0x80023f11 1.4002.0",
	  "1.20 0x80022d47 1.3805.0", "1.11 0x80022000 1.3805.0", NULL, false, "2.10." },
	{ "mlx-cx3", 0x15b3, 0x1003, "mlx4_core", NULL, "2.42.5000", "2.40.7000", "2.41.7004", NULL,
	  false, "2.42" },
	{ "mlx-cx4", 0x15b3, 0x1013, "mlx5_core", NULL, "12.28.2006 (MT_2150110033)",
	  "12.18.2000 (MT_2150110033)", "12.27.1016", NULL, false, "12.28 (MT_2150110033)" },
	{ "mlx-cx4lx", 0x15b3, 0x1015, "mlx5_core", NULL, "14.32.1912 (MT_2420110034)",
	  "14.18.2000 (DEL2420110034)", "14.31.1014", NULL, false, "14.32.1912 (" },
	{ "mlx-cx5", 0x15b3, 0x1017, "mlx5_core", NULL, "16.35.4030 (MT_0000000012)",
	  "16.20.1010 (MT_0000000012)", "16.33.1048", NULL, false, "v16.35.4030" },
	{ "mlx-cx6", 0x15b3, 0x101b, "mlx5_core", NULL, "20.39.5124 (MT_0000000222)",
	  "20.26.1040 (MT_0000000222)", "20.38.1002", NULL, false, "20.39.x" },
	{ "mlx-cx6dx", 0x15b3, 0x101d, "mlx5_core", NULL, "22.35.1012 (MT_0000000359)",
	  "22.26.1040 (MT_0000000359)", "22.36.1010", NULL, false, "22-35-1012" },
	{ "mlx-cx6lx", 0x15b3, 0x101f, "mlx5_core", NULL, "26.43.1014 (MT_0000000531)",
	  "26.26.1040 (MT_0000000531)", "26.42.1000 (MT_0000000531)", NULL, true, "26.43.1014 MT" },
	{ "mlx-cx7", 0x15b3, 0x1021, "mlx5_core", NULL, "28.48.1000 (MT_0000000838)",
	  "28.33.1048 (MT_0000000838)", "28.44.1036 (MT_0000000838)", NULL, true, "28." },
	{ "mlx-cx8", 0x15b3, 0x1023, "mlx5_core", NULL, "40.47.2682 (MT_0000001222)",
	  "40.42.1000 (MT_0000001222)", "40.46.1006", NULL, false, "forty" },
	{ "mlx-bf1", 0x15b3, 0xa2d2, "mlx5_core", NULL, "18.27.1000 (MT_0000000009)",
	  "18.24.0246 (MT_0000000009)", "18.26.1040", "18.27.1000", false, "18" },
	{ "mlx-bf2", 0x15b3, 0xa2d6, "mlx5_core", NULL, "24.47.2682 (MT_0000000703)",
	  "24.27.4000 (MT_0000000703)", "24.40.1000", NULL, false, "24.47.2682(MT)" },
	{ "mlx-bf3", 0x15b3, 0xa2dc, "mlx5_core", NULL, "32.47.2682 (MT_0000000884)",
	  "32.35.2000 (MT_0000000884)", "32.40.1000", NULL, false, "32:47:2682" },
	{ "bnxt-p4", 0x14e4, 0x16d7, "bnxt_en", NULL, "214.4.81.0/pkg 21.40.25.31",
	  "212.0.92.0/pkg 21.20.12.0", "213.0.1.0", "214.0.0.0", false, "214.x/pkg 1" },
	{ "bnxt-p5", 0x14e4, 0x1750, "bnxt_en", NULL, "218.0.124.0", "214.0.1.0", "217.0.59.0",
	  "216.0.0.0", false, "218.0" },
	{ "bnx2x", 0x14e4, 0x168e, "bnx2x", NULL, "FFV7.10.17 bc 7.10.11", "bc 7.8.22 phy 1.34",
	  "bc 7.9.1", "bc 7.10.0", false, "7.10.11" },
	{ "cxgb4", 0x1425, 0x6410, "cxgb4", NULL, "1.26.2.0, TP 0.1.23.2", "1.24.3.0, TP 0.1.4.9",
	  "1.27.1.0, TP 0.1.23.2", NULL, false, "1.26.2.0 TP" },
	{ "sfc-sfn7", 0x1924, 0x0903, "sfc", NULL, "4.7.1.1001 rx1 tx1", "4.2.2.1003 rx0 tx0",
	  "4.8.0.1000 rx1 tx1", NULL, false, "4.7.1" },
	{ "sfc-sfn8", 0x1924, 0x0a03, "sfc", NULL, "6.0.2.1004 rx1 tx1", "5.0.3.1001 rx1 tx1",
	  "6.1.0.1000", NULL, false, "6.0.2.1004 rx" },
	{ "sfc-x2", 0x1924, 0x0b03, "sfc", NULL, "7.6.1.1006 rx1 tx1", "7.0.0.1000 rx1 tx1",
	  "7.1.0.1000", "7.6.0.1000", false, "X2 7.6" },
	{ "qede-45000", 0x1077, 0x1644, "qede", NULL, "mbi 15.10.9 [mfw 8.30.14.0]",
	  "mfw 8.18.18.0", "mfw 8.33.1.0", NULL, false, "mfw eight" },
	{ "qede-41000", 0x1077, 0x8070, "qede", NULL, "mbi 15.35.1 [mfw 8.52.9.0]",
	  "mbi 15.5.6 [mfw 8.20.0.0]", "mfw 8.40.33.0", NULL, false, "mbi 15.35.1" },
	{ "hns3", 0x19e5, 0xa222, "hns3", NULL, "1.8.10.0", "1.7.2.0", "1.9.0.0", NULL, false,
	  "1.8.10.0b" },
	{ "be2net", 0x10df, 0x0720, "be2net", NULL, "11.4.1186.0 [11.4.1226.0]", "10.6.193.25",
	  "11.1.215.0", "11.2.0.0", false, "11.4" },
	{ "ionic", 0x1dd8, 0x1002, "ionic", NULL, "1.15.9-28", "0.11.0-50", "1.3.1-18", "1.15.0-1",
	  false, "1.15.9" },
};

/* The bad version's own number alone, as a table has it. */
static void put_site(const struct kind *k, struct buf *out)
{
	buf_puts(out, "{ \"schema\": 1, \"rows\": [ ");
	if (k->least)
		buf_printf(out,
			   "{ \"id\": \"own-least\", \"judges\": \"firmware\", \"says\": "
			   "\"minimum\", \"families\": [\"%s\"], \"version\": {\"from\": "
			   "\"%s\"}, \"fault\": \"old\", \"source\": \"site\", \"sure\": "
			   "\"derived\" }",
			   k->family, k->least);
	if (!k->knows_bad)
		buf_printf(out,
			   "%s{ \"id\": \"own-bad\", \"judges\": \"firmware\", \"says\": \"bad\", "
			   "\"families\": [\"%s\"], \"version\": \"%s\", \"fault\": \"bad\", "
			   "\"source\": \"site\", \"sure\": \"derived\" }",
			   k->least ? ", " : "", k->family, k->bad);
	buf_puts(out, " ] }");
}

static enum compat_verdict judge(const struct compat *c, const struct kind *k, const char *firmware,
				 struct error *why)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	const struct compat_function f = {
		.vendor = k->vendor,
		.device = k->device,
		.driver = k->driver,
		.driver_version = k->own,
		.tree = k->own ? COMPAT_OUT_OF_TREE : COMPAT_IN_TREE,
		.firmware = firmware,
		.vfs = 256,
	};

	EXPECT(compat_judge_firmware(c, &f, &j, why) == 0);
	return j.verdict;
}

static void expect(const struct compat *c, const struct kind *k, const char *firmware,
		   enum compat_verdict wanted)
{
	struct error why = { 0 };
	enum compat_verdict v = judge(c, k, firmware, &why);

	if (v != wanted)
		printf("# %s: \"%s\" is %d, not %d: %s\n", k->family, firmware, v, wanted,
		       why.text);
	EXPECT(v == wanted);
	/* What cannot be read is shown. */
	if (wanted == COMPAT_UNREADABLE)
		EXPECT(strstr(why.text, firmware));
}

TEST(each_family_fits_is_too_old_is_bad_and_cannot_be_read)
{
	const struct compat_table *tables[] = { &compat_built_in };
	const struct compat base = { .tables = tables, .n = 1 };

	EXPECT(ARRAY_SIZE(kinds) >= 25);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		AUTO_COMPAT struct compat c = { 0 };
		AUTO_BUF struct buf text = { 0 };
		struct compat_table *own = NULL;
		struct error e = { 0 };
		int r;

		put_site(&kinds[i], &text);
		r = compat_parse(buf_text(&text), text.len, "site", &compat_built_in, &own, &e);
		if (r < 0)
			printf("# %s\n", e.text);
		EXPECT(r == 0 && compat_over(&base, &c, NULL) == 0);
		EXPECT(compat_add(&c, own, NULL) == 0);
		expect(&c, &kinds[i], kinds[i].fits, COMPAT_FITS);
		expect(&c, &kinds[i], kinds[i].old, COMPAT_TOO_OLD);
		expect(&c, &kinds[i], kinds[i].bad, COMPAT_IS_BAD);
		expect(&c, &kinds[i], kinds[i].no_version, COMPAT_UNREADABLE);
	}
}

TEST(ids_of_images_are_the_same_or_nothing_is_known)
{
	static const struct {
		const char *family;
		uint16_t device;
		const char *known, *unknown;
	} images[] = {
		{ "intel-82599", 0x10fb, "0x61bf0001", "0x800003e1, 1.1824.0" },
		{ "intel-x540", 0x1528, "0x800005f9", "0x80000388" },
		{ "intel-x552", 0x15ad, "0x800003e7, 1.1767.0", "0x800001c0" },
	};
	const struct compat_table *tables[] = { &compat_built_in };
	const struct compat c = { .tables = tables, .n = 1 };

	for (size_t i = 0; i < ARRAY_SIZE(images); i++) {
		AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
		const struct kind k = { .family = images[i].family,
					.vendor = 0x8086,
					.device = images[i].device,
					.driver = "ixgbe" };
		const struct compat_function f = { .vendor = k.vendor,
						   .device = k.device,
						   .driver = k.driver,
						   .firmware = images[i].unknown };

		expect(&c, &k, images[i].known, COMPAT_FITS);
		expect(&c, &k, "0xnone", COMPAT_UNREADABLE);
		EXPECT(compat_judge_firmware(&c, &f, &j, NULL) == 0);
		EXPECT(j.verdict == COMPAT_NOT_COVERED && j.newest.row);
	}
}

static enum compat_verdict of_i40e(const char *driver, enum compat_tree tree, const char *firmware,
				   struct compat_judgement *j)
{
	const struct compat_table *tables[] = { &compat_built_in };
	const struct compat c = { .tables = tables, .n = 1 };
	const struct compat_function f = { .vendor = 0x8086,
					   .device = 0x1572,
					   .driver = "i40e",
					   .driver_version = driver,
					   .tree = tree,
					   .firmware = firmware };

	EXPECT(compat_judge_firmware(&c, &f, j, NULL) == 0);
	return j->verdict;
}

TEST(newer_than_any_tested_is_told)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };

	EXPECT(of_i40e(NULL, COMPAT_IN_TREE, "9.90 0x80020000 1.5000.0", &j) == COMPAT_TOO_NEW);
	EXPECT(strncmp(compat_text(j.newest.table, j.newest.row->version.from), "9.57", 4) == 0);
}

TEST(newer_than_the_one_of_the_driver_is_no_fault)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };

	EXPECT(of_i40e("2.22.18", COMPAT_OUT_OF_TREE, "9.30 0x8000e606 1.3429.0", &j) ==
	       COMPAT_TOO_NEW);
	EXPECT(j.newest.row->says == COMPAT_PAIRS);
}

TEST(a_driver_without_a_pair_is_judged_by_what_was_tested)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };

	EXPECT(of_i40e("2.23.5", COMPAT_OUT_OF_TREE, "9.30 0x8000e606 1.3429.0", &j) ==
	       COMPAT_FITS);
}

TEST(older_than_any_tested_is_not_covered)
{
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };

	EXPECT(of_i40e(NULL, COMPAT_IN_TREE, "4.42 0x8000191b 0.0.0", &j) == COMPAT_NOT_COVERED);
	/* A note tells of it, and fails nothing. */
	EXPECT(j.notes.n == 1 && j.newest.row);
}

TEST(a_fault_of_many_vfs_is_none_with_few)
{
	const struct compat_table *tables[] = { &compat_built_in };
	const struct compat c = { .tables = tables, .n = 1 };
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	const struct compat_function f = { .vendor = 0x15b3,
					   .device = 0x1021,
					   .driver = "mlx5_core",
					   .firmware = "28.44.1036",
					   .vfs = 16 };

	EXPECT(compat_judge_firmware(&c, &f, &j, NULL) == 0 && j.verdict == COMPAT_FITS);
}

TEST(a_package_older_than_the_pair)
{
	const struct compat_table *tables[] = { &compat_built_in };
	const struct compat c = { .tables = tables, .n = 1 };
	AUTO_COMPAT_JUDGEMENT struct compat_judgement j = { 0 };
	struct compat_function f = { .vendor = 0x8086,
				     .device = 0x1592,
				     .driver = "ice",
				     .driver_version = "1.11.1",
				     .tree = COMPAT_OUT_OF_TREE,
				     .firmware = "4.20 0x80017785 1.3346.0",
				     .ddp_name = "ICE OS Default Package",
				     .ddp_version = "1.3.28.0" };

	EXPECT(compat_judge_firmware(&c, &f, &j, NULL) == 0 && j.verdict == COMPAT_FITS);
	EXPECT(strcmp(compat_judge_package(&j.because, &f), "1.3.30") == 0);
	f.ddp_version = "1.3.30.0";
	EXPECT(!compat_judge_package(&j.because, &f));
	f.ddp_name = "ICE COMMS Package";
	EXPECT(strcmp(compat_judge_package(&j.because, &f), "1.3.40") == 0);
	f.ddp_version = NULL;
	EXPECT(!compat_judge_package(&j.because, &f));
}
