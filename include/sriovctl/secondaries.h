/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the VFs of an NVMe function were given: the Secondary Controller List of Identify (NVM
 * Express Base Specification 2.0, 5.17.2.14), asked of the driver of the PF.  Asking changes
 * nothing.  -ENODATA on another root, -ENODEV: no such controller here, -EACCES: not as this
 * user, -EOPNOTSUPP: the controller has no such list.
 */
#ifndef SRIOVCTL_SECONDARIES_H
#define SRIOVCTL_SECONDARIES_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

struct secondaries_item {
	uint16_t controller;
	uint16_t vf; /* counted from 1; 0: it is none */
	uint16_t vq, vi;
	bool is_online;
};

struct secondaries {
	struct secondaries_item *items;
	size_t n;
};

int secondaries_read(const struct host *h, const char *bdf, struct secondaries *ret,
		     struct error *e) MUST_USE;
void secondaries_done(struct secondaries *v);
#define AUTO_SECONDARIES CLEANUP(secondaries_done)

/* The controller of a VF, counted from 0 as everywhere else; or NULL. */
const struct secondaries_item *secondaries_find(const struct secondaries *v, uint32_t vf);
/*
 * The queues that a driver of the VF can have, the admin queue among them.  -ERANGE: no one
 * number says what it was given: it is not online with as many interrupts as queues.
 */
int secondaries_queues(const struct secondaries_item *s, uint64_t *ret) MUST_USE;

/* Lists one behind the other; -EBADMSG: these are none, -ENOMEM. */
int secondaries_parse(const void *data, size_t len, struct secondaries *ret) MUST_USE;

/*
 * The running system's controller of this PCI function, to be asked, and, @access being
 * O_RDWR, told.  A descriptor, or as above.
 */
int secondaries_open(const char *bdf, int access) MUST_USE;
/* Appends the lists of an open controller. */
int secondaries_ask(int fd, struct buf *ret) MUST_USE;

#endif
