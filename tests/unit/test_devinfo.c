/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/devinfo.h>

#include "netlink.h"
#include "tree.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>

#define ANSWER "/.sriovctl/devinfo/pci.0000:3b:00.0"

static void put_text(struct buf *b, uint16_t type, const char *text)
{
	put(b, type, text, strlen(text) + 1);
}

static void put_version(struct buf *b, uint16_t group, const char *name, const char *value)
{
	size_t at = start(b, group);

	put_text(b, DEVLINK_ATTR_INFO_VERSION_NAME, name);
	put_text(b, DEVLINK_ATTR_INFO_VERSION_VALUE, value);
	finish(b, at);
}

static size_t start_answer(struct buf *b)
{
	size_t at = b->len;
	const struct nlmsghdr header = { .nlmsg_type = 24 };
	const struct genlmsghdr g = { .cmd = DEVLINK_CMD_INFO_GET, .version = 1 };

	buf_append(b, &header, sizeof(header));
	buf_append(b, &g, sizeof(g));
	put_text(b, DEVLINK_ATTR_BUS_NAME, "pci");
	put_text(b, DEVLINK_ATTR_DEV_NAME, "0000:3b:00.0");
	return at;
}

TEST(the_kernels_answer_as_text)
{
	AUTO_BUF struct buf b = { 0 }, text = { 0 };
	size_t at = start_answer(&b);

	put_text(&b, DEVLINK_ATTR_INFO_DRIVER_NAME, "ice");
	put_text(&b, DEVLINK_ATTR_INFO_SERIAL_NUMBER, "b4-96-91-ff-ff-a1-2b-3c");
	put_text(&b, DEVLINK_ATTR_INFO_BOARD_SERIAL_NUMBER, "MT2042X01234 \n");
	put_version(&b, DEVLINK_ATTR_INFO_VERSION_FIXED, "board.id", "K91258-000");
	put_version(&b, DEVLINK_ATTR_INFO_VERSION_RUNNING, "fw app\nname",
		    "ICE OS\tDefault Package");
	put_version(&b, DEVLINK_ATTR_INFO_VERSION_STORED, "fw.undi", "");
	finish_link(&b, at);
	EXPECT(devinfo_text(b.data, b.len, &text) == 0);
	EXPECT(same(buf_text(&text), "driver ice\n"
				     "serial_number b4-96-91-ff-ff-a1-2b-3c\n"
				     "board.serial_number MT2042X01234\n"
				     "fixed board.id K91258-000\n"
				     "running fw_app_name ICE OS Default Package\n"
				     "stored fw.undi\n"));
}

TEST(an_answer_that_is_damaged)
{
	AUTO_BUF struct buf b = { 0 }, half = { 0 };
	size_t at = start_answer(&b), nest;

	put_version(&b, DEVLINK_ATTR_INFO_VERSION_RUNNING, "fw", "1.2.3");
	finish_link(&b, at);
	for (size_t len = 0; len < b.len; len++) {
		AUTO_BUF struct buf text = { 0 };

		EXPECT(devinfo_text(b.data, len, &text) == -EBADMSG);
	}
	at = start_answer(&half);
	nest = start(&half, DEVLINK_ATTR_INFO_VERSION_STORED);
	put_text(&half, DEVLINK_ATTR_INFO_VERSION_NAME, "fw");
	finish(&half, nest);
	finish_link(&half, at);
	buf_clear(&b);
	EXPECT(devinfo_text(half.data, half.len, &b) == -EBADMSG);
}

TEST(what_a_card_said)
{
	AUTO_DEVINFO struct devinfo d = { 0 };

	EXPECT(devinfo_parse("driver mlx5_core\ndriver again\nserial_number MT2\n"
			     "board.serial_number MT3\nunknown x y\n"
			     "fixed fw.psid MT_0000000359\nrunning fw.version 22.35.1012\n"
			     "running fw 22.35.1012\nstored fw.version 22.36.1010\nstored odd\n",
			     &d) == 0);
	EXPECT(same(d.driver, "mlx5_core") && same(d.serial, "MT2") && same(d.board_serial, "MT3"));
	EXPECT(d.n == 5);
	EXPECT(same(devinfo_find(&d, DEVINFO_RUNNING, "fw.version"), "22.35.1012"));
	EXPECT(same(devinfo_find(&d, DEVINFO_STORED, "fw.version"), "22.36.1010"));
	EXPECT(same(devinfo_find(&d, DEVINFO_STORED, "odd"), ""));
	EXPECT(!devinfo_find(&d, DEVINFO_STORED, "fw"));
	EXPECT(devinfo_has(&d, DEVINFO_FIXED) && devinfo_has(&d, DEVINFO_STORED));
	devinfo_done(&d);
	EXPECT(devinfo_parse("", &d) == 0 && d.n == 0 && !d.driver);
	EXPECT(!devinfo_has(&d, DEVINFO_RUNNING));
}

TEST(it_is_read_of_a_capture)
{
	AUTO_DEVINFO struct devinfo d = { 0 };
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };

	tree_new(&t);
	tree_put(&t, ANSWER, "driver ice\nrunning fw.mgmt 7.3.4\n");
	EXPECT(devinfo_read(t.h, "pci", "0000:3b:00.0", &d, NULL) == 0);
	EXPECT(same(devinfo_find(&d, DEVINFO_RUNNING, "fw.mgmt"), "7.3.4"));
	devinfo_done(&d);
	EXPECT(devinfo_read(t.h, "pci", "0000:3b:00.1", &d, &e) == -ENODATA);
	EXPECT(strstr(e.text, "0000:3b:00.1"));
}
