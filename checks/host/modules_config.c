/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "modules_impl.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/modules.h>
#include <sriovctl/parse.h>

#include "modules_kmod.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX (1u << 20)

/* modprobe.d(5): a file hides those of the same name in later directories. */
static const char *const dirs[] = {
	"/etc/modprobe.d",     "/run/modprobe.d", "/usr/local/lib/modprobe.d",
	"/usr/lib/modprobe.d", "/lib/modprobe.d",
};

static int by_name(const void *a, const void *b)
{
	return strcmp(parse_base_name(*(char *const *)a), parse_base_name(*(char *const *)b));
}

/* Older libkmod also reads *.alias, which modprobe.d(5) does not tell. */
static bool is_config(const char *name)
{
	return name[0] != '.' &&
	       (fnmatch("?*.conf", name, 0) == 0 || fnmatch("?*.alias", name, 0) == 0);
}

static bool has_name(const struct strv *paths, const char *name)
{
	for (size_t i = 0; i < paths->n; i++) {
		if (strcmp(parse_base_name(paths->items[i]), name) == 0)
			return true;
	}
	return false;
}

static int add_files(const char *dir, const struct strv *names, struct strv *ret)
{
	for (size_t i = 0; i < names->n; i++) {
		AUTO_BUF struct buf path = { 0 };

		if (!is_config(names->items[i]) || has_name(ret, names->items[i]))
			continue;
		buf_printf(&path, "%s/%s", dir, names->items[i]);
		if (strv_take(ret, buf_take(&path)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void note(int *error, int r)
{
	if (*error == 0 && r != -ENOENT)
		*error = r;
}

/*
 * A captured root is one of /proc, /sys, /etc, /boot and /lib/modules: what packages put
 * into /usr/lib and boots into /run is not part of it, and what an administrator sets is.
 */
static bool is_outside_capture(const struct host *h, const char *dir, int r)
{
	return r == -ENODATA && host_is_partial(h) && !parse_has_prefix(dir, "/etc/");
}

static int find_files(struct modules *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		AUTO_STRV struct strv names = { 0 };
		int r = host_list(m->h, &names, NULL, "%s", dirs[i]);

		if (is_outside_capture(m->h, dirs[i], r))
			continue;
		if (r < 0)
			note(&m->config_error, r);
		else if (add_files(dirs[i], &names, &m->files) < 0)
			return -ENOMEM;
	}
	if (m->files.n > 0)
		qsort(m->files.items, m->files.n, sizeof(m->files.items[0]), by_name);
	return 0;
}

/* A link to /dev/null is how an administrator says: no such file. */
static bool is_masked(const struct host *h, const char *path)
{
	AUTO_BUF struct buf target = { 0 };

	return host_link_name(h, &target, NULL, "%s", path) == 0 &&
	       strcmp(buf_text(&target), "null") == 0;
}

static int copy_file(struct modules *m, const struct scratch *dir, size_t i, struct strv *copies)
{
	AUTO_BUF struct buf name = { 0 }, text = { 0 };
	int r;

	if (is_masked(m->h, m->files.items[i]))
		return 0;
	buf_printf(&name, "%zu", i);
	if (buf_error(&name) < 0)
		return -ENOMEM;
	r = host_read(m->h, FILE_MAX, &text, NULL, "%s", m->files.items[i]);
	if (r == 0)
		r = modules_own_error(
			scratch_write(dir, buf_text(&name), text.data, text.len, NULL));
	if (r == 0)
		return strv_take(copies, buf_take(&name));
	if (r == -ENOMEM)
		return r;
	/* A link that leads nowhere is read as no file by modprobe too. */
	note(&m->config_error, r);
	return 0;
}

int modules_config_read(struct modules *m, struct error *e)
{
	AUTO_SCRATCH struct scratch dir = { 0 };
	AUTO_STRV struct strv copies = { 0 };
	int r;

	if (find_files(m) < 0)
		return error_nomem(e);
	r = m->files.n > 0 ? scratch_open(&dir, NULL) : 0;
	for (size_t i = 0; i < m->files.n && r == 0; i++)
		r = copy_file(m, &dir, i, &copies);
	if (r == 0 && copies.n > 0)
		r = modules_kmod_config(dir.dir, &copies, &m->lines, NULL);
	if (r == -ENOMEM)
		return error_nomem(e);
	if (r < 0)
		m->config_error = modules_own_error(r);
	return 0;
}

bool modules_config_next(const struct modules *m, size_t *at, struct modules_line *ret)
{
	char *const *texts;
	uint64_t file;

	if (m->lines.n - *at < MODULES_LINE_TEXTS)
		return false;
	texts = m->lines.items + *at;
	if (parse_u64(texts[0], 10, m->files.n - 1, &file) < 0)
		return false;
	*ret = (struct modules_line){
		.source = m->files.items[file],
		.kind = texts[1],
		.module = texts[2],
		.text = texts[3] + strspn(texts[3], " \t"),
	};
	*at += MODULES_LINE_TEXTS;
	return true;
}

static bool is_kind(const struct modules_line *l, const char *kind)
{
	return strcmp(l->kind, kind) == 0;
}

/* Does the line tell how @name itself is loaded, or that it is not? */
static bool concerns_loading(const struct modules_line *l, const char *name)
{
	bool off = is_kind(l, MODULES_LINE_ALIAS) && strcmp(l->text, "off") == 0;

	return (off || is_kind(l, MODULES_LINE_INSTALL)) && fnmatch(l->module, name, 0) == 0;
}

static int set(char **ret, char **ret_source, const struct modules_line *l)
{
	AUTO_BUF struct buf text = { 0 };

	free(*ret);
	free(*ret_source);
	buf_printf(&text, "%s %s%s%s", l->kind, l->module, l->text[0] ? " " : "", l->text);
	*ret = buf_take(&text);
	*ret_source = strdup(l->source);
	return *ret && *ret_source ? 0 : -ENOMEM;
}

/* Of several lines the worst is kept: one that blocks, one that is not clear, another. */
static int apply_line(const struct modules_line *l, const char *name, struct modules_info *info)
{
	enum modules_install effect = MODULES_INSTALL_REFUSES;
	enum modules_install before =
		info->unclear ? MODULES_INSTALL_UNCLEAR : MODULES_INSTALL_LOADS;
	int r = 0;

	if (is_kind(l, MODULES_LINE_INSTALL))
		r = modules_install_read(l->text, name, &effect);
	if (r < 0 || (info->install && effect <= before))
		return r;
	info->blocks = effect == MODULES_INSTALL_REFUSES;
	info->unclear = effect == MODULES_INSTALL_UNCLEAR;
	return set(&info->install, &info->install_source, l);
}

/* The first install line for a name is the one that modprobe takes. */
static int apply_loading(const struct modules *m, const char *name, struct modules_info *info)
{
	size_t at = 0;
	struct modules_line l;

	while (modules_config_next(m, &at, &l)) {
		if (concerns_loading(&l, name))
			return apply_line(&l, name, info);
	}
	return 0;
}

int modules_config_apply(const struct modules *m, const char *name, struct modules_info *info)
{
	size_t at = 0;
	struct modules_line l;
	int r = apply_loading(m, name, info);

	for (size_t i = 0; i < info->needs.n && r == 0 && !info->blocks; i++)
		r = apply_loading(m, info->needs.items[i], info);
	while (r == 0 && !info->blacklist && modules_config_next(m, &at, &l)) {
		if (is_kind(&l, MODULES_LINE_BLACKLIST) && strcmp(l.module, name) == 0)
			r = set(&info->blacklist, &info->blacklist_source, &l);
	}
	return r;
}
