/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lscpu prints, of the file and the folders of sysfs that it read (util-linux, lscpu). */
#include "import_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/cpuinfo.h>

#include <errno.h>
#include <string.h>

#define CPUS_MAX  8192
#define NODES_MAX 1024

struct lscpu {
	struct buf arch, vendor, flags, online;
	size_t broken_at; /* where a terminal broke the flags, in a word or not; 0: nowhere */
	bool in_flags, is_hard;
	uint64_t cpus, threads, cores, sockets;
	size_t lines;
};

/* The value behind "KEY:", or NULL. */
static const char *value_of(const char *line, const char *key)
{
	const char *p = text_after(text_skip_blanks(line), key);

	return p && *p == ':' ? text_skip_blanks(p + 1) : NULL;
}

static void keep(struct buf *ret, const char *line, const char *key)
{
	const char *value = value_of(line, key);

	if (value && ret->len == 0)
		buf_puts(ret, value);
}

static void keep_number(uint64_t *ret, const char *line, const char *key)
{
	const char *value = value_of(line, key);

	if (value && *ret == 0)
		(void)text_decimal(&value, ret);
}

/* "NUMA node1 CPU(s):  16-31,48-63" */
static void take_node(struct import *i, const char *line)
{
	const char *p = text_after(text_skip_blanks(line), "NUMA node");
	uint64_t node;

	if (!p || !text_decimal(&p, &node) || node >= NODES_MAX || !(p = text_after(p, " CPU(s):")))
		return;
	host_make_text(i->make, text_skip_blanks(p), "/sys/devices/system/node/node%u/cpulist",
		       (unsigned)node);
	host_make_all(i->make, "/sys/devices/system/node");
}

/* All cores have as many threads, and none is off: the numbers give each processor then. */
static bool is_uniform(const struct lscpu *l)
{
	return l->threads > 0 && l->threads <= CPUS_MAX && l->cores <= CPUS_MAX &&
	       l->sockets <= CPUS_MAX && l->cpus <= CPUS_MAX &&
	       l->threads * l->cores * l->sockets == l->cpus;
}

/* Only x86 has these flags, of which a guest's has the hypervisor's. */
static void put_cpuinfo(struct import *i, const struct lscpu *l)
{
	AUTO_BUF struct buf text = { 0 };

	if (strcmp(buf_text(&l->arch), "x86_64") != 0 ||
	    !content_flags_are_whole(buf_text(&l->flags)))
		return;
	for (uint64_t n = 0; n < l->cpus && n < CPUS_MAX; n++) {
		buf_printf(&text, "processor\t: %u\nvendor_id\t: %s\n", (unsigned)n,
			   buf_text(&l->vendor));
		if (n == 0 && is_uniform(l))
			buf_printf(&text, "siblings\t: %u\ncpu cores\t: %u\n",
				   (unsigned)(l->threads * l->cores), (unsigned)l->cores);
		if (n == 0)
			buf_printf(&text, "flags\t\t: %s\n", buf_text(&l->flags));
	}
	if (buf_error(&text) < 0)
		i->error = -ENOMEM;
	else if (text.len > 0)
		host_make_file(i->make, text.data, text.len, CPUINFO_PATH);
}

/*
 * A terminal breaks a line where it ends, within a word or between two: all but the last are of
 * one length then, and both ways to read it are kept.  What else breaks it does so at blanks.
 */
static bool take_rest(struct lscpu *l, const struct buf *line)
{
	const char *text = text_skip_blanks(buf_text(line));

	if (!l->in_flags || !text_is_indented(buf_text(line)) || strchr(text, ':'))
		return false;
	if (l->is_hard) {
		const char *last = strrchr(buf_text(&l->flags), ' ');
		AUTO_FREE char *begun = strdup(last ? last + 1 : "");

		if (!begun)
			return false;
		buf_printf(&l->flags, " %s%.*s", begun, (int)strcspn(text, " "), text);
	}
	buf_printf(&l->flags, " %s", text);
	l->is_hard = line->len == l->broken_at;
	return true;
}

static void take_line(struct import *i, struct lscpu *l, const struct buf *whole)
{
	const char *line = buf_text(whole);

	if (take_rest(l, whole))
		return;
	l->in_flags = value_of(line, "Flags") && l->flags.len == 0;
	if (l->in_flags)
		l->broken_at = whole->len;
	l->is_hard = l->in_flags;
	keep(&l->arch, line, "Architecture");
	keep(&l->vendor, line, "Vendor ID");
	keep(&l->flags, line, "Flags");
	keep(&l->online, line, "On-line CPU(s) list");
	keep_number(&l->cpus, line, "CPU(s)");
	keep_number(&l->threads, line, "Thread(s) per core");
	keep_number(&l->cores, line, "Core(s) per socket");
	if (l->cores == 0)
		keep_number(&l->cores, line, "Core(s) per cluster");
	keep_number(&l->sockets, line, "Socket(s)");
	if (l->sockets == 0)
		keep_number(&l->sockets, line, "Cluster(s)");
	take_node(i, line);
	l->lines += strchr(line, ':') != NULL;
}

size_t lscpu_take(struct import *i, const struct import_text *t)
{
	AUTO_BUF struct buf line = { 0 };
	struct lscpu l = { 0 };
	const char *text = strstr(t->data, "Architecture:");

	while (text && text_line(&text, &line))
		take_line(i, &l, &line);
	import_note(i, &line);
	if (l.cpus == 0 || l.arch.len == 0) {
		l.lines = 0;
	} else {
		host_make_text(i->make, buf_text(&l.arch), "/proc/sys/kernel/arch");
		put_cpuinfo(i, &l);
		if (l.online.len > 0)
			host_make_text(i->make, buf_text(&l.online),
				       "/sys/devices/system/cpu/online");
		/* On if any core runs two (kernel/cpu.c, sched_smt_active()). */
		if (l.threads > 1 || is_uniform(&l))
			host_make_text(i->make, l.threads > 1 ? "1" : "0",
				       "/sys/devices/system/cpu/smt/active");
	}
	if (buf_error(&l.arch) < 0 || buf_error(&l.vendor) < 0 || buf_error(&l.flags) < 0 ||
	    buf_error(&l.online) < 0)
		i->error = -ENOMEM;
	buf_done(&l.arch);
	buf_done(&l.vendor);
	buf_done(&l.flags);
	buf_done(&l.online);
	return l.lines;
}
