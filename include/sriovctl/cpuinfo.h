/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processors, from /proc/cpuinfo: architecture, vendor, the flags the kernel kept,
 * the highest APIC id.  A flag is what the kernel says of itself, not what runs.
 */
#ifndef SRIOVCTL_CPUINFO_H
#define SRIOVCTL_CPUINFO_H

#include <sriovctl/base.h>

struct error;
struct host;

#define CPUINFO_PATH "/proc/cpuinfo"

enum cpuinfo_arch { CPUINFO_X86, CPUINFO_ARM, CPUINFO_OTHER };

struct cpuinfo {
	enum cpuinfo_arch arch;
	char *vendor;	/* "GenuineIntel"; "" where the file names none */
	bool has_flags; /* false: the file was cut before their end; nothing is known of them */
	char *flags;	/* of the first processor, " "-separated, with a blank at both ends */
	unsigned n_cpus;
	uint32_t max_apicid; /* 0 where the file has none */
	/* Threads and cores of the first processor's package; 0 where the file has none. */
	uint32_t siblings, cores;
};

/* -EINVAL: it names no processor. */
int cpuinfo_parse(const char *text, struct cpuinfo *ret) MUST_USE;
void cpuinfo_done(struct cpuinfo *c);
int cpuinfo_get(const struct host *h, const struct cpuinfo **ret, struct error *e) MUST_USE;

bool cpuinfo_has(const struct cpuinfo *c, const char *flag);

#endif
