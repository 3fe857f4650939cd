/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ethtool prints with -l and -c. */
#include "import_impl.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>

/* --- -l --------------------------------------------------------------------------------------- */

static const struct {
	const char *key;
	uint16_t max, now;
} channels[] = {
	{ .key = "RX:", .max = ETHTOOL_A_CHANNELS_RX_MAX, .now = ETHTOOL_A_CHANNELS_RX_COUNT },
	{ .key = "TX:", .max = ETHTOOL_A_CHANNELS_TX_MAX, .now = ETHTOOL_A_CHANNELS_TX_COUNT },
	{ .key = "Combined:",
	  .max = ETHTOOL_A_CHANNELS_COMBINED_MAX,
	  .now = ETHTOOL_A_CHANNELS_COMBINED_COUNT },
};

static void put_attribute(struct buf *b, uint16_t type, uint32_t value)
{
	const struct nlattr a = { .nla_type = type, .nla_len = NLA_HDRLEN + sizeof(value) };

	buf_append(b, &a, sizeof(a));
	buf_append(b, &value, sizeof(value));
}

/* The kernel's answer of which ethtool printed this. */
static void put_answer(struct import *i, uint8_t cmd, const char *folder, const char *name,
		       const struct buf *attributes)
{
	const struct genlmsghdr g = { .cmd = cmd, .version = 1 };
	struct nlmsghdr head = { .nlmsg_type = NLMSG_MIN_TYPE };
	AUTO_BUF struct buf message = { 0 };

	head.nlmsg_len = (uint32_t)(NLMSG_HDRLEN + GENL_HDRLEN + attributes->len);
	buf_append(&message, &head, sizeof(head));
	buf_append(&message, &g, sizeof(g));
	buf_append(&message, attributes->data, attributes->len);
	if (buf_error(&message) < 0)
		i->error = -ENOMEM;
	else
		host_make_file(i->make, message.data, message.len, HOST_MAKE_ANSWERS "/%s/%s",
			       folder, name);
}

static void put_channels(struct import *i, const char *name, const struct buf *attributes)
{
	put_answer(i, ETHTOOL_MSG_CHANNELS_GET_REPLY, "channels", name, attributes);
}

static void take_channels(const char *line, bool is_now, struct buf *ret)
{
	uint64_t count;

	for (size_t k = 0; k < ARRAY_SIZE(channels); k++) {
		const char *value = text_after(line, channels[k].key);

		value = value ? text_skip_blanks(value) : NULL;
		if (value && text_decimal(&value, &count) && count <= UINT32_MAX)
			put_attribute(ret, is_now ? channels[k].now : channels[k].max,
				      (uint32_t)count);
	}
}

/* "Channel parameters for eno1:", what can be, and what is. */
size_t ethtool_take_channels(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 }, name = { 0 }, attributes = { 0 };
	const char *text = t->data;
	bool is_now = false;
	size_t n = 0;

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line), *title = text_after(l, "Channel parameters for ");

		if (title) {
			if (attributes.len > 0)
				put_channels(i, buf_text(&name), &attributes);
			buf_clear(&name);
			buf_clear(&attributes);
			buf_append(&name, title, strcspn(title, ": /"));
			is_now = false;
			n++;
		} else if (name.len > 0) {
			is_now = is_now || text_after(l, "Current hardware settings");
			take_channels(l, is_now, &attributes);
		}
	}
	if (attributes.len > 0)
		put_channels(i, buf_text(&name), &attributes);
	import_note(i, &line);
	if (buf_error(&name) < 0 || buf_error(&attributes) < 0)
		i->error = -ENOMEM;
	return n;
}

/* --- -c --------------------------------------------------------------------------------------- */

static const struct {
	const char *key;
	uint16_t type;
} moderation[] = {
	{ .key = "rx-usecs:", .type = ETHTOOL_A_COALESCE_RX_USECS },
	{ .key = "rx-frames:", .type = ETHTOOL_A_COALESCE_RX_MAX_FRAMES },
	{ .key = "rx-usecs-irq:", .type = ETHTOOL_A_COALESCE_RX_USECS_IRQ },
	{ .key = "rx-frames-irq:", .type = ETHTOOL_A_COALESCE_RX_MAX_FRAMES_IRQ },
	{ .key = "tx-usecs:", .type = ETHTOOL_A_COALESCE_TX_USECS },
	{ .key = "tx-frames:", .type = ETHTOOL_A_COALESCE_TX_MAX_FRAMES },
	{ .key = "tx-usecs-irq:", .type = ETHTOOL_A_COALESCE_TX_USECS_IRQ },
	{ .key = "tx-frames-irq:", .type = ETHTOOL_A_COALESCE_TX_MAX_FRAMES_IRQ },
};

/* "Adaptive RX: on  TX: off"; "n/a" where the driver knows no such thing. */
static void take_adaptive(const char *line, const char *key, uint16_t type, struct buf *ret)
{
	const char *value = text_behind(line, key);
	struct nlattr a = { .nla_type = type, .nla_len = NLA_HDRLEN + 1 };
	uint8_t padded[NLA_ALIGNTO] = { 0 };

	if (!value || (!text_after(value, "on") && !text_after(value, "off")))
		return;
	padded[0] = text_after(value, "on") != NULL;
	buf_append(ret, &a, sizeof(a));
	buf_append(ret, padded, sizeof(padded));
}

static void take_moderation(const char *line, struct buf *ret)
{
	uint64_t number;

	if (text_after(line, "Adaptive ")) {
		take_adaptive(line, "RX: ", ETHTOOL_A_COALESCE_USE_ADAPTIVE_RX, ret);
		take_adaptive(line, "TX: ", ETHTOOL_A_COALESCE_USE_ADAPTIVE_TX, ret);
	}
	for (size_t k = 0; k < ARRAY_SIZE(moderation); k++) {
		const char *value = text_after(line, moderation[k].key);

		value = value ? text_skip_blanks(value) : NULL;
		if (value && text_decimal(&value, &number) && number <= UINT32_MAX)
			put_attribute(ret, moderation[k].type, (uint32_t)number);
	}
}

/* "Coalesce parameters for eno1:" */
size_t ethtool_take_coalescing(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 }, name = { 0 }, attributes = { 0 };
	const char *text = t->data;
	size_t n = 0;

	while (text_line(&text, &line)) {
		const char *l = buf_text(&line), *title = text_after(l, "Coalesce parameters for ");

		if (!title) {
			take_moderation(l, &attributes);
			continue;
		}
		if (attributes.len > 0 && name.len > 0)
			put_answer(i, ETHTOOL_MSG_COALESCE_GET_REPLY, "coalesce", buf_text(&name),
				   &attributes);
		buf_clear(&name);
		buf_clear(&attributes);
		buf_append(&name, title, strcspn(title, ": /"));
		n++;
	}
	if (attributes.len > 0 && name.len > 0)
		put_answer(i, ETHTOOL_MSG_COALESCE_GET_REPLY, "coalesce", buf_text(&name),
			   &attributes);
	import_note(i, &line);
	if (buf_error(&name) < 0 || buf_error(&attributes) < 0)
		i->error = -ENOMEM;
	return n;
}
