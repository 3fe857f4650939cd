/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/modules_guest.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/files.h>
#include <sriovctl/modules.h>
#include <sriovctl/strv.h>

#include "modules_impl.h"
#include "modules_kmod.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_MAX (64u << 20)

struct modules_guest {
	char *dir;
	struct scratch copy;
};

/* Not every kernel has modules built in that claim something. */
static const struct {
	const char *name;
	bool has_to_be;
} indexes[] = {
	{ .name = "modules.alias.bin", .has_to_be = true },
	{ .name = "modules.dep.bin", .has_to_be = true },
	{ .name = "modules.builtin.alias.bin" },
	{ .name = "modules.builtin.bin" },
};

static int copy_index(const struct modules_guest *g, int root, const char *name, bool has_to_be,
		      struct error *e)
{
	AUTO_CLOSE int fd = files_open_in(root, name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	AUTO_BUF struct buf index = { 0 };
	int r;

	if (fd == -ENOENT && !has_to_be)
		return 0;
	if (fd < 0)
		return error_set(e, fd,
				 "%s/%s: %s; the folder of a kernel's modules has it, as "
				 "/lib/modules/RELEASE",
				 g->dir, name, strerror(-fd));
	r = files_read(fd, INDEX_MAX, &index);
	if (r < 0)
		return error_set(e, r, "%s/%s: %s", g->dir, name, strerror(-r));
	if (!modules_is_index(&index))
		return error_set(e, -EBADMSG, "%s/%s: damaged index", g->dir, name);
	return scratch_write(&g->copy, name, index.data, index.len, e);
}

int modules_guest_open(const char *dir, struct modules_guest **ret, struct error *e)
{
	AUTO_MODULES_GUEST struct modules_guest *g = calloc(1, sizeof(*g));
	AUTO_CLOSE int root = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int r;

	if (root < 0)
		return error_set(e, -errno, "%s: %s", dir, strerror(errno));
	if (!g)
		return error_nomem(e);
	g->dir = strdup(dir);
	if (!g->dir)
		return error_nomem(e);
	r = scratch_open(&g->copy, e);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(indexes); i++)
		r = copy_index(g, root, indexes[i].name, indexes[i].has_to_be, e);
	if (r == 0)
		*ret = TAKE(g);
	return r;
}

void modules_guest_close(struct modules_guest *g)
{
	if (!g)
		return;
	scratch_close(&g->copy);
	free(g->dir);
	free(g);
}

void modules_guest_close_p(struct modules_guest **g)
{
	modules_guest_close(*g);
}

const char *modules_guest_dir(const struct modules_guest *g)
{
	return g->dir;
}

/* -EIO is libkmod's end on what it cannot read. */
static int answer(const struct modules_guest *g, int r, const struct strv *found, const char *what,
		  struct error *e)
{
	if (r == -EIO)
		return error_set(e, -EBADMSG, "%s: damaged index", g->dir);
	if (r < 0)
		return modules_own_error(r);
	return found->n > 0 ? 0 : error_set(e, -ENOENT, "%s: nothing for %s", g->dir, what);
}

int modules_guest_resolve(const struct modules_guest *g, const char *modalias, struct strv *ret,
			  struct error *e)
{
	int r = modules_kmod_alias(g->copy.dir, modalias, ret, e);

	return answer(g, r, ret, modalias, e);
}

int modules_guest_has(const struct modules_guest *g, const char *name, struct error *e)
{
	AUTO_FREE char *spelled = modules_name(name);
	AUTO_STRV struct strv found = { 0 };
	int r;

	if (!spelled)
		return error_nomem(e);
	r = modules_kmod_name(g->copy.dir, spelled, &found, e);
	return answer(g, r, &found, name, e);
}
