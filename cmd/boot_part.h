/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function of the spec that is kept: which one it is now, whether it is ready, and its turn. */
#ifndef CMD_BOOT_PART_H
#define CMD_BOOT_PART_H

#include "boot.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

struct host;
struct spec;

struct boot_part {
	struct spec *spec; /* of it alone */
	char *match;
	bool is_done;
	int code;	  /* the exit code, once it is done */
	struct error why; /* why it is not done yet, or failed */
};

struct boot_parts {
	struct boot_part *items;
	size_t n;
};

/* Of the spec that is kept: 0 or a negative errno. */
int boot_parts_read(struct boot_parts *ret, struct error *e) MUST_USE;
void boot_parts_done(struct boot_parts *v);
#define AUTO_BOOT_PARTS CLEANUP(boot_parts_done)

/*
 * The function that it is, in @ret; 0 when that is ready to have VFs.  -EAGAIN: it is not, yet,
 * and -ENXIO: as it has no driver; -ENODEV, -EINVAL: there is none, yet; -ESTALE: the card was
 * replaced.
 */
int boot_part_find(const struct boot_part *p, const struct host *h, struct buf *ret,
		   struct error *e) MUST_USE;
/* Its turn: what became of it is in it.  @bdf: the function that was found. */
void boot_part_run(struct boot_part *p, const struct boot_options *o, const char *bdf);

/* A network function without driver: its card might be the one that is not there. */
bool boot_part_may_come(const struct host *h);

#endif
