/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/udev.h>

#include "test.h"

TEST(an_interface_is_complete_once_all_events_are_through)
{
	EXPECT(udev_text_is_through("I:1234\nE:ID_NET_NAME_PATH=enp1s0\nG:systemd\n"));
	EXPECT(!udev_text_is_through("E:ID_PROCESSING=1\n"));
	EXPECT(!udev_text_is_through("I:1234\nE:ID_PROCESSING=1\n"));
	EXPECT(!udev_text_is_through("I:1234\nE:ID_RENAMING=1\nE:ID_NET_NAME=enp1s0\n"));
	EXPECT(!udev_text_is_through("E:ID_NET_NAME_PATH=enp1s0\n"));
	EXPECT(!udev_text_is_through(""));
	EXPECT(udev_text_is_through("I:1234\nE:ID_RENAMING=0\n"));
}
