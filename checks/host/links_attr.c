/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links_attr.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>

void links_attr_skip(struct links_span *s, size_t len)
{
	size_t step = NLMSG_ALIGN(len);

	if (step > s->left)
		step = s->left;
	s->at += step;
	s->left -= step;
}

uint16_t links_attr_type(const struct links_span *s)
{
	struct nlattr a = { 0 };

	if (s->left >= sizeof(a))
		memcpy(&a, s->at, sizeof(a));
	return a.nla_type & NLA_TYPE_MASK;
}

bool links_attr_next(struct links_span *s, struct links_attr *ret)
{
	struct nlattr a;

	if (s->left < sizeof(a))
		return false;
	memcpy(&a, s->at, sizeof(a));
	if (a.nla_len < sizeof(a) || a.nla_len > s->left)
		return false;
	ret->type = a.nla_type & NLA_TYPE_MASK;
	ret->payload =
		(struct links_span){ .at = s->at + sizeof(a), .left = a.nla_len - sizeof(a) };
	links_attr_skip(s, a.nla_len);
	return true;
}

bool links_attr_message(struct links_span *s, uint16_t *ret_type, struct links_span *ret_payload)
{
	struct nlmsghdr header;

	if (s->left < sizeof(header))
		return false;
	memcpy(&header, s->at, sizeof(header));
	if (header.nlmsg_len < sizeof(header) || header.nlmsg_len > s->left)
		return false;
	*ret_type = header.nlmsg_type;
	*ret_payload = (struct links_span){ .at = s->at + sizeof(header),
					    .left = header.nlmsg_len - sizeof(header) };
	links_attr_skip(s, header.nlmsg_len);
	return true;
}

int links_attr_load(const struct links_attr *a, void *ret, size_t len)
{
	if (a->payload.left < len)
		return -EBADMSG;
	memcpy(ret, a->payload.at, len);
	return 0;
}

int links_attr_text(const struct links_attr *a, char **ret)
{
	char *text = strndup((const char *)a->payload.at, a->payload.left);

	if (!text)
		return -ENOMEM;
	free(*ret);
	*ret = text;
	return 0;
}
