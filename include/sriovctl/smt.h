/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many threads share a core, as the kernel shows its online processors
 * (/sys/devices/system/cpu/cpuN/topology), else as /proc/cpuinfo counts them.  In a guest it
 * is what the hypervisor shows.
 */
#ifndef SRIOVCTL_SMT_H
#define SRIOVCTL_SMT_H

#include <sriovctl/base.h>

struct error;
struct host;

struct smt {
	const char *source;
	unsigned n_cpus, n_cores; /* online; 0 cores: only threads per core are known */
	/* Threads of a core: the fewest and the most, as the cores of one package may differ. */
	unsigned min_threads, max_threads;
};

/* The processors in a list like "0-3,8,10-11"; -EINVAL for any other text, and for none. */
int smt_count_list(const char *text, unsigned *ret) MUST_USE;

/* Errors as in sriovctl/host.h. */
int smt_get(const struct host *h, const struct smt **ret, struct error *e) MUST_USE;

#endif
