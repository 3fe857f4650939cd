/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/modules_load.h>

#include <sriovctl/error.h>

#include <errno.h>
#include <libkmod.h>
#include <string.h>

static void unref_context(struct kmod_ctx **c)
{
	if (*c)
		kmod_unref(*c);
}

static void unref_list(struct kmod_list **l)
{
	kmod_module_unref_list(*l);
}

static void unref_module(struct kmod_module **m)
{
	if (*m)
		kmod_module_unref(*m);
}

/* libkmod would run the command by the shell: here nobody does. */
static int refuse_command(struct kmod_module *m, const char *command, void *data)
{
	(void)m;
	(void)command;
	*(bool *)data = true;
	return -EPERM;
}

static int insert(struct kmod_module *m, struct error *e)
{
	const char *name = kmod_module_get_name(m);
	bool has_command = false;
	int r = kmod_module_probe_insert_module(m, 0, NULL, refuse_command, &has_command, NULL);

	if (has_command)
		return error_set(e, -EPERM,
				 "module %s: modprobe.d has an install command in its place; load "
				 "it by \"modprobe %s\" first",
				 name, name);
	return r < 0 ? error_set(e, r, "module %s cannot be loaded: %s", name, strerror(-r)) : 0;
}

int modules_load(const char *name, struct error *e)
{
	CLEANUP(unref_context) struct kmod_ctx *c = kmod_new(NULL, NULL);
	CLEANUP(unref_list) struct kmod_list *found = NULL;
	struct kmod_list *item;
	int r = c ? kmod_module_new_from_lookup(c, name, &found) : -ENOMEM;

	if (r < 0)
		return error_set(e, r, "module %s cannot be looked up: %s", name, strerror(-r));
	if (!found)
		return error_set(e, -ENOENT, "the running kernel has no module %s", name);
	kmod_list_foreach(item, found)
	{
		CLEANUP(unref_module) struct kmod_module *m = kmod_module_get_module(item);

		r = insert(m, e);
		if (r < 0)
			return r;
	}
	return 0;
}
