/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "child.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPU_SECONDS 1
#define ANSWER_MAX  (8u << 20)

void child_put(struct buf *out, const char *text)
{
	buf_append(out, text, strlen(text) + 1);
}

static void confine(void)
{
	static const struct rlimit cpu = { .rlim_cur = CPU_SECONDS, .rlim_max = CPU_SECONDS + 1 };
	static const struct rlimit core = { .rlim_cur = 0, .rlim_max = 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)setrlimit(RLIMIT_CPU, &cpu);
	(void)setrlimit(RLIMIT_CORE, &core);
	(void)signal(SIGXCPU, SIG_DFL);
	(void)signal(SIGPIPE, SIG_DFL);
	if (null >= 0) {
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
	}
}

/* The code that @work returned goes first, so that an empty answer differs from none. */
static int answer(int fd, child_work *work, const void *arg)
{
	struct buf out = { 0 };
	int r = 0;

	buf_append(&out, &r, sizeof(r));
	r = work(arg, &out);
	if (buf_error(&out) < 0)
		return buf_error(&out);
	memcpy(out.data, &r, sizeof(r));
	return base_write(fd, out.data, out.len);
}

static int split(const struct buf *answer_text, size_t start, struct strv *ret)
{
	for (size_t i = start; i < answer_text->len; i++) {
		const char *text = answer_text->data + start;

		if (answer_text->data[i] != '\0')
			continue;
		if (strv_add(ret, text) < 0)
			return -ENOMEM;
		start = i + 1;
	}
	return 0;
}

static int unpack(const struct buf *in, struct strv *ret, struct error *e)
{
	int r;

	if (in->len < sizeof(r))
		return error_set(e, -EIO, "a library did not survive the data it was given");
	memcpy(&r, in->data, sizeof(r));
	if (r < 0)
		return error_set(e, r, "a library refused the data it was given: %s", strerror(-r));
	return split(in, sizeof(r), ret) < 0 ? error_nomem(e) : 0;
}

int child_run(child_work *work, const void *arg, struct strv *ret, struct error *e)
{
	AUTO_BUF struct buf in = { 0 };
	int fds[2], r;
	pid_t pid;

	strv_done(ret);
	if (pipe2(fds, O_CLOEXEC) < 0)
		return error_set(e, -errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		confine();
		_exit(answer(fds[1], work, arg) < 0);
	}
	r = pid < 0 ? -errno : 0;
	(void)close(fds[1]);
	if (r == 0)
		r = files_read(fds[0], ANSWER_MAX, &in);
	(void)close(fds[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (r < 0)
		return error_set(e, r, "a helper process: %s", strerror(-r));
	return unpack(&in, ret, e);
}
