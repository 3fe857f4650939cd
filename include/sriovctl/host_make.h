/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host put together from what is known of it, piece by piece, as a capture that is partial:
 * what was not put is not known.  What was put first stays, and what does not fit beside it, as
 * a file below a file, is left out.  Paths are formats, absolute and clean.
 *
 * Putting returns nothing: a failure sticks, and host_make_open() tells.
 */
#ifndef SRIOVCTL_HOST_MAKE_H
#define SRIOVCTL_HOST_MAKE_H

#include <sriovctl/base.h>

struct error;
struct host;
struct host_make;

/* Where facts are that are no files (sriovctl/host.h). */
#define HOST_MAKE_ANSWERS "/.sriovctl"

int host_make_new(struct host_make **ret, struct error *e) MUST_USE;
void host_make_free(struct host_make *m);
void host_make_free_p(struct host_make **m);
#define AUTO_HOST_MAKE CLEANUP(host_make_free_p)

void host_make_file(struct host_make *m, const void *data, size_t len, const char *fmt, ...)
	PRINTF(4, 5);
/* A file of one line. */
void host_make_text(struct host_make *m, const char *text, const char *fmt, ...) PRINTF(3, 4);
void host_make_link(struct host_make *m, const char *target, const char *fmt, ...) PRINTF(3, 4);
void host_make_folder(struct host_make *m, const char *fmt, ...) PRINTF(2, 3);
/* A file that is there, of which the content is not known. */
void host_make_name(struct host_make *m, const char *fmt, ...) PRINTF(2, 3);
/* Known not to be there. */
void host_make_absent(struct host_make *m, const char *fmt, ...) PRINTF(2, 3);
/* A folder of which the names that were or will be put are all. */
void host_make_all(struct host_make *m, const char *fmt, ...) PRINTF(2, 3);
/* One of which they are not, whatever was said before. */
void host_make_some(struct host_make *m, const char *fmt, ...) PRINTF(2, 3);

/* Was something put there, or known to be absent? */
bool host_make_knows(struct host_make *m, const char *fmt, ...) PRINTF(2, 3);

/*
 * Put by a text, in which the last of several wins where it is in order.  False: another text put
 * something else, or what of one text counts is not known, so that from now on it is unknown.
 */
struct host_make_claim {
	unsigned source; /* not 0 */
	bool is_in_order;
	const void *data; /* NULL: known not to be there */
	size_t len;
};
bool host_make_claim(struct host_make *m, const struct host_make_claim *c, const char *fmt, ...)
	PRINTF(3, 4);
/* Not known, whatever was put there or will be. */
void host_make_unknown(struct host_make *m, const char *fmt, ...) PRINTF(2, 3);

/* The host, said to be from @root; @m is empty afterwards.  -ENOMEM, -EFBIG, -E2BIG, an errno. */
int host_make_open(struct host_make *m, const char *root, struct host **ret,
		   struct error *e) MUST_USE;

#endif
