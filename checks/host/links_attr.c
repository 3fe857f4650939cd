/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links_attr.h"

#include <errno.h>
#include <linux/netlink.h>
#include <string.h>

void links_attr_skip(struct links_span *s, size_t len)
{
	size_t step = NLMSG_ALIGN(len);

	if (step > s->left)
		step = s->left;
	s->at += step;
	s->left -= step;
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

int links_attr_load(const struct links_attr *a, void *ret, size_t len)
{
	if (a->payload.left < len)
		return -EBADMSG;
	memcpy(ret, a->payload.at, len);
	return 0;
}
