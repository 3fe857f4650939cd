/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_answer.h"

#include "host_source.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <string.h>

#define ANSWER_MAX (64u << 20)

int host_answer(const struct host *h, const char *kind, const char *which, struct buf *ret,
		struct error *e)
{
	int r;

	/* Each answer is one file of a capture. */
	if (strchr(which, '/'))
		return error_set(e, -EINVAL, "\"%s\" has a slash", which);
	r = host_read(h, ANSWER_MAX, ret, NULL, HOST_ANSWERS "/%s/%s", kind, which);
	if (r == -ENOMEM)
		return error_nomem(e);
	if (r == -ENOENT && !host_is_live(h))
		r = -ENODATA;
	return r < 0 ? error_set(e, r, "%s", host_why(h, r)) : 0;
}
