/* SPDX-License-Identifier: GPL-2.0-or-later */
/* By generic netlink: the mode of a PF's embedded switch (devlink), and a VF's channels (ethtool).
 */
#include "live.h"

#include <sriovctl/buf.h>
#include <sriovctl/channels.h>
#include <sriovctl/error.h>
#include <sriovctl/eswitch.h>
#include <sriovctl/netlink_ask.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <linux/devlink.h>
#include <linux/ethtool_netlink.h>
#include <netlink/attr.h>

/* What is asked of a device; a number below 0 is not to be set. */
struct question {
	const char *bus, *device;
	int64_t number;
};

static int fill_eswitch(struct nl_msg *m, const void *arg)
{
	const struct question *q = arg;

	if (nla_put_string(m, DEVLINK_ATTR_BUS_NAME, q->bus) < 0 ||
	    nla_put_string(m, DEVLINK_ATTR_DEV_NAME, q->device) < 0)
		return -EMSGSIZE;
	return q->number < 0 ? 0 : nla_put_u16(m, DEVLINK_ATTR_ESWITCH_MODE, (uint16_t)q->number);
}

static int ask_eswitch(const struct live_target *t, uint8_t command, int64_t mode, struct buf *ret,
		       struct error *e)
{
	const struct netlink_ask_generic g = { .family = DEVLINK_GENL_NAME,
					       .command = command,
					       .fill = fill_eswitch };
	const struct question q = {
		.bus = parse_has_prefix(t->pf->sysfs, "/sys/bus/pci/") ? "pci" : "netdevsim",
		.device = t->pf->bdf,
		.number = mode,
	};

	return netlink_ask_generic(&g, &q, ret, e);
}

int live_generic_write_eswitch(const struct live_target *t, const struct setting_value *v,
			       struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };

	return ask_eswitch(t, DEVLINK_CMD_ESWITCH_SET, (int64_t)v->number, &answer, e);
}

int live_generic_read_eswitch(const struct live_target *t, struct setting_value *ret,
			      struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	uint16_t mode;
	int r = ask_eswitch(t, DEVLINK_CMD_ESWITCH_GET, -1, &answer, e);

	if (r == 0)
		r = eswitch_parse(answer.data, answer.len, &mode);
	if (r < 0)
		return r;
	*ret = setting_number(mode);
	return 0;
}

/* Combined channels: what the drivers of VFs have. */
static int fill_channels(struct nl_msg *m, const void *arg)
{
	const struct question *q = arg;
	struct nlattr *header = nla_nest_start(m, ETHTOOL_A_CHANNELS_HEADER);

	if (!header || nla_put_string(m, ETHTOOL_A_HEADER_DEV_NAME, q->device) < 0)
		return -EMSGSIZE;
	(void)nla_nest_end(m, header);
	return q->number < 0
		       ? 0
		       : nla_put_u32(m, ETHTOOL_A_CHANNELS_COMBINED_COUNT, (uint32_t)q->number);
}

static int ask_channels(const struct live_target *t, uint8_t command, int64_t count,
			struct buf *ret, struct error *e)
{
	const struct netlink_ask_generic g = { .family = ETHTOOL_GENL_NAME,
					       .command = command,
					       .fill = fill_channels };
	AUTO_BUF struct buf name = { 0 };
	struct question q = { .number = count };
	int r = live_sysfs_vf_netdev(t, &name, e);

	if (r < 0)
		return r;
	q.device = buf_text(&name);
	return netlink_ask_generic(&g, &q, ret, e);
}

int live_generic_write_channels(const struct live_target *t, const struct setting_value *v,
				struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };

	return ask_channels(t, ETHTOOL_MSG_CHANNELS_SET, (int64_t)v->number, &answer, e);
}

int live_generic_read_channels(const struct live_target *t, struct setting_value *ret,
			       struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	struct channels c = { 0 };
	int r = ask_channels(t, ETHTOOL_MSG_CHANNELS_GET, -1, &answer, e);

	if (r == 0)
		r = channels_parse(answer.data, answer.len, &c);
	if (r < 0)
		return r;
	*ret = setting_number(channels_count(&c));
	return 0;
}
