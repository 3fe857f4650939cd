/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts that are opened otherwise than by host_open(). */
#ifndef CHECKS_HOST_HOST_OPEN_H
#define CHECKS_HOST_HOST_OPEN_H

#include <sriovctl/base.h>

struct error;
struct host;
struct host_store;

/* As host_open(), noting what is asked: see host_record.h. */
int host_open_recording(const char *root, struct host **ret, struct error *e) MUST_USE;
/* What a store knows, said to be from @root; the store is owned from the call on. */
int host_open_store(const char *root, struct host_store *store, struct host **ret,
		    struct error *e) MUST_USE;

#endif
