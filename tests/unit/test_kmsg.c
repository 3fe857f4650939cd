/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../provision/kmsg.h"

#include "test.h"

#include <sriovctl/buf.h>

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* As of /dev/kmsg a read gives one record, and -EAGAIN is the end. */
static bool finds(const char *const *records, const char *word, const char *expected)
{
	AUTO_BUF struct buf text = { 0 };
	int fds[2];
	bool found;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) < 0)
		return false;
	for (; *records; records++)
		EXPECT(write(fds[1], *records, strlen(*records)) > 0);
	kmsg_find(fds[0], word, &text);
	found = strcmp(buf_text(&text), expected) == 0;
	(void)close(fds[0]);
	(void)close(fds[1]);
	return found;
}

TEST(the_last_record_that_names_it)
{
	static const char *const records[] = {
		"3,901,5123456,-;igb 0000:01:00.0: one\n SUBSYSTEM=pci\n "
		"DEVICE=+pci:0000:01:00.0\n",
		"3,902,5123457,-;igb 0000:01:00.0: two; and more\n SUBSYSTEM=pci\n",
		"6,903,5123458,-;igb 0000:01:00.1: another\n DEVICE=+pci:0000:01:00.0\n",
		"6,904,5123459,-,caller=T1;no device\n",
		NULL,
	};

	EXPECT(finds(records, "0000:01:00.0", "igb 0000:01:00.0: two; and more"));
	EXPECT(finds(records, "0000:01:00.1", "igb 0000:01:00.1: another"));
	EXPECT(finds(records, "0000:02:00.0", ""));
	/* Not of what stands ahead of the message. */
	EXPECT(finds(records, "5123459", ""));
}

TEST(records_that_are_none)
{
	static const char *const records[] = {
		"3,905,1,-;0000:01:00.0 without an end",
		"0000:01:00.0 without a beginning\n",
		";\n",
		NULL,
	};

	EXPECT(finds(records, "0000:01:00.0", ""));
	kmsg_skip(-1);
}

TEST(without_the_right_to_read_it_there_is_nothing)
{
	AUTO_BUF struct buf text = { 0 };

	kmsg_find(-1, "x", &text);
	EXPECT(text.len == 0);
}
