/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place facts come from: the running system, or a tree that stands for one.
 *
 * Every getter answers one of three things:
 *   0         the fact is known
 *   -ENOENT   it is known to be absent, which is a fact too
 *   other     it is not known: no permission, hidden by a container or not copied
 *             (-ENODATA), not captured (-ENOMEDIUM), blocked by a lock that somebody
 *             holds (-ETIMEDOUT), damaged ...
 *
 * Absence must be seen, not concluded: on a foreign root it counts only where the
 * directory that would hold the thing was captured; on the running system only
 * where /proc and /sys are the kernel's own and not masked, as containers do.
 * Nothing outside the root is ever read, no getter blocks, and nothing is written.
 */
#ifndef SRIOVCTL_HOST_H
#define SRIOVCTL_HOST_H

#include <sriovctl/base.h>

struct buf;
struct error;
struct host;
struct strv;

/* An attribute of sysfs or procfs is one page at most (Documentation/filesystems/sysfs.rst). */
#define HOST_ATTR_MAX 4096

/*
 * @root: "/" is the running system; a directory that is a plain tree of copied files, or a
 * capture (sriovctl/capture.h) that was unpacked; or a capture's file.  -EINVAL, -ENOENT ...
 */
int host_open(const char *root, struct host **ret, struct error *e) MUST_USE;
void host_close(struct host *h);
void host_close_p(struct host **h);
#define AUTO_HOST CLEANUP(host_close_p)

bool host_is_live(const struct host *h);
/*
 * A plain tree: what is not in it may only not have been copied.  Of a capture all that was
 * asked is known, as of the running system, and it answers as that did.
 */
bool host_is_partial(const struct host *h);
/* Is @r no absence, and no gap of a copy?  Why a getter answered @r, for a sentence. */
bool host_is_refusal(const struct host *h, int r);
const char *host_why(const struct host *h, int r);
const char *host_root(const struct host *h);

/* Paths are formats.  The whole of a regular file, -EFBIG when it is larger than @max bytes. */
int host_read(const struct host *h, size_t max, struct buf *ret, struct error *e, const char *fmt,
	      ...) PRINTF(5, 6) MUST_USE;

/* One attribute as text without its trailing newline; -EINVAL when it holds a NUL. */
int host_attr(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
	PRINTF(4, 5) MUST_USE;
/* The same as a number; @base as in parse_u64(). */
int host_attr_u64(const struct host *h, unsigned base, uint64_t *ret, struct error *e,
		  const char *fmt, ...) PRINTF(5, 6) MUST_USE;

/* The names in a directory, sorted, without . and .. */
int host_list(const struct host *h, struct strv *ret, struct error *e, const char *fmt, ...)
	PRINTF(4, 5) MUST_USE;

/* What a symbolic link says, as it stands there; -EINVAL where the name is no link.  And the last
 * component of that: the name of a driver, a group. */
int host_link(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
	PRINTF(4, 5) MUST_USE;
int host_link_name(const struct host *h, struct buf *ret, struct error *e, const char *fmt, ...)
	PRINTF(4, 5) MUST_USE;

/* 0: something has this name, whatever it is (a link need not lead anywhere). */
int host_exists(const struct host *h, const char *fmt, ...) PRINTF(2, 3) MUST_USE;

/*
 * What several checks ask is read once and kept with the host, so that a report shows one instant
 * and says the same everywhere.  A kind of fact describes itself in a constant; the first
 * host_fact() @about one thing (a function, say; "" where there is one fact of the kind) calls
 * @read on zeroed memory of @size bytes, later ones get the same memory, or the same error, again.
 * @done, or NULL, releases what @read left there, also when it failed half way.
 */
struct host_fact {
	size_t size;
	int (*read)(const struct host *h, const char *about, void *ret, struct error *e);
	void (*done)(void *fact);
};
int host_fact(const struct host *h, const struct host_fact *kind, const char *about,
	      const void **ret, struct error *e) MUST_USE;

/* For those who read many at once: was it asked for, or kept, before?  Of what was not: 0, and what
 * is in the @fact is the host's from then on; or -ENOMEM. */
bool host_fact_is_known(const struct host *h, const struct host_fact *kind, const char *about);
int host_fact_keep(const struct host *h, const struct host_fact *kind, const char *about,
		   const void *fact) MUST_USE;

/*
 * Did any getter or fact fail for want of memory?  Most callers take each failure for
 * "not known", which this one is not: ask before what they concluded is believed.
 * host_nomem() says so for what has no other way to say it; -ENOMEM.
 */
bool host_ran_out(const struct host *h);
int host_nomem(const struct host *h, struct error *e);

/* Defines @getter, static, of a struct NAME about something, from its reader and NAME_done(). */
#define HOST_FACT_ABOUT(getter, name, reader)                                               \
	static int getter##_read(const struct host *h, const char *about, void *ret,        \
				 struct error *e)                                           \
	{                                                                                   \
		return reader(h, about, ret, e);                                            \
	}                                                                                   \
	static void getter##_done(void *fact)                                               \
	{                                                                                   \
		name##_done(fact);                                                          \
	}                                                                                   \
	static int getter(const struct host *h, const char *about, const struct name **ret, \
			  struct error *e)                                                  \
	{                                                                                   \
		static const struct host_fact kind = {                                      \
			.size = sizeof(struct name),                                        \
			.read = getter##_read,                                              \
			.done = getter##_done,                                              \
		};                                                                          \
		const void *fact = NULL;                                                    \
		int r = host_fact(h, &kind, about, &fact, e);                               \
                                                                                            \
		if (r >= 0)                                                                 \
			*ret = fact;                                                        \
		return r;                                                                   \
	}

/* Defines NAME_get() of a struct NAME, of which there is one, in the same way. */
#define HOST_FACT_DEFINE(name, reader)                                                        \
	static int name##_read_one(const struct host *h, const char *about, struct name *ret, \
				   struct error *e)                                           \
	{                                                                                     \
		(void)about;                                                                  \
		return reader(h, ret, e);                                                     \
	}                                                                                     \
	HOST_FACT_ABOUT(name##_fact, name, name##_read_one)                                   \
	int name##_get(const struct host *h, const struct name **ret, struct error *e)        \
	{                                                                                     \
		return name##_fact(h, "", ret, e);                                            \
	}

/* Model-specific register of CPU 0, by /dev/cpu/0/msr.  -ENODATA in a plain tree, as CPUID. */
int host_msr(const struct host *h, uint32_t reg, uint64_t *ret, struct error *e) MUST_USE;
/* CPUID on x86: eax, ebx, ecx, edx of @leaf, sub-leaf 0.  -ENOENT: no such leaf. */
int host_cpuid(const struct host *h, uint32_t leaf, uint32_t ret[4]) MUST_USE;

#endif
