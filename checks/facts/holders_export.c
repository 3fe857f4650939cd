/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users of a block device that are parts of the kernel and neither claim it for themselves nor
 * have a process that holds it: loop devices, Xen's backends (drivers/block/xen-blkback) and
 * targets of NVMe over fabrics (drivers/nvme/target/io-cmd-bdev.c).
 */
#include "holders_look.h"

#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <inttypes.h>
#include <string.h>

#define XEN   "/sys/bus/xen-backend/devices"
#define NVMET "/sys/kernel/config/nvmet/subsystems"

struct block {
	const char *name, *path, *number; /* "nvme1n1", "/dev/nvme1n1", "259:0" */
};

static void look_at_loops(struct holders_look *l, const struct block *b, struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };

	if (host_list(l->h, &names, NULL, "/sys/class/block") < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BUF struct buf file = { 0 };

		if (parse_has_prefix(names.items[i], "loop") &&
		    host_attr(l->h, &file, NULL, "/sys/class/block/%s/loop/backing_file",
			      names.items[i]) == 0 &&
		    strcmp(buf_text(&file), b->path) == 0)
			holders_look_add(l, users, "%s stands on its block device %s",
					 names.items[i], b->name);
	}
}

/* "103:2", in hexadecimal. */
static bool is_number(const char *hex, const char *number)
{
	AUTO_BUF struct buf major_text = { 0 }, text = { 0 };
	const char *colon = strchr(hex, ':');
	uint64_t major, minor;

	if (!colon)
		return false;
	buf_append(&major_text, hex, (size_t)(colon - hex));
	if (parse_u64(buf_text(&major_text), 16, UINT32_MAX, &major) < 0 ||
	    parse_u64(colon + 1, 16, UINT32_MAX, &minor) < 0)
		return false;
	buf_printf(&text, "%" PRIu64 ":%" PRIu64, major, minor);
	return strcmp(buf_text(&text), number) == 0;
}

static void look_at_xen(struct holders_look *l, const struct block *b, struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };

	if (host_list(l->h, &names, NULL, XEN) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BUF struct buf hex = { 0 };

		if (host_attr(l->h, &hex, NULL, XEN "/%s/physical_device", names.items[i]) == 0 &&
		    is_number(buf_text(&hex), b->number))
			holders_look_add(l, users, "a Xen guest (%s) has its block device %s",
					 names.items[i], b->name);
	}
}

static void look_at_subsystem(struct holders_look *l, const struct block *b, const char *subsystem,
			      struct strv *users)
{
	AUTO_STRV struct strv names = { 0 };

	if (host_list(l->h, &names, NULL, NVMET "/%s/namespaces", subsystem) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BUF struct buf path = { 0 };

		if (host_attr(l->h, &path, NULL, NVMET "/%s/namespaces/%s/device_path", subsystem,
			      names.items[i]) == 0 &&
		    strcmp(buf_text(&path), b->path) == 0)
			holders_look_add(l, users, "NVMe target %s exports its block device %s",
					 subsystem, b->name);
	}
}

void holders_export(struct holders_look *l, const char *name, const char *path, const char *number,
		    struct strv *users)
{
	const struct block b = { .name = name, .path = path, .number = number };
	AUTO_STRV struct strv subsystems = { 0 };

	look_at_loops(l, &b, users);
	look_at_xen(l, &b, users);
	if (host_list(l->h, &subsystems, NULL, NVMET) < 0)
		return;
	for (size_t i = 0; i < subsystems.n; i++)
		look_at_subsystem(l, &b, subsystems.items[i], users);
}
