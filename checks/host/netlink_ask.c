/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/netlink_ask.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>

#include <errno.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/handlers.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <linux/devlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

struct answer {
	struct buf *messages; /* or NULL */
	struct error *e;
	netlink_ask_want *want; /* NULL: each */
	int error;		/* of the kernel; 0: none */
	bool is_whole;
};

static void free_callbacks(struct nl_cb **cb)
{
	nl_cb_put(*cb);
}

static int keep(struct nl_msg *m, void *arg)
{
	static const char padding[NLMSG_ALIGNTO];
	const struct nlmsghdr *header = nlmsg_hdr(m);
	struct answer *a = arg;

	if (!a->messages || (a->want && !a->want(header)))
		return NL_OK;
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
		a->error = error_set(a->e, code, "netlink: %s", strerror(-code));
	a->is_whole = true;
	return NL_STOP;
}

/* The attributes behind the message that is quoted (Documentation/userspace-api/netlink). */
static const char *sentence_of(const struct nlmsghdr *header, const struct nlmsgerr *reply)
{
	const size_t quoted =
		header->nlmsg_flags & NLM_F_CAPPED ? 0 : reply->msg.nlmsg_len - sizeof(reply->msg);
	const size_t start = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(*reply) + quoted);
	const struct nlattr *text;

	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS) || start >= header->nlmsg_len)
		return NULL;
	text = nla_find((const struct nlattr *)((const char *)header + start),
			(int)(header->nlmsg_len - start), NLMSGERR_ATTR_MSG);
	return text && nla_len(text) > 0 ? nla_get_string(text) : NULL;
}

static int refused(struct sockaddr_nl *from, struct nlmsgerr *reply, void *arg)
{
	/* libnl hands over the inside of a message. */
	const struct nlmsghdr *header = (const struct nlmsghdr *)((char *)reply - NLMSG_HDRLEN);
	const char *sentence = sentence_of(header, reply);
	struct answer *a = arg;

	(void)from;
	a->error = reply->error;
	if (sentence)
		(void)error_set(a->e, a->error, "netlink: %s (%s)", strerror(-a->error), sentence);
	else
		(void)error_set(a->e, a->error, "netlink: %s", strerror(-a->error));
	return NL_STOP;
}

static int acknowledged(struct nl_msg *m, void *arg)
{
	struct answer *a = arg;

	(void)m;
	a->is_whole = true;
	return NL_STOP;
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

int netlink_ask(struct nl_sock *s, struct nl_msg *m, netlink_ask_want *want, struct buf *answer,
		struct error *e)
{
	CLEANUP(free_callbacks) struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	struct answer a = { .messages = answer, .e = e, .want = want };
	int r;

	if (!cb || nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, keep, &a) < 0 ||
	    nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, end, &a) < 0 ||
	    nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, acknowledged, &a) < 0 ||
	    nl_cb_err(cb, NL_CB_CUSTOM, refused, &a) < 0)
		return error_nomem(e);
	r = nl_send_auto(s, m);
	/* The answer about one thing is acknowledged by a message of its own. */
	while (r > 0 && !a.is_whole)
		r = nl_recvmsgs_report(s, cb);
	if (a.error < 0)
		return a.error;
	if (r < 0)
		return error_set(e, code_of(r), "netlink: %s", nl_geterror(r));
	return 0;
}

void netlink_ask_free(struct nl_msg **m)
{
	nlmsg_free(*m);
}

void netlink_ask_close(struct nl_sock **s)
{
	nl_socket_free(*s);
}

/*
 * An answer about a PF has some 250 bytes for each VF, and what does not fit into the buffer,
 * as the acknowledgement behind it, is lost.  Root may have more than net.core.rmem_max.
 */
#define BUFFER_SIZE (4 << 20)

/*
 * The kernel has answered by the time that the question is sent (netlink_rcv_skb()), so that
 * what is waited for longer does not come.
 */
#define ANSWER_SECONDS 5

static void set_up(int fd)
{
	const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	const int size = BUFFER_SIZE, on = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	/* Kernels before 4.12 have no sentences. */
	(void)setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
}

int netlink_ask_open(int protocol, struct nl_sock **ret, struct error *e)
{
	AUTO_NL_SOCK struct nl_sock *s = nl_socket_alloc();
	int r;

	if (!s)
		return error_nomem(e);
	r = nl_connect(s, protocol);
	if (r < 0)
		return error_set(e, -EIO, "netlink: no socket: %s", nl_geterror(r));
	set_up(nl_socket_get_fd(s));
	*ret = TAKE(s);
	return 0;
}

/* Asks for all of a kind, again while it changes under the question. */
int netlink_ask_all(int type, netlink_ask_want *want, struct buf *answer, struct error *e)
{
	AUTO_NL_SOCK struct nl_sock *s = NULL;
	struct rtgenmsg any = { .rtgen_family = AF_UNSPEC };
	int r = netlink_ask_open(NETLINK_ROUTE, &s, e);

	if (r < 0)
		return r;
	r = -EAGAIN;
	for (int i = 0; r == -EAGAIN && i < NETLINK_ASK_TRIES; i++) {
		AUTO_NL_MSG struct nl_msg *m = nlmsg_alloc_simple(type, NLM_F_DUMP);

		if (!m || nlmsg_append(m, &any, sizeof(any), NLMSG_ALIGNTO) < 0)
			return error_nomem(e);
		buf_clear(answer);
		r = netlink_ask(s, m, want, answer, e);
	}
	if (r == -EAGAIN)
		return error_set(e, r, "netlink: it changes too fast to be listed");
	return r < 0 ? r : buf_error(answer);
}

int netlink_ask_generic(const struct netlink_ask_generic *q, const void *arg, struct buf *answer,
			struct error *e)
{
	AUTO_NL_SOCK struct nl_sock *s = NULL;
	AUTO_NL_MSG struct nl_msg *m = nlmsg_alloc();
	int r = netlink_ask_open(NETLINK_GENERIC, &s, e), family;

	if (r < 0)
		return r;
	family = genl_ctrl_resolve(s, q->family);
	if (family == -NLE_OBJ_NOTFOUND)
		return error_set(e, -EOPNOTSUPP, "netlink: this kernel has no \"%s\"", q->family);
	if (family < 0)
		return error_set(e, code_of(family), "netlink: %s", nl_geterror(family));
	if (!m || !genlmsg_put(m, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, 0, q->command, 1) ||
	    q->fill(m, arg) < 0)
		return error_nomem(e);
	r = netlink_ask(s, m, NULL, answer, e);
	return r < 0 ? r : buf_error(answer);
}

int netlink_ask_devlink(struct nl_msg *m, const void *arg)
{
	const char *bus = arg, *device = strchr(bus, '.');
	size_t len = device ? (size_t)(device - bus) : 0;
	AUTO_FREE char *name = strndup(bus, len);
	int r;

	if (!device || !name)
		return -ENOMEM;
	r = nla_put_string(m, DEVLINK_ATTR_BUS_NAME, name);
	return r < 0 ? r : nla_put_string(m, DEVLINK_ATTR_DEV_NAME, device + 1);
}
