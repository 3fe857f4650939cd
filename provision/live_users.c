/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who uses VFs now, by the same look that the plan was made from. */
#include "live.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/parse.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* That none is seen is not that there is none. */
static int say_unseen(const struct pfstate *pf, int r, struct error *e)
{
	return error_set(e, -EBUSY, "%s: its VFs, and who uses them, cannot be seen now: %s",
			 pf->bdf, strerror(-r));
}

/* The VFs from @first to @last that there are, which have no gaps. */
static int list_vfs(struct live *l, const struct live_users *u, struct strv *ret, struct error *e)
{
	const struct pfstate *pf = &l->is->items[u->pf];
	AUTO_BUF struct buf path = { 0 };
	int r = 0;

	for (uint32_t vf = u->first; r == 0; vf++) {
		const struct live_target t = { .live = l, .pf = pf, .vf = vf };

		r = live_sysfs_vf(&t, &path, NULL);
		if (r == 0 && strv_add(ret, strrchr(buf_text(&path), '/') + 1) < 0)
			return error_nomem(e);
		if (vf == u->last)
			break;
	}
	return r < 0 && r != -ENOENT ? say_unseen(pf, r, e) : 0;
}

/*
 * Who cannot get the lock of a PF finds somebody at work on it: making its VFs, or taking them
 * away, when their links come last and go first.
 */
static int require_seen(const struct host *h, const struct pfstate *pf, bool found, struct error *e)
{
	uint64_t n = 0;
	int r;

	if (access(pf->sysfs, F_OK) < 0)
		return error_set(e, -ENODEV, "%s is gone", pf->bdf);
	r = host_attr_u64(h, 10, &n, NULL, "%s/sriov_numvfs", pf->sysfs);
	if (r == 0 && n > 0 && !found)
		r = -EBUSY;
	return r == 0 || r == -ENOENT ? 0 : say_unseen(pf, r, e);
}

static int look(struct live *l, struct live_users *u, struct error *e)
{
	const struct pfstate *pf = &l->is->items[u->pf];
	AUTO_HOST struct host *h = NULL;
	AUTO_STRV struct strv vfs = { 0 };
	int r = host_open("/", &h, e);

	/* What is no PCI function has no VFs that anybody could use (drivers/net/netdevsim). */
	if (r == 0 && !parse_has_prefix(pf->sysfs, "/sys/bus/pci/"))
		return 0;
	if (r == 0)
		r = list_vfs(l, u, &vfs, e);
	if (r == 0)
		r = require_seen(h, pf, vfs.n > 0, e);
	return r < 0 ? r : holders_read(h, &vfs, &u->holders, e);
}

int live_look(struct live *l, uint32_t pf, uint32_t first, uint32_t last, struct error *e)
{
	struct live_users *u = &l->users;
	int r;

	holders_done(&u->holders);
	*u = (struct live_users){ .pf = pf, .first = first, .last = last };
	r = look(l, u, e);
	u->holds = r == 0;
	return r;
}

int live_guard(struct live *l, const struct step *s, struct error *e)
{
	const struct live_users *u = &l->users;
	const struct pfstate *pf = &l->is->items[s->pf];
	bool all = s->vf == PLAN_OF_PF;

	/* Never to be: of whom it was not asked, nothing is known. */
	if (!u->holds || u->pf != s->pf || (all ? u->first > 0 : s->vf < u->first) ||
	    s->vf > u->last)
		return error_set(e, -EBUSY, "%s: who uses its VFs was not looked for", pf->bdf);
	for (size_t i = 0; i < u->holders.n; i++) {
		const struct strv *users = &u->holders.items[i].users;

		if (users->n > 0 && (all || s->vf - u->first == i))
			return error_set(e, -EBUSY, "VF %zu of %s: %s", u->first + i, pf->bdf,
					 users->items[0]);
	}
	return 0;
}
