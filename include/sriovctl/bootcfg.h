/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the kernel command line is changed on this distribution.
 * Decided by what is there: os-release, the tools, the boot loader's files, and what
 * the boot loader left in the EFI variables.  What cannot be told is UNKNOWN.  The
 * words for it are in bootcfg_remedy.h; nothing is run.
 */
#ifndef SRIOVCTL_BOOTCFG_H
#define SRIOVCTL_BOOTCFG_H

#include <sriovctl/base.h>

struct error;
struct host;

enum bootcfg_method {
	BOOTCFG_UNKNOWN,
	BOOTCFG_GRUBBY,		/* RHEL and its kin, Fedora */
	BOOTCFG_GRUBBY_MISSING, /* the same without the tool */
	BOOTCFG_UPDATE_GRUB,	/* Debian, Ubuntu */
	BOOTCFG_GRUB_MKCONFIG,	/* Arch, Alpine, Gentoo: /boot/grub */
	BOOTCFG_GRUB2_MKCONFIG, /* SUSE, Azure Linux: /boot/grub2 */
	BOOTCFG_TRANSACTIONAL,	/* SUSE with a read-only root */
	BOOTCFG_SDBOOTUTIL,	/* SUSE with systemd-boot or GRUB with BLS */
	BOOTCFG_RPM_OSTREE,	/* Fedora CoreOS, Silverblue, RHEL for Edge */
	BOOTCFG_BOOTC,		/* an image without rpm-ostree */
	BOOTCFG_MACHINE_CONFIG, /* a node of OpenShift */
	BOOTCFG_FLATCAR,
	BOOTCFG_PROXMOX,	     /* boot tool with systemd-boot */
	BOOTCFG_PROXMOX_EITHER,	     /* boot tool, loader not known */
	BOOTCFG_KERNEL_INSTALL,	     /* systemd-boot, kernel in /lib/modules */
	BOOTCFG_KERNEL_INSTALL_BOOT, /* systemd-boot, kernel in /boot */
	BOOTCFG_MKINITCPIO,	     /* Arch with /etc/kernel/cmdline */
	BOOTCFG_LOADER_ENTRIES,	     /* systemd-boot, entries by hand */
	BOOTCFG_EXTLINUX,	     /* Alpine */
	BOOTCFG_CMDLINE_TXT,	     /* /boot/firmware */
	BOOTCFG_NIXOS,
	BOOTCFG_METHOD_MAX
};

struct bootcfg {
	enum bootcfg_method method;
};

/* Read once and kept with the host.  Only -ENOMEM: what cannot be read is not decided by. */
int bootcfg_get(const struct host *h, const struct bootcfg **ret, struct error *e) MUST_USE;

/* The same of a system below a root in which another kernel runs, as an installer's: by its own
 * files alone, since /proc, /sys and /run there are the other's. */
int bootcfg_read_installed(const struct host *h, struct bootcfg *ret, struct error *e) MUST_USE;

#endif
