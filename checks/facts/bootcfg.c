/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/bootcfg.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

#define OS_RELEASE_MAX	 65536
#define EFI_VARIABLE_MAX 4096

enum family {
	FAMILY_OTHER,
	FAMILY_REDHAT,
	FAMILY_DEBIAN,
	FAMILY_SUSE,
	FAMILY_ARCH,
	FAMILY_ALPINE,
	FAMILY_FLATCAR,
	FAMILY_NIXOS,
	FAMILY_XEN_DOM0,
};

/* By the words of ID and then of ID_LIKE, so the first that is known decides. */
static const struct {
	const char *id;
	enum family family;
} families[] = {
	/* Its command line is that of Xen and of dom0, which grubby does not edit. */
	{ .id = "xenenterprise", .family = FAMILY_XEN_DOM0 },
	{ .id = "flatcar", .family = FAMILY_FLATCAR },
	{ .id = "nixos", .family = FAMILY_NIXOS },
	{ .id = "rhel", .family = FAMILY_REDHAT },
	{ .id = "centos", .family = FAMILY_REDHAT },
	{ .id = "fedora", .family = FAMILY_REDHAT },
	{ .id = "debian", .family = FAMILY_DEBIAN },
	{ .id = "ubuntu", .family = FAMILY_DEBIAN },
	{ .id = "suse", .family = FAMILY_SUSE },
	{ .id = "opensuse", .family = FAMILY_SUSE },
	{ .id = "sles", .family = FAMILY_SUSE },
	{ .id = "arch", .family = FAMILY_ARCH },
	{ .id = "alpine", .family = FAMILY_ALPINE },
};

/* Which boot loader started this kernel, as it says itself. */
enum loader { LOADER_UNKNOWN, LOADER_SYSTEMD_BOOT, LOADER_GRUB };

struct system {
	const struct host *host;
	enum family family;
	bool is_openshift_node;
	bool is_installed; /* another kernel runs, which tells nothing of this system */
	enum loader loader;
};

static bool is_there(const struct system *s, const char *path)
{
	return host_exists(s->host, "%s", path) == 0;
}

/* Seen to be absent, which is more than not seen. */
static bool is_missing(const struct system *s, const char *path)
{
	return host_exists(s->host, "%s", path) == -ENOENT;
}

/* An assignment in a file of shell-like ones; the last counts.  False: there is none. */
static bool find_assignment(const char *text, const char *key, struct buf *ret)
{
	size_t len, n = strlen(key);
	const char *line;
	bool found = false;

	while (parse_line(&text, &line, &len)) {
		const char *value;
		size_t value_len;

		if (len <= n || memcmp(line, key, n) != 0 || line[n] != '=')
			continue;
		value = line + n + 1;
		value_len = len - n - 1;
		while (value_len && strchr(" \t\r", value[value_len - 1]))
			value_len--;
		if (value_len > 1 && (value[0] == '"' || value[0] == '\'') &&
		    value[value_len - 1] == value[0]) {
			value++;
			value_len -= 2;
		}
		buf_clear(ret);
		buf_append(ret, value, value_len);
		found = true;
	}
	return found;
}

static enum family family_of(const char *ids)
{
	const char *word;
	size_t i, len;

	while (parse_word(&ids, &word, &len)) {
		for (i = 0; i < ARRAY_SIZE(families); i++) {
			if (strlen(families[i].id) == len && memcmp(families[i].id, word, len) == 0)
				return families[i].family;
		}
	}
	return FAMILY_OTHER;
}

/* os-release(5): /etc first, then /usr/lib; ID is one word, ID_LIKE a list, closest first. */
static int read_os_release(struct system *s, struct error *e)
{
	AUTO_BUF struct buf text = { 0 };
	AUTO_BUF struct buf value = { 0 };
	AUTO_BUF struct buf ids = { 0 };
	int r = host_read(s->host, OS_RELEASE_MAX, &text, NULL, "/etc/os-release");

	if (r)
		r = host_read(s->host, OS_RELEASE_MAX, &text, NULL, "/usr/lib/os-release");
	if (r)
		return r == -ENOMEM ? error_nomem(e) : 0;
	if (find_assignment(buf_text(&text), "ID", &value))
		buf_puts(&ids, buf_text(&value));
	if (find_assignment(buf_text(&text), "ID_LIKE", &value))
		buf_printf(&ids, " %s", buf_text(&value));
	s->family = family_of(buf_text(&ids));
	s->is_openshift_node = find_assignment(buf_text(&text), "OPENSHIFT_VERSION", &value);
	return buf_error(&ids) || buf_error(&value) ? error_nomem(e) : 0;
}

/*
 * The variable LoaderInfo of the boot loader interface (systemd.io/BOOT_LOADER_INTERFACE):
 * four bytes of attributes as efivarfs gives them, then UTF-16LE.
 */
static void read_loader(struct system *s)
{
	static const char path[] =
		"/sys/firmware/efi/efivars/LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";
	AUTO_BUF struct buf raw = { 0 };
	AUTO_BUF struct buf name = { 0 };
	size_t i;

	if (host_read(s->host, EFI_VARIABLE_MAX, &raw, NULL, path) != 0)
		return;
	for (i = 4; i + 1 < raw.len && raw.data[i] && !raw.data[i + 1]; i += 2)
		buf_append(&name, raw.data + i, 1);
	if (buf_error(&name) < 0)
		(void)host_nomem(s->host, NULL);
	if (parse_has_prefix(buf_text(&name), "systemd-boot"))
		s->loader = LOADER_SYSTEMD_BOOT;
	else if (parse_has_prefix(buf_text(&name), "GRUB"))
		s->loader = LOADER_GRUB;
}

static bool is_ostree(const struct system *s)
{
	return (!s->is_installed && is_there(s, "/run/ostree-booted")) ||
	       is_there(s, "/ostree/repo");
}

static enum bootcfg_method ostree_method(const struct system *s)
{
	if (s->is_openshift_node)
		return BOOTCFG_MACHINE_CONFIG;
	if (is_there(s, "/usr/bin/rpm-ostree"))
		return BOOTCFG_RPM_OSTREE;
	if (is_there(s, "/usr/bin/bootc"))
		return BOOTCFG_BOOTC;
	return s->family == FAMILY_REDHAT && !is_missing(s, "/usr/bin/rpm-ostree")
		       ? BOOTCFG_RPM_OSTREE
		       : BOOTCFG_UNKNOWN;
}

static enum bootcfg_method suse_method(const struct system *s)
{
	static const char path[] = "/etc/sysconfig/bootloader";
	AUTO_BUF struct buf text = { 0 };
	AUTO_BUF struct buf type = { 0 };

	if (host_read(s->host, OS_RELEASE_MAX, &text, NULL, path) == 0 &&
	    find_assignment(buf_text(&text), "LOADER_TYPE", &type) &&
	    (strcmp(buf_text(&type), "systemd-boot") == 0 ||
	     strcmp(buf_text(&type), "grub2-bls") == 0))
		return BOOTCFG_SDBOOTUTIL;
	if (s->loader == LOADER_SYSTEMD_BOOT)
		return BOOTCFG_SDBOOTUTIL;
	if (is_there(s, "/usr/sbin/transactional-update"))
		return BOOTCFG_TRANSACTIONAL;
	return is_missing(s, "/etc/default/grub") ? BOOTCFG_UNKNOWN : BOOTCFG_GRUB2_MKCONFIG;
}

static enum bootcfg_method systemd_boot_method(const struct system *s)
{
	if (!is_there(s, "/etc/kernel/cmdline"))
		return BOOTCFG_LOADER_ENTRIES;
	if (s->family == FAMILY_ARCH && is_there(s, "/usr/bin/mkinitcpio"))
		return BOOTCFG_MKINITCPIO;
	return s->family == FAMILY_DEBIAN ? BOOTCFG_KERNEL_INSTALL_BOOT : BOOTCFG_KERNEL_INSTALL;
}

static enum bootcfg_method redhat_method(const struct system *s)
{
	if (!is_missing(s, "/usr/sbin/grubby"))
		return BOOTCFG_GRUBBY;
	/* Without a boot loader this is a container or an image of one. */
	if (is_there(s, "/etc/default/grub") || is_there(s, "/boot/loader/entries"))
		return BOOTCFG_GRUBBY_MISSING;
	return BOOTCFG_UNKNOWN;
}

static enum bootcfg_method proxmox_method(const struct system *s)
{
	if (s->loader == LOADER_SYSTEMD_BOOT)
		return BOOTCFG_PROXMOX;
	return s->loader == LOADER_GRUB || (!s->is_installed && is_missing(s, "/sys/firmware/efi"))
		       ? BOOTCFG_UPDATE_GRUB
		       : BOOTCFG_PROXMOX_EITHER;
}

static enum bootcfg_method grub_method(const struct system *s)
{
	if (s->family == FAMILY_DEBIAN)
		return BOOTCFG_UPDATE_GRUB;
	if (is_there(s, "/boot/grub2"))
		return BOOTCFG_GRUB2_MKCONFIG;
	return is_there(s, "/boot/grub") ? BOOTCFG_GRUB_MKCONFIG : BOOTCFG_UNKNOWN;
}

static enum bootcfg_method method_by_files(const struct system *s)
{
	if (is_there(s, "/boot/firmware/cmdline.txt"))
		return BOOTCFG_CMDLINE_TXT;
	if (is_there(s, "/etc/kernel/proxmox-boot-uuids"))
		return proxmox_method(s);
	if (s->loader == LOADER_SYSTEMD_BOOT)
		return systemd_boot_method(s);
	if (is_there(s, "/usr/sbin/grubby") && s->family != FAMILY_DEBIAN)
		return BOOTCFG_GRUBBY;
	if (is_there(s, "/etc/default/grub"))
		return grub_method(s);
	if (is_there(s, "/etc/update-extlinux.conf"))
		return BOOTCFG_EXTLINUX;
	if (is_there(s, "/etc/kernel/cmdline"))
		return systemd_boot_method(s);
	/* Debian's own installer knows no other loader: only its absence would tell. */
	if (s->family == FAMILY_DEBIAN && !is_missing(s, "/etc/default/grub"))
		return BOOTCFG_UPDATE_GRUB;
	return BOOTCFG_UNKNOWN;
}

static enum bootcfg_method method_of(const struct system *s)
{
	if (is_ostree(s))
		return ostree_method(s);
	switch (s->family) {
	case FAMILY_FLATCAR:
		return BOOTCFG_FLATCAR;
	case FAMILY_NIXOS:
		return BOOTCFG_NIXOS;
	case FAMILY_XEN_DOM0:
		return BOOTCFG_UNKNOWN;
	case FAMILY_SUSE:
		return suse_method(s);
	case FAMILY_REDHAT:
		if (s->loader != LOADER_SYSTEMD_BOOT)
			return redhat_method(s);
		return systemd_boot_method(s);
	case FAMILY_DEBIAN:
	case FAMILY_ARCH:
	case FAMILY_ALPINE:
	case FAMILY_OTHER:
		break;
	}
	return method_by_files(s);
}

int bootcfg_read_installed(const struct host *h, struct bootcfg *ret, struct error *e)
{
	struct system s = { .host = h, .is_installed = true };
	int r = read_os_release(&s, e);

	if (r == 0)
		*ret = (struct bootcfg){ .method = method_of(&s) };
	return r;
}

static int read_bootcfg(const struct host *h, struct bootcfg *ret, struct error *e)
{
	struct system s = { .host = h };
	int r = read_os_release(&s, e);

	if (r)
		return r;
	read_loader(&s);
	*ret = (struct bootcfg){ .method = method_of(&s) };
	return 0;
}

static void bootcfg_done(struct bootcfg *c)
{
	(void)c;
}
HOST_FACT_DEFINE(bootcfg, read_bootcfg)
