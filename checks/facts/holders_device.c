/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_look.h"

#include <sriovctl/host.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/procs.h>
#include <sriovctl/strv.h>

#include <stdlib.h>
#include <string.h>

#define PACKETS_MAX (16u << 20)

/*
 * Where sysfs has the devices that processes hold, one for each handle; NULL: nowhere.  Asked
 * of those that are held, as a function has hundreds of folders in which one could be.
 */
static void read_paths(struct holders_look *l)
{
	if (l->paths || !l->procs || l->procs->n_handles == 0)
		return;
	l->paths = calloc(l->procs->n_handles, sizeof(*l->paths));
	if (!l->paths) {
		(void)host_nomem(l->h, NULL);
		return;
	}
	for (size_t i = 0; i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];
		bool is_block = handle->kind == PROCS_BLOCK;
		AUTO_BUF struct buf path = { 0 };

		if ((handle->kind != PROCS_CHAR && !is_block) ||
		    (handle->major == 0 && handle->minor == 0) ||
		    host_link(l->h, &path, NULL, "/sys/dev/%s/%u:%u", is_block ? "block" : "char",
			      handle->major, handle->minor) < 0)
			continue;
		l->paths[i] = buf_take(&path);
		if (!l->paths[i])
			(void)host_nomem(l->h, NULL);
	}
}

/* What others tell in better words: holders.c of doors, holders_block.c of disks. */
static bool is_told(const char *path, enum procs_kind kind)
{
	static const char *const folders[] = { "/vfio-dev/", "/uio/", "/infiniband_verbs/" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (strstr(path, folders[i]))
			return true;
	return kind == PROCS_BLOCK && strstr(path, "/nvme/");
}

void holders_device(struct holders_look *l, const char *bdf, struct strv *users)
{
	AUTO_BUF struct buf part = { 0 };

	read_paths(l);
	buf_printf(&part, "/%s/", bdf);
	for (size_t i = 0; l->paths && i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];
		AUTO_BUF struct buf who = { 0 };

		if (!l->paths[i] || !strstr(l->paths[i], buf_text(&part)) ||
		    is_told(l->paths[i], handle->kind))
			continue;
		holders_look_process(l, handle->process, &who);
		holders_look_add(l, users, "%s has its device %s open", buf_text(&who),
				 strrchr(l->paths[i], '/') + 1);
	}
}

void holders_device_done(struct holders_look *l)
{
	for (size_t i = 0; l->paths && i < l->procs->n_handles; i++)
		free(l->paths[i]);
	free(l->paths);
}

/* --- packet sockets -------------------------------------------------------------------------- */

static bool find_owner(const struct holders_look *l, const char *inode, struct buf *ret)
{
	for (size_t i = 0; l->procs && i < l->procs->n_handles; i++) {
		const struct procs_handle *handle = &l->procs->handles[i];

		if (handle->kind != PROCS_PACKET_SOCKET || strcmp(handle->name, inode) != 0)
			continue;
		holders_look_process(l, handle->process, ret);
		return true;
	}
	return false;
}

/* Those that are bound to it, as of DPDK or of a capture: the others see all interfaces. */
void holders_device_packets(struct holders_look *l, int index, const char *name, struct strv *users)
{
	AUTO_BUF struct buf text = { 0 }, inode = { 0 };
	const char *cursor;
	int bound_to;

	if (host_read(l->h, PACKETS_MAX, &text, NULL, "/proc/net/packet") < 0)
		return;
	cursor = buf_text(&text);
	while (procs_parse_packet(&cursor, &bound_to, &inode)) {
		AUTO_BUF struct buf who = { 0 };

		if (bound_to != index)
			continue;
		if (!find_owner(l, buf_text(&inode), &who))
			buf_puts(&who, "somebody");
		holders_look_add(l, users, "%s has a packet socket on its interface %s",
				 buf_text(&who), name);
	}
}
