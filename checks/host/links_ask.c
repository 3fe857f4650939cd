/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links_ask.h"

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/netlink_ask.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <stdlib.h>
#include <string.h>

int links_ask_kernel(void *arg, const struct links_question *q, struct buf *answer, struct error *e)
{
	struct ifinfomsg link = { .ifi_family = AF_UNSPEC, .ifi_index = q->index };
	AUTO_NL_MSG struct nl_msg *m = nlmsg_alloc_simple(RTM_GETLINK, q->index ? 0 : NLM_F_DUMP);

	if (!m || nlmsg_append(m, &link, sizeof(link), NLMSG_ALIGNTO) < 0 ||
	    nla_put_u32(m, IFLA_EXT_MASK, q->filter) < 0)
		return error_nomem(e);
	return netlink_ask(arg, m, NULL, answer, e);
}

/* "INDEX.FILTER" */
static int parse_question(const char *which, struct links_question *ret)
{
	AUTO_FREE char *index = strndup(which, strcspn(which, "."));
	uint64_t number = 0, filter = 0;

	if (!index)
		return -ENOMEM;
	if (which[strlen(index)] != '.' || parse_u64(index, 10, INT32_MAX, &number) < 0 ||
	    parse_u64(which + strlen(index) + 1, 10, UINT32_MAX, &filter) < 0)
		return -ENOENT;
	*ret = (struct links_question){ .index = (int)number, .filter = (uint32_t)filter };
	return 0;
}

int links_ask_answer(const char *which, struct buf *ret)
{
	AUTO_NL_SOCK struct nl_sock *s = NULL;
	struct links_question q;
	int r = parse_question(which, &q);

	if (r == 0)
		r = netlink_ask_open(NETLINK_ROUTE, &s, NULL);
	if (r == 0)
		r = links_ask_kernel(s, &q, ret, NULL);
	return r < 0 ? r : buf_error(ret);
}
