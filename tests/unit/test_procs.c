/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <sriovctl/error.h>
#include <sriovctl/netns.h>
#include <sriovctl/procs.h>

#include <fcntl.h>
#include <linux/if_packet.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#define AUTO_PROCS CLEANUP(procs_done)

/* --- what /proc says ---------------------------------------------------------------------- */

static bool maps_to(const char *line, const char *expected)
{
	AUTO_BUF struct buf b = { 0 };

	procs_parse_mapping(line, strlen(line), &b);
	if (!same(buf_text(&b), expected))
		printf("# %s: %s\n", line, buf_text(&b));
	return same(buf_text(&b), expected);
}

TEST(mappings)
{
	static const char head[] = "7f12a000-7f12b000 rw-s 00000000 00:05 1042   ";
	static const struct {
		const char *path, *expected;
	} cases[] = {
		{ "/dev/uio0", "handle\t0\t0\t0\tuio0\n" },
		{ "/srv/root/dev/uio12 (deleted)", "handle\t0\t0\t0\tuio12\n" },
		{ "/dev/infiniband/uverbs1", "handle\t0\t0\t0\tuverbs1\n" },
		{ "/vfio/devices/vfio3", "handle\t0\t0\t0\tvfio3\n" },
		{ "anon_inode:[vfio-device]", "handle\t3\t0\t0\t\n" },
		{ "/sys/devices/pci0000:00/0000:00:03.0/0000:01:10.0/resource0",
		  "handle\t4\t0\t0\t0000:01:10.0\n" },
		{ "/sys/devices/pci0000:00/0000:00:03.0/0000:01:10.0/resource2_wc",
		  "handle\t4\t0\t0\t0000:01:10.0\n" },
		{ "/sys/devices/pci0000:00/0000:00:03.0/0000:01:10.0/resource", "" },
		{ "/home/user/resource0", "" },
		{ "/dev/uio", "" },
		{ "/dev/uiox", "" },
		{ "/usr/lib/libvfio.so", "" },
		{ "anon_inode:[vfio-device]x", "" },
		{ "[heap]", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_BUF struct buf line = { 0 };

		buf_printf(&line, "%s%s", head, cases[i].path);
		EXPECT(maps_to(buf_text(&line), cases[i].expected));
	}
	EXPECT(maps_to("7f12a000-7f12b000 rw-p 00000000 00:00 0", ""));
	EXPECT(maps_to("/dev/uio0", "") && maps_to("", "") && maps_to("     ", ""));
}

static bool guest_is(const char *cmdline, size_t len, const char *expected)
{
	AUTO_BUF struct buf b = { 0 };

	procs_parse_guest(cmdline, len, &b);
	return same(buf_text(&b), expected);
}
#define GUEST(line, expected) guest_is(line, sizeof(line) - 1, expected)

TEST(guests)
{
	EXPECT(GUEST("/usr/bin/qemu-system-x86_64\0-name\0guest=vm1,debug-threads=on\0-S\0",
		     "vm1"));
	EXPECT(GUEST("qemu-kvm\0-name\0vm2,process=x\0", "vm2"));
	EXPECT(GUEST("qemu-kvm\0--name\0a,,b\0", "a,b"));
	EXPECT(GUEST("/usr/libexec/kvm\0-uuid\0"
		     "1234-5\0-m\0"
		     "1G\0",
		     "1234-5"));
	EXPECT(GUEST("qemu-kvm\0-uuid\0"
		     "1234-5\0-name\0vm3\0",
		     "vm3"));
	EXPECT(GUEST("qemu-kvm\0-name\0evil\tname\n\0", "evil?name?"));
	EXPECT(GUEST("qemu-kvm\0-name", "") && GUEST("qemu-kvm\0-name\0", ""));
	EXPECT(GUEST("testpmd\0-name\0vm1\0", "") && GUEST("", ""));
}

TEST(rights)
{
	EXPECT(procs_parse_rights("Name:\tx\nCapPrm:\t0\nCapEff:\t000001ffffffffff\nCapBnd:\t0\n"));
	EXPECT(procs_parse_rights("CapEff:\t0000000000080000\n"));
	EXPECT(!procs_parse_rights("CapEff:\t000001fffff7ffff\n"));
	EXPECT(!procs_parse_rights("CapPrm:\t000001ffffffffff\nCapEff:\t0000000000000000\n"));
	EXPECT(!procs_parse_rights("CapEff:\tmany\n") && !procs_parse_rights(""));
}

static bool mounted_at(const char *mountinfo, const char *link, const char *path)
{
	AUTO_BUF struct buf l = { 0 }, p = { 0 };
	bool found = procs_parse_net_mount(&mountinfo, &l, &p);

	return found ? same(buf_text(&l), link) && same(buf_text(&p), path) : !link;
}

TEST(namespaces_that_are_mounted)
{
	uint64_t inode = 0;

	EXPECT(mounted_at("1 1 0:5 / / rw - proc x rw\n"
			  "36 35 0:4 net:[4026532281] /run/a\\040b rw shared:1 - nsfs nsfs rw\n",
			  "net:[4026532281]", "/run/a b"));
	EXPECT(mounted_at("36 35 0:4 mnt:[4026532281] /run/x rw - nsfs nsfs rw\n", NULL, NULL));
	EXPECT(mounted_at("36 35 0:4 net:[4026532281]", NULL, NULL) && mounted_at("", NULL, NULL));
	EXPECT(procs_parse_space("net:[4026532281]", &inode) == 0 && inode == 4026532281u);
	EXPECT(procs_parse_space("net:[1]x", &inode) < 0 && procs_parse_space("net", &inode) < 0);
	EXPECT(procs_parse_space("net:[]", &inode) < 0 && procs_parse_space("net:[1", &inode) < 0);
}

TEST(packet_sockets)
{
	static const char text[] = "sk       RefCnt Type Proto  Iface R Rmem   User   Inode\n"
				   "00000000e3b0 3      3    0003   0     1 0      0      100\n"
				   "00000000e3b1 3      3    0003   7     1 0      0      101\n"
				   "00000000e3b2 3      3    88cc   x     1 0      0      102\n"
				   "00000000e3b3 3      3    88cc   8     1 0\n"
				   "00000000e3b4 3      3    88cc   9     1 0      0      103\n";
	AUTO_BUF struct buf inode = { 0 };
	const char *at = text;
	int index = 0;

	EXPECT(procs_parse_packet(&at, &index, &inode) && index == 7);
	EXPECT(same(buf_text(&inode), "101"));
	EXPECT(procs_parse_packet(&at, &index, &inode) && index == 9);
	EXPECT(same(buf_text(&inode), "103"));
	EXPECT(!procs_parse_packet(&at, &index, &inode));
}

/* --- what a pass notes --------------------------------------------------------------------- */

TEST(a_pass)
{
	static const char text[] = "net\t4026531840\t1\tinit\tin\n"
				   "mount\t4026531841\t1\tinit\tin\n"
				   "process\t110\tqemu system\tvm1\n"
				   "handle\t0\t239\t5\t5\n"
				   "handle\t2\t0\t0\t\n"
				   "process\t120\ttestpmd\t\n"
				   "handle\t4\t0\t0\t0000:01:10.0\n"
				   "blind\tthat is why\n";
	AUTO_PROCS struct procs p = { 0 };

	EXPECT(procs_parse(text, sizeof(text) - 1, &p, NULL) == 0);
	EXPECT(p.n == 2 && p.n_handles == 3 && p.n_nets == 1 && p.n_mounts == 1);
	if (p.n != 2 || p.n_handles != 3)
		return;
	EXPECT(p.items[0].pid == 110 && same(p.items[0].name, "qemu system"));
	EXPECT(same(p.items[0].guest, "vm1") && same(p.items[1].guest, ""));
	EXPECT(p.handles[0].kind == PROCS_CHAR && p.handles[0].major == 239);
	EXPECT(p.handles[0].minor == 5 && same(p.handles[0].name, "5"));
	EXPECT(p.handles[1].process == 0 && p.handles[1].kind == PROCS_VFIO_DEVICE);
	EXPECT(p.handles[2].process == 1 && p.handles[2].kind == PROCS_PCI_MEMORY);
	EXPECT(p.nets[0].inode == 4026531840u && same(p.nets[0].name, "init"));
	EXPECT(same(p.blind, "that is why"));
}

TEST(damaged_passes)
{
	static const char *const texts[] = {
		"process\t1\tx\n",
		"process\tx\ty\tz\n",
		"handle\t0\t1\t1\tx\n",
		"process\t1\tx\t\nhandle\t9\t0\t0\t\n",
		"process\t1\tx\t\nhandle\t0\t0\t0\n",
		"process\t1\tx\t\nhandle\t0\t-1\t0\t\n",
		"net\t1\t1\n",
		"net\t1\t1\tinit\n",
		"blind\ta\nblind\tb\n",
		"other\n",
		"\n",
		"process\t1\tx\t",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_PROCS struct procs p = { 0 };

		EXPECT(procs_parse(texts[i], strlen(texts[i]), &p, NULL) == -EBADMSG);
		EXPECT(p.n == 0 && !p.items);
	}
}

/* --- this machine -------------------------------------------------------------------------- */

static bool is_held_by(const struct procs *p, pid_t pid, unsigned major, unsigned minor)
{
	for (size_t i = 0; i < p->n_handles; i++) {
		const struct procs_handle *handle = &p->handles[i];

		if (p->items[handle->process].pid == (uint32_t)pid && handle->kind == PROCS_CHAR &&
		    handle->major == major && handle->minor == minor)
			return true;
	}
	return false;
}

/* By another name than in /dev, and without asking the driver, which there is none. */
static int open_device(struct tree *t)
{
	AUTO_BUF struct buf path = { 0 };

	tree_make(t);
	buf_printf(&path, "%s/anything", t->dir);
	if (mknod(buf_text(&path), S_IFCHR | 0600, makedev(511, 77)) < 0)
		return -1;
	return open(buf_text(&path), O_PATH | O_CLOEXEC);
}

TEST(a_device_that_this_process_has)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_HOST struct host *before = NULL, *after = NULL;
	const struct procs *p = NULL;
	AUTO_CLOSE int fd = -1;

	EXPECT(host_open("/", &before, NULL) == 0 && procs_get(before, &p, NULL) == 0);
	EXPECT(p && !is_held_by(p, getpid(), 511, 77) && p->n_nets > 0 && p->n_mounts > 0);
	fd = open_device(&t);
	if (fd < 0)
		TEST_SKIP("no device can be made here");
	EXPECT(host_open("/", &after, NULL) == 0 && procs_get(after, &p, NULL) == 0);
	EXPECT(p && is_held_by(p, getpid(), 511, 77));
}

TEST(a_packet_socket_that_this_process_has)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = 1 };
	AUTO_CLOSE int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	AUTO_HOST struct host *h = NULL;
	AUTO_BUF struct buf text = { 0 }, inode = { 0 };
	const struct procs *p = NULL;
	size_t found = 0;
	struct stat st;

	if (fd < 0)
		TEST_SKIP("no packet socket can be made here");
	EXPECT(bind(fd, (struct sockaddr *)&to, sizeof(to)) == 0 && fstat(fd, &st) == 0);
	EXPECT(host_open("/", &h, NULL) == 0 && procs_get(h, &p, NULL) == 0);
	buf_printf(&inode, "%llu", (unsigned long long)st.st_ino);
	for (size_t i = 0; p && i < p->n_handles; i++)
		found += p->handles[i].kind == PROCS_PACKET_SOCKET &&
			 p->items[p->handles[i].process].pid == (uint32_t)getpid() &&
			 same(p->handles[i].name, buf_text(&inode));
	EXPECT(found == 1);
	/* Who looks at an interface reads them itself. */
	EXPECT(host_read(h, 1 << 20, &text, NULL, "/proc/net/packet") == 0 && text.len > 0);
}

/* A descriptor of a network namespace in which nobody is. */
static int open_namespace(void)
{
	AUTO_BUF struct buf path = { 0 };
	int fds[2], fd;
	char c;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		c = unshare(CLONE_NEWNET) == 0;
		(void)!write(fds[1], &c, 1);
		(void)pause();
	}
	(void)!read(fds[0], &c, 1);
	buf_printf(&path, "/proc/%d/ns/net", (int)pid);
	fd = c == 1 ? open(buf_text(&path), O_RDONLY | O_CLOEXEC) : -1;
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)close(fds[0]);
	(void)close(fds[1]);
	return fd;
}

TEST(a_namespace_that_this_process_has_open)
{
	AUTO_CLOSE int fd = open_namespace();
	AUTO_HOST struct host *h = NULL;
	AUTO_BUF struct buf number = { 0 }, which = { 0 };
	AUTO_NETNS struct netns n = { 0 };
	const struct procs *p = NULL;
	struct stat st;
	size_t found = 0;

	if (fd < 0)
		TEST_SKIP("no network namespace can be made here");
	buf_printf(&number, "%d", fd);
	EXPECT(fstat(fd, &st) == 0);
	EXPECT(host_open("/", &h, NULL) == 0 && procs_get(h, &p, NULL) == 0);
	for (size_t i = 0; p && i < p->n_nets; i++)
		found += p->nets[i].inode == st.st_ino && p->nets[i].pid == (uint32_t)getpid() &&
			 same(p->nets[i].how, buf_text(&number));
	EXPECT(found == 1);
	buf_printf(&which, "descriptor.%d.%d", (int)getpid(), fd);
	EXPECT(netns_read(h, buf_text(&which), &n, NULL) == 0 && n.inode == st.st_ino);
}

/* As "ip netns" has them: the path of such a descriptor tells nothing. */
static int look_at_mounted(void)
{
	AUTO_CLOSE int space = open_namespace();
	AUTO_HOST struct host *h = NULL;
	const struct procs *p = NULL;
	AUTO_TREE struct tree t = { 0 };
	AUTO_BUF struct buf path = { 0 }, from = { 0 }, number = { 0 };
	AUTO_CLOSE int fd = -1;
	struct stat st;
	int found = 0;

	tree_make(&t);
	tree_put(&t, "/there", "");
	tree_path(&t, "/there", &path);
	buf_printf(&from, "/proc/self/fd/%d", space);
	if (space < 0 || unshare(CLONE_NEWNS) < 0 ||
	    mount("", "/", "", MS_REC | MS_PRIVATE, "") < 0 ||
	    mount(buf_text(&from), buf_text(&path), "", MS_BIND, "") < 0)
		return 77;
	fd = open(buf_text(&path), O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || umount2(buf_text(&path), MNT_DETACH) < 0)
		return 1;
	base_close(&space);
	buf_printf(&number, "%d", fd);
	if (host_open("/", &h, NULL) < 0 || procs_get(h, &p, NULL) < 0)
		return 2;
	for (size_t i = 0; i < p->n_nets; i++)
		found += p->nets[i].inode == st.st_ino && same(p->nets[i].how, buf_text(&number));
	return found == 1 ? 0 : 3;
}

TEST(a_namespace_that_was_opened_where_it_was_mounted)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(look_at_mounted());
	EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		TEST_SKIP("no namespace can be mounted here");
	EXPECT(WEXITSTATUS(status) == 0);
}

/* 0: blind, and says where else to run. */
static int look_from_within(void)
{
	AUTO_HOST struct host *h = NULL;
	const struct procs *p = NULL;

	if (mount("", "/", "", MS_REC | MS_PRIVATE, "") < 0 ||
	    mount("p", "/proc", "proc", 0, "") < 0)
		return 77;
	if (host_open("/", &h, NULL) < 0 || procs_get(h, &p, NULL) < 0)
		return 1;
	return p->blind && strstr(p->blind, "PID namespace") ? 0 : 2;
}

static int look_in_namespace(void)
{
	int status = 0;
	pid_t pid;

	if (unshare(CLONE_NEWPID | CLONE_NEWNS) < 0)
		return 77;
	pid = fork();
	if (pid == 0)
		_exit(look_from_within());
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 3;
	return WEXITSTATUS(status);
}

TEST(from_inside_a_pid_namespace)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(look_in_namespace());
	EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		TEST_SKIP("no PID namespace can be made here");
	EXPECT(WEXITSTATUS(status) == 0);
}

/* With hidepid=2 a user has his own processes; whoever may look into all sees all. */
static int look_at_hidden(pid_t holder, bool may_look)
{
	AUTO_HOST struct host *h = NULL;
	const struct procs *p = NULL;

	if (unshare(CLONE_NEWNS) < 0 || mount("", "/", "", MS_REC | MS_PRIVATE, "") < 0 ||
	    mount("p", "/proc", "proc", 0, "hidepid=2") < 0)
		return 77;
	if (!may_look && (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0))
		return 77;
	if (host_open("/", &h, NULL) < 0 || procs_get(h, &p, NULL) < 0)
		return 1;
	if (is_held_by(p, holder, 511, 77) != may_look)
		return 2;
	return may_look || p->blind ? 0 : 3;
}

TEST(processes_that_are_hidden)
{
	AUTO_TREE struct tree t = { 0 };
	AUTO_CLOSE int fd = open_device(&t);

	if (fd < 0)
		TEST_SKIP("no device can be made here");
	for (int may_look = 0; may_look < 2; may_look++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0)
			_exit(look_at_hidden(getppid(), may_look));
		EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
		if (WEXITSTATUS(status) == 77)
			TEST_SKIP("no such /proc can be mounted here");
		EXPECT(WEXITSTATUS(status) == 0);
	}
}

static int look_as_nobody(void)
{
	AUTO_HOST struct host *h = NULL;
	const struct procs *p = NULL;

	if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
		return 77;
	if (host_open("/", &h, NULL) < 0 || procs_get(h, &p, NULL) < 0)
		return 1;
	return p->blind ? 0 : 2;
}

TEST(an_ordinary_user)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(look_as_nobody());
	EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		TEST_SKIP("not root");
	EXPECT(WEXITSTATUS(status) == 0);
}

TEST(another_root_has_none)
{
	AUTO_TREE struct tree t = { 0 };
	const struct procs *p = NULL;

	tree_new(&t);
	EXPECT(procs_get(t.h, &p, NULL) == -ENODATA);
}
