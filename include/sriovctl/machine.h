/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kind of machine a host is: its architecture, and whether it is a guest and of
 * what.  Three-state like every fact.
 */
#ifndef SRIOVCTL_MACHINE_H
#define SRIOVCTL_MACHINE_H

#include <sriovctl/cpuinfo.h>

struct machine {
	int arch_error; /* 0: arch is known */
	enum cpuinfo_arch arch;
	int guest_error; /* 0: is_guest is known */
	bool is_guest;
	char *hypervisor; /* "KVM"; "" where it has no name; only of a guest */
	/* Xen's first domain: no guest, as it has the devices; but the IOMMU is Xen's. */
	bool is_xen_control;
	/* Where the answer about the guest was seen, and what. */
	char *guest_source, *guest_observed;
};

int machine_get(const struct host *h, const struct machine **ret, struct error *e) MUST_USE;
void machine_done(struct machine *m);

/* Known to be a guest; Xen's first domain; known not to be x86; known to be Arm. */
bool machine_is_guest(const struct host *h);
bool machine_is_xen_control(const struct host *h);
bool machine_is_not_x86(const struct host *h);
bool machine_is_arm(const struct host *h);

#endif
