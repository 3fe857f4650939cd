/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far the kernel is locked down (man kernel_lockdown.7), which takes signed modules only and
 * refuses user space the registers of devices, and whether firmware checks what it boots.
 */
#ifndef SRIOVCTL_LOCKDOWN_H
#define SRIOVCTL_LOCKDOWN_H

#include <sriovctl/base.h>

struct error;
struct host;

#define LOCKDOWN_PATH	 "/sys/kernel/security/lockdown"
#define LOCKDOWN_ENFORCE "/sys/module/module/parameters/sig_enforce"
/* UEFI specification, 3.3: four bytes of attributes as efivarfs gives them, then the value. */
#define LOCKDOWN_SECURE_BOOT \
	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

enum lockdown_level {
	LOCKDOWN_UNKNOWN,
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
};

struct lockdown {
	enum lockdown_level level;
	const char *source; /* what tells the level; of an unknown one what could not be read */
	char *observed;
	int error;	  /* of an unknown level: as the getter gave it */
	bool sig_enforce; /* the kernel takes signed modules only, locked down or not */
	/* 0: @secure_boot is known; -ENOENT: no UEFI, or one that does not have it; other. */
	int secure_boot_error;
	bool secure_boot;
};

/* Fails only for want of memory. */
int lockdown_get(const struct host *h, const struct lockdown **ret, struct error *e) MUST_USE;
void lockdown_done(struct lockdown *l);

/* Does the kernel refuse modules without a signature, for all that is known? */
bool lockdown_wants_signatures(const struct host *h);

#endif
