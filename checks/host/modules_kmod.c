/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "modules_kmod.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/strv.h>

#include "child.h"

#include <errno.h>
#include <libkmod.h>
#include <string.h>

static void unref_ctx(struct kmod_ctx **ctx)
{
	(void)kmod_unref(*ctx);
}
#define AUTO_CTX CLEANUP(unref_ctx)

static const char *const no_config[] = { NULL };

static const struct kind {
	const char *name;
	struct kmod_config_iter *(*get)(const struct kmod_ctx *ctx);
} kinds[] = {
	{ .name = MODULES_LINE_BLACKLIST, .get = kmod_config_get_blacklists },
	{ .name = MODULES_LINE_INSTALL, .get = kmod_config_get_install_commands },
	{ .name = MODULES_LINE_OPTIONS, .get = kmod_config_get_options },
	{ .name = MODULES_LINE_ALIAS, .get = kmod_config_get_aliases },
};

static size_t count_lines(const struct kmod_ctx *ctx, const struct kind *kind)
{
	struct kmod_config_iter *it = kind->get(ctx);
	size_t n = 0;

	if (!it)
		return 0;
	while (kmod_config_iter_next(it))
		n++;
	kmod_config_iter_free_iter(it);
	return n;
}

/* The lines of one kind but the last @foreign. */
static int put_lines(const struct kmod_ctx *ctx, const struct kind *kind, size_t foreign,
		     const char *file, struct buf *out)
{
	size_t n = count_lines(ctx, kind);
	struct kmod_config_iter *it = kind->get(ctx);

	if (!it)
		return -ENOMEM;
	for (size_t i = 0; i + foreign < n && kmod_config_iter_next(it); i++) {
		const char *key = kmod_config_iter_get_key(it);
		const char *value = kmod_config_iter_get_value(it);

		child_put(out, file);
		child_put(out, kind->name);
		child_put(out, key ? key : "");
		child_put(out, value ? value : "");
	}
	kmod_config_iter_free_iter(it);
	return 0;
}

static int put_file(const char *dir, const char *file, const size_t *foreign, struct buf *out)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CTX struct kmod_ctx *ctx = NULL;
	const char *paths[] = { NULL, NULL };
	int r = 0;

	buf_printf(&path, "%s/%s", dir, file);
	if (buf_error(&path) < 0)
		return -ENOMEM;
	paths[0] = buf_text(&path);
	ctx = kmod_new(dir, paths);
	if (!ctx)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && r == 0; i++)
		r = put_lines(ctx, &kinds[i], foreign[i], file, out);
	return r;
}

struct question {
	const char *dir, *name, *alias;
	const struct strv *files;
};

static int config(const void *arg, struct buf *out)
{
	const struct question *q = arg;
	AUTO_CTX struct kmod_ctx *ctx = kmod_new(q->dir, no_config);
	size_t foreign[ARRAY_SIZE(kinds)];
	int r = 0;

	if (!ctx)
		return -ENOMEM;
	/*
	 * Behind the lines of the files come those that libkmod made of the command line
	 * of the machine that it runs on: as many as there are without any file.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		foreign[i] = count_lines(ctx, &kinds[i]);
	for (size_t i = 0; i < q->files->n && r == 0; i++)
		r = put_file(q->dir, q->files->items[i], foreign, out);
	return r;
}

int modules_kmod_config(const char *dir, const struct strv *files, struct strv *ret,
			struct error *e)
{
	const struct question q = { .dir = dir, .files = files };

	return child_run(config, &q, ret, e);
}

/* Puts what the module with the name asked for is; without one, the names that the alias leads to.
 */
static void put_module(const struct kmod_module *mod, const char *name, struct buf *out)
{
	const char *path;

	if (!name) {
		child_put(out, kmod_module_get_name(mod));
		return;
	}
	if (strcmp(kmod_module_get_name(mod), name) != 0)
		return;
	path = kmod_module_get_path(mod);
	child_put(out, path ? path : MODULES_KMOD_BUILTIN);
}

static int look_up(const void *arg, struct buf *out)
{
	const struct question *q = arg;
	AUTO_CTX struct kmod_ctx *ctx = kmod_new(q->dir, no_config);
	struct kmod_list *list = NULL, *item;
	int r;

	if (!ctx)
		return -ENOMEM;
	r = kmod_module_new_from_lookup(ctx, q->name ? q->name : q->alias, &list);
	if (r < 0)
		return r;
	kmod_list_foreach(item, list)
	{
		struct kmod_module *mod = kmod_module_get_module(item);

		put_module(mod, q->name, out);
		(void)kmod_module_unref(mod);
	}
	(void)kmod_module_unref_list(list);
	return 0;
}

int modules_kmod_name(const char *dir, const char *name, struct strv *ret, struct error *e)
{
	const struct question q = { .dir = dir, .name = name };

	return child_run(look_up, &q, ret, e);
}

int modules_kmod_alias(const char *dir, const char *alias, struct strv *ret, struct error *e)
{
	const struct question q = { .dir = dir, .alias = alias };

	return child_run(look_up, &q, ret, e);
}

static int inspect(const void *arg, struct buf *out)
{
	const struct question *q = arg;
	AUTO_CTX struct kmod_ctx *ctx = kmod_new(q->dir, no_config);
	AUTO_BUF struct buf path = { 0 };
	struct kmod_module *mod = NULL;
	struct kmod_list *list = NULL, *item;
	int r;

	buf_printf(&path, "%s/%s", q->dir, q->name);
	if (!ctx || buf_error(&path) < 0)
		return -ENOMEM;
	r = kmod_module_new_from_path(ctx, buf_text(&path), &mod);
	if (r == 0)
		r = kmod_module_get_info(mod, &list);
	kmod_list_foreach(item, list)
	{
		const char *value = kmod_module_info_get_value(item);

		child_put(out, kmod_module_info_get_key(item));
		child_put(out, value ? value : "");
	}
	kmod_module_info_free_list(list);
	(void)kmod_module_unref(mod);
	return r < 0 ? r : 0;
}

int modules_kmod_file(const char *dir, const char *file, struct strv *ret, struct error *e)
{
	const struct question q = { .dir = dir, .name = file };

	return child_run(inspect, &q, ret, e);
}
