/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a host remembers; see host_fact() and host_ran_out() in sriovctl/host.h. */
#ifndef CHECKS_HOST_HOST_FACT_H
#define CHECKS_HOST_HOST_FACT_H

#include <sriovctl/base.h>

struct host;
struct host_facts;

struct host_memory {
	struct host_facts *facts;
	bool ran_out;
};

/* Not part of the host, so that a const host can remember. */
struct host_memory *host_memory(const struct host *h);
void host_memory_done(struct host_memory *m);

#endif
