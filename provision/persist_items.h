/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is to be below a root so that its boots make VFs: files and links, in an order in which
 * each is of no effect without those behind it.
 */
#ifndef PROVISION_PERSIST_ITEMS_H
#define PROVISION_PERSIST_ITEMS_H

#include "manifest.h"

#include <sriovctl/buf.h>

struct rootdir;

struct persist_item {
	enum manifest_kind kind; /* a file or a link */
	char *path;
	uint32_t mode;
	struct buf text; /* what it says, or points at */
};

struct persist_items {
	struct persist_item *items;
	size_t n;
};

/* -ENOEXEC: there is no program that the units could start. */
int persist_items_make(const struct rootdir *r, const char *spec, struct persist_items *ret,
		       struct error *e) MUST_USE;
void persist_items_done(struct persist_items *v);
#define AUTO_PERSIST_ITEMS CLEANUP(persist_items_done)

const struct persist_item *persist_items_find(const struct persist_items *v, const char *path);

#endif
