/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that writes: what is told of it when it answers, stops, or dies. */
#include <sriovctl/effector_live.h>

#include <sriovctl/error.h>
#include <sriovctl/parse.h>

#include "scratch_journal.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

/* Of a PF that no host has. */
struct worker {
	struct pfstate pf;
	struct pfstates is;
	struct effector_live *live;
	const struct effector *f;
	pid_t pid;
};

/* 0: it is not written yet. */
static uint64_t number_of(char *text)
{
	uint64_t n = 0;

	text[strcspn(text, "\n")] = '\0';
	return parse_u64(text, 10, INT32_MAX, &n) == 0 ? n : 0;
}

static pid_t pid_of_writer(const char *dir)
{
	AUTO_BUF struct buf path = { 0 };
	char text[16] = "";
	int pid = 0;

	scratch_path(dir, "writer", &path);
	for (int tries = 0; pid == 0 && tries < 5000; tries++) {
		AUTO_CLOSE int fd = open(buf_text(&path), O_RDONLY | O_CLOEXEC);

		if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
			pid = (int)number_of(text);
		if (pid == 0)
			(void)usleep(1000);
	}
	return pid;
}

static bool start(struct worker *w, const char *dir, uint32_t seconds)
{
	static char bdf[] = "ffff:ff:1f.7", sysfs[] = "/sys/bus/pci/devices/ffff:ff:1f.7";

	*w = (struct worker){ .pf = { .bdf = bdf, .sysfs = sysfs } };
	w->is = (struct pfstates){ .items = &w->pf, .n = 1 };
	if (effector_live_open(&w->is, dir, seconds, &w->live, NULL) < 0)
		return false;
	w->f = effector_live_get(w->live);
	w->pid = pid_of_writer(dir);
	return w->pid > 0;
}

static const struct step make_vfs = { .vf = PLAN_OF_PF, .what = SETTING_VFS };

TEST(what_the_kernel_says_comes_back)
{
	AUTO_SCRATCH char *dir = scratch_make();
	const struct setting_value two = setting_number(2);
	struct setting_value now = { 0 };
	struct error e = { 0 };
	struct worker w;

	EXPECT(start(&w, dir, 0));
	EXPECT(w.f->write(w.f->ctx, &make_vfs, &two, &e) == -ENOENT);
	EXPECT(strstr(e.text, "No such file or directory"));
	EXPECT(w.f->read(w.f->ctx, &make_vfs, &now, &e) == 0 && now.number == 0);
	EXPECT(!w.f->carrier(w.f->ctx, 0));
	effector_live_close(w.live);
	/* With the process the lock is gone. */
	EXPECT(start(&w, dir, 0));
	effector_live_close(w.live);
}

TEST(one_that_does_not_come_back_is_left_alone)
{
	AUTO_SCRATCH char *dir = scratch_make();
	const struct setting_value two = setting_number(2);
	struct error e = { 0 };
	struct worker w;
	struct effector_live *next = NULL;

	EXPECT(start(&w, dir, 1));
	EXPECT(kill(w.pid, SIGSTOP) == 0);
	EXPECT(w.f->write(w.f->ctx, &make_vfs, &two, &e) == -EINPROGRESS);
	EXPECT(strstr(e.text, "has not come back"));
	/* At once, and without asking. */
	EXPECT(w.f->write(w.f->ctx, &make_vfs, &two, &e) == -EINPROGRESS);
	EXPECT(strstr(e.text, "the write before"));
	effector_live_close(w.live);
	EXPECT(effector_live_open(&w.is, dir, 1, &next, &e) == -EINPROGRESS);
	EXPECT(strstr(e.text, "a write of an earlier run goes on"));
	EXPECT(kill(w.pid, SIGKILL) == 0);
	EXPECT(effector_live_open(&w.is, dir, 5, &next, &e) == 0);
	effector_live_close(next);
}

TEST(one_that_dies_is_told)
{
	AUTO_SCRATCH char *dir = scratch_make();
	const struct setting_value two = setting_number(2);
	struct error e = { 0 };
	struct worker w;

	EXPECT(start(&w, dir, 5));
	EXPECT(kill(w.pid, SIGKILL) == 0);
	EXPECT(w.f->write(w.f->ctx, &make_vfs, &two, &e) == -EPIPE);
	EXPECT(strstr(e.text, "is gone"));
	effector_live_close(w.live);
}
