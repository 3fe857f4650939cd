/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/arrivals.h>

#include <sriovctl/error.h>

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

/* What the kernel sends, and what udev sends on when its rules are through. */
#define GROUP_KERNEL 1
#define GROUP_UDEV   2
/* While a host boots much comes at once. */
#define RECEIVE_BYTES (1 << 20)

static int open_netlink(int protocol, unsigned groups)
{
	const struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_groups = groups };
	const int bytes = RECEIVE_BYTES;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);

	if (fd < 0)
		return -errno;
	/* What is lost all the same is told by ENOBUFS, which is an arrival as well. */
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (bind(fd, (const struct sockaddr *)(const void *)&to, sizeof(to)) < 0) {
		int r = -errno;

		(void)close(fd);
		return r;
	}
	return fd;
}

static int open_folder(const char *folder)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (inotify_add_watch(fd, folder, IN_CREATE | IN_MOVED_TO) < 0) {
		int r = -errno;

		(void)close(fd);
		return r;
	}
	return fd;
}

int arrivals_open(struct arrivals *ret, const char *folder, struct error *e)
{
	AUTO_ARRIVALS struct arrivals a = ARRIVALS_CLOSED;

	a.devices = open_netlink(NETLINK_KOBJECT_UEVENT, GROUP_KERNEL | GROUP_UDEV);
	if (a.devices < 0)
		return error_set(e, a.devices, "events of devices: %s", strerror(-a.devices));
	a.links = open_netlink(NETLINK_ROUTE, RTMGRP_LINK);
	if (a.links < 0)
		return error_set(e, a.links, "events of interfaces: %s", strerror(-a.links));
	if (folder)
		a.folder = open_folder(folder);
	if (folder && a.folder < 0)
		return error_set(e, a.folder, "%s: %s", folder, strerror(-a.folder));
	*ret = a;
	a = (struct arrivals)ARRIVALS_CLOSED;
	return 0;
}

void arrivals_close(struct arrivals *a)
{
	base_close(&a->devices);
	base_close(&a->links);
	base_close(&a->folder);
	*a = (struct arrivals)ARRIVALS_CLOSED;
}

/* Strings one behind the other, behind a head in what udev sends (Linux lib/kobject_uevent.c). */
static bool is_about(const char *event, size_t len)
{
	static const char *const subsystems[] = { "SUBSYSTEM=net", "SUBSYSTEM=pci" };

	for (size_t i = 0; i < ARRAY_SIZE(subsystems); i++)
		if (memmem(event, len, subsystems[i], strlen(subsystems[i]) + 1))
			return true;
	return false;
}

/* All that is there; a host that boots has events by the thousand that are about others. */
static bool take(int fd, bool is_filtered)
{
	char event[8192];
	bool any = false;
	ssize_t n;

	while ((n = read(fd, event, sizeof(event))) > 0 || (n < 0 && errno == ENOBUFS))
		any = any || n < 0 || !is_filtered || is_about(event, (size_t)n);
	return any;
}

static int wait_once(const struct arrivals *a, int64_t until)
{
	struct pollfd fds[] = { { .fd = a->devices, .events = POLLIN },
				{ .fd = a->links, .events = POLLIN },
				{ .fd = a->folder, .events = POLLIN } };
	const int64_t left = until - base_now_ms();
	const struct timespec limit = { .tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000 };
	sigset_t none;
	bool any = false;

	if (until >= 0 && left <= 0)
		return -ETIMEDOUT;
	(void)sigemptyset(&none);
	if (ppoll(fds, ARRAY_SIZE(fds), until < 0 ? NULL : &limit, &none) < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i].revents)
			any = take(fds[i].fd, fds[i].fd == a->devices) || any;
	return any ? 0 : -EAGAIN;
}

int arrivals_wait(const struct arrivals *a, int64_t until, struct error *e)
{
	int r;

	do
		r = wait_once(a, until);
	while (r == -EAGAIN);
	return r == 0 || r == -ETIMEDOUT ? r : error_set(e, r, "events: %s", strerror(-r));
}
