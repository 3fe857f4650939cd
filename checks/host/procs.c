/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/procs.h>

#include "host_answer.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 5

/* A line, cut at its tabs. */
struct fields {
	char *items[FIELDS_MAX];
	size_t n;
};

static void split(char *line, struct fields *ret)
{
	*ret = (struct fields){ .items = { line }, .n = 1 };
	for (char *at = line; (at = strchr(at, '\t')) && ret->n < FIELDS_MAX;) {
		*at++ = '\0';
		ret->items[ret->n++] = at;
	}
}

static int load_number(const char *text, uint32_t *ret)
{
	uint64_t number = 0;

	if (parse_u64(text, 10, UINT32_MAX, &number) < 0)
		return -EBADMSG;
	*ret = (uint32_t)number;
	return 0;
}

static int load_copy(const char *text, char **ret)
{
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

static int load_process(const struct fields *f, struct procs *p)
{
	struct procs_item *item = &p->items[p->n];
	int r = f->n == 4 ? load_number(f->items[1], &item->pid) : -EBADMSG;

	if (r < 0)
		return r;
	p->n++;
	r = load_copy(f->items[2], &item->name);
	return r < 0 ? r : load_copy(f->items[3], &item->guest);
}

static int load_handle(const struct fields *f, struct procs *p)
{
	struct procs_handle *handle = &p->handles[p->n_handles];
	uint32_t kind = PROCS_KINDS;
	int r = f->n == 5 && p->n > 0 ? load_number(f->items[1], &kind) : -EBADMSG;

	if (r == 0 && kind >= PROCS_KINDS)
		r = -EBADMSG;
	if (r == 0)
		r = load_number(f->items[2], &handle->major);
	if (r == 0)
		r = load_number(f->items[3], &handle->minor);
	if (r < 0)
		return r;
	handle->kind = kind;
	handle->process = p->n - 1;
	p->n_handles++;
	return load_copy(f->items[4], &handle->name);
}

static int load_space(const struct fields *f, struct procs_space *spaces, size_t *n)
{
	struct procs_space *space = &spaces[*n];
	int r;

	if (f->n != 5 || parse_u64(f->items[1], 10, UINT64_MAX, &space->inode) < 0 ||
	    load_number(f->items[2], &space->pid) < 0)
		return -EBADMSG;
	++*n;
	r = load_copy(f->items[3], &space->name);
	return r < 0 ? r : load_copy(f->items[4], &space->how);
}

static int load_line(char *line, struct procs *p)
{
	struct fields f;

	split(line, &f);
	if (strcmp(f.items[0], "process") == 0)
		return load_process(&f, p);
	if (strcmp(f.items[0], "handle") == 0)
		return load_handle(&f, p);
	if (strcmp(f.items[0], "net") == 0)
		return load_space(&f, p->nets, &p->n_nets);
	if (strcmp(f.items[0], "mount") == 0)
		return load_space(&f, p->mounts, &p->n_mounts);
	if (strcmp(f.items[0], "blind") == 0 && f.n == 2 && !p->blind)
		return load_copy(f.items[1], &p->blind);
	return -EBADMSG;
}

static int make_room(const char *text, struct procs *p)
{
	size_t lines = 1;

	for (; *text; text++)
		lines += *text == '\n';
	p->items = calloc(lines, sizeof(*p->items));
	p->handles = calloc(lines, sizeof(*p->handles));
	p->nets = calloc(lines, sizeof(*p->nets));
	p->mounts = calloc(lines, sizeof(*p->mounts));
	return p->items && p->handles && p->nets && p->mounts ? 0 : -ENOMEM;
}

int procs_parse(const char *text, size_t len, struct procs *ret, struct error *e)
{
	AUTO_FREE char *copy = strndup(text ? text : "", len);
	struct procs p = { 0 };
	int r = copy ? make_room(copy, &p) : -ENOMEM;
	char *line = copy, *end;

	while (r == 0 && (end = strchr(line, '\n'))) {
		*end = '\0';
		r = load_line(line, &p);
		line = end + 1;
	}
	if (r == 0 && *line)
		r = -EBADMSG;
	if (r < 0) {
		procs_done(&p);
		return r == -ENOMEM ? error_nomem(e)
				    : error_set(e, r, "the list of processes is damaged");
	}
	*ret = p;
	return 0;
}

static void free_spaces(struct procs_space *spaces, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(spaces[i].name);
		free(spaces[i].how);
	}
	free(spaces);
}

void procs_done(struct procs *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->items[i].name);
		free(p->items[i].guest);
	}
	for (size_t i = 0; i < p->n_handles; i++)
		free(p->handles[i].name);
	free(p->items);
	free(p->handles);
	free_spaces(p->nets, p->n_nets);
	free_spaces(p->mounts, p->n_mounts);
	free(p->blind);
	*p = (struct procs){ 0 };
}

static int read_procs(const struct host *h, struct procs *ret, struct error *e)
{
	AUTO_BUF struct buf answer = { 0 };
	int r = host_answer(h, "procs", "all", &answer, e);

	return r < 0 ? error_prefix(e, r, "processes")
		     : procs_parse(answer.data, answer.len, ret, e);
}
HOST_FACT_DEFINE(procs, read_procs)
