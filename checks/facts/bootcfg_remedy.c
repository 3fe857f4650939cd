/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/bootcfg_remedy.h>

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <string.h>

#define GRUB_LINE  "GRUB_CMDLINE_LINUX in /etc/default/grub"
#define GRUB_LINES "the GRUB_CMDLINE_LINUX lines in /etc/default/grub"
#define INSTALL	   "kernel-install add $(uname -r) "

/* Either a command of its own, or a place to edit and what to run then. */
static const struct method {
	const char *add, *remove; /* commands; {X} stands for the words with X before each */
	const char *before;	  /* what such a command needs first */
	const char *place;
	const char *from; /* the place to remove from, where that is more than one */
	const char *run;
	const char *then; /* in place of "reboot" */
} methods[] = {
	[BOOTCFG_UNKNOWN] = {
		.place = "the kernel command line in the boot loader's configuration",
	},
	[BOOTCFG_GRUBBY] = {
		.add = "grubby --update-kernel=ALL --args=\"{}\"",
		.remove = "grubby --update-kernel=ALL --remove-args=\"{}\"",
	},
	[BOOTCFG_GRUBBY_MISSING] = {
		.before = "Install grubby, run",
		.add = "grubby --update-kernel=ALL --args=\"{}\"",
		.remove = "grubby --update-kernel=ALL --remove-args=\"{}\"",
	},
	[BOOTCFG_UPDATE_GRUB] = {
		.place = GRUB_LINE,
		.from = GRUB_LINES " and /etc/default/grub.d",
		.run = "update-grub",
	},
	[BOOTCFG_GRUB_MKCONFIG] = {
		.place = GRUB_LINE,
		.from = GRUB_LINES,
		.run = "grub-mkconfig -o /boot/grub/grub.cfg",
	},
	[BOOTCFG_GRUB2_MKCONFIG] = {
		.place = GRUB_LINE,
		.from = GRUB_LINES,
		.run = "grub2-mkconfig -o /boot/grub2/grub.cfg",
	},
	[BOOTCFG_TRANSACTIONAL] = {
		.place = GRUB_LINE,
		.from = GRUB_LINES,
		.run = "transactional-update grub.cfg",
	},
	[BOOTCFG_SDBOOTUTIL] = {
		.place = "the line in /etc/kernel/cmdline",
		.run = "sdbootutil update-all-entries",
	},
	[BOOTCFG_RPM_OSTREE] = {
		.add = "rpm-ostree kargs {--append-if-missing=}",
		.remove = "rpm-ostree kargs {--delete-if-present=}",
	},
	[BOOTCFG_BOOTC] = {
		.place = "the kargs in /usr/lib/bootc/kargs.d of the image",
		.run = "bootc upgrade",
	},
	[BOOTCFG_MACHINE_CONFIG] = {
		.place = "kernelArguments of a MachineConfig for this node's pool",
		.then = "let its operator reboot the node",
	},
	[BOOTCFG_FLATCAR] = {
		.place = "/usr/share/oem/grub.cfg (set linux_append=\"$linux_append ...\")",
	},
	[BOOTCFG_PROXMOX] = {
		.place = "the line in /etc/kernel/cmdline",
		.run = "proxmox-boot-tool refresh",
	},
	[BOOTCFG_PROXMOX_EITHER] = {
		.place = "the line in /etc/kernel/cmdline (systemd-boot) or " GRUB_LINE " (GRUB)",
		.run = "proxmox-boot-tool refresh",
	},
	[BOOTCFG_KERNEL_INSTALL] = {
		.place = "the line in /etc/kernel/cmdline",
		.run = INSTALL "/lib/modules/$(uname -r)/vmlinuz",
	},
	[BOOTCFG_KERNEL_INSTALL_BOOT] = {
		.place = "the line in /etc/kernel/cmdline",
		.run = INSTALL "/boot/vmlinuz-$(uname -r)",
	},
	[BOOTCFG_MKINITCPIO] = {
		.place = "the line in /etc/kernel/cmdline",
		.run = "mkinitcpio -P",
	},
	[BOOTCFG_LOADER_ENTRIES] = {
		.place = "the options in loader/entries of the boot partition",
	},
	[BOOTCFG_EXTLINUX] = {
		.place = "default_kernel_opts in /etc/update-extlinux.conf",
		.run = "update-extlinux",
	},
	[BOOTCFG_CMDLINE_TXT] = {
		.place = "the line in /boot/firmware/cmdline.txt",
	},
	[BOOTCFG_NIXOS] = {
		.place = "boot.kernelParams in the NixOS configuration",
		.run = "nixos-rebuild boot",
	},
};
_Static_assert(ARRAY_SIZE(methods) == BOOTCFG_METHOD_MAX, "one row per method");

/*
 * Only what means itself in a shell, in double quotes and in the files above: the
 * words may come from a foreign machine, and the command will be pasted.
 */
static bool is_plain(const char *words)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-.,:=/+@% ";

	return words[strspn(words, plain)] == '\0';
}

static void put_words(const char *words, const char *prefix, size_t prefix_len, struct buf *ret)
{
	const char *word, *blank = "";
	size_t i, len;

	while (parse_word(&words, &word, &len)) {
		buf_puts(ret, blank);
		buf_append(ret, prefix, prefix_len);
		for (i = 0; i < len; i++)
			buf_append(ret, word[i] >= 0x20 && word[i] < 0x7f ? &word[i] : "?", 1);
		blank = " ";
	}
}

static void put_command(const struct method *m, const char *command, const char *words,
			struct buf *ret)
{
	const char *open = strchr(command, '{'), *close = strchr(command, '}');

	buf_printf(ret, "%s ", m->before ? m->before : "Run");
	buf_append(ret, command, (size_t)(open - command));
	put_words(words, open + 1, (size_t)(close - open - 1), ret);
	buf_printf(ret, "%s, then reboot.", close + 1);
}

static void put_edit(const struct method *m, bool is_removal, const char *words, struct buf *ret)
{
	buf_puts(ret, is_removal ? "Remove \"" : "Add \"");
	put_words(words, "", 0, ret);
	buf_puts(ret, is_removal ? "\" from " : "\" to ");
	buf_puts(ret, is_removal && m->from ? m->from : m->place);
	if (m->run)
		buf_printf(ret, ", run %s", m->run);
	buf_printf(ret, ", then %s.", m->then ? m->then : "reboot");
}

static const struct method *method_for(const struct bootcfg *cfg, const char *words)
{
	return &methods[is_plain(words) ? cfg->method : BOOTCFG_UNKNOWN];
}

void bootcfg_remedy_add(const struct bootcfg *cfg, const char *words, struct buf *ret)
{
	const struct method *m = method_for(cfg, words);

	if (m->add)
		put_command(m, m->add, words, ret);
	else
		put_edit(m, false, words, ret);
}

void bootcfg_remedy_remove(const struct bootcfg *cfg, const char *words, struct buf *ret)
{
	const struct method *m = method_for(cfg, words);

	if (m->remove)
		put_command(m, m->remove, words, ret);
	else
		put_edit(m, true, words, ret);
}
