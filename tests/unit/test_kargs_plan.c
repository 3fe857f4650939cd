/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nomem.h"

#include <sriovctl/kargs.h>
#include <sriovctl/kargs_plan.h>

#include <sriovctl/error.h>

#include "../../checks/facts/kargs_bootc.h"
#include "tree.h"

#include <string.h>

#define ROWS	8
#define ENTRY	"/boot/loader/entries/a-6.1.conf"
#define RESCUE	"/boot/loader/entries/b-rescue.conf"
#define HEAD	"title X\nversion 6.1\nlinux /vmlinuz-6.1\ninitrd /i\n"
#define GRUBENV "/boot/grub2/grubenv"
#define ENVHEAD "# GRUB Environment Block\n"
#define KARGSD	"/usr/lib/bootc/kargs.d/"

struct row {
	const char *name;
	enum bootcfg_method method;
	struct tree_row files[ROWS];
	struct {
		const char *path, *text;
	} after[4];
	const char *error;
};

static void want(struct kargs *k)
{
	EXPECT(strv_add(&k->add, "a=on") == 0 && strv_add(&k->remove, "b=off") == 0);
}

static bool is_expected(const struct row *r, const struct kargs_plan *p)
{
	size_t n = 0;

	while (n < ARRAY_SIZE(r->after) && r->after[n].path)
		n++;
	if (p->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(p->edits[i].path, r->after[i].path) != 0 ||
		    strcmp(buf_text(&p->edits[i].after), r->after[i].text) != 0)
			return false;
	return true;
}

static bool plans(const struct row *r)
{
	AUTO_KARGS_PLAN struct kargs_plan p = { 0 };
	AUTO_KARGS struct kargs k = { 0 };
	AUTO_TREE struct tree t = { 0 };
	struct error e = { 0 };
	size_t n = 0;
	int code;
	bool good;

	want(&k);
	while (n < ROWS && r->files[n].path)
		n++;
	tree_build(&t, r->files, n);
	code = kargs_plan_make(t.h, r->method, &k, &p, &e);
	good = r->error ? code == -ENOTSUP && strstr(e.text, r->error)
			: code == 0 && e.code == 0 && is_expected(r, &p);
	if (good)
		return true;
	printf("# %s: %d: %s\n", r->name, code, e.text);
	for (size_t i = 0; i < p.n; i++)
		printf("# %s: %s\n", p.edits[i].path, buf_text(&p.edits[i].after));
	return false;
}

TEST(each_way_changes_its_own_files)
{
	static const struct row rows[] = {
		{ .name = "RHEL 9: entries, the defaults, the line for kernels to come",
		  .method = BOOTCFG_GRUBBY,
		  .files = { { .path = ENTRY,
			       .text = HEAD "options root=U ro b=off\ngrub_users $u\n" },
			     { .path = RESCUE, .text = HEAD "options root=U a=on\n" },
			     { .path = "/boot/loader/entries/x.conf.bak",
			       .text = "options b=off\n" },
			     { .path = "/etc/kernel/cmdline", .text = "root=U ro\n" },
			     { .path = "/etc/default/grub",
			       .text = "GRUB_CMDLINE_LINUX=\"ro\"\n" } },
		  .after = { { .path = ENTRY,
			       .text = HEAD "options root=U ro a=on\ngrub_users $u\n" },
			     { .path = "/etc/default/grub",
			       .text = "GRUB_CMDLINE_LINUX=\"ro a=on\"\n" },
			     { .path = "/etc/kernel/cmdline", .text = "root=U ro a=on\n" } } },
		{ .name = "an entry without options",
		  .method = BOOTCFG_LOADER_ENTRIES,
		  .files = { { .path = "/boot/efi/loader/entries/k.conf", .text = "linux /v" } },
		  .after = { { .path = "/boot/efi/loader/entries/k.conf",
			       .text = "linux /v\noptions a=on\n" } } },
		{ .name = "options on two lines",
		  .method = BOOTCFG_KERNEL_INSTALL,
		  .files = { { .path = ENTRY, .text = HEAD "options b=off x\noptions\ty\n" },
			     { .path = "/etc" } },
		  .after = { { .path = ENTRY, .text = HEAD "options x\noptions\ty a=on\n" } } },
		{ .name = "the same folder by another name is seen once",
		  .method = BOOTCFG_RPM_OSTREE,
		  .files = { { .path = "/boot/loader.1/entries/ostree-1.conf",
			       .text = HEAD "options ostree=/o/b=off/0\n" },
			     { .path = "/boot/loader", .link = "loader.1" },
			     { .path = "/efi", .link = "boot" } },
		  .after = { { .path = "/boot/loader/entries/ostree-1.conf",
			       .text = HEAD "options ostree=/o/b=off/0 a=on\n" } } },
		{ .name = "an image for bootc",
		  .method = BOOTCFG_BOOTC,
		  .files = { { .path = KARGSD "10-x.toml", .text = "kargs = ['c'] # b=off\n" } },
		  .after = { { .path = KARGSD "50-sriovctl.toml",
			       .text = "# Written by sriovctl provision --kernel-args.\n"
				       "kargs = [\"a=on\"]\n" } } },
		{ .name = "its own file, again",
		  .method = BOOTCFG_BOOTC,
		  .files = { { .path = KARGSD "50-sriovctl.toml",
			       .text = "kargs = [\"b=off\"]\n" } },
		  .after = { { .path = KARGSD "50-sriovctl.toml",
			       .text = "# Written by sriovctl provision --kernel-args.\n"
				       "kargs = [\"a=on\"]\n" } } },
		{ .name = "all is there",
		  .method = BOOTCFG_BOOTC,
		  .files = { { .path = KARGSD "10-x.toml",
			       .text = "kargs = [\n'c',\n\"a=on\",]\n" } } },
		{ .name = "one line",
		  .method = BOOTCFG_CMDLINE_TXT,
		  .files = { { .path = "/boot/firmware/cmdline.txt", .text = "b=off quiet" } },
		  .after = { { .path = "/boot/firmware/cmdline.txt", .text = "quiet a=on" } } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(plans(&rows[i]));
}

TEST(what_cannot_be_done_is_refused)
{
	static const struct row rows[] = {
		{ .name = "no way is known",
		  .method = BOOTCFG_UNKNOWN,
		  .error = "Add \"a=on\" to the kernel command line" },
		{ .name = "an operator's",
		  .method = BOOTCFG_MACHINE_CONFIG,
		  .error = "kernelArguments of a MachineConfig" },
		{ .name = "no entry", .method = BOOTCFG_GRUBBY, .error = "no boot loader entry" },
		{ .name = "an entry of something else",
		  .method = BOOTCFG_GRUBBY,
		  .files = { { .path = ENTRY, .text = "efi /memtest.efi\n" } },
		  .error = "no boot loader entry" },
		{ .name = "a unified image",
		  .method = BOOTCFG_KERNEL_INSTALL,
		  .files = { { .path = ENTRY, .text = HEAD },
			     { .path = "/boot/efi/EFI/Linux/a.efi", .text = "MZ" } },
		  .error = "/boot/efi/EFI/Linux/a.efi has its command line inside" },
		{ .name = "a variable that somebody else sets",
		  .method = BOOTCFG_GRUBBY,
		  .files = { { .path = ENTRY, .text = HEAD "options root=U $tuned_params\n" },
			     { .path = GRUBENV, .text = ENVHEAD "tuned_params=b=off\n" } },
		  .error = ENTRY
		  ": with GRUB's variables it would still give \"root=U b=off a=on\"" },
		{ .name = "the block has no such variable",
		  .method = BOOTCFG_GRUBBY,
		  .files = { { .path = ENTRY, .text = HEAD "options $kernelopts\n" },
			     { .path = GRUBENV, .text = ENVHEAD "saved_entry=0\n###" } },
		  .error = GRUBENV ": has no kernelopts" },
		{ .name = "the block is full",
		  .method = BOOTCFG_GRUBBY,
		  .files = { { .path = ENTRY, .text = HEAD "options $kernelopts\n" },
			     { .path = GRUBENV, .text = ENVHEAD "kernelopts=root=U\n##" } },
		  .error = GRUBENV ": its 45 bytes have no room" },
		{ .name = "an image's other file has it",
		  .method = BOOTCFG_BOOTC,
		  .files = { { .path = KARGSD "10-x.toml", .text = "kargs = ['b=off']\n" } },
		  .error = KARGSD "10-x.toml has b=off: remove it there" },
		{ .name = "no array",
		  .method = BOOTCFG_BOOTC,
		  .files = { { .path = KARGSD "10-x.toml", .text = "\nkargs = 'b'\n" } },
		  .error = KARGSD "10-x.toml:2: an array is expected" },
		{ .name = "an open quote",
		  .method = BOOTCFG_CMDLINE_TXT,
		  .files = { { .path = "/boot/firmware/cmdline.txt", .text = "x=\"a b\n" } },
		  .error = "/boot/firmware/cmdline.txt:1: a quote in it is not closed" },
		{ .name = "not text",
		  .method = BOOTCFG_CMDLINE_TXT,
		  .files = { { .path = "/boot/firmware/cmdline.txt", .text = "a\0b", .len = 3 } },
		  .error = "/boot/firmware/cmdline.txt: not text" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(plans(&rows[i]));
}

TEST(a_file_is_one_command_line)
{
	static const struct row rows[] = {
		{ .name = "lines that are joined",
		  .method = BOOTCFG_KERNEL_INSTALL,
		  .files = { { .path = ENTRY, .text = HEAD "options a=on\n" },
			     { .path = "/etc/kernel/cmdline", .text = "ro b=off\nquiet\n" } },
		  .after = { { .path = "/etc/kernel/cmdline", .text = "ro\nquiet a=on\n" } } },
		{ .name = "a comment, or not",
		  .method = BOOTCFG_KERNEL_INSTALL,
		  .files = { { .path = ENTRY, .text = HEAD },
			     { .path = "/etc/kernel/cmdline", .text = "ro\n\n # a=on\n" } },
		  .error = "/etc/kernel/cmdline:3: whether this line is a comment is not known" },
		{ .name = "two lines where one counts",
		  .method = BOOTCFG_CMDLINE_TXT,
		  .files = { { .path = "/boot/firmware/cmdline.txt", .text = "ro\n\nquiet\n" } },
		  .error = "/boot/firmware/cmdline.txt:3: a command line is one line here" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT(plans(&rows[i]));
}

TEST(the_block_of_variables_keeps_its_size)
{
	static const char before[] = ENVHEAD "saved_entry=x\nkernelopts=root=U b=off \n"
					     "boot_success=1\n##########";
	static const char after[] = ENVHEAD "saved_entry=x\nkernelopts=root=U a=on \n"
					    "boot_success=1\n###########";
	static const struct row row = {
		.name = "RHEL 8",
		.method = BOOTCFG_GRUBBY,
		.files = { { .path = ENTRY, .text = HEAD "options $kernelopts $tuned_params\n" },
			   { .path = "/boot/efi/EFI/redhat/grubenv", .text = before },
			   { .path = GRUBENV, .link = "../efi/EFI/redhat/grubenv" },
			   { .path = "/etc" } },
		.after = { { .path = GRUBENV, .text = after } },
	};

	_Static_assert(sizeof(before) == sizeof(after), "the same size");
	EXPECT(plans(&row));
}

TEST(the_generator_runs_where_its_work_is_old)
{
	static const char grub[] = "GRUB_CMDLINE_LINUX=\"a=on\"\n";
	static const char old[] = "### BEGIN /etc/grub.d/10_linux ###\nlinux /v x\n";
	static const char new[] = "### BEGIN /etc/grub.d/10_linux ###\nlinux /v a=on\n";
	AUTO_KARGS struct kargs k = { 0 };

	want(&k);
	for (int i = 0; i < 2; i++) {
		AUTO_KARGS_PLAN struct kargs_plan p = { 0 };
		AUTO_TREE struct tree t = { 0 };

		TREE(&t, { .path = "/etc/default/grub", .text = grub },
		     { .path = "/boot/grub/grub.cfg", .text = i ? new : old });
		EXPECT(kargs_plan_make(t.h, BOOTCFG_UPDATE_GRUB, &k, &p, NULL) == 0);
		EXPECT(p.n == 0 &&
		       p.generator == (i ? KARGS_GENERATOR_NONE : KARGS_GENERATOR_UPDATE_GRUB));
	}
}

/* With each allocation failing in turn: -ENOMEM, or the whole plan. */
TEST(a_plan_is_whole_or_there_is_none)
{
	static const char grubenv[] = ENVHEAD "kernelopts=b=off x\n#######";
	AUTO_KARGS struct kargs k = { 0 };
	AUTO_TREE struct tree t = { 0 };
	unsigned n = 0;
	int r = -ENOMEM;

	want(&k);
	TREE(&t, { .path = ENTRY, .text = HEAD "options $kernelopts b=off\n" },
	     { .path = RESCUE, .text = HEAD "options y\n" }, { .path = GRUBENV, .text = grubenv },
	     { .path = "/etc/default/grub", .text = "GRUB_CMDLINE_LINUX=\"b=off\"\n" },
	     { .path = "/etc/kernel/cmdline", .text = "x\n" });
	while (r == -ENOMEM && n < 5000) {
		AUTO_KARGS_PLAN struct kargs_plan p = { 0 };
		AUTO_HOST struct host *h = NULL;

		EXPECT(host_open(t.dir, &h, NULL) == 0);
		nomem_arm(++n);
		r = kargs_plan_make(h, BOOTCFG_GRUBBY, &k, &p, NULL);
		nomem_disarm();
		EXPECT(r == -ENOMEM ? p.n == 0 : p.n == 5);
	}
	EXPECT(r == 0 && n > 100);
}
