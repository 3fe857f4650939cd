/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "procs_space.h"

#include "procs_file.h"
#include "procs_text.h"

#include <sriovctl/buf.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <string.h>

/* Processes of one namespace that are noted. */
#define TIMES_MAX  4
#define MOUNTS_MAX (16u << 20)

#define NET "net:["

struct space {
	const char *kind, *link; /* "net", "net:[4026531840]" */
	const char *how;	 /* as of struct procs_space */
};

void procs_space_done(struct procs_space_pass *s)
{
	strv_done(&s->nets);
	strv_done(&s->mounts);
}

static size_t times(const struct strv *seen, const char *link)
{
	size_t n = 0;

	for (size_t i = 0; i < seen->n; i++)
		n += strcmp(seen->items[i], link) == 0;
	return n;
}

static void put(struct procs_space_pass *s, int dir, const char *pid, const struct space *space)
{
	AUTO_BUF struct buf name = { 0 };
	uint64_t inode;

	if (procs_parse_space(space->link, &inode) < 0)
		return;
	(void)procs_file_read(dir, "comm", PROCS_FILE_CHUNK, &name);
	buf_rtrim(&name);
	buf_printf(s->out, "%s\t%llu\t%s\t", space->kind, (unsigned long long)inode, pid);
	procs_text_put(s->out, buf_text(&name), name.len);
	buf_printf(s->out, "\t%s\n", space->how);
}

/* True: for the first time. */
static bool note(struct procs_space_pass *s, int dir, const char *pid, const struct space *space)
{
	struct strv *seen = strcmp(space->kind, "net") == 0 ? &s->nets : &s->mounts;
	size_t n = times(seen, space->link);

	if (n >= TIMES_MAX)
		return false;
	if (strv_add(seen, space->link) < 0)
		s->out->error = -ENOMEM;
	put(s, dir, pid, space);
	return n == 0;
}

/* Network namespaces that are kept by being mounted, as "ip netns" and containers do. */
static void look_at_mounts(struct procs_space_pass *s, int dir, const char *pid)
{
	AUTO_BUF struct buf mounts = { 0 }, link = { 0 };
	const char *cursor;

	if (procs_file_read(dir, "mountinfo", MOUNTS_MAX, &mounts) < 0)
		return;
	cursor = buf_text(&mounts);
	while (procs_parse_net_mount(&cursor, &link, NULL)) {
		const struct space space = { .kind = "net",
					     .link = buf_text(&link),
					     .how = PROCS_SPACE_MOUNTED };

		if (times(&s->nets, space.link) == 0)
			(void)note(s, dir, pid, &space);
	}
}

void procs_space_of(struct procs_space_pass *s, int dir, const char *pid)
{
	char link[PATH_MAX];
	struct space space = { .kind = "net", .link = link, .how = PROCS_SPACE_IN };

	if (procs_file_link(dir, "ns/net", link) == 0)
		(void)note(s, dir, pid, &space);
	space.kind = "mount";
	if (procs_file_link(dir, "ns/mnt", link) == 0 && note(s, dir, pid, &space))
		look_at_mounts(s, dir, pid);
}

bool procs_space_open(struct procs_space_pass *s, int dir, const char *pid, const char *number,
		      const char *link)
{
	const struct space space = { .kind = "net", .link = link, .how = number };

	if (!parse_has_prefix(link, NET))
		return false;
	if (times(&s->nets, link) == 0)
		(void)note(s, dir, pid, &space);
	return true;
}
