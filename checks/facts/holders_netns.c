/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_look.h"

#include <sriovctl/buf.h>
#include <sriovctl/host.h>
#include <sriovctl/links.h>
#include <sriovctl/netns.h>
#include <sriovctl/procs.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A namespace, and what a person would call it. */
struct holders_space {
	struct netns net;
	char *name;
};

static bool is_known(const struct holders_look *l, uint64_t inode)
{
	for (size_t i = 0; i < l->n_spaces; i++)
		if (l->spaces[i].net.inode == inode)
			return true;
	return false;
}

/*
 * One that is gone by now, or is no namespace at all, has no interfaces.  Of one that could not
 * be entered nobody knows what stands in there on the interfaces here.
 */
static bool is_gone(int r)
{
	return r == -ENOENT || r == -ESRCH || r == -EINVAL;
}

static void add_space(struct holders_look *l, const char *which, struct buf *name)
{
	struct holders_space *space = &l->spaces[l->n_spaces];
	int r = netns_read(l->h, which, &space->net, NULL);

	if (r < 0 && !is_gone(r) && l->closed.len == 0)
		buf_puts(&l->closed, buf_text(name));
	if (r < 0)
		return;
	space->name = buf_take(name);
	if (!space->name)
		(void)host_nomem(l->h, NULL);
	l->n_spaces++;
}

static void add_named(struct holders_look *l, const char *name)
{
	AUTO_BUF struct buf which = { 0 }, text = { 0 };

	buf_printf(&which, "name.%s", name);
	buf_printf(&text, "network namespace %s", name);
	add_space(l, buf_text(&which), &text);
}

static void add_of_process(struct holders_look *l, const struct procs_space *at)
{
	AUTO_BUF struct buf which = { 0 }, text = { 0 };

	if (is_known(l, at->inode))
		return;
	if (strcmp(at->how, PROCS_SPACE_IN) == 0) {
		buf_printf(&which, "process.%u", at->pid);
		buf_printf(&text, "the network namespace of process %s (%u)", at->name, at->pid);
	} else if (strcmp(at->how, PROCS_SPACE_MOUNTED) == 0) {
		buf_printf(&which, "mounted.%u.%llu", at->pid, (unsigned long long)at->inode);
		buf_printf(&text, "a network namespace that process %s (%u) sees mounted", at->name,
			   at->pid);
	} else {
		buf_printf(&which, "descriptor.%u.%s", at->pid, at->how);
		buf_printf(&text, "a network namespace that process %s (%u) has open", at->name,
			   at->pid);
	}
	add_space(l, buf_text(&which), &text);
}

/* Once for all functions: each takes a process. */
static void read_spaces(struct holders_look *l)
{
	size_t n_nets = l->procs ? l->procs->n_nets : 0;
	AUTO_STRV struct strv names = { 0 };

	if (l->has_spaces)
		return;
	l->has_spaces = true;
	if (host_list(l->h, &names, NULL, "/run/netns") < 0)
		strv_done(&names);
	l->spaces = calloc(names.n + n_nets + 1, sizeof(*l->spaces));
	if (!l->spaces) {
		(void)host_nomem(l->h, NULL);
		return;
	}
	for (size_t i = 0; i < names.n; i++)
		add_named(l, names.items[i]);
	for (size_t i = 0; i < n_nets; i++)
		add_of_process(l, &l->procs->nets[i]);
}

static void look_above(struct holders_look *l, const struct holders_space *space,
		       const struct links_item *item, struct strv *users)
{
	for (size_t i = 0; space->name && i < space->net.n; i++) {
		const struct netns_link *link = &space->net.links[i];

		if (link->kind && link->lower == item->index)
			holders_look_add(l, users, "%s %s in %s stands on its interface %s",
					 link->kind, link->name, space->name, item->name);
	}
}

void holders_netns_above(struct holders_look *l, const struct links_item *item, struct strv *users)
{
	read_spaces(l);
	for (size_t i = 0; i < l->n_spaces; i++)
		look_above(l, &l->spaces[i], item, users);
	/* What is down carries nothing of anybody. */
	if (!item->is_up || users->n > 0)
		return;
	if (l->blind.len > 0)
		holders_look_add(l, users,
				 "its interface %s is up, and what stands on it in other network "
				 "namespaces cannot be seen from here",
				 item->name);
	else if (l->closed.len > 0)
		holders_look_add(l, users,
				 "its interface %s is up, and %s, in which something may stand on "
				 "it, could not be entered",
				 item->name, buf_text(&l->closed));
}

void holders_netns(struct holders_look *l, const char *bdf, struct strv *users)
{
	read_spaces(l);
	for (size_t i = 0; i < l->n_spaces; i++) {
		const char *interface = netns_find(&l->spaces[i].net, bdf);

		if (!interface || !l->spaces[i].name)
			continue;
		holders_look_add(l, users, "its interface %s is in %s", interface,
				 l->spaces[i].name);
		return;
	}
	holders_look_add(l, users,
			 "its interface is in another network namespace, which was not found");
}

void holders_netns_done(struct holders_look *l)
{
	for (size_t i = 0; i < l->n_spaces; i++) {
		netns_done(&l->spaces[i].net);
		free(l->spaces[i].name);
	}
	free(l->spaces);
}
