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
#include <sriovctl/secondaries.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>

#define VIRTUALIZATION 0x1c
#define ACT_OFFLINE    7
#define ACT_ASSIGN     8
#define ACT_ONLINE     9
#define RESOURCE_VQ    0
#define RESOURCE_VI    1

/* Status Code Type and Status Code (4.2.3): Invalid Number of Controller Resources. */
#define STATUS_MASK	0x7ff
#define STATUS_TOO_MANY 0x121

/* What the controller of the PF says of the VF. */
static int find_secondary(int fd, const struct live_target *t, struct secondaries_item *ret,
			  struct error *e)
{
	AUTO_SECONDARIES struct secondaries list = { 0 };
	AUTO_BUF struct buf answer = { 0 };
	const struct secondaries_item *s;
	int r = fd < 0 ? fd : secondaries_ask(fd, &answer);

	if (r == 0)
		r = secondaries_parse(answer.data, answer.len, &list);
	if (r < 0)
		return error_set(e, r, "%s: its NVMe controller does not tell of VFs: %s",
				 t->pf->bdf, strerror(-r));
	s = secondaries_find(&list, t->vf);
	if (!s)
		return error_set(e, -ENODEV, "VF %u of %s has no NVMe controller", t->vf,
				 t->pf->bdf);
	*ret = *s;
	return 0;
}

static int manage(int fd, uint16_t controller, unsigned action, unsigned resource, uint16_t n,
		  struct error *e)
{
	struct nvme_admin_cmd command = {
		.opcode = VIRTUALIZATION,
		.cdw10 = action | resource << 8 | (uint32_t)controller << 16,
		.cdw11 = n,
	};
	int r = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command);

	if (r < 0)
		return error_set(e, -errno, "Virtualization Management: %s", strerror(errno));
	if (r == 0)
		return 0;
	return error_set(e, (r & STATUS_MASK) == STATUS_TOO_MANY ? -ENOSPC : -EIO,
			 "Virtualization Management: the controller answers status 0x%x",
			 (unsigned)r);
}

int live_nvme_write(const struct live_target *t, const struct setting_value *v, struct error *e)
{
	AUTO_CLOSE int fd = secondaries_open(t->pf->bdf, O_RDWR);
	uint16_t n = (uint16_t)v->number;
	struct secondaries_item s;
	int r = find_secondary(fd, t, &s, e);

	if (r == 0 && v->number > UINT16_MAX)
		r = error_set(e, -ENOSPC, "a controller has %u queues at most", UINT16_MAX);
	if (r == 0 && s.is_online)
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
	AUTO_CLOSE int fd = secondaries_open(t->pf->bdf, O_RDONLY);
	struct secondaries_item s;
	uint64_t n = 0;
	int r = find_secondary(fd, t, &s, e);

	if (r < 0)
		return r;
	*ret = setting_number(n);
	r = secondaries_queues(&s, &n);
	ret->number = n;
	/* What a run that was cut short left is no failure: it is read, and is nothing known. */
	if (r < 0) {
		ret->state = SETTING_UNKNOWN;
		ret->error = r;
	}
	return 0;
}
