/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to the kernel that the tests run on, and how it says no. */
#include "test.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/netlink_ask.h>

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <string.h>

#define NO_SUCH_INDEX 0x7ffffff0

static int ask(int type, const void *header, size_t len, struct buf *answer, struct error *e)
{
	AUTO_NL_SOCK struct nl_sock *s = NULL;
	AUTO_NL_MSG struct nl_msg *m = nlmsg_alloc_simple(type, 0);

	EXPECT(m && netlink_ask_open(NETLINK_ROUTE, &s, NULL) == 0);
	EXPECT(nlmsg_append(m, (void *)(uintptr_t)header, len, NLMSG_ALIGNTO) == 0);
	return netlink_ask(s, m, NULL, answer, e);
}

/* net/core/net_namespace.c, rtnl_net_getid() */
TEST(the_kernels_own_sentence_is_told)
{
	const struct rtgenmsg any = { .rtgen_family = AF_UNSPEC };
	struct error e = { 0 };

	EXPECT(ask(RTM_GETNSID, &any, sizeof(any), NULL, &e) == -EINVAL && e.code == -EINVAL);
	EXPECT(strcmp(e.text, "netlink: Invalid argument (Peer netns reference is missing)") == 0);
}

TEST(an_error_without_a_sentence)
{
	const struct ifinfomsg link = { .ifi_index = NO_SUCH_INDEX };
	struct error e = { 0 };

	EXPECT(ask(RTM_GETLINK, &link, sizeof(link), NULL, &e) == -ENODEV);
	EXPECT(strcmp(e.text, "netlink: No such device") == 0);
	/* Nobody has to want to know. */
	EXPECT(ask(RTM_GETLINK, &link, sizeof(link), NULL, NULL) == -ENODEV);
}

TEST(an_answer_and_its_acknowledgement)
{
	const struct ifinfomsg link = { .ifi_index = 1 };
	AUTO_BUF struct buf answer = { 0 };
	struct nlmsghdr header;

	EXPECT(ask(RTM_GETLINK, &link, sizeof(link), &answer, NULL) == 0);
	EXPECT(answer.len >= sizeof(header));
	memcpy(&header, buf_text(&answer), sizeof(header));
	EXPECT(header.nlmsg_type == RTM_NEWLINK && NLMSG_ALIGN(header.nlmsg_len) == answer.len);
}

static int fill_nothing(struct nl_msg *m, const void *arg)
{
	(void)m;
	(void)arg;
	return 0;
}

TEST(a_family_that_this_kernel_lacks)
{
	const struct netlink_ask_generic q = { .family = "no-such", .fill = fill_nothing };
	AUTO_BUF struct buf answer = { 0 };
	struct error e = { 0 };

	EXPECT(netlink_ask_generic(&q, NULL, &answer, &e) == -EOPNOTSUPP);
	EXPECT(strstr(e.text, "\"no-such\""));
}
