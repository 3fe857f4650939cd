/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/claims.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <fcntl.h>

#define DISK "loop7"

static int ask(const char *disk, bool *ret)
{
	AUTO_HOST struct host *h = NULL;
	int r = host_open("/", &h, NULL);

	return r < 0 ? r : claims_read(h, disk, ret, NULL);
}

/* As a mount, or a pool, has it. */
TEST(a_disk_of_this_machine)
{
	bool is_claimed = true;
	AUTO_CLOSE int fd = -1;

	if (ask(DISK, &is_claimed) < 0 || is_claimed)
		TEST_SKIP("no loop device that is free");
	fd = open("/dev/" DISK, O_RDONLY | O_CLOEXEC);
	EXPECT(fd >= 0 && ask(DISK, &is_claimed) == 0 && !is_claimed);
	(void)close(fd);
	fd = open("/dev/" DISK, O_RDONLY | O_EXCL | O_CLOEXEC);
	EXPECT(fd >= 0 && ask(DISK, &is_claimed) == 0 && is_claimed);
	(void)close(fd);
	fd = -1;
	EXPECT(ask(DISK, &is_claimed) == 0 && !is_claimed);
}

TEST(what_is_no_disk)
{
	bool is_claimed;

	EXPECT(ask("null", &is_claimed) < 0);
	EXPECT(ask("no-such-disk", &is_claimed) < 0);
}

TEST(another_root_has_none)
{
	AUTO_TREE struct tree t = { 0 };
	bool is_claimed;

	tree_new(&t);
	EXPECT(claims_read(t.h, DISK, &is_claimed, NULL) == -ENODATA);
}
