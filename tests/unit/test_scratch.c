/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../checks/host/scratch.h"

#include "test.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

TEST(a_file_is_new_and_whole)
{
	AUTO_SCRATCH struct scratch s = { 0 };
	AUTO_FREE char *path = NULL;
	char got[16] = "";
	FILE *f;

	EXPECT(scratch_open(&s, NULL) == 0);
	EXPECT(scratch_write(&s, "file", "content\n", 8, NULL) == 0);
	/* It never writes over a file, nor through a link. */
	EXPECT(scratch_write(&s, "file", "other", 5, NULL) == -EEXIST);
	path = scratch_path(&s, "file");
	f = path ? fopen(path, "re") : NULL;
	EXPECT(f && fgets(got, sizeof(got), f) && strcmp(got, "content\n") == 0);
	if (f)
		(void)fclose(f);
}

TEST(nothing_is_left)
{
	struct scratch s = { 0 };
	AUTO_FREE char *dir = NULL;

	EXPECT(scratch_open(&s, NULL) == 0 && scratch_write(&s, "file", "", 0, NULL) == 0);
	dir = strdup(s.dir ? s.dir : "/");
	scratch_close(&s);
	EXPECT(dir && access(dir, F_OK) < 0 && errno == ENOENT);
}
