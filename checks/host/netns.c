/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/netns.h>

#include "child.h"
#include "host_answer.h"
#include "host_live.h"
#include "links_ask.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/netlink_ask.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OF_NAME	   "name."
#define OF_PROCESS "process."

/* The inode, then "NAME DEVICE" of each interface that has a device. */
static int enter(const void *arg, struct buf *out)
{
	AUTO_CLOSE int fd = open(arg, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	AUTO_NL_SOCK struct nl_sock *s = NULL;
	AUTO_BUF struct buf line = { 0 };
	struct links l = { 0 };
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0 || setns(fd, CLONE_NEWNET) < 0)
		return -errno;
	r = netlink_ask_open(NETLINK_ROUTE, &s, NULL);
	if (r == 0)
		r = links_ask_all(links_ask_kernel, s, &l, NULL);
	buf_printf(&line, "%llu", (unsigned long long)st.st_ino);
	child_put(out, buf_text(&line));
	for (size_t i = 0; r == 0 && i < l.n; i++) {
		if (!l.items[i].device)
			continue;
		buf_clear(&line);
		buf_printf(&line, "%s %s", l.items[i].name, l.items[i].device);
		child_put(out, buf_text(&line));
	}
	links_done(&l);
	return r < 0 ? r : buf_error(&line);
}

int netns_answer(const char *which, struct buf *ret)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_STRV struct strv lines = { 0 };
	int r;

	if (parse_has_prefix(which, OF_PROCESS))
		buf_printf(&path, "/proc/%s/ns/net", which + strlen(OF_PROCESS));
	else if (parse_has_prefix(which, OF_NAME))
		buf_printf(&path, "/run/netns/%s", which + strlen(OF_NAME));
	else
		return -EINVAL;
	r = buf_error(&path);
	if (r == 0)
		r = child_run(enter, buf_text(&path), &lines, NULL);
	if (r < 0)
		return r;
	for (size_t i = 0; i < lines.n; i++)
		buf_printf(ret, "%s\n", lines.items[i]);
	return 0;
}

static int load_link(const char *line, size_t len, struct netns *n)
{
	struct netns_link *link = &n->links[n->n];
	const char *blank = memchr(line, ' ', len);

	if (!blank)
		return -EBADMSG;
	n->n++;
	link->name = strndup(line, (size_t)(blank - line));
	link->device = strndup(blank + 1, len - (size_t)(blank - line) - 1);
	return link->name && link->device ? 0 : -ENOMEM;
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
		if (strcmp(n->links[i].device, bdf) == 0)
			return n->links[i].name;
	return NULL;
}

void netns_done(struct netns *n)
{
	for (size_t i = 0; i < n->n; i++) {
		free(n->links[i].name);
		free(n->links[i].device);
	}
	free(n->links);
	*n = (struct netns){ 0 };
}
