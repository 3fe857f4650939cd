/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs in which time runs backwards, and lines that are of another host, or of no kernel. */
#include "imported.h"

#define GROUP PCIDEV_PATH "/0000:3b:00.0/iommu_group"

#define VERSION "Linux version 6.1.192 (a@b) (gcc) #1 SMP\n"
#define JOINS	"pci 0000:3b:00.0: Adding to iommu group 5\n"

static bool has_group(const struct host *h)
{
	return host_exists(h, GROUP) == 0;
}

TEST(the_newest_line_may_be_the_first)
{
	AUTO_IMPORTED struct imported older = { 0 }, newer = { 0 }, bare = { 0 }, marked = { 0 };

	/* The group was of the boot before. */
	EXPECT(!has_group(imported_text(
		&older, "Nov 30 10:05:09 h kernel: DMAR: DMAR not parsed\n"
			"Nov 30 10:05:00 h kernel: Command line: BOOT_IMAGE=/vmlinuz a\n"
			"Nov 30 10:05:00 h kernel: " VERSION "Nov 29 09:05:03 h kernel: " JOINS
			"Nov 29 09:05:02 h kernel: DMAR-IR: Enabled IRQ remapping\n")));
	EXPECT(imported_says(older.h, "/proc/cmdline", "BOOT_IMAGE=/vmlinuz a"));
	EXPECT(has_group(imported_text(&newer, "Nov 30 10:05:03 h kernel: " JOINS
					       "Nov 30 10:05:00 h kernel: " VERSION
					       "Nov 29 09:05:03 h kernel: usb 1-1: new device\n")));
	EXPECT(has_group(imported_text(&bare, "[    9.0] usb 1-1: new device\n[    5.0] " JOINS
					      "[    0.0] " VERSION)));
	EXPECT(has_group(imported_text(
		&marked, "-- Boot 2 --\n2026-11-30T10:05:03 h kernel: " JOINS
			 "2026-11-30T10:05:00 h kernel: " VERSION
			 "-- Boot 1 --\n2026-11-29T10:05:03 h kernel: usb 1-1: new device\n")));
}

#define RECORD(time, boot, message)                                                              \
	"__CURSOR=s=1\n__REALTIME_TIMESTAMP=17000000000000" time "\n__MONOTONIC_TIMESTAMP=" time \
	"\n_BOOT_ID=" boot "\n_HOSTNAME=h\n_TRANSPORT=kernel\nMESSAGE=" message "\n"

/* The clock of a kernel that another one starts may go on, and its first lines may be lost. */
TEST(another_boot_begins_where_one_ends_or_a_command_line_comes_again)
{
	static const char *const texts[] = {
		"[  2.0] " JOINS "[ 90.0] kexec_core: Starting new kernel\n[ 91.0] usb 1-1: new\n",
		"[  2.0] " JOINS "[ 90.0] reboot: Restarting system\n[ 91.0] usb 1-1: new\n",
		"[  1.0] Command line: ro a\n[  2.0] " JOINS "[ 91.0] Command line: ro b\n",
		"[  1.0] Kernel command line: ro a\n[  2.0] " JOINS
		"[ 91.0] Kernel command line: ro b\n",
	};
	AUTO_IMPORTED struct imported last = { 0 }, once = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IMPORTED struct imported v = { 0 };

		EXPECT(!has_group(imported_text(&v, texts[i])));
		EXPECT(i < 2 || imported_says(v.h, "/proc/cmdline", "ro b"));
	}
	EXPECT(has_group(imported_text(&last, "[  2.0] " JOINS "[ 90.0] reboot: Power down\n")));
	EXPECT(has_group(imported_text(&once,
				       "[  1.0] Command line: ro a\n"
				       "[  1.1] Kernel command line: ro a\n[  2.0] " JOINS)));
}

TEST(exports_of_a_journal_are_read_from_their_beginning)
{
	AUTO_IMPORTED struct imported older = { 0 }, newer = { 0 }, odd = { 0 };

	EXPECT(!has_group(imported_text(
		&older, RECORD("40", "b2", "usb 1-1: new device\n") RECORD("30", "b2", VERSION)
				RECORD("20", "b1", JOINS) RECORD("10", "b1", VERSION))));
	EXPECT(older.told.n == 1);
	EXPECT(has_group(imported_text(&newer,
				       RECORD("40", "b2", JOINS) RECORD("30", "b2", VERSION)
					       RECORD("20", "b1", "usb 1-1: new device\n"))));
	/* By its stamps it begins with what cannot be the beginning. */
	EXPECT(!has_group(imported_text(&odd, RECORD("10", "b2", "usb 1-1: new device\n")
						      RECORD("20", "b2", VERSION)
							      RECORD("30", "b1", JOINS))));
	EXPECT(odd.told.n == 2 && odd.taken == 0);
}

/* Of which none is known to be the last: both are of one kernel, with two command lines. */
TEST(two_exports_of_two_boots_tell_nothing)
{
	AUTO_IMPORTED struct imported two = { 0 };

	imported_put(&two, "/a",
		     RECORD("10", "b1", VERSION) RECORD("11", "b1", "Command line: a\n")
			     RECORD("20", "b1", JOINS));
	imported_put(&two, "/b",
		     RECORD("30", "b2", VERSION) RECORD("31", "b2", "Command line: b\n"));
	EXPECT(!has_group(imported_host(&two)));
	EXPECT(two.told.n == 3);
}

TEST(only_the_kernel_of_the_host_is_a_witness)
{
	static const struct {
		const char *line;
		bool is_one;
	} rows[] = {
		{ .line = "Nov 30 10:00:03 h kernel: " JOINS, .is_one = true },
		{ .line = "Nov 30 10:00:03 h2 kernel: " JOINS },
		{ .line = "Nov 30 10:00:03 h root[123]: kernel: " JOINS },
		{ .line = "Nov 30 10:00:03 h root: " JOINS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf text = { 0 };

		buf_printf(&text, "Nov 30 10:00:00 h kernel: " VERSION "%s", rows[i].line);
		EXPECT(has_group(imported_text(&v, buf_text(&text))) == rows[i].is_one);
	}
}

TEST(a_log_of_two_hosts_is_nobodys)
{
	AUTO_IMPORTED struct imported two = { 0 }, renamed = { 0 };

	EXPECT(!has_group(imported_text(
		&two, "Nov 30 10:00:00 h kernel: " VERSION "Nov 30 10:00:01 h kernel: usb: x\n"
		      "Nov 30 10:00:02 h2 kernel: " VERSION "Nov 30 10:00:03 h2 kernel: " JOINS)));
	EXPECT(two.told.n == 2);
	EXPECT(has_group(imported_text(&renamed, "Nov 30 10:00:00 localhost kernel: " VERSION
						 "Nov 30 10:00:03 h kernel: " JOINS)));
}
