/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/bootnext.h>

#define GRUB	"/boot/grub/grub.cfg"
#define GRUB2	"/boot/grub2/grub.cfg"
#define ENTRIES "/boot/loader/entries/"

TEST(words_that_matter)
{
	static const char *const yes[] = {
		"intel_iommu=on",      "iommu=pt",     "iommu.strict=0", "pci=realloc",
		"pcie_aspm=off",       "isolcpus=2-7", "nosmt",		 "nosmp",
		"vfio-pci.ids=8086:1", "hugepages=4",  "igb.max_vfs=7",	 "modprobe.blacklist=igb"
	};
	static const char *const no[] = {
		"quiet",	 "root=/dev/sda1", "isolcpu=2", "pciback=1", "iommux=1",
		"BOOT_IMAGE=/v", "igbx.a=1",	   "",		"ro",	     "igb.dyndbg=file x +p"
	};

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		EXPECT(bootnext_matters(yes[i]));
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		EXPECT(!bootnext_matters(no[i]));
}

static const char debian[] =
	"if [ -s $prefix/grubenv ]; then\n  load_env\nfi\n"
	"if [ \"${next_entry}\" ] ; then\n   set default=\"${next_entry}\"\nelse\n"
	"   set default=\"0\"\nfi\n"
	"set superusers=\"root\"\npassword_pbkdf2 root grub.pbkdf2.sha512.10000.hunter2\n"
	"menuentry 'Debian GNU/Linux' --class debian $menuentry_id_option 'gnulinux-simple' {\n"
	"\tlinux\t/vmlinuz-6.1.0-57-amd64 root=UUID=1 ro quiet intel_iommu=on secret=hunter2\n"
	"\tinitrd\t/initrd.img-6.1.0-57-amd64\n}\n"
	"submenu 'Advanced options' {\n"
	"\tmenuentry 'Debian, with Linux 6.1.0-50-amd64' {\n"
	"\t\tlinux\t/vmlinuz-6.1.0-50-amd64 root=UUID=1 ro quiet\n\t}\n"
	"\tmenuentry 'Debian, with Linux 6.1.0-57-amd64 (Wiederherstellung)' {\n"
	"\t\tlinux\t/vmlinuz-6.1.0-57-amd64 root=UUID=1 ro single\n\t}\n}\n";

static const struct bootnext *get(const struct tree *t)
{
	const struct bootnext *b = NULL;

	return bootnext_get(t->h, &b, NULL) == 0 ? b : NULL;
}

/* The words of an entry, joined by blanks. */
static bool has_words(const struct bootnext *b, size_t i, const char *words)
{
	AUTO_BUF struct buf text = { 0 };

	for (size_t k = 0; b && i < b->n && k < b->items[i].words.n; k++)
		buf_printf(&text, "%s%s", k ? " " : "", b->items[i].words.items[k]);
	return b && i < b->n && same(buf_text(&text), words);
}

TEST(the_first_of_the_menu_is_the_default)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = GRUB, .text = debian });
	b = get(&t);
	EXPECT(b && b->n == 1 && b->by_grub && b->kernels.n == 3 && b->error == 0);
	EXPECT(has_words(b, 0, "intel_iommu=on"));
	EXPECT(b && b->n == 1 && !b->items[0].is_unsure && !b->items[0].is_rescue);
}

TEST(what_was_chosen_for_once_is_the_next)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = GRUB, .text = debian },
	     { .path = "/boot/grub/grubenv",
	       .text = "# GRUB Environment Block\nnext_entry=Debian, with Linux 6.1.0-50-amd64\n"
		       "#########" });
	b = get(&t);
	EXPECT(b && b->n == 1 && has_words(b, 0, ""));
}

/* Which of them is not told: all but those for repairs, in whatever language. */
TEST(an_unknown_default_leaves_all_but_rescues)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = GRUB, .text = debian },
	     { .path = "/boot/grub/grubenv", .text = "next_entry=gnulinux-advanced>x\n" });
	b = get(&t);
	EXPECT(b && b->n == 2 && has_words(b, 0, "intel_iommu=on") && has_words(b, 1, ""));
}

TEST(a_submenu_that_comes_first_is_the_default)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = GRUB,
		   .text = "set default=\"0\"\nsubmenu 'More' {\nmenuentry 'A' {\nlinux /a "
			   "nosmt\n}\n}\n"
			   "menuentry 'B' {\nlinux /b\n}\n" });
	b = get(&t);
	EXPECT(b && b->n == 2);
}

TEST(a_hypervisor_and_unknown_variables_are_not_sure)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = GRUB,
		   .text = "menuentry 'A' {\nlinux /a $vt_handoff\n}\nmenuentry 'B' {\n"
			   "linux /b $mystery\n}\nmenuentry 'C' {\nmultiboot2 /xen.gz\n}\n" });
	b = get(&t);
	EXPECT(b && b->n == 3 && !b->items[0].is_unsure && b->items[1].is_unsure &&
	       b->items[2].is_unsure);
}

#define MENU                                                                   \
	"set default=\"0\"\nmenuentry 'A' {\nlinux /a nosmt\n}\n"              \
	"if [ -f ${config_directory}/custom.cfg ]; then\n  source "            \
	"${config_directory}/custom.cfg\n"                                     \
	"elif [ -z \"${config_directory}\" -a -f $prefix/custom.cfg ]; then\n" \
	"  source $prefix/custom.cfg\nfi\n"

/* The menu has it read, when it is there: it adds entries, and may choose one of them. */
TEST(what_the_administrator_adds_to_the_menu_counts)
{
	AUTO_TREE struct tree none = { 0 }, more = { 0 }, other = { 0 };
	const struct bootnext *b;

	TREE(&none, { .path = GRUB, .text = MENU }, { .path = "/boot/grub/grubenv", .text = "#" });
	b = get(&none);
	EXPECT(b && b->n == 1 && b->error == 0 && has_words(b, 0, "nosmt"));
	TREE(&more, { .path = GRUB, .text = MENU }, { .path = "/boot/grub/grubenv", .text = "#" },
	     { .path = "/boot/grub/custom.cfg",
	       .text = "menuentry 'Mine' {\n linux /b \\\n  iommu=pt secret=1\n}\n" });
	b = get(&more);
	EXPECT(b && b->n == 1 && has_words(b, 0, "nosmt") && b->kernels.n == 2);
	TREE(&other, { .path = GRUB, .text = MENU }, { .path = "/boot/grub/grubenv", .text = "#" },
	     { .path = "/boot/grub/custom.cfg",
	       .text = "set default='Mine'\nmenuentry 'Mine' {\n linux /b \\\n  iommu=pt\n}\n" });
	b = get(&other);
	EXPECT(b && b->n == 1 && has_words(b, 0, "iommu=pt"));
}

/* What is read from elsewhere may choose another entry, or set what a variable stands for. */
TEST(a_file_that_is_not_followed_leaves_the_menu_open)
{
	AUTO_TREE struct tree t = { 0 }, known = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = GRUB, .text = MENU "source /mine.cfg\n" });
	b = get(&t);
	EXPECT(b && b->n == 1 && b->items[0].is_unsure);
	TREE(&known, { .path = GRUB, .text = "source ${prefix}/user.cfg\n" MENU });
	b = get(&known);
	EXPECT(b && b->n == 1 && !b->items[0].is_unsure && has_words(b, 0, "nosmt"));
}

/* Before the first entry, it may have that. */
TEST(a_file_read_first_may_have_the_first_entry)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t,
	     { .path = GRUB,
	       .text = "source $prefix/custom.cfg\nset default=0\nmenuentry 'A' {\nlinux /a\n}\n" },
	     { .path = "/boot/grub/custom.cfg", .text = "menuentry 'B' {\nlinux /b nosmt\n}\n" });
	b = get(&t);
	EXPECT(b && b->n == 2);
}

/* RHEL 8: the words are in the environment, the entries in files of their own. */
TEST(entries_in_files_take_the_words_of_the_environment)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t,
	     { .path = GRUB2,
	       .text = "set default=\"${saved_entry}\"\nset kernelopts=\"root=1 ro nosmt\"\n"
		       "insmod blscfg\nblscfg\n" },
	     { .path = "/boot/grub2/grubenv",
	       .text = "saved_entry=abc-4.18.0-553.el8.x86_64\n"
		       "kernelopts=root=1 ro intel_iommu=on iommu=pt \n" },
	     { .path = ENTRIES "abc-4.18.0-553.el8.x86_64.conf",
	       .text = "title RHEL\nlinux /vmlinuz-4.18.0-553.el8.x86_64\n"
		       "options $kernelopts $tuned_params\n" },
	     { .path = ENTRIES "abc-0-rescue.conf",
	       .text = "title RHEL (0-rescue-abc)\nlinux /vmlinuz-0-rescue\n"
		       "options root=1\n" });
	b = get(&t);
	EXPECT(b && b->n == 1 && same(b->source, "/boot/loader/entries"));
	EXPECT(has_words(b, 0, "intel_iommu=on iommu=pt") && !b->items[0].is_unsure);
	EXPECT(b && b->n == 1 && same(b->items[0].kernel, "/vmlinuz-4.18.0-553.el8.x86_64"));
}

/* RHEL 9: each has its own words, and an environment without a choice leaves both. */
TEST(entries_without_a_choice_stay)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = GRUB2, .text = "blscfg\n" },
	     { .path = "/boot/grub2/grubenv", .text = "#" },
	     { .path = ENTRIES "a.conf", .text = "title A\nlinux /a\noptions nosmt ro\n" },
	     { .path = ENTRIES "b.conf", .text = "title B\nlinux /b\noptions ro\n" },
	     { .path = ENTRIES "x-0-rescue.conf", .text = "title Rescue\nlinux /r\n" });
	b = get(&t);
	EXPECT(b && b->n == 2 && has_words(b, 0, "nosmt") && has_words(b, 1, ""));
}

TEST(systemd_boot_says_that_it_was_there)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;
	static const char info[] = "\6\0\0\0s\0y\0s\0t\0e\0m\0d\0-\0b\0o\0o\0t\0 \0"
				   "2\0";

	TREE(&t,
	     { .path = "/sys/firmware/efi/efivars/"
		       "LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f",
	       .text = info,
	       .len = sizeof(info) - 1 },
	     { .path = "/efi/loader/entries/arch.conf",
	       .text = "title Arch\nlinux /vmlinuz\noptions root=1\noptions iommu=pt\n" });
	b = get(&t);
	EXPECT(b && b->n == 1 && !b->by_grub && has_words(b, 0, "iommu=pt"));
}

TEST(extlinux_and_the_firmware_of_a_pi)
{
	AUTO_TREE struct tree t = { 0 }, pi = { 0 };
	const struct bootnext *b;

	TREE(&t, { .path = "/boot/extlinux/extlinux.conf",
		   .text = "DEFAULT l0\nLABEL l0\n\tMENU LABEL Linux\n\tLINUX /vmlinuz\n"
			   "\tAPPEND root=1 iommu.passthrough=1\n" });
	b = get(&t);
	EXPECT(b && b->n == 1 && has_words(b, 0, "iommu.passthrough=1"));
	TREE(&pi,
	     { .path = "/boot/firmware/cmdline.txt", .text = "console=tty1 nosmt rootwait\n" });
	b = get(&pi);
	EXPECT(b && b->n == 1 && b->firmware_adds && has_words(b, 0, "nosmt"));
}

TEST(nothing_known_is_no_entry)
{
	AUTO_TREE struct tree t = { 0 };
	const struct bootnext *b;

	tree_new(&t);
	b = get(&t);
	EXPECT(b && b->n == 0 && !b->source && b->error < 0);
}

/* A menu is captured without passwords, and without words that may be some. */
TEST(the_sieve_keeps_no_secret_and_changes_nothing)
{
	AUTO_BUF struct buf kept = { 0 }, again = { 0 };
	AUTO_BOOTNEXT_FILE struct bootnext_file whole = { 0 }, sieved = { 0 };

	bootnext_sieve(BOOTNEXT_GRUB, debian, strlen(debian), &kept);
	EXPECT(!strstr(buf_text(&kept), "hunter2") && strstr(buf_text(&kept), "intel_iommu=on"));
	bootnext_sieve(BOOTNEXT_GRUB, buf_text(&kept), kept.len, &again);
	EXPECT(same(buf_text(&kept), buf_text(&again)));
	EXPECT(bootnext_parse(BOOTNEXT_GRUB, "/x", debian, &whole) == 0);
	EXPECT(bootnext_parse(BOOTNEXT_GRUB, "/x", buf_text(&kept), &sieved) == 0);
	EXPECT(whole.n == 3 && sieved.n == 3 && whole.names.n == sieved.names.n);
}

TEST(the_sieve_is_for_the_boot_loaders_files)
{
	enum bootnext_form form;

	EXPECT(bootnext_form_of("/boot/grub/grub.cfg", &form) && form == BOOTNEXT_GRUB);
	EXPECT(bootnext_form_of("/boot/efi/EFI/redhat/grub.cfg", &form) && form == BOOTNEXT_GRUB);
	EXPECT(bootnext_form_of("/boot/grub2/grubenv", &form) && form == BOOTNEXT_ENV);
	EXPECT(bootnext_form_of("/efi/loader/entries/a.conf", &form) && form == BOOTNEXT_ENTRY);
	EXPECT(!bootnext_form_of("/etc/default/grub", &form));
}
