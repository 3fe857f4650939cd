/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/lockdown.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/klog.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EFI_VARIABLE_MAX 4096

static const struct {
	const char *mark; /* the one in brackets is in force */
	enum lockdown_level level;
} levels[] = {
	{ .mark = "[none]", .level = LOCKDOWN_NONE },
	{ .mark = "[integrity]", .level = LOCKDOWN_INTEGRITY },
	{ .mark = "[confidentiality]", .level = LOCKDOWN_CONFIDENTIALITY },
};

static int conclude(struct lockdown *l, enum lockdown_level level, const char *source,
		    const char *observed)
{
	l->level = level;
	l->source = source;
	l->observed = strdup(observed);
	return l->observed ? 1 : -ENOMEM;
}

/* Each of the next ones: 1 when it tells, 0 when it does not, or -ENOMEM. */
static int level_by_file(const struct host *h, struct lockdown *l)
{
	AUTO_BUF struct buf text = { 0 };

	l->error = host_attr(h, &text, NULL, LOCKDOWN_PATH);
	if (l->error < 0)
		return l->error == -ENOMEM ? -ENOMEM : 0;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (strstr(buf_text(&text), levels[i].mark))
			return conclude(l, levels[i].level, LOCKDOWN_PATH, buf_text(&text));
	l->error = -EINVAL;
	return 0;
}

/*
 * From 5.4 on lockdown is a security module that makes the file; the file system it is in has
 * "lsm" in any case, where it is mounted.
 */
static int level_by_absence(const struct host *h, struct lockdown *l)
{
	const struct kernel *k = NULL;

	if (l->error != -ENOENT || host_exists(h, "/sys/kernel/security/lsm") != 0 ||
	    kernel_get(h, &k, NULL) < 0 || !kernel_is_at_least(k, 5, 4))
		return 0;
	return conclude(l, LOCKDOWN_NONE, LOCKDOWN_PATH, "absent: no such security module");
}

/* What distributions patched into kernels before has other names, and no file. */
static bool is_patched(const struct kconfig *k)
{
	return kconfig_is_on(k, "LOCK_DOWN_KERNEL") || kconfig_is_on(k, "SECURITY_LOCKDOWN");
}

static int level_by_config(const struct host *h, struct lockdown *l)
{
	const struct kconfig *k = NULL;

	if (kconfig_get(h, &k, NULL) < 0)
		return 0;
	if (kconfig_ask(k, "SECURITY_LOCKDOWN_LSM") == KCONFIG_OFF && !is_patched(k))
		return conclude(l, LOCKDOWN_NONE, k->source,
				"CONFIG_SECURITY_LOCKDOWN_LSM is not set");
	if (!kconfig_is_on(k, "LOCK_DOWN_IN_EFI_SECURE_BOOT"))
		return 0;
	if (l->secure_boot_error == 0 && l->secure_boot)
		return conclude(l, LOCKDOWN_INTEGRITY, k->source,
				"CONFIG_LOCK_DOWN_IN_EFI_SECURE_BOOT=y, and secure boot is on");
	return 0;
}

static int level_by_log(const struct host *h, struct lockdown *l)
{
	AUTO_BUF struct buf line = { 0 };

	if (!klog_find(h, &line, "Kernel is locked down from"))
		return 0;
	return conclude(l, LOCKDOWN_INTEGRITY, "kernel log", buf_text(&line));
}

static int find_level(const struct host *h, struct lockdown *l)
{
	static int (*const by[])(const struct host *h, struct lockdown *l) = {
		level_by_file,
		level_by_absence,
		level_by_config,
		level_by_log,
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(by); i++)
		r = by[i](h, l);
	return r < 0 ? r : 0;
}

static int read_secure_boot(const struct host *h, struct lockdown *l)
{
	AUTO_BUF struct buf raw = { 0 };
	int r = host_read(h, EFI_VARIABLE_MAX, &raw, NULL, LOCKDOWN_SECURE_BOOT);

	if (r == 0 && raw.len != 5)
		r = -EINVAL;
	l->secure_boot_error = r;
	l->secure_boot = r == 0 && raw.data[4] == 1;
	return r == -ENOMEM ? r : 0;
}

static int read_lockdown(const struct host *h, struct lockdown *ret, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	int r = read_secure_boot(h, ret);

	ret->source = LOCKDOWN_PATH;
	if (r == 0)
		r = find_level(h, ret);
	ret->sig_enforce = host_attr(h, &text, NULL, LOCKDOWN_ENFORCE) == 0 &&
			   parse_bool(buf_text(&text), &ret->sig_enforce) == 0 && ret->sig_enforce;
	if (r == 0)
		return 0;
	lockdown_done(ret);
	return error_nomem(e);
}
HOST_FACT_DEFINE(lockdown, read_lockdown)

void lockdown_done(struct lockdown *l)
{
	free(l->observed);
	*l = (struct lockdown){ 0 };
}

bool lockdown_wants_signatures(const struct host *h)
{
	const struct lockdown *l = NULL;

	return lockdown_get(h, &l, NULL) == 0 &&
	       (l->sig_enforce || l->level == LOCKDOWN_INTEGRITY ||
		l->level == LOCKDOWN_CONFIDENTIALITY);
}
