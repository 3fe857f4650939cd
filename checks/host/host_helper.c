/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_helper.h"

#include <sriovctl/buf.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELPER_FD 3

struct request {
	size_t max, path_len;
};

struct reply {
	int code;
	size_t len;
};

/* --- the process --------------------------------------------------------------------- */

/*
 * It may outlive the program, and must not hold open what somebody waits for to be closed,
 * such as the pipe of the program's output.
 */
static void confine(int fd)
{
	static const struct rlimit core = { .rlim_cur = 0, .rlim_max = 0 };
	int null;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)setrlimit(RLIMIT_CORE, &core);
	if (fd != HELPER_FD && dup2(fd, HELPER_FD) < 0)
		_exit(1);
	closefrom(HELPER_FD + 1);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; i < HELPER_FD; i++)
		if (null >= 0)
			(void)dup2(null, i);
}

static bool receive(int fd, void *data, size_t len)
{
	char *at = data;

	while (len > 0) {
		ssize_t n = recv(fd, at, len, 0);

		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static bool send_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len > 0) {
		ssize_t n = send(fd, at, len, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static bool serve_one(const struct host_helper *h, struct buf *path, struct buf *answer)
{
	struct request q;
	struct reply reply = { 0 };
	char *room;

	if (!receive(HELPER_FD, &q, sizeof(q)))
		return false;
	buf_clear(path);
	buf_clear(answer);
	room = buf_reserve(path, q.path_len);
	if (!room || !receive(HELPER_FD, room, q.path_len))
		return false;
	path->len = q.path_len;
	path->data[path->len] = '\0';
	reply.code = h->read(h->arg, buf_text(path), q.max, answer);
	reply.len = reply.code == 0 ? answer->len : 0;
	return send_all(HELPER_FD, &reply, sizeof(reply)) &&
	       send_all(HELPER_FD, answer->data, reply.len);
}

__attribute__((noreturn)) static void serve(const struct host_helper *h, int fd)
{
	struct buf path = { 0 }, answer = { 0 };

	confine(fd);
	while (serve_one(h, &path, &answer))
		;
	_exit(0);
}

/* --- who asks it --------------------------------------------------------------------- */

static int start(struct host_helper *h)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	h->pid = fork();
	if (h->pid == 0)
		serve(h, fds[1]);
	(void)close(fds[1]);
	h->fd = fds[0];
	if (h->pid < 0) {
		int r = -errno;

		(void)close(fds[0]);
		h->pid = 0;
		return r;
	}
	return 0;
}

/* Nobody waits for it: where it is stuck, not even SIGKILL reaches it. */
static void abandon(struct host_helper *h)
{
	(void)kill(h->pid, SIGKILL);
	(void)close(h->fd);
	h->pid = 0;
}

void host_helper_close(struct host_helper *h)
{
	pid_t pid = h->pid;

	if (pid == 0)
		return;
	abandon(h);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* What comes next, some of it; 0 at its end, which comes too early. */
static ssize_t receive_until(int fd, void *data, size_t len, int64_t deadline)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t left = deadline - base_now_ms();
	int n = left > 0 ? poll(&p, 1, (int)left) : 0;
	ssize_t got;

	if (n == 0)
		return -ETIMEDOUT;
	if (n < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	got = recv(fd, data, len, 0);
	return got < 0 ? -errno : got;
}

static int receive_all(int fd, void *data, size_t len, int64_t deadline)
{
	char *at = data;

	while (len > 0) {
		ssize_t n = receive_until(fd, at, len, deadline);

		if (n == 0)
			return -EIO;
		if (n < 0 && n != -EAGAIN && n != -EINTR)
			return (int)n;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static int ask(const struct host_helper *h, const char *path, size_t max, int64_t deadline,
	       struct buf *ret)
{
	const struct request q = { .max = max, .path_len = strlen(path) };
	struct reply reply;
	char *room;
	int r;

	if (!send_all(h->fd, &q, sizeof(q)) || !send_all(h->fd, path, q.path_len))
		return -EIO;
	r = receive_all(h->fd, &reply, sizeof(reply), deadline);
	if (r < 0)
		return r;
	if (reply.code < 0)
		return reply.code;
	room = buf_reserve(ret, reply.len);
	if (!room)
		return buf_error(ret);
	r = receive_all(h->fd, room, reply.len, deadline);
	if (r < 0)
		return r;
	ret->len += reply.len;
	ret->data[ret->len] = '\0';
	return 0;
}

int host_helper_read(struct host_helper *h, const char *path, size_t max, unsigned ms,
		     struct buf *ret)
{
	int r = h->pid == 0 ? start(h) : 0;

	if (r == 0)
		r = ask(h, path, max, base_now_ms() + ms, ret);
	/* Out of step after these; of the others the process itself has told. */
	if (h->pid != 0 && (r == -ETIMEDOUT || r == -EIO || r == -ENOMEM))
		abandon(h);
	return r;
}
