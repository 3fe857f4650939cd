/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/modules.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/kernel.h>
#include <sriovctl/parse.h>

#include "modules_impl.h"
#include "modules_kmod.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROC_MAX (4u << 20)

char *modules_name(const char *name)
{
	char *copy = strdup(name);

	for (char *p = copy; p && *p; p++) {
		if (*p == '-')
			*p = '_';
	}
	return copy;
}

static void modules_done(struct modules *m)
{
	free(m->dir);
	scratch_close(&m->index);
	strv_done(&m->loaded);
	strv_done(&m->files);
	strv_done(&m->lines);
}

/* "vfio_pci 16384 0 - Live 0x0000000000000000"; one that is coming or going is not there. */
static int read_loaded(struct modules *m)
{
	AUTO_BUF struct buf text = { 0 };
	const char *cursor, *line, *word = "";
	size_t len;

	m->loaded_error = host_read(m->h, PROC_MAX, &text, NULL, "/proc/modules");
	cursor = buf_text(&text);
	while (parse_line(&cursor, &line, &len)) {
		AUTO_BUF struct buf one = { 0 };
		const char *live = memmem(line, len, " Live ", 6);

		buf_append(&one, line, len);
		if (buf_error(&one) < 0)
			return -ENOMEM;
		line = buf_text(&one);
		if (!live || !parse_word(&line, &word, &len))
			continue;
		one.len = len;
		if (strv_take(&m->loaded, buf_take(&one)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int read_index(struct modules *m)
{
	const struct kernel *k = NULL;
	struct buf dir = { 0 };
	int r = kernel_get(m->h, &k, NULL);

	if (r < 0)
		return r == -ENOENT ? -ENODATA : r;
	if (k->release[0] == '.' || strchr(k->release, '/'))
		return -EINVAL;
	buf_printf(&dir, "/lib/modules/%s", k->release);
	m->dir = buf_take(&dir);
	if (!m->dir)
		return -ENOMEM;
	m->dir_error = host_exists(m->h, "%s", m->dir);
	if (m->dir_error < 0)
		return m->dir_error == -ENOENT ? 0 : m->dir_error;
	r = modules_own_error(scratch_open(&m->index, NULL));
	if (r == 0)
		r = modules_copy_index(m, &m->index, "modules.dep.bin", NULL);
	if (r == 0)
		r = modules_copy_index(m, &m->index, "modules.builtin.bin", NULL);
	return r;
}

static int modules_read(const struct host *h, struct modules *ret, struct error *e)
{
	struct modules m = { .h = h };

	m.index_error = read_index(&m);
	if (!m.dir)
		m.dir_error = m.index_error;
	if (m.index_error == -ENOMEM || read_loaded(&m) < 0 || modules_config_read(&m, e) < 0) {
		modules_done(&m);
		return error_nomem(e);
	}
	*ret = m;
	return 0;
}

HOST_FACT_DEFINE(modules, modules_read)

const char *modules_dir(const struct modules *m)
{
	return m->dir;
}

int modules_have_dir(const struct modules *m)
{
	return m->dir_error;
}

static int set_source(struct modules_info *info, enum modules_state state, const char *fmt, ...)
	PRINTF(3, 4);
static int set_source(struct modules_info *info, enum modules_state state, const char *fmt, ...)
{
	struct buf source = { 0 };

	BUF_FORMAT(&source, fmt);
	free(info->source);
	info->state = state;
	info->source = buf_take(&source);
	return info->source ? 0 : -ENOMEM;
}

/* Is it in the kernel now?  0, -ENOENT when it is known not to be, or why that is not known. */
static int look_in_kernel(const struct modules *m, const char *name, struct modules_info *info)
{
	AUTO_BUF struct buf state = { 0 };
	int dir = host_exists(m->h, "/sys/module/%s", name), r = dir;

	if (dir == 0)
		r = host_attr(m->h, &state, NULL, "/sys/module/%s/initstate", name);
	if (r == 0 && strcmp(buf_text(&state), "live") == 0)
		return set_source(info, MODULES_LOADED, "/sys/module/%s/initstate", name);
	if (strv_has(&m->loaded, name))
		return set_source(info, MODULES_LOADED, "/proc/modules");
	/* What is built in and has parameters or a version has a directory, but no state; nor has
	 * what was loaded in a tree that was copied in part. */
	if (dir == 0 && r == -ENOENT && host_is_partial(m->h) && m->loaded_error < 0)
		return -ENODATA;
	if (dir == 0 && r == -ENOENT)
		return set_source(info, MODULES_BUILTIN, "/sys/module/%s", name);
	return r == 0 || m->loaded_error == 0 ? -ENOENT : r;
}

static int ask_name(const struct host *h, const char *name, struct strv *ret, struct error *e)
{
	const struct modules *m = NULL;
	int r = modules_get(h, &m, e);

	if (r < 0)
		return r;
	r = modules_kmod_name(m->index.dir, name, ret, e);
	if (r == -EIO)
		return error_set(e, -EBADMSG, "%s: damaged index", m->dir);
	return modules_own_error(r);
}
HOST_FACT_ABOUT(files_of_name, strv, ask_name)

/* 0: found in the index; -ENOENT: known not to be there. */
static int look_in_index(const struct modules *m, const char *name, struct modules_info *info,
			 struct error *e)
{
	const struct strv *answer = NULL;
	const char *path;
	size_t len;
	int r;

	if (!m->index.dir)
		return -ENOENT;
	r = files_of_name(m->h, name, &answer, e);
	if (r < 0)
		return r;
	if (answer->n == 0)
		return -ENOENT;
	path = answer->items[0];
	if (strcmp(path, MODULES_KMOD_BUILTIN) == 0)
		return set_source(info, MODULES_BUILTIN, "%s/modules.builtin.bin", m->dir);
	len = strlen(m->index.dir);
	if (strncmp(path, m->index.dir, len) == 0 && path[len] == '/')
		r = set_source(info, MODULES_LOADABLE, "%s%s", m->dir, path + len);
	else
		r = set_source(info, MODULES_LOADABLE, "%s", path);
	/* An index can be older than the removal of a package. */
	if (r == 0 && host_exists(m->h, "%s", info->source) == -ENOENT)
		info->state = MODULES_MISSING;
	return r;
}

/* Neither loaded nor in an index.  What is built in is in one, or may show in sysfs. */
static int find_nowhere(const struct modules *m, const char *name, int in_kernel,
			struct modules_info *info, struct error *e)
{
	int r = in_kernel;

	if (r == -ENOENT && !m->index.dir)
		r = host_exists(m->h, "/sys/module/%s", name);
	if (r != -ENOENT)
		return error_set(e, r < 0 ? r : -ENODATA,
				 "whether %s is in the kernel is not known", name);
	return set_source(info, MODULES_MISSING, "%s%s", m->dir,
			  m->dir_error == 0 ? "/modules.dep.bin" : "");
}

static int find(const struct modules *m, const char *name, struct modules_info *info,
		struct error *e)
{
	int in_kernel = look_in_kernel(m, name, info), r;

	if (in_kernel == 0 || in_kernel == -ENOMEM)
		return in_kernel;
	if (m->index_error < 0)
		return error_set(e, m->index_error, "%s: %s", m->dir ? m->dir : "/lib/modules",
				 m->index_error == -ENODATA ? "not known for the running kernel"
							    : strerror(-m->index_error));
	r = look_in_index(m, name, info, e);
	if (r == -ENOENT)
		return find_nowhere(m, name, in_kernel, info, e);
	if (r < 0 || in_kernel == -ENOENT || info->state == MODULES_BUILTIN)
		return r;
	if (info->state == MODULES_MISSING)
		return error_set(e, in_kernel, "whether %s is loaded is not known", name);
	info->kernel_error = in_kernel;
	return 0;
}

/* What loading @info loads before it: what it depends on and is not in the kernel yet. */
static int find_needs(const struct modules *m, struct modules_info *info)
{
	AUTO_STRV struct strv all = { 0 };
	int r = modules_needs(m, info->source, &all);

	for (size_t i = 0; i < all.n && r == 0; i++) {
		AUTO_MODULES_INFO struct modules_info need = { 0 };

		r = look_in_kernel(m, all.items[i], &need);
		if (r != 0 && r != -ENOMEM)
			r = strv_add(&info->needs, all.items[i]);
	}
	return r == -ENOENT ? -ENODATA : r;
}

static int apply_config(const struct modules *m, const char *name, struct modules_info *info)
{
	int r = 0;

	info->config_error = m->config_error;
	if (info->state == MODULES_LOADABLE)
		r = find_needs(m, info);
	if (r == -ENOMEM)
		return r;
	if (r < 0 && info->config_error == 0)
		info->config_error = r;
	return modules_config_apply(m, name, info);
}

int modules_lookup(const struct modules *m, const char *name, struct modules_info *ret,
		   struct error *e)
{
	AUTO_FREE char *spelled = modules_name(name);
	AUTO_MODULES_INFO struct modules_info info = { 0 };
	int r;

	if (!spelled)
		return host_nomem(m->h, e);
	if (!name[0] || strchr(name, '/') || name[0] == '.')
		return error_set(e, -EINVAL, "\"%s\" is no name of a module", name);
	r = find(m, spelled, &info, e);
	if (r == 0)
		r = apply_config(m, spelled, &info);
	if (r == -ENOMEM)
		return host_nomem(m->h, e);
	if (r < 0)
		return r;
	*ret = info;
	info = (struct modules_info){ 0 };
	return 0;
}

void modules_info_done(struct modules_info *info)
{
	free(info->source);
	strv_done(&info->needs);
	free(info->blacklist);
	free(info->blacklist_source);
	free(info->install);
	free(info->install_source);
	*info = (struct modules_info){ 0 };
}
