/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "links_ask.h"

#include "host_live.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netlink/handlers.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

struct answer {
	struct buf *messages;
	int error; /* of the kernel; 0: none */
	bool is_whole;
};

static void free_message(struct nl_msg **m)
{
	nlmsg_free(*m);
}

static void free_callbacks(struct nl_cb **cb)
{
	nl_cb_put(*cb);
}

static int keep(struct nl_msg *m, void *arg)
{
	static const char padding[NLMSG_ALIGNTO];
	const struct nlmsghdr *header = nlmsg_hdr(m);
	struct answer *a = arg;

	buf_append(a->messages, header, header->nlmsg_len);
	buf_append(a->messages, padding, NLMSG_ALIGN(header->nlmsg_len) - header->nlmsg_len);
	return NL_OK;
}

/* A list that broke off ends in its error (net/netlink/af_netlink.c, netlink_dump_done). */
static int end(struct nl_msg *m, void *arg)
{
	const struct nlmsghdr *header = nlmsg_hdr(m);
	struct answer *a = arg;
	int code = 0;

	if (nlmsg_datalen(header) >= (int)sizeof(code))
		memcpy(&code, nlmsg_data(header), sizeof(code));
	if (code < 0)
		a->error = code;
	a->is_whole = true;
	return NL_STOP;
}

static int refused(struct sockaddr_nl *from, struct nlmsgerr *reply, void *arg)
{
	struct answer *a = arg;

	(void)from;
	a->error = reply->error;
	return NL_STOP;
}

static int acknowledged(struct nl_msg *m, void *arg)
{
	struct answer *a = arg;

	(void)m;
	a->is_whole = true;
	return NL_STOP;
}

static int send_question(struct nl_sock *s, const struct links_question *q)
{
	struct ifinfomsg link = { .ifi_family = AF_UNSPEC, .ifi_index = q->index };
	CLEANUP(free_message)
	struct nl_msg *m = nlmsg_alloc_simple(RTM_GETLINK, q->index ? 0 : NLM_F_DUMP);

	if (!m || nlmsg_append(m, &link, sizeof(link), NLMSG_ALIGNTO) < 0 ||
	    nla_put_u32(m, IFLA_EXT_MASK, q->filter) < 0)
		return -NLE_NOMEM;
	return nl_send_auto(s, m);
}

/* Of the socket or of what came over it; the kernel's own errors come by refused() and end(). */
static int code_of(int nle)
{
	switch (nle) {
	case -NLE_DUMP_INTR:
		return -EAGAIN;
	case -NLE_NOMEM:
		return -ENOMEM;
	default:
		return -EIO;
	}
}

static int ask_kernel(struct nl_sock *s, const struct links_question *q, struct buf *answer)
{
	CLEANUP(free_callbacks) struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	struct answer a = { .messages = answer };
	int r;

	if (!cb || nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, keep, &a) < 0 ||
	    nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, end, &a) < 0 ||
	    nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, acknowledged, &a) < 0 ||
	    nl_cb_err(cb, NL_CB_CUSTOM, refused, &a) < 0)
		return -ENOMEM;
	r = send_question(s, q);
	/* The answer about one link is acknowledged by a message of its own. */
	while (r > 0 && !a.is_whole)
		r = nl_recvmsgs_report(s, cb);
	if (a.error < 0)
		return a.error;
	return r < 0 ? code_of(r) : buf_error(answer);
}

static void free_socket(struct nl_sock **s)
{
	nl_socket_free(*s);
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
	CLEANUP(free_socket) struct nl_sock *s = NULL;
	struct links_question q;
	int r = parse_question(which, &q);

	if (r < 0)
		return r;
	s = nl_socket_alloc();
	if (!s)
		return -ENOMEM;
	return nl_connect(s, NETLINK_ROUTE) < 0 ? -EIO : ask_kernel(s, &q, ret);
}
