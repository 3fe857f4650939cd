/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "blame.h"

#include "kmsg.h"
#include "live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <string.h>

#define ENOTSUPP_KERNEL 524 /* include/linux/errno.h, never meant for user space */

struct row {
	enum setting what; /* SETTING_END: any of a VF that rtnetlink sets */
	int error;
	const char *driver; /* NULL: any */
	const char *log;    /* a part of the kernel's message; NULL: whatever it is */
	struct blame blame;
};

/* The first that fits.  drivers/pci/iov.c, and the sriov_configure of each driver (Linux 6.12). */
static const struct row rows[] = {
	{ SETTING_VFS,
	  ENOMEM,
	  NULL,
	  "MMIO",
	  { "no address space for the VF BARs", "switch SR-IOV and Above 4G Decoding on in "
						"firmware setup, or boot with pci=realloc" } },
	{ SETTING_VFS,
	  ENOMEM,
	  NULL,
	  "out of range of",
	  { "no bus numbers for so many VFs",
	    "switch SR-IOV or ARI on in firmware setup, boot with pci=assign-busses, or ask for "
	    "fewer" } },
	{ SETTING_VFS,
	  ENOMEM,
	  NULL,
	  "not allocated",
	  { "the VF BARs were never given addresses",
	    "switch SR-IOV on in firmware setup, or boot with pci=realloc" } },
	{ SETTING_VFS,
	  ENOMEM,
	  NULL,
	  NULL,
	  { "the kernel or the card has no memory for them", "ask for fewer VFs" } },
	{ SETTING_VFS,
	  ENOSPC,
	  "ice",
	  NULL,
	  { "the card's interrupt vectors or queues are used up",
	    "ask for fewer VFs, or unload irdma, which takes vectors" } },
	{ SETTING_VFS,
	  ENOSPC,
	  NULL,
	  NULL,
	  { "the card's queues or vectors are used up", "ask for fewer VFs" } },
	{ SETTING_VFS,
	  EPERM,
	  "igb",
	  NULL,
	  { "igb makes 7 VFs at most, and none without MSI-X", "ask for 7 or fewer" } },
	{ SETTING_VFS,
	  EPERM,
	  "ixgbe",
	  NULL,
	  { "ixgbe makes 63 VFs at most, with traffic classes 31 or 15, less those that macvlan "
	    "offload takes",
	    "ask for fewer, or take traffic classes and offloads off the PF" } },
	{ SETTING_VFS,
	  EPERM,
	  "i40e",
	  NULL,
	  { "the card's firmware gave this port fewer VFs, or its self-test runs",
	    "ask for what the kernel's message says, or try again after the test" } },
	{ SETTING_VFS,
	  EPERM,
	  NULL,
	  NULL,
	  { "the driver does not allow it: VFs are assigned to guests, or it is too many",
	    "stop the guests, or ask for fewer" } },
	{ SETTING_VFS, EACCES, NULL, NULL, { "not allowed", "run as root" } },
	{ SETTING_VFS,
	  EROFS,
	  NULL,
	  NULL,
	  { "sysfs is mounted read-only here",
	    "run outside the container, or without ProtectKernelTunables=" } },
	{ SETTING_VFS,
	  EBUSY,
	  "ice",
	  NULL,
	  { "the card is being reset, or VFs are assigned", "try again; stop the guests" } },
	{ SETTING_VFS,
	  EBUSY,
	  NULL,
	  NULL,
	  { "there are VFs already, or the card is being reset",
	    "try again; somebody else may be making VFs" } },
	{ SETTING_VFS,
	  EAGAIN,
	  NULL,
	  NULL,
	  { "the driver is at work on something else", "try again later" } },
	{ SETTING_VFS,
	  ENOENT,
	  "mlx4_core",
	  NULL,
	  { "mlx4 makes VFs by module parameters only",
	    "set num_vfs= of mlx4_core in modprobe.d and load it anew" } },
	{ SETTING_VFS,
	  ENOENT,
	  "vfio-pci",
	  NULL,
	  { "the PF is given to vfio-pci, which makes no VFs unless told to",
	    "bind the PF to its own driver, or set enable_sriov=1 of vfio_pci" } },
	{ SETTING_VFS,
	  ENOENT,
	  NULL,
	  NULL,
	  { "no driver that makes VFs is bound to the PF", "bind the PF's driver" } },
	{ SETTING_VFS,
	  ERANGE,
	  NULL,
	  NULL,
	  { "more than the driver offers (sriov_totalvfs)", "ask for fewer" } },
	{ SETTING_VFS,
	  EIO,
	  NULL,
	  NULL,
	  { "the card's InitialVFs and TotalVFs differ", "update the card's firmware" } },
	{ SETTING_VFS,
	  EINVAL,
	  "ixgbe",
	  NULL,
	  { "an XDP program is attached to the PF", "detach it" } },
	{ SETTING_VFS, EINVAL, "i40e", NULL, { "VFs are assigned to guests", "stop the guests" } },
	{ SETTING_VFS, EINVAL, NULL, NULL, { "the card cannot have so many", "ask for fewer" } },
	{ SETTING_VFS,
	  EOPNOTSUPP,
	  "ice",
	  NULL,
	  { "the card runs in safe mode (no DDP package), or cannot have so many",
	    "install the DDP package of the driver (firmware-misc-nonfree), and load ice anew" } },
	{ SETTING_VFS,
	  EOPNOTSUPP,
	  NULL,
	  NULL,
	  { "the card's firmware does not allow VFs now", "look at its SR-IOV settings" } },
	{ SETTING_VFS,
	  ENOTSUPP_KERNEL,
	  "cxgb4",
	  NULL,
	  { "the port above the card does not forward ARI", "move the card to another slot" } },
	{ SETTING_VFS,
	  ENODEV,
	  NULL,
	  NULL,
	  { "the function that this one depends on is not there, or it is no PF now",
	    "look at the card's SR-IOV settings" } },
	{ SETTING_ESWITCH,
	  EOPNOTSUPP,
	  NULL,
	  NULL,
	  { "the mode cannot be changed now, or not at all on this driver",
	    "ice and newer mlx5 firmware change it only while there are no VFs" } },
	{ SETTING_ESWITCH,
	  EBUSY,
	  NULL,
	  NULL,
	  { "the embedded switch is in use", "remove tc rules and IPsec states of the PF" } },
	{ SETTING_QUEUES, EBUSY, NULL, NULL, { "a driver is bound to the VF", "unbind it first" } },
	{ SETTING_QUEUES,
	  ENOSPC,
	  "nvme",
	  NULL,
	  { "the controller has not so many queues and interrupts left, or not for one VF",
	    "ask for fewer, or give other VFs fewer" } },
	{ SETTING_QUEUES,
	  ENOSPC,
	  NULL,
	  NULL,
	  { "the PF's pool of vectors is used up", "ask for fewer, or give other VFs fewer" } },
	{ SETTING_QUEUES,
	  EOVERFLOW,
	  NULL,
	  NULL,
	  { "more vectors than the firmware allows for one VF", "ask for fewer" } },
	{ SETTING_QUEUES,
	  EINVAL,
	  NULL,
	  NULL,
	  { "not a count that this VF can have", "ask for fewer" } },
	{ SETTING_DRIVER,
	  ENOENT,
	  NULL,
	  NULL,
	  { "the running kernel has no such driver", "install the package that has it" } },
	{ SETTING_DRIVER,
	  ENODEV,
	  NULL,
	  NULL,
	  { "the driver does not take this VF", "look at the kernel's log" } },
	{ SETTING_RATE,
	  EINVAL,
	  NULL,
	  NULL,
	  { "not a rate that this driver takes now: many have no minimum, none takes more than "
	    "the link's speed, and some need the link up",
	    "leave min_rate out, or bring the link up" } },
	{ SETTING_VLAN,
	  EPROTONOSUPPORT,
	  NULL,
	  NULL,
	  { "the driver tags by 802.1Q only", "leave vlan_proto out" } },
	{ SETTING_END,
	  EINVAL,
	  NULL,
	  NULL,
	  { "not a value that this driver takes", "look at the kernel's log" } },
	{ SETTING_END, EPERM, NULL, NULL, { "not allowed", "run as root" } },
	{ SETTING_END, EBUSY, NULL, NULL, { "the VF is being reset", "try again" } },
	{ SETTING_END,
	  EAGAIN,
	  NULL,
	  NULL,
	  { "the VF is being reset, or the PF is down", "try again; bring the PF up" } },
	{ SETTING_END,
	  ENOTSUPP_KERNEL,
	  NULL,
	  NULL,
	  { "the card's firmware is too old for it", "update the card's firmware" } },
};

static bool is_link_setting(enum setting s)
{
	return s >= SETTING_MAC && s <= SETTING_RSS_QUERY;
}

const struct blame *blame_find(enum setting s, int r, const char *driver, const char *log)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];

		if (row->error == -r &&
		    (row->what == s || (row->what == SETTING_END && is_link_setting(s))) &&
		    (!row->driver || (driver && strcmp(row->driver, driver) == 0)) &&
		    (!row->log || strstr(log, row->log)))
			return &row->blame;
	}
	return NULL;
}

static const char *errno_text(int r)
{
	return r == -ENOTSUPP_KERNEL ? "not supported (errno 524)" : strerror(-r);
}

int blame_explain(struct live *l, const struct step *s, int r, struct error *e)
{
	const struct pfstate *pf = &l->is->items[s->pf];
	AUTO_BUF struct buf log = { 0 };
	const struct blame *b;

	kmsg_find(l->kmsg, pf->bdf, &log);
	b = blame_find(s->what, r, pf->driver, buf_text(&log));
	if (!b && log.len == 0)
		return r;
	if (!b)
		return error_prefix(e, r, "the kernel logs \"%s\"", buf_text(&log));
	return error_set(e, r, "%s (%s%s%s); %s", b->cause, errno_text(r),
			 log.len ? "; the kernel logs: " : "", buf_text(&log), b->remedy);
}
