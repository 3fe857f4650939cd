/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "holders_look.h"

#include <sriovctl/host.h>
#include <sriovctl/netns.h>
#include <sriovctl/procs.h>
#include <sriovctl/strv.h>

#include <stdlib.h>

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

/* One that cannot be entered stays out. */
static void add_space(struct holders_look *l, const char *which, struct buf *name)
{
	struct holders_space *space = &l->spaces[l->n_spaces];

	if (netns_read(l->h, which, &space->net, NULL) < 0)
		return;
	space->name = buf_take(name);
	if (!space->name)
		(void)host_nomem(l->h, NULL);
	l->n_spaces++;
}

/* Once for all functions: each takes a process. */
static void read_spaces(struct holders_look *l)
{
	size_t n_nets = l->procs ? l->procs->n_nets : 0;
	AUTO_STRV struct strv names = { 0 };

	l->has_spaces = true;
	if (host_list(l->h, &names, NULL, "/run/netns") < 0)
		strv_done(&names);
	l->spaces = calloc(names.n + n_nets + 1, sizeof(*l->spaces));
	if (!l->spaces) {
		(void)host_nomem(l->h, NULL);
		return;
	}
	for (size_t i = 0; i < names.n; i++) {
		AUTO_BUF struct buf which = { 0 }, name = { 0 };

		buf_printf(&which, "name.%s", names.items[i]);
		buf_printf(&name, "network namespace %s", names.items[i]);
		add_space(l, buf_text(&which), &name);
	}
	for (size_t i = 0; i < n_nets; i++) {
		const struct procs_space *at = &l->procs->nets[i];
		AUTO_BUF struct buf which = { 0 }, name = { 0 };

		if (is_known(l, at->inode))
			continue;
		buf_printf(&which, "process.%u", at->pid);
		buf_printf(&name, "the network namespace of process %s (%u)", at->name, at->pid);
		add_space(l, buf_text(&which), &name);
	}
}

void holders_netns(struct holders_look *l, const char *bdf, struct strv *users)
{
	if (!l->has_spaces)
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
