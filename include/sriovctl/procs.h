/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that hold devices: one pass over /proc, each file descriptor and each
 * mapping of every process, and of every thread with descriptors of its own.  A process that
 * ends while it is looked at is none.
 *
 * Only the running system has them: -ENODATA on another root.  Where the pass cannot have
 * seen everything, @blind says why and how to run instead, and what is listed is true all
 * the same.  What only the kernel holds is in no process's list: a descriptor on its way
 * over a socket, or one that was left to io_uring alone.
 */
#ifndef SRIOVCTL_PROCS_H
#define SRIOVCTL_PROCS_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;

enum procs_kind {
	PROCS_CHAR,	   /* a character device */
	PROCS_BLOCK,	   /* a block device */
	PROCS_VFIO_DEVICE, /* a function, by an anonymous file that VFIO made */
	PROCS_VFIO_MEMORY, /* mappings of such a file, which never tell their function */
	PROCS_PCI_MEMORY,  /* a BAR, by the file resourceN of sysfs */
	/* A packet socket of this network namespace that is bound to an interface. */
	PROCS_PACKET_SOCKET,
	PROCS_KINDS
};

struct procs_handle {
	size_t process; /* index */
	enum procs_kind kind;
	uint32_t major, minor; /* of a device; 0, 0: a mapping does not tell */
	/*
	 * Of a device the last part of its path, "uio0", which somebody may have renamed; of
	 * a VFIO device and of memory the BDF; of a socket its inode; "": not told.
	 */
	char *name;
};

struct procs_item {
	uint32_t pid;
	char *name;  /* /proc/PID/comm */
	char *guest; /* what QEMU was told to call its guest; "": none */
};

#define PROCS_SPACE_IN	    "in"
#define PROCS_SPACE_MOUNTED "mounted"

/*
 * A network or mount namespace, and a process by which it can be reached.  There may be more
 * than one of a namespace, as a process may end before it is asked.
 */
struct procs_space {
	uint64_t inode;
	uint32_t pid;
	char *name; /* of the process */
	/* It is in there, it has it mounted, or the number of a descriptor that it has. */
	char *how;
};

struct procs {
	struct procs_item *items; /* those with handles */
	size_t n;
	struct procs_handle *handles;
	size_t n_handles;
	struct procs_space *nets, *mounts;
	size_t n_nets, n_mounts;
	char *blind; /* NULL: everything was seen */
};
int procs_get(const struct host *h, const struct procs **ret, struct error *e) MUST_USE;
void procs_done(struct procs *p);

/* What a pass noted; -EBADMSG: this is none. */
int procs_parse(const char *text, size_t len, struct procs *ret, struct error *e) MUST_USE;

/* Parsers of what /proc says, which append to @ret; what is not such text adds nothing. */

/*
 * A line of /proc/PID/maps whose file is a device's or a function's memory: what a pass
 * notes of it.
 */
void procs_parse_mapping(const char *line, size_t len, struct buf *ret);
/* The last BDF that is a part of a path of sysfs. */
void procs_parse_bdf(const char *path, size_t len, struct buf *ret);
/* The guest's name in /proc/PID/cmdline, or else its UUID. */
void procs_parse_guest(const char *cmdline, size_t len, struct buf *ret);
/* "net:[4026531840]" */
int procs_parse_space(const char *link, uint64_t *ret) MUST_USE;
/*
 * The next network namespace of what /proc/PID/mountinfo still says, in @ret_link as above,
 * and where it is mounted in @ret_path unless that is NULL; false: none.
 */
bool procs_parse_net_mount(const char **mountinfo, struct buf *ret_link, struct buf *ret_path);
/* The next socket of /proc/net/packet that is bound to an interface, and that one's index. */
bool procs_parse_packet(const char **packets, int *ret_index, struct buf *ret_inode);
/* May this process look into each other one?  Of /proc/self/status. */
bool procs_parse_rights(const char *status);

#endif
