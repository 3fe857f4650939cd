/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers of ethtool and devlink: whose they are, and which counts of several. */
#include "imported.h"

#include <sriovctl/devinfo.h>
#include <sriovctl/drvinfo.h>

#include <string.h>

#define NEW "16.35.3006 (MT_0000000080)"
#define OLD "16.20.1010 (MT_0000000080)"
#define ANSWER(fw, at) \
	"driver: mlx5_core\nversion: 6.1.90\nfirmware-version: " fw "\nbus-info: " at "\n"
#define ASK(name) "[root@h ~]# ethtool -i " name "\n"

/* "": it is not known. */
static bool has_firmware(const struct host *h, const char *interface, const char *firmware)
{
	struct drvinfo info = { 0 };
	int r = drvinfo_read(h, interface, &info, NULL);

	if (r == -ENODATA ? *firmware == '\0' : r == 0 && strcmp(info.firmware, firmware) == 0)
		return true;
	printf("# %s: %d \"%s\"\n", interface, r, info.firmware);
	return false;
}

TEST(one_command_has_one_answer)
{
	static const struct {
		const char *text, *first, *second;
	} rows[] = {
		{ .text = ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0") ASK("ens2f0")
			  ANSWER(OLD, "0000:af:00.0"),
		  .first = NEW,
		  .second = OLD },
		{ .text = "[root@h ~]# for i in ens1f0 ens2f0; do ethtool -i $i; done\n" ANSWER(
			  NEW, "0000:3b:00.0") ANSWER(OLD, "0000:af:00.0"),
		  .first = "",
		  .second = "" },
		{ .text = "[root@h ~]# ethtool -i ens1f0; ethtool -i ens2f0\n" ANSWER(
			  NEW, "0000:3b:00.0") ANSWER(OLD, "0000:af:00.0"),
		  .first = "",
		  .second = "" },
		{ .text = ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0") ANSWER(OLD, "0000:af:00.0"),
		  .first = NEW,
		  .second = "" },
		/* Cut: the address below is of the other. */
		{ .text = "[root@h ~]# ethtool -i ens1f0 | head -3\ndriver: mlx5_core\n"
			  "version: 6.1.90\nfirmware-version: " NEW
			  "\n[root@h ~]# ethtool -i ens2f0 | grep bus\nbus-info: 0000:af:00.0\n",
		  .first = "",
		  .second = "" },
		{ .text = ASK("ens1f0") "Cannot get driver information: No such device\n" ANSWER(
			  NEW, "0000:af:00.0"),
		  .first = "",
		  .second = "" },
		/* What follows an answer is not of it. */
		{ .text = ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0") "filename: x.ko\nversion: 9\n"
								    "firmware-version: 8\n",
		  .first = NEW,
		  .second = "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		const struct host *h = imported_text(&v, rows[i].text);

		EXPECT(has_firmware(h, "ens1f0", rows[i].first));
		EXPECT(has_firmware(h, "ens2f0", rows[i].second));
	}
}

TEST(an_interface_has_one_function)
{
	AUTO_IMPORTED struct imported twice = { 0 }, named = { 0 };
	AUTO_STRV struct strv names = { 0 };
	const struct host *h = imported_text(&twice, ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0") ASK(
							     "ens1f0") ANSWER(OLD, "0000:af:00.0"));

	EXPECT(has_firmware(h, "ens1f0", ""));
	EXPECT(host_list(h, &names, NULL, PCIDEV_PATH "/0000:3b:00.0/net") < 0 || names.n == 0);
	EXPECT(twice.told.n == 2);
	h = imported_text(&named, ASK("enp59s0f0") ANSWER(OLD, "0000:af:00.0"));
	EXPECT(has_firmware(h, "enp59s0f0", ""));
	EXPECT(named.told.n == 2);
}

TEST(of_two_answers_the_last_of_one_shell_counts_and_of_two_texts_none)
{
	AUTO_IMPORTED struct imported one = { 0 }, two = { 0 }, same = { 0 };

	EXPECT(has_firmware(imported_text(&one, ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0")
							ASK("ens1f0") ANSWER(OLD, "0000:3b:00.0")),
			    "ens1f0", OLD));
	imported_put(&two, "/a", ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0"));
	imported_put(&two, "/b", ASK("ens1f0") ANSWER(OLD, "0000:3b:00.0"));
	EXPECT(has_firmware(imported_host(&two), "ens1f0", ""));
	EXPECT(two.told.n == 3);
	imported_put(&same, "/a", ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0"));
	imported_put(&same, "/b", ASK("ens1f0") ANSWER(NEW, "0000:3b:00.0"));
	EXPECT(has_firmware(imported_host(&same), "ens1f0", NEW));
	EXPECT(same.told.n == 2);
}

#define STORED(version)                                          \
	"pci/0000:3b:00.0:\n  driver mlx5_core\n  versions:\n"   \
	"      running:\n        fw 16.35.3006\n      stored:\n" \
	"        fw " version "\n"
#define PROMPT "[root@h ~]# devlink dev info pci/0000:3b:00.0\n"

static bool has_stored(const struct host *h, const char *version)
{
	AUTO_DEVINFO struct devinfo d = { 0 };
	int r = devinfo_read(h, "pci", "0000:3b:00.0", &d, NULL);
	const char *stored = r == 0 ? devinfo_find(&d, DEVINFO_STORED, "fw") : NULL;

	if (!version)
		return r == -ENODATA;
	return stored && strcmp(stored, version) == 0;
}

TEST(of_two_answers_of_devlink_the_last_of_one_shell_counts)
{
	AUTO_IMPORTED struct imported shell = { 0 }, bare = { 0 }, two = { 0 };

	EXPECT(has_stored(imported_text(&shell, PROMPT STORED("1") PROMPT STORED("2")), "2"));
	EXPECT(has_stored(imported_text(&bare, STORED("1") STORED("2")), NULL));
	imported_put(&two, "/a", PROMPT STORED("1"));
	imported_put(&two, "/b", PROMPT STORED("2"));
	EXPECT(has_stored(imported_host(&two), NULL));
	EXPECT(two.told.n == 3);
}

#define NUMVFS PCIDEV_PATH "/0000:3b:00.0/sriov_numvfs"
#define CAT    "u@h:~$ cat " NUMVFS "\n"

TEST(of_two_looks_into_a_file_the_last_of_one_shell_counts)
{
	AUTO_IMPORTED struct imported shell = { 0 }, gone = { 0 }, two = { 0 };

	EXPECT(imported_says(imported_text(&shell, CAT "4\n" CAT "8\n"), NUMVFS, "8"));
	EXPECT(host_exists(imported_text(&gone, CAT "4\n" CAT "cat: " NUMVFS
						    ": No such file or directory\n"),
			   NUMVFS) == -ENOENT);
	imported_put(&two, "/a", CAT "4\n");
	imported_put(&two, "/b", CAT "8\n");
	EXPECT(host_exists(imported_host(&two), NUMVFS) == -ENODATA);
	EXPECT(two.told.n == 3);
}

TEST(an_answer_of_devlink_is_whole_where_something_is_behind_it)
{
	static const struct {
		const char *text;
		bool is_cut;
	} rows[] = {
		{ .text = STORED("1"), .is_cut = true },
		{ .text = STORED("1") "other\n", .is_cut = true },
		{ .text = STORED("1") "[root@h ~]# \n" },
		{ .text = STORED("1") "pci/0000:af:00.0:\n  driver ice\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_DEVINFO struct devinfo d = { 0 };
		const struct host *h = imported_text(&v, rows[i].text);

		EXPECT(devinfo_read(h, "pci", "0000:3b:00.0", &d, NULL) == 0);
		EXPECT(d.n == 2 && d.is_cut == rows[i].is_cut);
	}
}
