/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by host_store.c, which has the nodes, and host_store_walk.c, which answers from them. */
#ifndef CHECKS_HOST_HOST_STORE_IMPL_H
#define CHECKS_HOST_HOST_STORE_IMPL_H

#include "host_store.h"

#include <sriovctl/buf.h>

struct host_store {
	struct host_node *nodes;
	uint32_t n, size; /* @size: of the buckets, too; a power of two */
	uint32_t *buckets;
	struct buf names; /* each with its NUL */
	int spool, root_fd;
	uint64_t spooled;
	bool has_index, is_partial;
};

#endif
