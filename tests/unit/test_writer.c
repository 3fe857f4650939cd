/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../provision/writer.h"

#include "scratch_journal.h"
#include "test.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(one_writes_at_a_time_and_is_named)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_CLOSE int again = -1;
	struct error e = { 0 };
	int fd = writer_take(dir, 0, &e);
	char pid[16];
	pid_t child;

	EXPECT(fd >= 0);
	child = fork();
	if (child == 0) {
		(void)pause();
		_exit(0);
	}
	writer_name(fd, child);
	/* As the run that began it is killed, the one that writes goes on. */
	(void)close(fd);
	EXPECT(writer_take(dir, 50, &e) == -EINPROGRESS);
	(void)snprintf(pid, sizeof(pid), "%d", (int)child);
	EXPECT(strstr(e.text, pid));
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, 0);
	again = writer_take(dir, 0, &e);
	EXPECT(again >= 0);
}

TEST(what_cannot_be_opened_is_said)
{
	struct error e = { 0 };

	EXPECT(writer_take("/nonexistent", 0, &e) == -ENOENT);
	EXPECT(strstr(e.text, "/nonexistent/writer"));
}
