/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of sysfs by which VFs are made and bound, on a /sys that is this test's own. */
#include "../../provision/live.h"

#include "space.h"
#include "test.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/pciconf.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICES "/sys/bus/pci/devices/"
#define PF	DEVICES "0000:01:00.0"
#define VF0	DEVICES "0000:01:10.0"
#define VF1	DEVICES "0000:01:10.2"

static char bdf[] = "0000:01:00.0", sysfs[] = PF, netdev[] = "eth0";

/* Folders on the way appear by themselves. */
static void put_bytes(const char *path, const void *data, size_t len)
{
	AUTO_BUF struct buf way = { 0 };
	AUTO_CLOSE int fd = -1;

	buf_puts(&way, path);
	for (char *p = way.data + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		(void)mkdir(way.data, 0755);
		*p = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	EXPECT(fd >= 0 && base_write(fd, data, len) == 0);
}

static void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static bool reads(const char *path, const char *text)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	char is[64] = "";

	return fd >= 0 && read(fd, is, sizeof(is) - 1) >= 0 && strcmp(is, text) == 0;
}

/* Over the one of this machine, for this process alone.  False: it may not. */
static bool make_sys(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount("", "/", "", MS_REC | MS_PRIVATE, "") < 0 ||
	    mount("t", "/sys", "tmpfs", 0, "") < 0)
		return false;
	put(PF "/sriov_numvfs", "2\n");
	put(PF "/sriov_drivers_autoprobe", "1\n");
	put(PF "/net/eth0/ifindex", "7\n");
	put(VF0 "/driver_override", "(null)\n");
	put(VF1 "/driver_override", "vfio-pci\n");
	EXPECT(symlink("../0000:01:10.0", PF "/virtfn0") == 0);
	EXPECT(symlink("../0000:01:10.2", PF "/virtfn1") == 0);
	return true;
}

static struct pfstate pf_of(const char *driver)
{
	return (struct pfstate){
		.bdf = bdf, .sysfs = sysfs, .netdev = netdev, .driver = (char *)(uintptr_t)driver
	};
}

static struct live_target target(const struct pfstate *pf, uint32_t vf, enum setting what)
{
	return (struct live_target){ .pf = pf, .vf = vf, .what = what };
}

TEST(numbers_of_a_pf)
{
	const struct pfstate pf = pf_of("igb");
	const struct live_target t = target(&pf, PLAN_OF_PF, SETTING_AUTOPROBE);
	const struct setting_value off = setting_number(0);
	struct setting_value is = { 0 };
	struct error e = { 0 };

	if (!make_sys())
		TEST_SKIP("no namespace for a /sys of its own");
	EXPECT(live_sysfs_read_number(&t, &is, NULL) == 0 && is.number == 1);
	EXPECT(live_sysfs_write_number(&t, &off, NULL) == 0);
	EXPECT(reads(PF "/sriov_drivers_autoprobe", "0\n"));
	put(PF "/sriov_drivers_autoprobe", "some\n");
	EXPECT(live_sysfs_read_number(&t, &is, &e) == -EINVAL);
	EXPECT(unlink(PF "/sriov_drivers_autoprobe") == 0);
	EXPECT(live_sysfs_read_number(&t, &is, &e) == -ENOENT && strstr(e.text, "autoprobe"));
	EXPECT(live_sysfs_write_number(&t, &off, &e) == -ENOENT);
}

TEST(vfs_are_counted_by_the_functions_that_are_there)
{
	struct pfstate pf = pf_of("igb");
	struct live_target t = target(&pf, PLAN_OF_PF, SETTING_VFS);
	struct setting_value is = { 0 };
	struct error e = { 0 };

	if (!make_sys())
		TEST_SKIP("no namespace for a /sys of its own");
	/* The file says what the driver claims. */
	put(PF "/sriov_numvfs", "5\n");
	EXPECT(live_sysfs_read_vfs(&t, &is, NULL) == 0 && is.number == 2);
	EXPECT(symlink("../0000:01:10.4", PF "/virtfn2") == 0);
	EXPECT(live_sysfs_read_vfs(&t, &is, &e) == -EAGAIN && strstr(e.text, "on its way"));
	/* What is no PCI function has no links. */
	put("/sys/bus/netdevsim/devices/netdevsim1/sriov_numvfs", "9\n");
	pf.sysfs = (char *)(uintptr_t) "/sys/bus/netdevsim/devices/netdevsim1";
	EXPECT(live_sysfs_read_vfs(&t, &is, NULL) == 0 && is.number == 9);
}

TEST(fewer_vfs_than_asked_for_are_no_success)
{
	const struct pfstate pf = pf_of("igb");
	const struct live_target t = target(&pf, PLAN_OF_PF, SETTING_VFS);
	const struct setting_value two = setting_number(2), three = setting_number(3);
	struct error e = { 0 };

	if (!make_sys())
		TEST_SKIP("no namespace for a /sys of its own");
	EXPECT(live_sysfs_write_number(&t, &two, NULL) == 0 && reads(PF "/sriov_numvfs", "2\n"));
	EXPECT(live_sysfs_write_number(&t, &three, &e) == -ENOBUFS);
	EXPECT(strstr(e.text, "made 2 VFs of 3") && reads(PF "/sriov_numvfs", "3\n"));
}

static bool override_is(const struct pfstate *pf, uint32_t vf, const char *name)
{
	const struct live_target t = target(pf, vf, SETTING_OVERRIDE);
	struct setting_value is = { 0 };

	return live_sysfs_read_override(&t, &is, NULL) == 0 && is.state == SETTING_KNOWN &&
	       strcmp(is.name, name) == 0;
}

TEST(overrides)
{
	const struct pfstate pf = pf_of("igb");
	const struct live_target t = target(&pf, 1, SETTING_OVERRIDE);
	const struct live_target none = target(&pf, 2, SETTING_OVERRIDE);
	struct setting_value v = { .state = SETTING_KNOWN };
	struct error e = { 0 };

	if (!make_sys())
		TEST_SKIP("no namespace for a /sys of its own");
	EXPECT(override_is(&pf, 0, "") && override_is(&pf, 1, "vfio-pci"));
	/* An empty write would change nothing. */
	put(VF1 "/driver_override", "");
	EXPECT(live_sysfs_write_override(&t, &v, NULL) == 0 && reads(VF1 "/driver_override", "\n"));
	EXPECT(setting_text("nvme", &v) == 0 && live_sysfs_write_override(&t, &v, NULL) == 0);
	EXPECT(reads(VF1 "/driver_override", "nvme"));
	EXPECT(live_sysfs_write_override(&none, &v, &e) == -ENOENT && strstr(e.text, "VF 2"));
	EXPECT(live_sysfs_read_override(&none, &v, &e) == -ENOENT);
}

TEST(interfaces_of_vfs)
{
	const struct pfstate pf = pf_of("igb");
	const struct live_target vf0 = target(&pf, 0, SETTING_VF_MTU);
	const struct live_target vf1 = target(&pf, 1, SETTING_VF_MTU);
	AUTO_BUF struct buf name = { 0 };
	struct error e = { 0 };
	int index = 0;

	if (!make_sys())
		TEST_SKIP("no namespace for a /sys of its own");
	EXPECT(live_sysfs_index(&vf0, &index, NULL) == 0 && index == 7);
	/* It comes when the driver is ready. */
	EXPECT(live_sysfs_vf_netdev(&vf0, &name, &e) == -EAGAIN);
	put(VF0 "/net/eth5/ifindex", "9\n");
	EXPECT(live_sysfs_vf_netdev(&vf0, &name, NULL) == 0);
	EXPECT(strcmp(buf_text(&name), "eth5") == 0);
	EXPECT(live_sysfs_vf_index(&vf0, &index, NULL) == 0 && index == 9);
	/* Of virtio it is one level below. */
	put(VF1 "/virtio3/net/eth6/ifindex", "11\n");
	EXPECT(live_sysfs_vf_index(&vf1, &index, NULL) == 0 && index == 11);
	put(VF1 "/virtio3/net/eth6/ifindex", "-1\n");
	EXPECT(live_sysfs_vf_index(&vf1, &index, &e) == -EINVAL && index == 11);
	EXPECT(unlink(PF "/net/eth0/ifindex") == 0);
	EXPECT(live_sysfs_index(&vf0, &index, &e) == -ENOENT && strstr(e.text, "eth0"));
}

/* MSI-X at 0x40 with a table of @n. */
static struct space msix(unsigned n)
{
	struct space s = { .len = 256 };

	put16(&s, 0x00, 0x8086);
	put16(&s, 0x06, 0x10);
	s.data[0x34] = 0x40;
	put16(&s, 0x40, 0x11);
	put16(&s, 0x42, (uint16_t)(n - 1));
	return s;
}

TEST(vectors)
{
	const struct pfstate ice = pf_of("ice"), mlx5 = pf_of("mlx5_core");
	const struct live_target of_ice = target(&ice, 0, SETTING_QUEUES);
	const struct live_target of_mlx5 = target(&mlx5, 0, SETTING_QUEUES);
	const struct setting_value four = setting_number(4);
	const struct space s = msix(5);
	struct setting_value is = { 0 };
	struct error e = { 0 };

	if (!make_sys())
		TEST_SKIP("no namespace for a /sys of its own");
	put(VF0 "/sriov_vf_msix_count", "");
	EXPECT(live_sysfs_write_msix(&of_ice, &four, NULL) == 0);
	EXPECT(reads(VF0 "/sriov_vf_msix_count", "4"));
	put_bytes(VF0 "/config", s.data, s.len);
	/* ice adds a vector to the queues that it is told. */
	EXPECT(live_sysfs_read_msix(&of_ice, &is, NULL) == 0 && is.number == 4);
	EXPECT(live_sysfs_read_msix(&of_mlx5, &is, NULL) == 0 && is.number == 5);
	put_bytes(VF0 "/config", s.data, 64);
	EXPECT(live_sysfs_read_msix(&of_ice, &is, &e) == -EIO && strstr(e.text, "as a whole"));
	EXPECT(unlink(VF0 "/sriov_vf_msix_count") == 0);
	EXPECT(live_sysfs_write_msix(&of_ice, &four, &e) == -ENOENT);
}
