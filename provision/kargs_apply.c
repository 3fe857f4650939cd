/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/kargs_apply.h>

#include "generator.h"
#include "rootdir.h"
#include "rootfile.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/vfs.h>

#define RESULT_MAX (4u << 20)

/* Where it is done. */
struct target {
	const char *path;
	struct rootdir dir;
};

static int write_edit(const struct target *root, const struct kargs_edit *edit, bool undo,
		      struct error *e)
{
	const struct buf *was = edit->is_new ? NULL : &edit->before;
	const struct rootfile f = {
		.path = edit->path,
		.before = undo ? &edit->after : was,
		.after = undo ? was : &edit->after,
		.backup = undo ? NULL : KARGS_APPLY_BACKUP,
		.mode = 0644,
	};

	return rootfile_write(&root->dir, &f, e);
}

static bool runs(const struct target *root, const struct kargs_plan *p)
{
	return root->dir.is_own && p->generator != KARGS_GENERATOR_NONE;
}

/* What the generator made last; empty where that cannot be read. */
static void read_result(const struct target *root, const struct kargs_plan *p, struct buf *ret)
{
	AUTO_HOST struct host *h = NULL;

	if (p->result && host_open(root->path, &h, NULL) == 0)
		(void)!host_read(h, RESULT_MAX, ret, NULL, "%s", p->result);
}

/* A generator that failed has mostly changed nothing, and would fail again. */
static bool is_result(const struct target *root, const struct kargs_plan *p,
		      const struct buf *before)
{
	AUTO_BUF struct buf now = { 0 };

	read_result(root, p, &now);
	return buf_error(before) == 0 && buf_error(&now) == 0 && now.len == before->len &&
	       memcmp(buf_text(&now), buf_text(before), now.len) == 0;
}

/* The first @n edits, and what the generator made, which was @result.  @why stays in @e. */
static int put_back(const struct target *root, const struct kargs_plan *p, size_t n,
		    const struct buf *result, int why, struct error *e)
{
	struct error other = { 0 };
	int r = 0;

	while (n > 0 && r == 0)
		r = write_edit(root, &p->edits[--n], true, &other);
	if (r == 0 && runs(root, p) && !is_result(root, p, result))
		r = generator_run(p->generator, &other);
	if (r == 0)
		return error_prefix(e, why, "all is as it was");
	return error_prefix(
		e, -ENOTRECOVERABLE,
		"failed, and putting it back failed too (%s); what a file was before is beside it, "
		"as FILE" KARGS_APPLY_BACKUP,
		other.text);
}

/* Looked at anew, nothing may be left to do. */
static int verify(const struct target *root, enum bootcfg_method method, const struct kargs *k,
		  const struct kargs_plan *done, struct error *e)
{
	AUTO_HOST struct host *h = NULL;
	AUTO_KARGS_PLAN struct kargs_plan p = { 0 };
	int r = host_open(root->path, &h, e);

	if (r == 0)
		r = kargs_plan_make(h, method, k, &p, e);
	if (r < 0)
		return r;
	if (p.n > 0)
		return error_set(e, -ESTALE, "%s does not say what was written to it",
				 p.edits[0].path);
	if (runs(root, &p))
		return error_set(e, -ESTALE,
				 "%s was made by %s, and has not what is wanted in all of its "
				 "entries",
				 done->result, kargs_apply_generator(done->generator));
	return 0;
}

static int apply(const struct target *root, enum bootcfg_method method, const struct kargs *k,
		 const struct kargs_plan *p, struct error *e)
{
	AUTO_BUF struct buf result = { 0 };
	size_t n = 0;
	int r = 0;

	read_result(root, p, &result);
	while (r == 0 && n < p->n) {
		r = write_edit(root, &p->edits[n], false, e);
		n += r == 0;
	}
	if (r == 0 && runs(root, p))
		r = generator_run(p->generator, e);
	if (r == 0)
		r = verify(root, method, k, p, e);
	return r < 0 ? put_back(root, p, n, &result, r, e) : 0;
}

int kargs_apply_lock(const char *root, int *ret_fd, struct error *e)
{
	AUTO_ROOTDIR struct rootdir dir = ROOTDIR_CLOSED;
	int r = rootdir_open(root, &dir, e);

	if (r == 0)
		r = rootdir_try_lock(&dir, "/", ret_fd, e);
	return r == -EBUSY ? error_set(e, r,
				       "another run is at work on the kernel command line of %s: "
				       "wait for its end, then try again",
				       root)
			   : r;
}

/* Whoever interrupts it gets all or nothing. */
int kargs_apply(const char *root, enum bootcfg_method method, const struct kargs *k,
		const struct kargs_plan *p, struct error *e)
{
	struct target t = { .path = root, .dir = ROOTDIR_CLOSED };
	sigset_t ending, before;
	int r = rootdir_open(root, &t.dir, e);

	if (r < 0)
		return r;

	(void)sigemptyset(&ending);
	(void)sigaddset(&ending, SIGINT);
	(void)sigaddset(&ending, SIGTERM);
	(void)sigaddset(&ending, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &ending, &before);
	r = apply(&t, method, k, p, e);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	rootdir_close(&t.dir);
	return r;
}

static bool is_fs(const struct rootdir *dir, const char *path, unsigned long magic)
{
	AUTO_CLOSE int fd = rootdir_open_in(dir, path, O_PATH | O_DIRECTORY);
	struct statfs fs;

	return fd >= 0 && fstatfs(fd, &fs) == 0 && (unsigned long)fs.f_type == magic;
}

bool kargs_apply_is_mounted(const char *root)
{
	AUTO_ROOTDIR struct rootdir dir = ROOTDIR_CLOSED;

	return rootdir_open(root, &dir, NULL) == 0 && !dir.is_own &&
	       (is_fs(&dir, "/proc", PROC_SUPER_MAGIC) || is_fs(&dir, "/sys", SYSFS_MAGIC));
}

const char *kargs_apply_generator(enum kargs_generator g)
{
	return generator_name(g);
}
