/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has the kernel given a block device, or a partition of it, to one user alone?  A mount has
 * it, in whatever namespace, and so have swap, a RAID, each device of a pool of btrfs or ZFS,
 * and a target that exports it (Linux block/bdev.c, bd_prepare_to_claim).  Asked by claiming
 * it for an instant, which writes nothing.  -ENODATA in a plain tree; -EACCES: not as this
 * user; -ENODEV: no such device in this /dev.
 */
#ifndef SRIOVCTL_CLAIMS_H
#define SRIOVCTL_CLAIMS_H

#include <sriovctl/base.h>

struct error;
struct host;

/* @disk: "nvme0n1" */
int claims_read(const struct host *h, const char *disk, bool *ret, struct error *e) MUST_USE;

#endif
