/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question to the kernel over netlink, and its whole answer: messages one behind the
 * other, to be decoded by who asked.  -EAGAIN: what was listed changed meanwhile; -EIO of
 * the socket; else what the kernel answered, with its own sentence about it in @e where it
 * gave one (NETLINK_EXT_ACK).
 */
#ifndef SRIOVCTL_NETLINK_ASK_H
#define SRIOVCTL_NETLINK_ASK_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct nl_msg;
struct nl_sock;
struct nlmsghdr;

#define NETLINK_ASK_TRIES 4

/* Which messages of a long answer are kept. */
typedef bool netlink_ask_want(const struct nlmsghdr *m);

int netlink_ask_open(int protocol, struct nl_sock **ret, struct error *e) MUST_USE;
void netlink_ask_close(struct nl_sock **s);
void netlink_ask_free(struct nl_msg **m);
#define AUTO_NL_SOCK CLEANUP(netlink_ask_close)
#define AUTO_NL_MSG  CLEANUP(netlink_ask_free)

/* Appends the answer to @answer, NULL: it is of no interest. */
int netlink_ask(struct nl_sock *s, struct nl_msg *m, netlink_ask_want *want, struct buf *answer,
		struct error *e) MUST_USE;

/* All of a kind by RTM_GET..., of every address family. */
int netlink_ask_all(int type, netlink_ask_want *want, struct buf *answer, struct error *e) MUST_USE;

/* One command of a family of generic netlink; -EOPNOTSUPP: this kernel lacks the family. */
struct netlink_ask_generic {
	const char *family;
	uint8_t command;
	/* Adds the attributes; a negative value when they do not fit. */
	int (*fill)(struct nl_msg *m, const void *arg);
};
int netlink_ask_generic(const struct netlink_ask_generic *q, const void *arg, struct buf *answer,
			struct error *e) MUST_USE;

/*
 * Devlink's name of a device, out of "BUS.DEVICE": that has no slash, as the names of answers have
 * none, and a bus has no dot.
 */
int netlink_ask_devlink(struct nl_msg *m, const void *which) MUST_USE;

#endif
