/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ethtool, devlink and modinfo print of a device and its driver. */
#include "imported.h"

#include <sriovctl/channels.h>
#include <sriovctl/devinfo.h>
#include <sriovctl/driver.h>
#include <sriovctl/drvinfo.h>
#include <sriovctl/host_make.h>

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/netlink.h>
#include <string.h>

TEST(ethtool_tells_driver_firmware_and_queues)
{
	AUTO_IMPORTED struct imported v = { 0 };
	struct channels c = { 0 };
	struct drvinfo d;
	AUTO_BUF struct buf driver = { 0 };
	const struct host *h;

	imported_put(&v, "/ethtool_-i_eno1",
		     "driver: ice\nversion: 6.1\nfirmware-version: 4.20 0x80017785\n"
		     "bus-info: 0000:3b:00.0\n");
	imported_put(&v, "/other",
		     "Channel parameters for eno1:\nPre-set maximums:\nRX:\t\t8\nTX:\t\tn/a\n"
		     "Combined:\t16\nCurrent hardware settings:\nRX:\t\t0\nCombined:\t4\n");
	h = imported_host(&v);
	EXPECT(host_link_name(h, &driver, NULL, PCIDEV_PATH "/0000:3b:00.0/driver") == 0);
	EXPECT(strcmp(buf_text(&driver), "ice") == 0);
	EXPECT(drvinfo_read(h, "eno1", &d, NULL) == 0);
	EXPECT(strcmp(d.firmware, "4.20 0x80017785") == 0);
	EXPECT(same(d.driver, "ice") && same(d.version, "6.1"));
	EXPECT(channels_read(h, "eno1", &c, NULL) == 0 && c.max_combined == 16 && c.combined == 4);
	EXPECT(c.max_rx == 8 && c.max_tx == 0);
}

static bool told(const struct host *h, const char *bdf, enum devinfo_group group, const char *name,
		 const char *value)
{
	AUTO_DEVINFO struct devinfo d = { 0 };

	EXPECT(devinfo_read(h, "pci", bdf, &d, NULL) == 0);
	return same(devinfo_find(&d, group, name), value);
}

TEST(devlink_tells_of_firmware)
{
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_BUF struct buf driver = { 0 };
	AUTO_DEVINFO struct devinfo d = { 0 };
	const struct host *h;

	h = imported_text(&v,
			  "root@host:~# devlink dev info\n"
			  "pci/0000:3b:00.0:\n  driver ice\n"
			  "  serial_number 00-00-00-ff-ff-00-00-01\n  versions:\n"
			  "      fixed:\n        board.id K91258-000\n"
			  "      running:\n        fw.psid.api 4.20\r\n"
			  "        fw.app.name ICE OS Default Package\n        fw.app 1.3.30.0\n"
			  "      stored:\n        fw.psid.api 4.30\n"
			  "pci/0000:5e:00.0:\n  driver mlx5_core serial_number MT1 "
			  "board.serial_number MT2\n  versions:\n      running:\n"
			  "        fw 22.35.1012\n"
			  "netdevsim/netdevsim1:\n  driver netdevsim\n"
			  "pci/0000:5f:00.0:\n  name enable_sriov type generic\n"
			  "root@host:~# \n");
	EXPECT(told(h, "0000:3b:00.0", DEVINFO_FIXED, "board.id", "K91258-000"));
	EXPECT(told(h, "0000:3b:00.0", DEVINFO_RUNNING, "fw.psid.api", "4.20"));
	EXPECT(told(h, "0000:3b:00.0", DEVINFO_RUNNING, "fw.app.name", "ICE OS Default Package"));
	EXPECT(told(h, "0000:3b:00.0", DEVINFO_STORED, "fw.psid.api", "4.30"));
	EXPECT(told(h, "0000:5e:00.0", DEVINFO_RUNNING, "fw", "22.35.1012"));
	EXPECT(devinfo_read(h, "pci", "0000:5e:00.0", &d, NULL) == 0);
	EXPECT(same(d.driver, "mlx5_core") && same(d.serial, "MT1"));
	EXPECT(same(d.board_serial, "MT2"));
	devinfo_done(&d);
	EXPECT(devinfo_read(h, "pci", "0000:5f:00.0", &d, NULL) == -ENODATA);
	EXPECT(host_link_name(h, &driver, NULL, PCIDEV_PATH "/0000:5e:00.0/driver") == 0);
	EXPECT(strcmp(buf_text(&driver), "mlx5_core") == 0);
}

TEST(devlink_tells_it_as_json_too)
{
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_DEVINFO struct devinfo d = { 0 };
	const struct host *h;

	h = imported_text(
		&v, "$ devlink -jp dev info\n{\n    \"info\": {\n"
		    "        \"pci/0000:3b:00.0\": {\n            \"driver\": \"ice\",\n"
		    "            \"serial_number\": \"00-}\",\n"
		    "            \"versions\": {\n"
		    "                \"running\": { \"fw.psid.api\": \"4.20\", \"a b\": \"1\" },\n"
		    "                \"stored\": { \"fw.psid.api\": \"4.30\" }\n            }\n"
		    "        },\n        \"netdevsim/n1\": { \"driver\": \"x\" }\n    }\n}\n"
		    "$ echo {\"info\": damaged\n");
	EXPECT(told(h, "0000:3b:00.0", DEVINFO_STORED, "fw.psid.api", "4.30"));
	EXPECT(told(h, "0000:3b:00.0", DEVINFO_RUNNING, "fw.psid.api", "4.20"));
	EXPECT(devinfo_read(h, "pci", "0000:3b:00.0", &d, NULL) == 0);
	EXPECT(same(d.driver, "ice") && same(d.serial, "00-}") && d.n == 2);
}

TEST(modinfo_tells_whose_driver_it_is)
{
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_DRIVER struct driver theirs = { 0 }, ours = { 0 };
	const struct host *h;

	imported_put(&v, "/version", "Linux version 6.1.0-50-amd64 (a@b) #1 SMP\n");
	imported_put(&v, "/modinfo",
		     "filename:       /lib/modules/6.1.0-50-amd64/updates/ice.ko.xz\n"
		     "firmware:       intel/ice/ddp/ice.pkg\nversion:        1.15.4\n"
		     "srcversion:     A1B2\nvermagic:       6.1.0-50-amd64 SMP\n"
		     "filename:       /lib/modules/6.1.0-50-amd64/kernel/drivers/x/pci-stub.ko\n"
		     "intree:         Y\nvermagic:       6.1.0-50-amd64 SMP\n"
		     "filename:       /lib/modules/cut.ko\nversion: 3\n");
	h = imported_host(&v);
	EXPECT(driver_read(h, "ice", NULL, &theirs, NULL) == 0);
	EXPECT(theirs.tree == DRIVER_OUT_OF_TREE && same(theirs.version, "1.15.4"));
	EXPECT(same(theirs.srcversion, "A1B2") && same(theirs.source, "modinfo ice"));
	EXPECT(driver_read(h, "pci-stub", NULL, &ours, NULL) == 0);
	EXPECT(ours.tree == DRIVER_IN_TREE && !ours.version);
	driver_done(&ours);
	EXPECT(driver_read(h, "cut", NULL, &ours, NULL) == 0);
	EXPECT(ours.tree == DRIVER_TREE_UNKNOWN && !ours.version);
}

TEST(moderation_is_the_kernels_answer_again)
{
	AUTO_IMPORTED struct imported v = { 0 };
	AUTO_BUF struct buf answer = { 0 };
	const struct nlattr first = { .nla_len = NLA_HDRLEN + 1,
				      .nla_type = ETHTOOL_A_COALESCE_USE_ADAPTIVE_RX };
	const struct host *h =
		imported_text(&v, "Coalesce parameters for eno1:\nAdaptive RX: on  TX: n/a\n"
				  "rx-usecs:\t50\ntx-usecs:\tn/a\n");

	EXPECT(host_read(h, 4096, &answer, NULL, HOST_MAKE_ANSWERS "/coalesce/eno1") == 0);
	/* A header, that of ethtool, a switch and a number. */
	EXPECT(answer.len == 16 + 4 + 8 + 8);
	EXPECT(answer.len > 24 && memcmp(answer.data + 20, &first, sizeof(first)) == 0 &&
	       answer.data[24] == 1);
}
