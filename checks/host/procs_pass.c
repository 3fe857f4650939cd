/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_live.h"
#include "procs_file.h"
#include "procs_space.h"
#include "procs_text.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECONDS_MAX 4
#define MAPS_MAX    (64u << 20)
#define PACKETS_MAX (16u << 20)

/* Namespaces that the kernel made at boot (Linux include/linux/proc_ns.h). */
#define FIRST_PID  "pid:[4026531836]"
#define FIRST_USER "user:[4026531837]"

#define ON_THE_HOST "run it on the host itself, or in a container that has the host's PID namespace"
#define AS_ROOT	    "run it as root, with CAP_SYS_PTRACE"

struct pass {
	struct buf *out;
	struct buf handles; /* of the process */
	struct procs_space_pass spaces;
	dev_t spaces_dev;    /* of the file system that namespaces are in */
	struct strv sockets; /* "socket:[4711]", of packet sockets that are bound */
	int proc, dir;	     /* /proc, /proc/PID */
	const char *pid;
	unsigned refused;
	uint64_t refused_pid; /* the first */
};

static bool is_refusal(int r)
{
	return r == -EACCES || r == -EPERM;
}

static void note_refusal(struct pass *p, int r)
{
	if (!is_refusal(r) && r != -EFBIG)
		return;
	if (p->refused++ == 0 && parse_u64(p->pid, 10, INT_MAX, &p->refused_pid) < 0)
		p->refused_pid = 0;
}

/* --- descriptors ------------------------------------------------------------------------- */

/* Memory, terminals, consoles and the like, which are open everywhere. */
static bool is_common(uint32_t major)
{
	return major < 10 || (major >= 136 && major <= 143);
}

/* A namespace, perhaps of another kind, that was opened by where it is, or was, mounted. */
static void look_at_mounted(struct pass *p, const char *number, uint64_t inode)
{
	AUTO_BUF struct buf link = { 0 };

	buf_printf(&link, "net:[%llu]", (unsigned long long)inode);
	(void)procs_space_open(&p->spaces, p->dir, p->pid, number, buf_text(&link));
}

static int look_at_device(struct pass *p, int fds, const char *number, const char *path)
{
	struct statx st;
	const char *slash = strrchr(path, '/');
	enum procs_kind kind;

	/*
	 * Not to wait for a server that does not answer.  A user's own file system (FUSE) refuses
	 * even root, and has no devices.
	 */
	if (statx(fds, number, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &st) < 0)
		return parse_has_prefix(path, "/dev/") ? -errno : 0;
	if (p->spaces_dev == makedev(st.stx_dev_major, st.stx_dev_minor))
		look_at_mounted(p, number, st.stx_ino);
	if (!S_ISCHR(st.stx_mode) && !S_ISBLK(st.stx_mode))
		return 0;
	kind = S_ISBLK(st.stx_mode) ? PROCS_BLOCK : PROCS_CHAR;
	if (kind == PROCS_CHAR && is_common(st.stx_rdev_major))
		return 0;
	procs_text_handle(&p->handles, kind, st.stx_rdev_major, st.stx_rdev_minor, slash + 1,
			  strlen(slash + 1));
	return 0;
}

/* Of Linux 6.17 and newer the descriptor tells its function (drivers/vfio/vfio_main.c). */
static void look_at_vfio(struct pass *p, int task, const char *number)
{
	static const char key[] = "vfio-device-syspath:";
	AUTO_BUF struct buf path = { 0 }, text = { 0 }, bdf = { 0 };
	const char *cursor, *line;
	size_t len;

	buf_printf(&path, "fdinfo/%s", number);
	if (procs_file_read(task, buf_text(&path), PROCS_FILE_CHUNK, &text) == 0) {
		cursor = buf_text(&text);
		while (parse_line(&cursor, &line, &len))
			if (len > sizeof(key) && strncmp(line, key, sizeof(key) - 1) == 0)
				procs_parse_bdf(line, len, &bdf);
	}
	procs_text_handle(&p->handles, PROCS_VFIO_DEVICE, 0, 0, buf_text(&bdf), bdf.len);
}

static void look_at_socket(struct pass *p, const char *link)
{
	uint64_t inode;
	AUTO_BUF struct buf text = { 0 };

	if (!strv_has(&p->sockets, link) || procs_parse_space(link, &inode) < 0)
		return;
	buf_printf(&text, "%llu", (unsigned long long)inode);
	procs_text_handle(&p->handles, PROCS_PACKET_SOCKET, 0, 0, buf_text(&text), text.len);
}

static int look_at_descriptor(struct pass *p, int task, int fds, const char *number)
{
	char path[PATH_MAX];
	int r = procs_file_link(fds, number, path);

	if (r < 0)
		return r;
	if (strcmp(path, "anon_inode:[vfio-device]") == 0)
		look_at_vfio(p, task, number);
	else if (path[0] == '/')
		return look_at_device(p, fds, number, path);
	if (!procs_space_open(&p->spaces, p->dir, p->pid, number, path))
		look_at_socket(p, path);
	return 0;
}

/* What one table of descriptors has; @task: /proc/PID, or a thread's /proc/PID/task/TID. */
static int look_at_table(struct pass *p, int task)
{
	int fd = procs_file_open(task, "fd", O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	int r = 0;

	if (fd < 0)
		return fd;
	if (!dir) {
		(void)close(fd);
		return -ENOMEM;
	}
	/* The names may be there to be read where what they lead to is not. */
	while (!is_refusal(r) && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			r = look_at_descriptor(p, task, fd, d->d_name);
	(void)closedir(dir);
	return is_refusal(r) ? r : 0;
}

static int look_at_mappings(struct pass *p, int task)
{
	AUTO_BUF struct buf maps = { 0 };
	const char *cursor, *line;
	size_t len;
	int r = procs_file_read(task, "maps", MAPS_MAX, &maps);

	cursor = buf_text(&maps);
	while (r == 0 && parse_line(&cursor, &line, &len))
		procs_parse_mapping(line, len, &p->handles);
	return r == 0 && maps.len >= MAPS_MAX ? -EFBIG : r;
}

/*
 * Has the thread the descriptors of its process?  No, where that cannot be told, and of a
 * process whose first thread has ended.
 */
static bool shares_table(const char *pid, const char *tid)
{
	uint64_t a = 0, b = 0;

	if (parse_u64(pid, 10, INT_MAX, &a) < 0 || parse_u64(tid, 10, INT_MAX, &b) < 0)
		return false;
	return syscall(SYS_kcmp, (pid_t)a, (pid_t)b, KCMP_FILES, 0, 0) == 0;
}

static int look_at_threads(struct pass *p)
{
	int fd = procs_file_open(p->dir, "task", O_DIRECTORY), r = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;

	if (fd < 0)
		return fd;
	if (!dir) {
		(void)close(fd);
		return -ENOMEM;
	}
	while (!is_refusal(r) && (d = readdir(dir))) {
		AUTO_CLOSE int task = -1;

		if (d->d_name[0] == '.' || strcmp(d->d_name, p->pid) == 0 ||
		    shares_table(p->pid, d->d_name))
			continue;
		task = procs_file_open(fd, d->d_name, O_DIRECTORY);
		r = task < 0 ? task : look_at_table(p, task);
		if (!is_refusal(r) && task >= 0)
			r = look_at_mappings(p, task);
	}
	(void)closedir(dir);
	return is_refusal(r) ? r : 0;
}

/* --- processes --------------------------------------------------------------------------- */

static void put_name(struct pass *p)
{
	AUTO_BUF struct buf name = { 0 };

	(void)procs_file_read(p->dir, "comm", PROCS_FILE_CHUNK, &name);
	buf_rtrim(&name);
	procs_text_put(p->out, buf_text(&name), name.len);
}

static void put_process(struct pass *p)
{
	AUTO_BUF struct buf cmdline = { 0 };

	if (p->handles.len == 0)
		return;
	buf_printf(p->out, "process\t%s\t", p->pid);
	put_name(p);
	buf_puts(p->out, "\t");
	if (procs_file_read(p->dir, "cmdline", PROCS_FILE_CHUNK, &cmdline) == 0)
		procs_parse_guest(buf_text(&cmdline), cmdline.len, p->out);
	buf_puts(p->out, "\n");
	buf_append(p->out, p->handles.data, p->handles.len);
}

static void look_at_process(struct pass *p)
{
	AUTO_CLOSE int dir = procs_file_open(p->proc, p->pid, O_DIRECTORY);
	int r = dir;

	p->dir = dir;
	buf_clear(&p->handles);
	if (r >= 0)
		r = look_at_table(p, dir);
	if (!is_refusal(r))
		r = look_at_threads(p);
	if (!is_refusal(r))
		r = look_at_mappings(p, dir);
	note_refusal(p, r);
	if (dir < 0)
		return;
	procs_space_of(&p->spaces, dir, p->pid);
	put_process(p);
}

/* False: it would have taken too long. */
static bool look_at_all(struct pass *p)
{
	const int64_t end = base_now_ms() + SECONDS_MAX * 1000;
	int fd = procs_file_open(p->proc, ".", O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d = NULL;

	while (dir && base_now_ms() <= end && (errno = 0, d = readdir(dir))) {
		if (d->d_name[0] < '1' || d->d_name[0] > '9')
			continue;
		p->pid = d->d_name;
		look_at_process(p);
	}
	if (dir)
		(void)closedir(dir);
	return dir && !d && errno == 0;
}

/* Why not every process is in this /proc, or may be looked into; NULL: each is. */
static const char *why_blind(const struct pass *p)
{
	AUTO_BUF struct buf status = { 0 };
	char link[PATH_MAX];

	/* This very process is in the first PID namespace only if that is all that it is in. */
	if (procs_file_link(p->proc, "self/ns/pid", link) < 0 || strcmp(link, FIRST_PID) != 0)
		return "this process is in a PID namespace of its own, as in a container, and "
		       "sees the processes of that one only: " ON_THE_HOST;
	if (procs_file_link(p->proc, "self/ns/user", link) < 0 || strcmp(link, FIRST_USER) != 0)
		return "this process is in a user namespace of its own, and may not look into "
		       "the processes outside of it: " ON_THE_HOST;
	if (procs_file_read(p->proc, "self/status", PROCS_FILE_CHUNK, &status) < 0 ||
	    !procs_parse_rights(buf_text(&status)))
		return "the processes of other users are hidden from this one: " AS_ROOT;
	return NULL;
}

static void list_sockets(struct pass *p)
{
	AUTO_BUF struct buf text = { 0 }, inode = { 0 };
	const char *cursor;
	int index;

	(void)procs_file_read(p->proc, "net/packet", PACKETS_MAX, &text);
	cursor = buf_text(&text);
	while (procs_parse_packet(&cursor, &index, &inode)) {
		AUTO_BUF struct buf link = { 0 };

		buf_printf(&link, "socket:[%s]", buf_text(&inode));
		if (strv_take(&p->sockets, buf_take(&link)) < 0)
			p->out->error = -ENOMEM;
	}
}

int procs_answer(const char *which, struct buf *ret)
{
	AUTO_CLOSE int proc = procs_file_open(AT_FDCWD, "/proc", O_DIRECTORY);
	struct pass p = { .out = ret, .proc = proc, .spaces.out = ret };
	struct stat st;
	const char *why;
	bool is_whole;
	int r;

	(void)which;
	if (proc < 0)
		return proc;
	why = why_blind(&p);
	list_sockets(&p);
	if (fstatat(proc, "self/ns/net", &st, 0) == 0)
		p.spaces_dev = st.st_dev;
	is_whole = look_at_all(&p);
	if (why)
		buf_printf(ret, "blind\t%s\n", why);
	else if (!is_whole)
		buf_printf(ret,
			   "blind\tnot all processes could be looked into within %d seconds: "
			   "run it again when the host is less busy\n",
			   SECONDS_MAX);
	else if (p.refused > 0)
		buf_printf(ret,
			   "blind\t%u of the processes (the first is %llu) could not be looked "
			   "into: " AS_ROOT ", and outside of what a security module confines\n",
			   p.refused, (unsigned long long)p.refused_pid);
	r = buf_error(&p.handles);
	buf_done(&p.handles);
	procs_space_done(&p.spaces);
	strv_done(&p.sockets);
	return r < 0 ? r : buf_error(ret);
}
