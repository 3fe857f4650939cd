/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting until something comes of which the next look may tell more: a PCI function or a network
 * interface that came, went or changed, when the kernel says so and when udev is through with it;
 * carrier; a file in a folder.  What came is not told: one looks.
 */
#ifndef SRIOVCTL_ARRIVALS_H
#define SRIOVCTL_ARRIVALS_H

#include <sriovctl/base.h>

struct error;

struct arrivals {
	int devices, links, folder;
};
#define ARRIVALS_CLOSED                                  \
	{                                                \
		.devices = -1, .links = -1, .folder = -1 \
	}

/* From now on nothing is missed.  @folder: watched for new names; NULL: none. */
int arrivals_open(struct arrivals *ret, const char *folder, struct error *e) MUST_USE;
void arrivals_close(struct arrivals *a);
#define AUTO_ARRIVALS CLEANUP(arrivals_close)

/*
 * 0: something came, since the last call; -ETIMEDOUT: it is @until, of base_now_ms(); negative:
 * for ever.  A signal that is held back elsewhere ends the program here, where nothing is under
 * way.
 */
int arrivals_wait(const struct arrivals *a, int64_t until, struct error *e) MUST_USE;

#endif
