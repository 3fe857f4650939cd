/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues of an NVMe VF: VQ and VI resources by the Virtualization Management command, sent to
 * the PF's controller (NVM Express Base Specification 2.0, 5.43 and 8.26).  The count of
 * each is the same: the admin queue and I/O queues, and a vector for each.  A secondary
 * controller has to be offline to be given any, and online to be used by a driver.
 */
#include "live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ADMIN_IDENTIFY	     0x06
#define ADMIN_VIRTUALIZATION 0x1c
#define CNS_SECONDARIES	     0x15 /* 5.17.2.14, Secondary Controller List */

#define ACT_OFFLINE 7
#define ACT_ASSIGN  8
#define ACT_ONLINE  9
#define RESOURCE_VQ 0
#define RESOURCE_VI 1

#define LIST_SIZE    4096
#define LIST_ENTRIES 127
#define ENTRY_SIZE   32
#define STATE_ONLINE 1

struct secondary {
	uint16_t controller, vf; /* VFs count from 1 there */
	bool online;
	uint16_t vq, vi;
};

static uint16_t load16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

/* The character device of the PF's controller. */
static int open_controller(const struct pfstate *pf, struct error *e)
{
	AUTO_BUF struct buf path = { 0 };
	DIR *dir;
	struct dirent *d;
	int fd = -1;

	buf_printf(&path, "%s/nvme", pf->sysfs);
	dir = opendir(buf_text(&path));
	while (dir && fd < 0 && (d = readdir(dir))) {
		if (strncmp(d->d_name, "nvme", 4) != 0)
			continue;
		buf_clear(&path);
		buf_printf(&path, "/dev/%s", d->d_name);
		fd = open(buf_text(&path), O_RDWR | O_CLOEXEC);
	}
	if (dir)
		(void)closedir(dir);
	return fd < 0 ? error_set(e, -ENODEV, "%s: no NVMe controller that can be opened", pf->bdf)
		      : fd;
}

static int admin(int fd, struct nvme_admin_cmd *command, const char *what, struct error *e)
{
	int r = ioctl(fd, NVME_IOCTL_ADMIN_CMD, command);

	if (r < 0)
		return error_set(e, -errno, "%s: %s", what, strerror(errno));
	return r > 0 ? error_set(e, -EIO, "%s: the controller answers status 0x%x", what,
				 (unsigned)r)
		     : 0;
}

static int find_secondary(int fd, uint32_t vf, struct secondary *ret, struct error *e)
{
	uint8_t list[LIST_SIZE] = { 0 };
	struct nvme_admin_cmd command = {
		.opcode = ADMIN_IDENTIFY,
		.addr = (uintptr_t)list,
		.data_len = sizeof(list),
		.cdw10 = CNS_SECONDARIES,
	};
	int r = admin(fd, &command, "Identify, Secondary Controller List", e);

	for (unsigned i = 0; r == 0 && i < list[0] && i < LIST_ENTRIES; i++) {
		const uint8_t *entry = list + ENTRY_SIZE + (size_t)i * ENTRY_SIZE;

		if (load16(entry + 8) != vf + 1)
			continue;
		*ret = (struct secondary){
			.controller = load16(entry),
			.online = entry[4] & STATE_ONLINE,
			.vf = load16(entry + 8),
			.vq = load16(entry + 10),
			.vi = load16(entry + 12),
		};
		return 0;
	}
	return r < 0 ? r : error_set(e, -ENODEV, "VF %u has no secondary controller", vf);
}

static int manage(int fd, uint16_t controller, unsigned action, unsigned resource, uint16_t n,
		  struct error *e)
{
	struct nvme_admin_cmd command = {
		.opcode = ADMIN_VIRTUALIZATION,
		.cdw10 = action | resource << 8 | (uint32_t)controller << 16,
		.cdw11 = n,
	};

	return admin(fd, &command, "Virtualization Management", e);
}

int live_nvme_write(const struct live_target *t, const struct setting_value *v, struct error *e)
{
	AUTO_CLOSE int fd = open_controller(t->pf, e);
	struct secondary s;
	uint16_t n = (uint16_t)v->number;
	int r = fd < 0 ? fd : find_secondary(fd, t->vf, &s, e);

	if (r == 0 && s.online)
		r = manage(fd, s.controller, ACT_OFFLINE, 0, 0, e);
	if (r == 0)
		r = manage(fd, s.controller, ACT_ASSIGN, RESOURCE_VQ, n, e);
	if (r == 0)
		r = manage(fd, s.controller, ACT_ASSIGN, RESOURCE_VI, n, e);
	/* One without queues cannot be brought online. */
	if (r == 0 && n > 0)
		r = manage(fd, s.controller, ACT_ONLINE, 0, 0, e);
	return r;
}

int live_nvme_read(const struct live_target *t, struct setting_value *ret, struct error *e)
{
	AUTO_CLOSE int fd = open_controller(t->pf, e);
	struct secondary s;
	int r = fd < 0 ? fd : find_secondary(fd, t->vf, &s, e);

	if (r < 0)
		return r;
	*ret = setting_number(s.vq == s.vi && (s.online || s.vq == 0) ? s.vq : 0);
	return 0;
}
