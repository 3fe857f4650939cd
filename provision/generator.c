/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "generator.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_MS  (10 * 60 * 1000) /* it may look at every disk for other systems */
#define CHUNK	  4096
#define SAID_MAX  65536
#define TOLD_MAX  400
#define WORDS_MAX 4

/* The first that is there is run. */
static const struct program {
	enum kargs_generator generator;
	const char *argv[WORDS_MAX];
} programs[] = {
	{ .generator = KARGS_GENERATOR_UPDATE_GRUB, .argv = { "/usr/sbin/update-grub" } },
	{ .generator = KARGS_GENERATOR_GRUB_MKCONFIG,
	  .argv = { "/usr/sbin/grub-mkconfig", "-o", "/boot/grub/grub.cfg" } },
	{ .generator = KARGS_GENERATOR_GRUB_MKCONFIG,
	  .argv = { "/usr/bin/grub-mkconfig", "-o", "/boot/grub/grub.cfg" } },
	{ .generator = KARGS_GENERATOR_GRUB2_MKCONFIG,
	  .argv = { "/usr/sbin/grub2-mkconfig", "-o", "/boot/grub2/grub.cfg" } },
};

const char *generator_name(enum kargs_generator g)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (programs[i].generator == g)
			return programs[i].argv[0];
	return NULL;
}

static const struct program *find(enum kargs_generator g)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (programs[i].generator == g && access(programs[i].argv[0], X_OK) == 0)
			return &programs[i];
	return NULL;
}

/* In the child: nothing of this process is left to it but @out. */
static void become(const struct program *p, int out)
{
	char *argv[WORDS_MAX + 1] = { 0 }, *environment[] = { NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	for (size_t i = 0; i < WORDS_MAX && p->argv[i]; i++)
		argv[i] = strdup(p->argv[i]);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	(void)umask(022);
	if (setsid() < 0 || chdir("/") < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0 || !argv[0])
		_exit(126);
	(void)execve(argv[0], argv, environment);
	_exit(127);
}

/* Only its end is kept.  False: it has no more to say. */
static bool take_chunk(int fd, struct buf *said)
{
	char chunk[CHUNK];
	ssize_t n = read(fd, chunk, sizeof(chunk));

	if (n <= 0)
		return n < 0 && errno == EINTR;
	if (said->len + (size_t)n > SAID_MAX)
		buf_clear(said);
	buf_append(said, chunk, (size_t)n);
	return true;
}

/* False: it still talks at the end of its time. */
static bool listen_to(int fd, struct buf *said)
{
	const int64_t end = base_now_ms() + LIMIT_MS;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = end - base_now_ms();
		int n = left > 0 ? poll(&p, 1, (int)left) : 0;

		if (n == 0)
			return false;
		if (n < 0 && errno != EINTR)
			return true;
		if (n > 0 && !take_chunk(fd, said))
			return true;
	}
}

/* The last lines of what it said, as one. */
static const char *tail(struct buf *said)
{
	char *text;

	buf_rtrim(said);
	if (!said->data)
		return "nothing";
	text = said->data + (said->len > TOLD_MAX ? said->len - TOLD_MAX : 0);
	for (char *p = text; *p; p++)
		if (*p == '\n')
			*p = ';';
	return text;
}

static int weigh(const struct program *p, bool in_time, int status, struct buf *said,
		 struct error *e)
{
	if (!in_time)
		return error_set(e, -EIO, "%s did not end within %d minutes, and was ended",
				 p->argv[0], LIMIT_MS / 60000);
	if (WIFSIGNALED(status))
		return error_set(e, -EIO, "%s was ended by signal %d; it said: %s", p->argv[0],
				 WTERMSIG(status), tail(said));
	if (WEXITSTATUS(status) != 0)
		return error_set(e, -EIO, "%s failed with %d; it said: %s", p->argv[0],
				 WEXITSTATUS(status), tail(said));
	return 0;
}

static int watch(const struct program *p, pid_t pid, int fd, struct error *e)
{
	AUTO_BUF struct buf said = { 0 };
	bool in_time = listen_to(fd, &said);
	int status = 0;

	/* It leads a group of its own; who closed his output may be there still. */
	if (!in_time)
		(void)kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return weigh(p, in_time, status, &said, e);
}

int generator_run(enum kargs_generator g, struct error *e)
{
	const struct program *p = find(g);
	int fds[2], r;
	pid_t pid;

	if (!p)
		return error_set(e, -ENOENT, "%s is not there", generator_name(g));
	if (pipe2(fds, O_CLOEXEC) < 0)
		return error_set(e, -errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0)
		become(p, fds[1]);
	r = pid < 0 ? error_set(e, -errno, "fork: %s", strerror(errno)) : 0;
	(void)close(fds[1]);
	if (r == 0)
		r = watch(p, pid, fds[0], e);
	(void)close(fds[0]);
	return r;
}
