/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "absence.h"

#include <sriovctl/host.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool absence_is_known(const struct host *h, const char *path, int r)
{
	AUTO_FREE char *dir = strdup(path);
	char *slash;

	if (!dir) {
		(void)host_nomem(h, NULL);
		return false;
	}
	while (r == -ENODATA && host_is_partial(h) && (slash = strrchr(dir, '/')) > dir) {
		*slash = '\0';
		/* Of the top, any folder may not have been copied. */
		if (strrchr(dir, '/') == dir)
			break;
		r = host_exists(h, "%s", dir);
	}
	return r == -ENOENT;
}

int absence_list(const struct host *h, const char *dir, struct strv *ret)
{
	int r = host_list(h, ret, NULL, "%s", dir);

	return absence_is_known(h, dir, r) || r == -ENOTDIR ? 0 : r;
}
