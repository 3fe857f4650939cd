/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a shell shows where a file's content would stand, and what only speaks of one. */
#include "imported.h"

#define CMDLINE "BOOT_IMAGE=/vmlinuz root=/dev/sda1 pcie_acs_override=downstream"
#define UNSAFE	"/sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts"
#define TOTAL	PCIDEV_PATH "/0000:3b:00.0/sriov_totalvfs"

TEST(a_complaint_is_no_content)
{
	static const struct {
		const char *path, *output;
	} rows[] = {
		{ .path = "/proc/cmdline", .output = "Connection to h closed.\n" },
		{ .path = "/proc/cmdline", .output = "-bash: /proc/cmdline: Permission denied\n" },
		{ .path = "/proc/cmdline", .output = "zsh: permission denied: a=b\n" },
		{ .path = "/proc/cmdline", .output = "u is not in the sudoers file.\n" },
		{ .path = "/proc/cmdline", .output = "Killed\n" },
		{ .path = "/proc/version", .output = "sh: 1: cat: not found\n" },
		{ .path = "/proc/sys/kernel/osrelease", .output = "-bash: cat: not found\n" },
		{ .path = UNSAFE, .output = "sudo: a password is required\n" },
		{ .path = UNSAFE, .output = "[sudo] password for u: \nsudo: no\n" },
		{ .path = "/sys/module/ice/version",
		  .output = "cat: /sys/module/ice/version: Aucun fichier ou dossier de ce type\n" },
		{ .path = TOTAL, .output = "bash: cannot fork: 16\n" },
		{ .path = TOTAL, .output = "Permission denied\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf text = { 0 };
		const struct host *h;

		buf_printf(&text, "u@h:~$ sudo cat %s\n%s", rows[i].path, rows[i].output);
		h = imported_text(&v, buf_text(&text));
		if (host_exists(h, "%s", rows[i].path) != -ENODATA)
			printf("# row %zu\n", i);
		EXPECT(host_exists(h, "%s", rows[i].path) == -ENODATA);
	}
}

TEST(content_is_what_the_file_can_hold)
{
	static const struct {
		const char *path, *output, *content;
	} rows[] = {
		{ .path = "/proc/cmdline", .output = CMDLINE "\n", .content = CMDLINE },
		{ .path = "/proc/cmdline",
		  .output = "[sudo] password for u: \n" CMDLINE "\n",
		  .content = CMDLINE },
		{ .path = "/proc/cmdline", .output = "quiet\n", .content = "quiet" },
		{ .path = TOTAL, .output = "64 \n", .content = "64" },
		{ .path = UNSAFE, .output = "N\n", .content = "N" },
		{ .path = PCIDEV_PATH "/0000:3b:00.0/vendor",
		  .output = "0x8086\n",
		  .content = "0x8086" },
		{ .path = "/sys/devices/system/cpu/vulnerabilities/l1tf",
		  .output = "Mitigation: PTE Inversion\n",
		  .content = "Mitigation: PTE Inversion" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_IMPORTED struct imported v = { 0 };
		AUTO_BUF struct buf text = { 0 };

		buf_printf(&text, "u@h:~$ sudo cat %s\n%s", rows[i].path, rows[i].output);
		EXPECT(imported_says(imported_text(&v, buf_text(&text)), rows[i].path,
				     rows[i].content));
	}
}

TEST(what_is_to_become_a_command_line_is_none)
{
	static const char *const texts[] = {
		"GRUB_CMDLINE_LINUX=\"intel_iommu=on iommu=pt console=ttyS0\"\n",
		"        linux   /boot/vmlinuz-6.1.0-13-amd64 root=UUID=1234 ro quiet\n",
		"qemu-system-x86_64 -kernel bzImage -append \"root=/dev/sda console=ttyS0\"\n",
		"# please reboot with intel_iommu=on root=/dev/sda1 and tell me\n",
		"root=\"UUID=1 intel_iommu=on\"\n",
		"root=/dev/sda1 is what I have.\n",
		"options root=/dev/sda1 intel_iommu=on\n",
		"BOOT_IMAGE=/vmlinuz intel_iommu=on\nis what I want\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_IMPORTED struct imported v = { 0 };

		EXPECT(host_exists(imported_text(&v, texts[i]), "/proc/cmdline") == -ENODATA);
	}
}

TEST(two_command_lines_are_none)
{
	AUTO_IMPORTED struct imported v = { 0 };

	imported_put(&v, "/a", "BOOT_IMAGE=/vmlinuz intel_iommu=on\n");
	imported_put(&v, "/b", "BOOT_IMAGE=/vmlinuz intel_iommu=off\n");
	EXPECT(host_exists(imported_host(&v), "/proc/cmdline") == -ENODATA);
	EXPECT(v.told.n == 3);
}
