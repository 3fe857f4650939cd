/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/netns.h>

#include "child.h"
#include "host_answer.h"
#include "host_live.h"
#include "links_ask.h"
#include "links_attr.h"
#include "procs_file.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/netlink_ask.h>
#include <sriovctl/parse.h>
#include <sriovctl/procs.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OF_NAME	      "name."
#define OF_PROCESS    "process."
#define OF_DESCRIPTOR "descriptor."
#define OF_MOUNTED    "mounted."

#define MOUNTS_MAX (16u << 20)

/* --- in the namespace ------------------------------------------------------------------------ */

/* How the namespace @home is called in this one; -1: nothing in here has to do with it. */
static int number_of(struct nl_sock *s, int home, int *ret)
{
	struct rtgenmsg any = { .rtgen_family = AF_UNSPEC };
	AUTO_NL_MSG struct nl_msg *m = nlmsg_alloc_simple(RTM_GETNSID, 0);
	AUTO_BUF struct buf answer = { 0 };
	struct links_span all, payload;
	struct links_attr a;
	uint16_t type;
	int r;

	if (!m || nlmsg_append(m, &any, sizeof(any), NLMSG_ALIGNTO) < 0 ||
	    nla_put_u32(m, NETNSA_FD, (uint32_t)home) < 0)
		return -ENOMEM;
	r = netlink_ask(s, m, NULL, &answer, NULL);
	if (r < 0)
		return r;
	all = (struct links_span){ .at = (const uint8_t *)buf_text(&answer), .left = answer.len };
	*ret = -1;
	if (!links_attr_message(&all, &type, &payload))
		return 0;
	links_attr_skip(&payload, sizeof(any));
	while (r == 0 && links_attr_next(&payload, &a))
		if (a.type == NETNSA_NSID)
			r = links_attr_load(&a, ret, sizeof(*ret));
	return r;
}

/* "NAME BDF" of what has a device, "NAME LOWER KIND" of what stands on something of @home. */
static void put_link(const struct links_item *item, int home, struct buf *line, struct buf *out)
{
	bool stands = item->lower > 0 && item->lower_elsewhere && item->lower_space == home;

	buf_clear(line);
	if (item->device)
		buf_printf(line, "%s %s", item->name, item->device);
	else if (stands && home >= 0)
		buf_printf(line, "%s %d %s", item->name, item->lower,
			   item->kind ? item->kind : "interface");
	else
		return;
	child_put(out, buf_text(line));
}

static int put_links(int home, struct buf *line, struct buf *out)
{
	AUTO_NL_SOCK struct nl_sock *s = NULL;
	AUTO_LINKS struct links l = { 0 };
	int number = -1, r;

	r = netlink_ask_open(NETLINK_ROUTE, &s, NULL);
	if (r == 0)
		r = links_ask_all(links_ask_kernel, s, &l, NULL);
	/* After the list, which gives a namespace its number where it had none. */
	if (r == 0)
		r = number_of(s, home, &number);
	for (size_t i = 0; r == 0 && i < l.n; i++)
		put_link(&l.items[i], number, line, out);
	return r;
}

/* The inode, then a line of each interface. */
static int enter(const void *arg, struct buf *out)
{
	AUTO_CLOSE int fd = open(arg, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	AUTO_CLOSE int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	AUTO_BUF struct buf line = { 0 };
	struct stat st;
	int r;

	if (fd < 0 || home < 0 || fstat(fd, &st) < 0 || setns(fd, CLONE_NEWNET) < 0)
		return -errno;
	buf_printf(&line, "%llu", (unsigned long long)st.st_ino);
	child_put(out, buf_text(&line));
	r = put_links(home, &line, out);
	return r < 0 ? r : buf_error(&line);
}

/* --- which one ------------------------------------------------------------------------------- */

/* @which: "PID.INODE" */
static int path_of_mounted(const char *which, struct buf *ret)
{
	AUTO_BUF struct buf file = { 0 }, mounts = { 0 }, link = { 0 }, path = { 0 };
	int pid_len = (int)strcspn(which, ".");
	const char *cursor;
	int r;

	buf_printf(&file, "/proc/%.*s/mountinfo", pid_len, which);
	r = procs_file_read(AT_FDCWD, buf_text(&file), MOUNTS_MAX, &mounts);
	if (r < 0)
		return r;
	cursor = buf_text(&mounts);
	while (procs_parse_net_mount(&cursor, &link, &path)) {
		uint64_t inode, wanted;

		if (procs_parse_space(buf_text(&link), &inode) < 0 ||
		    parse_u64(which + pid_len + 1, 10, UINT64_MAX, &wanted) < 0 || inode != wanted)
			continue;
		buf_printf(ret, "/proc/%.*s/root%s", pid_len, which, buf_text(&path));
		return 0;
	}
	return -ENOENT;
}

static int path_of(const char *which, struct buf *ret)
{
	const char *rest = strchr(which, '.'), *dot = rest ? strchr(rest + 1, '.') : NULL;

	if (parse_has_prefix(which, OF_NAME))
		buf_printf(ret, "/run/netns/%s", rest + 1);
	else if (parse_has_prefix(which, OF_PROCESS))
		buf_printf(ret, "/proc/%s/ns/net", rest + 1);
	else if (parse_has_prefix(which, OF_DESCRIPTOR) && dot)
		buf_printf(ret, "/proc/%.*s/fd/%s", (int)(dot - rest - 1), rest + 1, dot + 1);
	else if (parse_has_prefix(which, OF_MOUNTED) && dot)
		return path_of_mounted(rest + 1, ret);
	else
		return -EINVAL;
	return buf_error(ret);
}

int netns_answer(const char *which, struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_STRV struct strv lines = { 0 };
	int r = path_of(which, &path);

	if (r == 0)
		r = child_run(enter, buf_text(&path), &lines, NULL);
	if (r < 0)
		return r;
	for (size_t i = 0; i < lines.n; i++)
		buf_printf(ret, "%s\n", lines.items[i]);
	return 0;
}

/* --- what it answered ---------------------------------------------------------------------- */

static int load_copy(const char *word, size_t len, char **ret)
{
	*ret = strndup(word, len);
	return *ret ? 0 : -ENOMEM;
}

static int load_link(const char *line, size_t len, struct netns *n)
{
	struct netns_link *link = &n->links[n->n];
	AUTO_FREE char *copy = strndup(line, len);
	const char *at = copy, *name, *on, *kind = "";
	size_t name_len, on_len, kind_len = 0;
	uint64_t lower;
	int r;

	if (!copy)
		return -ENOMEM;
	if (!parse_word(&at, &name, &name_len) || !parse_word(&at, &on, &on_len))
		return -EBADMSG;
	n->n++;
	r = load_copy(name, name_len, &link->name);
	if (!parse_word(&at, &kind, &kind_len))
		return r < 0 ? r : load_copy(on, on_len, &link->device);
	copy[on + on_len - copy] = '\0';
	if (parse_u64(on, 10, INT32_MAX, &lower) < 0)
		return -EBADMSG;
	link->lower = (int)lower;
	return r < 0 ? r : load_copy(kind, kind_len, &link->kind);
}

static int load(const struct buf *answer, struct netns *n)
{
	const char *cursor = buf_text(answer), *line;
	AUTO_FREE char *inode = NULL;
	size_t len, lines = 0;
	int r = 0;

	for (const char *all = cursor; parse_line(&all, &line, &len);)
		lines++;
	n->links = calloc(lines + 1, sizeof(*n->links));
	if (!n->links)
		return -ENOMEM;
	if (!parse_line(&cursor, &line, &len))
		return -EBADMSG;
	inode = strndup(line, len);
	if (!inode)
		return -ENOMEM;
	if (parse_u64(inode, 10, UINT64_MAX, &n->inode) < 0)
		return -EBADMSG;
	while (r == 0 && parse_line(&cursor, &line, &len))
		r = load_link(line, len, n);
	return r;
}

int netns_read(const struct host *h, const char *which, struct netns *ret, struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	AUTO_NETNS struct netns n = { 0 };
	int r = host_answer(h, "netns", which, &answer, e);

	if (r < 0)
		return r;
	r = load(&answer, &n);
	if (r == -ENOMEM)
		return host_nomem(h, e);
	if (r < 0)
		return error_set(e, r, "network namespace %s: the answer is damaged", which);
	*ret = n;
	n = (struct netns){ 0 };
	return 0;
}

const char *netns_find(const struct netns *n, const char *bdf)
{
	for (size_t i = 0; i < n->n; i++)
		if (n->links[i].device && strcmp(n->links[i].device, bdf) == 0)
			return n->links[i].name;
	return NULL;
}

void netns_done(struct netns *n)
{
	for (size_t i = 0; i < n->n; i++) {
		free(n->links[i].name);
		free(n->links[i].device);
		free(n->links[i].kind);
	}
	free(n->links);
	*n = (struct netns){ 0 };
}
