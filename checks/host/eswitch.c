/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/eswitch.h>

#include "host_answer.h"
#include "host_live.h"
#include "links_attr.h"
#include <sriovctl/netlink_ask.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>

int eswitch_parse(const void *data, size_t len, uint16_t *ret)
{
	struct links_span s = { .at = data, .left = len }, payload;
	bool is_told = false;
	struct links_attr a;
	uint16_t type, mode = 0;

	if (!links_attr_message(&s, &type, &payload) || s.left > 0 ||
	    payload.left < sizeof(struct genlmsghdr))
		return -EBADMSG;
	links_attr_skip(&payload, sizeof(struct genlmsghdr));
	while (links_attr_next(&payload, &a)) {
		if (a.type != DEVLINK_ATTR_ESWITCH_MODE)
			continue;
		if (links_attr_load(&a, &mode, sizeof(mode)) < 0)
			return -EBADMSG;
		is_told = true;
	}
	if (payload.left > 0 || !is_told)
		return -EBADMSG;
	*ret = mode;
	return 0;
}

int eswitch_answer(const char *which, struct buf *ret)
{
	static const struct netlink_ask_generic question = {
		.family = DEVLINK_GENL_NAME,
		.command = DEVLINK_CMD_ESWITCH_GET,
		.fill = netlink_ask_devlink,
	};

	return netlink_ask_generic(&question, which, ret, NULL);
}

int eswitch_read(const struct host *h, const char *bus, const char *device, uint16_t *ret,
		 struct error *e)
{
	AUTO_BUF struct buf answer = { 0 }, which = { 0 };
	int r;

	buf_printf(&which, "%s.%s", bus, device);
	r = buf_error(&which);
	if (r == 0)
		r = host_answer(h, "eswitch", buf_text(&which), &answer, e);
	/* Of a device that its driver did not register. */
	if (r == -ENODEV)
		r = -EOPNOTSUPP;
	if (r < 0)
		return error_prefix(e, r, "devlink of %s", device);
	if (eswitch_parse(answer.data, answer.len, ret) < 0)
		return error_set(e, -EBADMSG, "devlink of %s: the answer is damaged", device);
	return 0;
}
