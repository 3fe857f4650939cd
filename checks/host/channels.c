/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/channels.h>

#include "host_answer.h"
#include "host_live.h"
#include "links_attr.h"
#include <sriovctl/netlink_ask.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <string.h>

static int fill(struct nl_msg *m, const void *arg)
{
	struct nlattr *header = nla_nest_start(m, ETHTOOL_A_CHANNELS_HEADER);

	if (!header || nla_put_string(m, ETHTOOL_A_HEADER_DEV_NAME, arg) < 0)
		return -EMSGSIZE;
	return nla_nest_end(m, header);
}

static uint32_t *field_of(struct channels *c, uint16_t type)
{
	switch (type) {
	case ETHTOOL_A_CHANNELS_RX_MAX:
		return &c->max_rx;
	case ETHTOOL_A_CHANNELS_TX_MAX:
		return &c->max_tx;
	case ETHTOOL_A_CHANNELS_COMBINED_MAX:
		return &c->max_combined;
	case ETHTOOL_A_CHANNELS_RX_COUNT:
		return &c->rx;
	case ETHTOOL_A_CHANNELS_TX_COUNT:
		return &c->tx;
	case ETHTOOL_A_CHANNELS_COMBINED_COUNT:
		return &c->combined;
	default:
		return NULL;
	}
}

int channels_parse(const void *data, size_t len, struct channels *ret)
{
	struct links_span s = { .at = data, .left = len }, payload;
	struct channels c = { 0 };
	struct links_attr a;
	uint16_t type;

	if (!links_attr_message(&s, &type, &payload) || s.left > 0 ||
	    payload.left < sizeof(struct genlmsghdr))
		return -EBADMSG;
	links_attr_skip(&payload, sizeof(struct genlmsghdr));
	while (links_attr_next(&payload, &a)) {
		uint32_t *field = field_of(&c, a.type);

		if (field && links_attr_load(&a, field, sizeof(*field)) < 0)
			return -EBADMSG;
	}
	if (payload.left > 0)
		return -EBADMSG;
	*ret = c;
	return 0;
}

uint32_t channels_count(const struct channels *c)
{
	return c->combined + (c->rx < c->tx ? c->rx : c->tx);
}

int channels_answer(const char *which, struct buf *ret)
{
	static const struct netlink_ask_generic question = {
		.family = ETHTOOL_GENL_NAME,
		.command = ETHTOOL_MSG_CHANNELS_GET,
		.fill = fill,
	};

	return netlink_ask_generic(&question, which, ret, NULL);
}

int channels_read(const struct host *h, const char *interface, struct channels *ret,
		  struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "channels", interface, &answer, e);

	if (r < 0)
		return error_prefix(e, r, "channels of %s", interface);
	if (channels_parse(answer.data, answer.len, ret) < 0)
		return error_set(e, -EBADMSG, "channels of %s: the answer is damaged", interface);
	return 0;
}
