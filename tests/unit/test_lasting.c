/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/lasting.h>

#include "tree.h"

#include <sriovctl/rivals.h>

#include <errno.h>

#define WANTS "/etc/systemd/system/multi-user.target.wants/"

static const struct {
	const char *line;
	int64_t count;
} lines[] = {
	{ "KERNELS==\"0000:3b:00.0\", ATTR{device/sriov_numvfs}=\"8\"", 8 },
	{ "ExecStart=/bin/sh -c 'echo 16 > /sys/class/net/ens1f0/device/sriov_numvfs'", 16 },
	{ "ExecStart=/bin/sh -c 'echo $N > /sys/class/net/ens1f0/device/sriov_numvfs'", -1 },
	{ "SR-IOVVirtualFunctions=4", 4 },
	{ "virtual-function-count: 8", 8 },
	{ "total-vfs=7", 7 },
	{ "SRIOV_TOTAL_VFS=\"6\"", 6 },
	{ "numvfs: 5", 5 },
	{ "echo 99999999999999999999 > /sys/x/ens1f0/sriov_numvfs", -1 },
	{ "[sriov]", -1 },
	{ "", -1 },
};

TEST(how_many)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		int64_t count = lasting_count(lines[i].line);

		EXPECT(count == lines[i].count);
		if (count != lines[i].count)
			printf("# %s: %d\n", lines[i].line, (int)count);
	}
	EXPECT(lasting_number("8,8") == 8 && lasting_number("x") == -1 &&
	       lasting_number("8k") == -1);
}

static bool makes(const struct tree *t, const char *path, const char *text)
{
	const struct rivals_claim c = { .who = "x",
					.path = (char *)(uintptr_t)path,
					.text = (char *)(uintptr_t)text,
					.target = (char *)(uintptr_t) "" };

	return lasting_makes(t->h, &c);
}

TEST(what_makes_vfs)
{
	AUTO_TREE struct tree t = { 0 };

	tree_make(&t);
	tree_put_link(&t, WANTS "on.service", "../on.service");
	tree_put_link(&t, WANTS "masked.service", "../masked.service");
	tree_put_link(&t, "/etc/systemd/system/masked.service", "/dev/null");
	tree_open(&t);
	EXPECT(makes(&t, "/etc/rc.local", "echo 8 > /sys/x/sriov_numvfs"));
	EXPECT(makes(&t, "/etc/systemd/network/1.link", "SR-IOVVirtualFunctions=8"));
	EXPECT(!makes(&t, "/etc/systemd/network/1.network", "VirtualFunction=0"));
	EXPECT(!makes(&t, "/etc/netplan/1.yaml", "embedded-switch-mode: switchdev"));
	EXPECT(!makes(&t, "/etc/libvirt/qemu/networks/x.xml", "<pf dev='ens1f0'/>"));
	EXPECT(makes(&t, "/etc/systemd/system/on.service", "echo 8 > /sys/x/sriov_numvfs"));
	EXPECT(!makes(&t, "/etc/systemd/system/off.service", "echo 8 > /sys/x/sriov_numvfs"));
	EXPECT(!makes(&t, "/etc/systemd/system/masked.service", "echo 8 > /sys/x/sriov_numvfs"));
	EXPECT(makes(&t, "/etc/cron.d/vfs", "@reboot root echo 8 > /sys/x/sriov_numvfs"));
	EXPECT(!makes(&t, "/etc/cron.d/vfs", "0 4 * * * root echo 8 > /sys/x/sriov_numvfs"));
	EXPECT(!makes(&t, "/etc/crontab", "0 4 * * * root echo 8 > /sys/x/sriov_numvfs"));
}

static bool is_in_force(const char *path)
{
	return lasting_is_in_force(&(struct rivals_claim){ .path = (char *)(uintptr_t)path });
}

/* A script need not be executable, a profile not the active one. */
TEST(what_is_in_force_by_being_there)
{
	EXPECT(is_in_force("/etc/udev/rules.d/1.rules"));
	EXPECT(is_in_force("/etc/systemd/network/1.link"));
	EXPECT(is_in_force("/etc/tmpfiles.d/vfs.conf"));
	EXPECT(is_in_force("/etc/cron.d/vfs"));
	EXPECT(!is_in_force("/etc/rc.local") && !is_in_force("/etc/rc.d/rc.local"));
	EXPECT(!is_in_force("/etc/tuned/vfs/tuned.conf") && !is_in_force("/etc/sysfs.conf"));
	EXPECT(!is_in_force("/etc/network/interfaces"));
	EXPECT(!is_in_force("/etc/NetworkManager/dispatcher.d/50-vfs"));
}

TEST(the_spec_and_its_unit)
{
	static const char text[] =
		"{ \"schema\": 1, \"pfs\": [ { \"match\": {\"pci\": \"3b:00.0\"}, \"vfs\": 8 } ] }";
	AUTO_TREE struct tree t = { 0 };
	const struct lasting *l = NULL;

	tree_make(&t);
	tree_put(&t, LASTING_SPEC, text);
	tree_put_link(&t, WANTS LASTING_UNIT, "/lib/systemd/system/" LASTING_UNIT);
	tree_put(&t, "/sys/bus/pci/devices/0000:3b:00.0/sriov_totalvfs", "16\n");
	tree_put(&t, "/sys/bus/pci/devices/0000:3b:00.1/sriov_totalvfs", "16\n");
	tree_open(&t);
	EXPECT(lasting_get(t.h, &l, NULL) == 0);
	EXPECT(l->spec_error == 0 && same(l->spec, text) && l->unit_is_enabled);
	EXPECT(lasting_wish(t.h, l, "0000:3b:00.0") == 8);
	EXPECT(lasting_wish(t.h, l, "0000:3b:00.1") == 0);
}

/* A copy that lacks the file does not say that there is none. */
TEST(what_was_not_captured_is_not_known)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lasting *l = NULL;

	tree_make(&t);
	tree_put(&t, "/sys/bus/pci/devices/0000:3b:00.0/sriov_totalvfs", "16\n");
	tree_open(&t);
	EXPECT(lasting_get(t.h, &l, NULL) == 0 && l->spec_error == -ENODATA && !l->spec);
}
