/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live.h"

#include "blame.h"
#include "kmsg.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/netlink_ask.h>

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What is waited for at most, and between two looks where no event tells. */
#define WAIT_LIMIT_MS 10000
#define WAIT_MS	      100

struct row {
	live_writer *write;
	live_reader *read;
};

static const struct row rows[SETTING_END] = {
	[SETTING_AUTOPROBE] = { .write = live_sysfs_write_number, .read = live_sysfs_read_number },
	[SETTING_ESWITCH] = { .write = live_generic_write_eswitch,
			      .read = live_generic_read_eswitch },
	[SETTING_UP] = { .write = live_link_write, .read = live_link_read },
	[SETTING_MTU] = { .write = live_link_write, .read = live_link_read },
	[SETTING_VFS] = { .write = live_sysfs_write_number, .read = live_sysfs_read_vfs },
	[SETTING_MAC] = { .write = live_link_write_vf, .read = live_link_read_vf },
	[SETTING_VLAN] = { .write = live_link_write_vf, .read = live_link_read_vf },
	[SETTING_SPOOFCHK] = { .write = live_link_write_vf, .read = live_link_read_vf },
	[SETTING_TRUST] = { .write = live_link_write_vf, .read = live_link_read_vf },
	[SETTING_RATE] = { .write = live_link_write_vf, .read = live_link_read_vf },
	[SETTING_LINK_STATE] = { .write = live_link_write_vf, .read = live_link_read_vf },
	[SETTING_RSS_QUERY] = { .write = live_link_write_vf, .read = live_link_read_vf },
	[SETTING_OVERRIDE] = { .write = live_sysfs_write_override,
			       .read = live_sysfs_read_override },
	[SETTING_DRIVER] = { .write = live_driver_write, .read = live_driver_read },
	[SETTING_VF_MTU] = { .write = live_link_write, .read = live_link_read },
	[SETTING_VF_NAME] = { .write = live_name_write, .read = live_name_read },
};

static const struct row queues[] = {
	[PFSTATE_QUEUES_MSIX] = { .write = live_sysfs_write_msix, .read = live_sysfs_read_msix },
	[PFSTATE_QUEUES_CHANNELS] = { .write = live_generic_write_channels,
				      .read = live_generic_read_channels },
	[PFSTATE_QUEUES_NVME] = { .write = live_nvme_write, .read = live_nvme_read },
};

/* NULL: this driver has no such thing. */
static const struct row *row_of(const struct pfstate *pf, enum setting s)
{
	const struct row *row = &rows[s];

	if (s == SETTING_QUEUES)
		row = (size_t)pf->queues < ARRAY_SIZE(queues) ? &queues[pf->queues] : NULL;
	return row && row->write ? row : NULL;
}

/* Links and devices: what anything that is waited for makes. */
static int open_events(void)
{
	struct sockaddr_nl all = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&all, sizeof(all)) < 0) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

void live_open(const struct pfstates *is, struct live *ret)
{
	*ret = (struct live){
		.is = is, .links_of = PLAN_OF_PF, .kmsg = kmsg_open(), .events = open_events()
	};
}

void live_close(struct live *l)
{
	netlink_ask_close(&l->route);
	links_done(&l->links);
	holders_done(&l->users.holders);
	if (l->kmsg >= 0)
		(void)close(l->kmsg);
	if (l->events >= 0)
		(void)close(l->events);
}

static struct live_target target_of(struct live *l, const struct step *s)
{
	return (struct live_target){
		.live = l,
		.pf = &l->is->items[s->pf],
		.vf = s->vf,
		.what = s->what,
	};
}

int live_write(struct live *l, const struct step *s, const struct setting_value *v, struct error *e)
{
	const struct live_target t = target_of(l, s);
	const struct row *row = row_of(t.pf, s->what);
	int r;

	if (!row)
		return error_set(e, -EOPNOTSUPP, "%s cannot be set here", setting_name(s->what));
	kmsg_skip(l->kmsg);
	l->links_of = PLAN_OF_PF;
	r = row->write(&t, v, e);
	return r < 0 ? blame_explain(l, s, r, e) : 0;
}

int live_read(struct live *l, const struct step *s, struct setting_value *ret, struct error *e)
{
	const struct live_target t = target_of(l, s);
	const struct row *row = row_of(t.pf, s->what);

	if (!row)
		return error_set(e, -EOPNOTSUPP, "%s cannot be read here", setting_name(s->what));
	return row->read(&t, ret, e);
}

/*
 * Until whichever driver takes a VF: a module that has to be loaded for that comes for all VFs
 * of a kind at once, so that where one has waited in vain the next has not to.
 */
static bool has_waited(struct live *l, const struct step *s, int64_t waited)
{
	const bool any =
		s->what == SETTING_DRIVER && strcmp(s->after.name, SETTING_DRIVER_DEFAULT) == 0;

	if (any && l->driverless == s->pf + UINT64_C(1))
		return true;
	if (waited < WAIT_LIMIT_MS)
		return false;
	if (any)
		l->driverless = s->pf + UINT64_C(1);
	return true;
}

/* By the clock, since events of others may come without end. */
int live_wait(struct live *l, const struct step *s, unsigned tries)
{
	struct pollfd fd = { .fd = l->events, .events = POLLIN };
	char event[4096];

	l->links_of = PLAN_OF_PF;
	if (tries == 0)
		l->since = base_now_ms();
	if (has_waited(l, s, base_now_ms() - l->since))
		return -ETIMEDOUT;
	/* A negative descriptor is none: it then only sleeps. */
	if (poll(&fd, 1, WAIT_MS) > 0)
		while (recv(l->events, event, sizeof(event), MSG_DONTWAIT) > 0)
			;
	return 0;
}
