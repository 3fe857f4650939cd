/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/holders.h>

#include "holders_look.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/parse.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/procs.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The character devices by which processes drive a function, in a folder of the function. */
static const struct {
	const char *folder, *class, *by;
} doors[] = {
#define DOOR_VFIO 0
	{ "vfio-dev", "vfio-dev", "VFIO" },
	{ "uio", "uio", "UIO" },
	{ "infiniband_verbs", "infiniband_verbs", "RDMA" },
};

/* The driver of a function for processes: "vfio-pci" and its variants, "uio_pci_generic" ... */
static bool is_driver_for_processes(const struct host *h, const char *bdf, struct buf *ret)
{
	if (host_link_name(h, ret, NULL, PCIDEV_PATH "/%s/driver", bdf) < 0)
		buf_clear(ret);
	return strstr(buf_text(ret), "vfio") || strstr(buf_text(ret), "uio");
}

static bool is_vfio(const char *driver)
{
	return strstr(driver, "vfio") != NULL;
}

/* A device's number, as sysfs has it below /sys/class. */
static bool is_number(const struct procs_handle *handle, const char *number)
{
	AUTO_BUF struct buf text = { 0 };

	if (handle->major == 0 && handle->minor == 0)
		return false;
	buf_printf(&text, "%u:%u", handle->major, handle->minor);
	return strcmp(buf_text(&text), number) == 0;
}

/* A device, and what is open with it: "it", or another function, which keeps it. */
struct door {
	const char *class, *name, *by, *what;
};

/* By its number where there is one: which handles are of this device? */
static void look_at_door(struct holders_look *l, const struct door *d, struct strv *users)
{
	AUTO_BUF struct buf number = { 0 };

	if (host_attr(l->h, &number, NULL, "/sys/class/%s/%s/dev", d->class, d->name) < 0)
		buf_clear(&number);
	for (size_t i = 0; l->procs && i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];
		AUTO_BUF struct buf who = { 0 };
		bool is_mapped = handle->major == 0 && strcmp(handle->name, d->name) == 0;

		if (handle->kind != PROCS_CHAR ||
		    (!is_mapped && !is_number(handle, buf_text(&number))))
			continue;
		holders_look_process(l, handle->process, &who);
		holders_look_add(l, users, "%s has %s open by %s", buf_text(&who), d->what, d->by);
	}
}

/* The devices of one kind, DOORS[@i], of a function. */
static void look_at_folder(struct holders_look *l, const char *bdf, size_t i, const char *what,
			   struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };

	if (host_list(l->h, &names, NULL, PCIDEV_PATH "/%s/%s", bdf, doors[i].folder) < 0)
		return;
	for (size_t k = 0; k < names.n; k++) {
		const struct door d = { doors[i].class, names.items[k], doors[i].by, what };

		look_at_door(l, &d, users);
	}
}

/* The VFIO device itself, of kernels that tell its function. */
static void look_at_vfio(struct holders_look *l, const char *bdf, const char *what,
			 struct strv *users)
{
	for (size_t i = 0; l->procs && i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];
		AUTO_BUF struct buf who = { 0 };

		if (handle->kind != PROCS_VFIO_DEVICE || strcmp(handle->name, bdf) != 0)
			continue;
		holders_look_process(l, handle->process, &who);
		holders_look_add(l, users, "%s has %s open by VFIO", buf_text(&who), what);
	}
}

/*
 * A group belongs to one user as a whole (drivers/iommu/iommu.c, iommu_group_claim_dma_owner):
 * while another function of it is held, this one can go to no driver of the kernel.
 */
static void look_at_siblings(struct holders_look *l, const char *bdf, const char *group,
			     struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };

	if (host_list(l->h, &names, NULL, "/sys/kernel/iommu_groups/%s/devices", group) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BUF struct buf what = { 0 };

		if (strcmp(names.items[i], bdf) == 0)
			continue;
		buf_printf(&what, "%s, which is in its IOMMU group,", names.items[i]);
		look_at_vfio(l, names.items[i], buf_text(&what), users);
		look_at_folder(l, names.items[i], DOOR_VFIO, buf_text(&what), users);
	}
}

/* Without an IOMMU the device of group 5 is "noiommu-5" (drivers/vfio/group.c). */
static void look_at_group(struct holders_look *l, const char *bdf, struct strv *users)
{
	AUTO_BUF struct buf group = { 0 }, noiommu = { 0 };
	struct door d = { .class = "vfio", .by = "VFIO", .what = "it" };

	if (host_link_name(l->h, &group, NULL, PCIDEV_PATH "/%s/iommu_group", bdf) < 0)
		return;
	buf_printf(&noiommu, "noiommu-%s", buf_text(&group));
	d.name = buf_text(&group);
	look_at_door(l, &d, users);
	d.name = buf_text(&noiommu);
	look_at_door(l, &d, users);
	look_at_siblings(l, bdf, buf_text(&group), users);
}

static void look_at_doors(struct holders_look *l, const char *bdf, struct strv *users)
{
	look_at_vfio(l, bdf, "it", users);
	for (size_t i = 0; i < ARRAY_SIZE(doors); i++)
		look_at_folder(l, bdf, i, "it", users);
	look_at_group(l, bdf, users);
}

static void look_at_memory(struct holders_look *l, const char *bdf, struct strv *users)
{
	for (size_t i = 0; l->procs && i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];
		AUTO_BUF struct buf who = { 0 };

		if (handle->kind != PROCS_PCI_MEMORY || strcmp(handle->name, bdf) != 0)
			continue;
		holders_look_process(l, handle->process, &who);
		holders_look_add(l, users, "%s has its memory mapped", buf_text(&who));
	}
}

/* vDPA devices stand on a function, however deep below it. */
static void look_at_vdpa(struct holders_look *l, const char *bdf, struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };
	AUTO_BUF struct buf part = { 0 };

	buf_printf(&part, "/%s/", bdf);
	if (host_list(l->h, &names, NULL, "/sys/bus/vdpa/devices") < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BUF struct buf path = { 0 };

		if (host_link(l->h, &path, NULL, "/sys/bus/vdpa/devices/%s", names.items[i]) == 0 &&
		    strstr(buf_text(&path), buf_text(&part)))
			holders_look_add(l, users, "vDPA device %s stands on it", names.items[i]);
	}
}

/* --- VFIO devices that do not tell their function ------------------------------------------ */

/* How many functions has the process by this group?  0: it has not the group open. */
static size_t functions_by(const struct holders_look *l, const char *group, size_t process)
{
	AUTO_BUF struct buf number = { 0 };
	AUTO_STRV struct strv names = { 0 };
	bool is_open = false;

	if (host_attr(l->h, &number, NULL, "/sys/class/vfio/%s/dev", group) < 0)
		return 0;
	for (size_t i = 0; i < l->procs->n_handles; i++)
		is_open |= l->procs->handles[i].process == process &&
			   l->procs->handles[i].kind == PROCS_CHAR &&
			   is_number(&l->procs->handles[i], buf_text(&number));
	if (!is_open)
		return 0;
	/* One, where it has no such folder: "noiommu-0". */
	return host_list(l->h, &names, NULL, "/sys/kernel/iommu_groups/%s/devices", group) < 0
		       ? 1
		       : names.n;
}

static bool has_device(const struct procs *p, size_t process)
{
	for (size_t i = 0; i < p->n_handles; i++)
		if (p->handles[i].process == process && p->handles[i].kind == PROCS_VFIO_DEVICE)
			return true;
	return false;
}

/*
 * A process that took its device from a group has the group open as a rule.  One with more
 * devices than its groups have functions got one in another way, and which is not known.
 */
static void match_process(struct holders_look *l, const struct strv *groups, size_t process)
{
	size_t devices = 0, functions = 0;
	bool has_memory = false;

	for (size_t i = 0; i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];

		if (handle->process != process)
			continue;
		devices += handle->kind == PROCS_VFIO_DEVICE && *handle->name == '\0';
		has_memory |= handle->kind == PROCS_VFIO_MEMORY;
	}
	/* Memory of a device of which the descriptor is closed; else it goes with one. */
	if (devices == 0 && has_memory && !has_device(l->procs, process))
		devices = 1;
	for (size_t i = 0; devices > 0 && i < groups->n; i++)
		functions += functions_by(l, groups->items[i], process);
	if (devices <= functions || l->unmatched)
		return;
	l->unmatched = true;
	holders_look_process(l, process, &l->unmatched_by);
}

static void match_processes(struct holders_look *l)
{
	AUTO_STRV struct strv groups = { 0 };

	if (!l->procs)
		return;
	/* Without groups each device is one that does not match. */
	if (host_list(l->h, &groups, NULL, "/sys/class/vfio") < 0)
		strv_done(&groups);
	for (size_t i = 0; i < l->procs->n; i++)
		match_process(l, &groups, i);
}

/* --- altogether ---------------------------------------------------------------------------- */

/* What a driver of the kernel makes for processes: RDMA, a disk, a clock, a GPU. */
static bool has_door(const struct host *h, const char *bdf)
{
	static const char *const others[] = { "nvme", "infiniband_mad", "ptp",
					      "drm",  "accel",		"uacce" };

	for (size_t i = 0; i < ARRAY_SIZE(doors); i++)
		if (host_exists(h, PCIDEV_PATH "/%s/%s", bdf, doors[i].folder) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (host_exists(h, PCIDEV_PATH "/%s/%s", bdf, others[i]) == 0)
			return true;
	return false;
}

/* What could not be seen counts as use where a process is what would use the function: true. */
static bool look_at_doubts(struct holders_look *l, const char *bdf, struct strv *users)
{
	AUTO_BUF struct buf driver = { 0 };
	bool for_processes = is_driver_for_processes(l->h, bdf, &driver);

	/* drivers/xen/xen-pciback: its guest is known to Xen alone. */
	if (strcmp(buf_text(&driver), "pciback") == 0)
		holders_look_add(l, users, "it is bound to pciback, by which a Xen guest has it");
	if (users->n > 0 || !(for_processes || (l->blind.len > 0 && has_door(l->h, bdf))))
		return false;
	if (l->blind.len > 0)
		holders_look_add(l, users,
				 "it is bound to %s, and who has it open cannot be seen from here",
				 buf_text(&driver));
	else if (l->unmatched && is_vfio(buf_text(&driver)))
		holders_look_add(l, users,
				 "%s has a VFIO device open that may be this one: the kernel does "
				 "not tell",
				 buf_text(&l->unmatched_by));
	return users->n > 0;
}

static bool look_at_processes(struct holders_look *l, const char *bdf, struct strv *users)
{
	look_at_memory(l, bdf, users);
	look_at_doors(l, bdf, users);
	holders_device(l, bdf, users);
	return look_at_doubts(l, bdf, users);
}

static void look_at(struct holders_look *l, struct holders_item *item)
{
	size_t doubts = look_at_processes(l, item->bdf, &item->users);

	look_at_vdpa(l, item->bdf, &item->users);
	holders_block(l, item->bdf, &item->users);
	holders_net(l, item->bdf, &item->users);
	item->is_doubt = doubts > 0 && item->users.n == doubts;
}

int holders_read(const struct host *h, const struct strv *bdfs, struct holders *ret,
		 struct error *e)
{
	AUTO_HOLDERS struct holders v = { 0 };
	AUTO_LOOK struct holders_look l = { 0 };

	v.items = calloc(bdfs->n + 1, sizeof(*v.items));
	if (!v.items)
		return host_nomem(h, e);
	holders_look_start(&l, h);
	match_processes(&l);
	for (size_t i = 0; i < bdfs->n; i++) {
		v.items[v.n].bdf = strdup(bdfs->items[i]);
		if (!v.items[v.n++].bdf)
			return host_nomem(h, e);
		look_at(&l, &v.items[i]);
	}
	if (l.blind.len > 0)
		v.blind = buf_take(&l.blind);
	if (host_ran_out(h) || buf_error(&l.blind) < 0 || buf_error(&l.unmatched_by) < 0 ||
	    buf_error(&l.closed) < 0)
		return host_nomem(h, e);
	*ret = v;
	v = (struct holders){ 0 };
	return 0;
}

void holders_done(struct holders *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].bdf);
		strv_done(&v->items[i].users);
	}
	free(v->items);
	free(v->blind);
	*v = (struct holders){ 0 };
}

int holders_of_pf(const struct host *h, const char *bdf, const char *netdev, struct strv *ret,
		  struct error *e)
{
	AUTO_LOOK struct holders_look l = { 0 };
	const struct links_item *item;

	holders_look_start(&l, h);
	match_processes(&l);
	look_at_processes(&l, bdf, ret);
	item = netdev && l.links ? links_find(l.links, netdev) : NULL;
	if (item) {
		holders_net_master(&l, item, ret);
		holders_net_routes(&l, item, ret);
	}
	return host_ran_out(h) ? host_nomem(h, e) : 0;
}
