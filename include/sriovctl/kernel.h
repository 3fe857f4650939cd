/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running kernel of a host: its release, and the configuration it was built with,
 * from /boot/config-RELEASE, /lib/modules/RELEASE/config or /proc/config.gz.
 */
#ifndef SRIOVCTL_KERNEL_H
#define SRIOVCTL_KERNEL_H

#include <sriovctl/base.h>

struct error;
struct host;

struct kernel {
	char *release; /* as uname -r prints it */
	unsigned major, minor;
};
int kernel_get(const struct host *h, const struct kernel **ret, struct error *e) MUST_USE;
void kernel_done(struct kernel *k);
bool kernel_is_at_least(const struct kernel *k, unsigned major, unsigned minor);

struct kconfig {
	char *source; /* the file it came from */
	char *text;
};
int kconfig_get(const struct host *h, const struct kconfig **ret, struct error *e) MUST_USE;
void kconfig_done(struct kconfig *k);

/*
 * A symbol, without CONFIG_.  One that is not named is off, because its dependencies are not
 * met or the kernel is too old for it, or the file was cut: only KCONFIG_OFF proves.
 */
enum kconfig_answer {
	KCONFIG_ON,	/* built in, or a module */
	KCONFIG_OFF,	/* "is not set" */
	KCONFIG_ABSENT, /* not named */
};
enum kconfig_answer kconfig_ask(const struct kconfig *k, const char *symbol);
bool kconfig_is_on(const struct kconfig *k, const char *symbol);

#endif
