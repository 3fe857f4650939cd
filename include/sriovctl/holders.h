/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who uses PCI functions, so that nothing is taken from under anybody: by processes that have
 * them open (VFIO, UIO, RDMA, vDPA, block devices, whatever sysfs has below them), and by what
 * stands on their network interfaces and block devices.  Each user is a sentence that names it.
 *
 * Nobody found means that nobody uses it only where the look was complete: else @blind says
 * why it was not and how to run instead, and each function that a process could drive
 * unseen has a sentence for that.  All is as old as the host: to look again, open another.
 */
#ifndef SRIOVCTL_HOLDERS_H
#define SRIOVCTL_HOLDERS_H

#include <sriovctl/strv.h>

struct buf;
struct error;
struct host;

struct holders_item {
	char *bdf;
	struct strv users;
	bool is_doubt; /* none was seen, and the only sentence is that one may be there */
};

struct holders {
	struct holders_item *items; /* of the functions that were asked for, in their order */
	size_t n;
	char *blind; /* NULL: the look was complete */
};

/* -ENOMEM only; what could not be read is in @blind. */
int holders_read(const struct host *h, const struct strv *bdfs, struct holders *ret,
		 struct error *e) MUST_USE;
void holders_done(struct holders *v);
#define AUTO_HOLDERS CLEANUP(holders_done)

/*
 * Who would notice that a physical function is interrupted: a process that drives it, a
 * bond or bridge that its interface is a member of, a default route that leads through it.
 * @netdev: its interface; NULL: none here.
 */
int holders_of_pf(const struct host *h, const char *bdf, const char *netdev, struct strv *ret,
		  struct error *e) MUST_USE;

/* Parsers of the text of /proc: where a block device (its path, "MAJOR:MINOR") is mounted. */
void holders_parse_mounts(const char *mountinfo, const char *path, const char *number,
			  struct buf *ret);
/* Does /proc/swaps name it? */
bool holders_parse_swaps(const char *swaps, const char *path);

#endif
