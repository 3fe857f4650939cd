/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/effector_live.h>

#include "live.h"
#include "writer.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * How long a request may take, in milliseconds: probing a driver takes seconds, and making or
 * removing VFs as much for each of them (igb in a busy machine: 2 s).
 */
#define LIMIT_MS	(EFFECTOR_LIVE_SECONDS * 1000)
#define LIMIT_PER_VF_MS 4000

enum operation {
	OPERATION_WRITE,
	OPERATION_READ,
	OPERATION_LOOK,
	OPERATION_GUARD,
	OPERATION_WAIT,
	OPERATION_CARRIER
};

struct request {
	enum operation what;
	struct step step;
	struct setting_value value;
	unsigned tries;
	uint32_t last; /* VF of a look, which begins at that of the step */
};

struct reply {
	int code;
	struct setting_value value;
	struct error error;
};

struct effector_live {
	const struct pfstates *is;
	struct effector effector;
	uint32_t seconds; /* 0: limit_of() knows */
	int socket;
	pid_t pid;
	bool has_written;
	bool is_stuck; /* it was over its limit, and is left to itself */
};

static void serve(struct live *l, const struct request *q, struct reply *ret)
{
	switch (q->what) {
	case OPERATION_WRITE:
		ret->code = live_write(l, &q->step, &q->value, &ret->error);
		return;
	case OPERATION_READ:
		ret->code = live_read(l, &q->step, &ret->value, &ret->error);
		return;
	case OPERATION_LOOK:
		ret->code = live_look(l, q->step.pf, q->step.vf, q->last, &ret->error);
		return;
	case OPERATION_GUARD:
		ret->code = live_guard(l, &q->step, &ret->error);
		return;
	case OPERATION_WAIT:
		ret->code = live_wait(l, &q->step, q->tries);
		return;
	case OPERATION_CARRIER:
		ret->code = live_carrier(l, q->step.pf, &ret->error);
		return;
	}
}

#define WORKER_SOCKET (STDERR_FILENO + 1)
#define WORKER_LOCK   (STDERR_FILENO + 2)

/* Without our output, journal and lock, and without what a terminal sends to all processes. */
static void detach(int fd, int writer)
{
	/* Away from the numbers that they are to have. */
	int lock = writer < 0 ? -1 : fcntl(writer, F_DUPFD_CLOEXEC, WORKER_LOCK + 1);
	int null;

	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)dup2(fd, WORKER_SOCKET);
	if (lock >= 0)
		(void)dup2(lock, WORKER_LOCK);
	closefrom(lock >= 0 ? WORKER_LOCK + 1 : WORKER_LOCK);
	null = open("/dev/null", O_RDWR);
	if (null < 0)
		return;
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	(void)dup2(null, STDERR_FILENO);
	(void)close(null);
}

static void work(const struct pfstates *is, int socket, int writer)
{
	const int fd = WORKER_SOCKET;
	struct live l;
	struct request q;

	detach(socket, writer);
	live_open(is, &l);
	while (recv(fd, &q, sizeof(q), 0) == (ssize_t)sizeof(q)) {
		struct reply reply = { 0 };

		serve(&l, &q, &reply);
		if (send(fd, &reply, sizeof(reply), MSG_NOSIGNAL) != (ssize_t)sizeof(reply))
			break;
	}
	live_close(&l);
}

static int64_t limit_of(const struct effector_live *l, const struct request *q)
{
	const struct pfstate *pf = &l->is->items[q->step.pf];
	uint64_t vfs = pf->n_vfs;

	if (l->seconds > 0)
		return (int64_t)l->seconds * 1000;
	if (q->step.what != SETTING_VFS)
		return LIMIT_MS;
	if (q->what == OPERATION_WRITE && q->value.number > vfs)
		vfs = q->value.number;
	return LIMIT_MS + LIMIT_PER_VF_MS * (int64_t)vfs;
}

/* True when the reply is there.  A signal does not end the waiting: what is under way ends first.
 */
static bool await(const struct effector_live *l, int64_t limit)
{
	const int64_t end = base_now_ms() + limit;
	struct pollfd fd = { .fd = l->socket, .events = POLLIN };
	int64_t left;

	while ((left = end - base_now_ms()) > 0) {
		int n = poll(&fd, 1, (int)left);

		if (n > 0 || (n < 0 && errno != EINTR))
			return n > 0;
	}
	return false;
}

static int ask(struct effector_live *l, const struct request *q, struct reply *ret, struct error *e)
{
	const int64_t limit = limit_of(l, q);
	int r;

	if (l->is_stuck)
		return error_set(e, -EINPROGRESS, "the write before has not come back");
	if (send(l->socket, q, sizeof(*q), MSG_NOSIGNAL) != (ssize_t)sizeof(*q))
		return error_set(e, -EPIPE, "the process that writes is gone");
	l->is_stuck = !await(l, limit);
	if (l->is_stuck)
		return error_set(
			e, -EINPROGRESS,
			"the kernel has not come back from it for %lld s; process %d waits "
			"there, and does not end before",
			(long long)(limit / 1000), (int)l->pid);
	r = recv(l->socket, ret, sizeof(*ret), 0) == (ssize_t)sizeof(*ret) ? ret->code : -EPIPE;
	if (r == -EPIPE)
		return error_set(e, r, "the process that writes is gone");
	return ret->error.code < 0 ? error_set(e, r, "%s", ret->error.text) : r;
}

static int ask_write(void *ctx, const struct step *s, const struct setting_value *v,
		     struct error *e)
{
	const struct request q = { .what = OPERATION_WRITE, .step = *s, .value = *v };
	struct effector_live *l = ctx;
	struct reply reply;

	l->has_written = true;
	return ask(ctx, &q, &reply, e);
}

static int ask_read(void *ctx, const struct step *s, struct setting_value *ret, struct error *e)
{
	const struct request q = { .what = OPERATION_READ, .step = *s };
	struct reply reply;
	int r = ask(ctx, &q, &reply, e);

	if (r == 0)
		*ret = reply.value;
	return r;
}

static int ask_look(void *ctx, uint32_t pf, uint32_t first, uint32_t last, struct error *e)
{
	const struct request q = { .what = OPERATION_LOOK,
				   .step = { .pf = pf, .vf = first },
				   .last = last };
	struct reply reply;

	return ask(ctx, &q, &reply, e);
}

static int ask_guard(void *ctx, const struct step *s, struct error *e)
{
	const struct request q = { .what = OPERATION_GUARD, .step = *s };
	struct reply reply;

	return ask(ctx, &q, &reply, e);
}

static int ask_wait(void *ctx, const struct step *s, unsigned tries)
{
	const struct request q = { .what = OPERATION_WAIT, .step = *s, .tries = tries };
	struct reply reply;

	return ask(ctx, &q, &reply, NULL);
}

static bool ask_carrier(void *ctx, uint32_t pf)
{
	const struct request q = { .what = OPERATION_CARRIER, .step = { .pf = pf } };
	struct reply reply;

	return ask(ctx, &q, &reply, NULL) > 0;
}

static bool has_written(void *ctx)
{
	const struct effector_live *l = ctx;

	return l->has_written;
}

int effector_live_open(const struct pfstates *is, const char *dir, uint32_t seconds,
		       struct effector_live **ret, struct error *e)
{
	const int64_t limit = seconds ? (int64_t)seconds * 1000 : LIMIT_MS;
	AUTO_CLOSE int writer = dir ? writer_take(dir, limit, e) : -1;
	struct effector_live *l;
	int fds[2];

	if (dir && writer < 0)
		return writer;
	l = calloc(1, sizeof(*l));
	if (!l)
		return error_nomem(e);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0) {
		free(l);
		return error_set(e, -errno, "socketpair: %s", strerror(errno));
	}
	l->pid = fork();
	if (l->pid == 0) {
		(void)close(fds[0]);
		work(is, fds[1], writer);
		_exit(0);
	}
	(void)close(fds[1]);
	if (writer >= 0 && l->pid > 0)
		writer_name(writer, l->pid);
	l->is = is;
	l->seconds = seconds;
	l->socket = fds[0];
	l->effector = (struct effector){
		.write = ask_write,
		.read = ask_read,
		.look = ask_look,
		.guard = ask_guard,
		.has_written = has_written,
		.wait = ask_wait,
		.carrier = ask_carrier,
		.ctx = l,
	};
	if (l->pid < 0) {
		int r = error_set(e, -errno, "fork: %s", strerror(errno));

		effector_live_close(l);
		return r;
	}
	*ret = l;
	return 0;
}

const struct effector *effector_live_get(struct effector_live *l)
{
	return &l->effector;
}

/* It ends when its socket does.  One that is stuck is not waited for. */
void effector_live_close(struct effector_live *l)
{
	if (!l)
		return;
	(void)close(l->socket);
	while (l->pid > 0 && !l->is_stuck && waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(l);
}

void effector_live_close_p(struct effector_live **l)
{
	effector_live_close(*l);
}
