/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory for journals that goes when the test ends; in memory, where there is such a place. */
#ifndef TESTS_SCRATCH_JOURNAL_H
#define TESTS_SCRATCH_JOURNAL_H

#include <sriovctl/buf.h>
#include <sriovctl/journal.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SCRATCH_BOOT "5c0b2a9e-0d4f-4c7e-9f0a-3a9d5b1c7e21"

static inline char *scratch_make(void)
{
	AUTO_BUF struct buf path = { 0 };
	const char *dir = getenv("TMPDIR");
	char *ret;

	if (access("/dev/shm", W_OK) == 0)
		dir = "/dev/shm";
	buf_printf(&path, "%s/sriovctl-XXXXXX", dir ? dir : "/tmp");
	ret = buf_take(&path);
	if (!ret || !mkdtemp(ret))
		abort();
	return ret;
}

static inline void scratch_path(const char *dir, const char *name, struct buf *ret)
{
	buf_clear(ret);
	buf_printf(ret, "%s/%s", dir, name);
}

static inline void scratch_clear(const char *dir)
{
	static const char *const names[] = { "journal", "journal.new", "journal.kept", "lock",
					     "writer" };
	AUTO_BUF struct buf path = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		scratch_path(dir, names[i], &path);
		(void)unlink(buf_text(&path));
	}
}

static inline void scratch_done(char **dir)
{
	scratch_clear(*dir);
	(void)rmdir(*dir);
	free(*dir);
}
#define AUTO_SCRATCH CLEANUP(scratch_done)

static inline struct journal *scratch_open(const char *dir)
{
	struct journal *j;

	if (journal_open(dir, SCRATCH_BOOT, &j, NULL) < 0)
		abort();
	return j;
}

#endif
