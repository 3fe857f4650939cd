/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam below the getters of sriovctl/host.h: where a host's facts come from.  Sources
 * are the running system, a plain tree (host_files.h), a capture (host_store.h), and one
 * that notes what another is asked (host_record.h).
 *
 * All operations return 0 or a negative errno with the three meanings of sriovctl/host.h:
 * -ENOENT is known absence, already weighed.  Paths are absolute.
 *
 * Facts that are no files have a path below HOST_ANSWERS, KIND/WHICH, of which the content
 * is the answer: what is recorded and replayed is the same for all.
 */
#ifndef CHECKS_HOST_HOST_SOURCE_H
#define CHECKS_HOST_HOST_SOURCE_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct strv;

#define HOST_ANSWERS "/.sriovctl"
/* What of a capture is about the capture, and answers nothing. */
#define HOST_INDEX  HOST_ANSWERS "/index"
#define HOST_REPORT HOST_ANSWERS "/report.text"

#define HOST_LINK_MAX 4096
/* More names than any directory of sysfs holds; fewer than would hurt. */
#define HOST_LIST_MAX 100000

enum host_kind {
	HOST_KIND_NAME, /* something is there; what, is not known */
	HOST_KIND_FILE,
	HOST_KIND_DIR,
	HOST_KIND_LINK,
	HOST_KIND_OTHER, /* a device, a fifo, a socket */
};

struct host_source;

struct host_source_ops {
	/* What has this name; a link in the last place is not followed. */
	int (*kind)(struct host_source *s, const char *path, enum host_kind *ret);
	/* Appends; -EINVAL: no regular file, -EFBIG: longer than @max. */
	int (*read)(struct host_source *s, const char *path, size_t max, struct buf *ret);
	/* Adds the names in any order, without . and .. */
	int (*list)(struct host_source *s, const char *path, struct strv *ret);
	/* Appends what the link says; -EINVAL: no link. */
	int (*link)(struct host_source *s, const char *path, struct buf *ret);
	void (*close)(struct host_source *s);
};

/* The first member of each kind of source. */
struct host_source {
	const struct host_source_ops *ops;
	bool is_live;
	bool is_partial; /* see host_is_partial() */
};

/* What the host is asked through; of a const host, since asking may note. */
struct host_source *host_source(const struct host *h);

void host_source_close(struct host_source **s);
#define AUTO_SOURCE CLEANUP(host_source_close)

#endif
