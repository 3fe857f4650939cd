/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/lockdown.h>

#define RELEASE "/proc/sys/kernel/osrelease"
#define CONFIG	"/boot/config-4.19.0-1"
#define LSM	"/sys/kernel/security/lsm"

static const struct lockdown *get(const struct tree *t)
{
	const struct lockdown *l = NULL;

	return lockdown_get(t->h, &l, NULL) == 0 ? l : NULL;
}

static enum lockdown_level level_of(const char *text)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lockdown *l;

	TREE(&t, { .path = LOCKDOWN_PATH, .text = text });
	l = get(&t);
	return l ? l->level : LOCKDOWN_UNKNOWN;
}

TEST(the_level_is_the_one_in_brackets)
{
	EXPECT(level_of("[none] integrity confidentiality\n") == LOCKDOWN_NONE);
	EXPECT(level_of("none [integrity] confidentiality\n") == LOCKDOWN_INTEGRITY);
	EXPECT(level_of("none integrity [confidentiality]\n") == LOCKDOWN_CONFIDENTIALITY);
	EXPECT(level_of("none integrity confidentiality\n") == LOCKDOWN_UNKNOWN);
}

TEST(no_file_beside_others_of_its_kind_is_no_lockdown)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lockdown *l;

	TREE(&t, { .path = LSM, .text = "capability,yama" }, { .path = RELEASE, .text = "6.1.0" });
	l = get(&t);
	EXPECT(l && l->level == LOCKDOWN_NONE);
}

/* Before it was a security module, distributions had it without a file. */
TEST(no_file_of_an_old_kernel_says_nothing)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lockdown *l;

	TREE(&t, { .path = LSM, .text = "capability" }, { .path = RELEASE, .text = "4.18.0-1" });
	l = get(&t);
	EXPECT(l && l->level == LOCKDOWN_UNKNOWN && l->error == -ENOENT);
	EXPECT(!lockdown_wants_signatures(t.h));
}

TEST(an_empty_folder_is_not_mounted)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lockdown *l;

	TREE(&t, { .path = "/sys/kernel/security" }, { .path = RELEASE, .text = "6.1.0" });
	l = get(&t);
	EXPECT(l && l->level == LOCKDOWN_UNKNOWN);
}

TEST(the_log_and_the_configuration_serve_where_there_is_no_file)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lockdown *l;

	TREE(&t, { .path = "/var/log/dmesg",
		   .text = "[    0.000000] Kernel is locked down from EFI secure boot; see man "
			   "kernel_lockdown.7\n" });
	l = get(&t);
	EXPECT(l && l->level == LOCKDOWN_INTEGRITY && lockdown_wants_signatures(t.h));
}

TEST(a_kernel_that_locks_down_by_secure_boot_is_locked_down_with_it)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lockdown *l;

	TREE(&t, { .path = RELEASE, .text = "4.19.0-1" },
	     { .path = CONFIG,
	       .text = "CONFIG_LOCK_DOWN_KERNEL=y\nCONFIG_LOCK_DOWN_IN_EFI_SECURE_BOOT=y\n" },
	     { .path = LOCKDOWN_SECURE_BOOT, .text = "\x06\0\0\0\x01", .len = 5 });
	l = get(&t);
	EXPECT(l && l->secure_boot && l->level == LOCKDOWN_INTEGRITY);
}

TEST(a_kernel_without_the_module_is_not_locked_down)
{
	AUTO_TREE struct tree t = { 0 };
	const struct lockdown *l;

	TREE(&t, { .path = RELEASE, .text = "4.19.0-1" },
	     { .path = CONFIG,
	       .text = "CONFIG_X86=y\n# CONFIG_SECURITY_LOCKDOWN_LSM is not set\n" });
	l = get(&t);
	EXPECT(l && l->level == LOCKDOWN_NONE);
}

TEST(secure_boot_is_known_or_not)
{
	AUTO_TREE struct tree on = { 0 }, off = { 0 }, cut = { 0 };
	const struct lockdown *l;

	TREE(&on, { .path = LOCKDOWN_SECURE_BOOT, .text = "\x06\0\0\0\x01", .len = 5 });
	l = get(&on);
	EXPECT(l && l->secure_boot_error == 0 && l->secure_boot);
	TREE(&off, { .path = LOCKDOWN_SECURE_BOOT, .text = "\x06\0\0\0\0", .len = 5 });
	l = get(&off);
	EXPECT(l && l->secure_boot_error == 0 && !l->secure_boot);
	TREE(&cut, { .path = LOCKDOWN_SECURE_BOOT, .text = "\x06\0", .len = 2 });
	l = get(&cut);
	EXPECT(l && l->secure_boot_error < 0 && !l->secure_boot);
}

TEST(signatures_may_be_wanted_without_lockdown)
{
	AUTO_TREE struct tree t = { 0 }, none = { 0 };

	TREE(&t, { .path = LOCKDOWN_ENFORCE, .text = "Y\n" });
	EXPECT(lockdown_wants_signatures(t.h));
	TREE(&none, { .path = LOCKDOWN_ENFORCE, .text = "N\n" });
	EXPECT(!lockdown_wants_signatures(none.h));
}
