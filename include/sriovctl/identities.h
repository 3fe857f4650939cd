/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which card a match of a spec has meant since the first boot that found it: its permanent
 * address, if it has one, its place in the tree of PCI, and its vendor and device.  From then on
 * the card with this address is meant, wherever it is; and another in its place is an error, as
 * it may be cabled to something else.  A card without an address is known by its place alone.
 *
 * A place is the address on the root bus, and device and function number of each step below it:
 * "0000:00:03.0/00.0".  Unlike bus numbers these stay when other cards come and go.
 *
 * What was found on another machine, as in a disk image that was copied, counts for nothing.
 */
#ifndef SRIOVCTL_IDENTITIES_H
#define SRIOVCTL_IDENTITIES_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct spec;

struct identity {
	char *match; /* as spec_print_match() */
	char *place;
	uint64_t mac; /* 0: it has none */
	uint16_t vendor, device;
};

struct identities {
	char *machine; /* /etc/machine-id; NULL: not told */
	struct identity *items;
	size_t n;
};

int identities_parse(const char *text, size_t len, struct identities *ret,
		     struct error *e) MUST_USE;
int identities_print(const struct identities *v, struct buf *ret, struct error *e) MUST_USE;
void identities_done(struct identities *v);
#define AUTO_IDENTITIES CLEANUP(identities_done)

/* Forgets all that was found on another machine than @machine. */
int identities_of_machine(struct identities *v, const char *machine, struct error *e) MUST_USE;
/* What @match has meant is now what is at @bdf.  0 or an error. */
int identities_note(struct identities *v, const char *match, const struct host *h, const char *bdf,
		    struct error *e) MUST_USE;
const struct identity *identities_find(const struct identities *v, const char *match);

/*
 * The function that the first match of @s means: @ret_bdf its address, @ret_moved where it has
 * moved from, or empty.  -ENODEV: it is not there, yet; -ESTALE: the card was replaced, and
 * @ret_bdf is the other; -EINVAL: the match finds none, or several; each with a sentence in @e.
 */
int identities_match(const struct identities *v, const struct spec *s, const struct host *h,
		     struct buf *ret_bdf, struct buf *ret_moved, struct error *e) MUST_USE;

#endif
