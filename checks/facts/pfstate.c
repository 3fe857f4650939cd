/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/pfstate.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Every setting of what was not read or asked for: SETTING_UNSET is 0. */
_Static_assert(SETTING_UNSET == 0, "zeroed memory has no settings");

int pfstate_set_vfs(struct pfstate *p, size_t n)
{
	struct pfstate_vf *vfs;

	if (n <= p->n_vfs)
		return 0;
	vfs = reallocarray(p->vfs, n, sizeof(*vfs));
	if (!vfs)
		return -ENOMEM;
	memset(vfs + p->n_vfs, 0, (n - p->n_vfs) * sizeof(*vfs));
	p->vfs = vfs;
	p->n_vfs = n;
	return 0;
}

static void free_vf(struct pfstate_vf *vf)
{
	free(vf->bdf);
	free(vf->netdev);
	strv_done(&vf->holders);
}

static void free_pf(struct pfstate *p)
{
	for (size_t i = 0; i < p->n_vfs; i++)
		free_vf(&p->vfs[i]);
	free(p->vfs);
	free(p->bdf);
	free(p->sysfs);
	free(p->netdev);
	free(p->driver);
	free(p->blind);
	pfstate_identity_done(&p->identity);
	strv_done(&p->users);
}

void pfstates_done(struct pfstates *v)
{
	for (size_t i = 0; i < v->n; i++)
		free_pf(&v->items[i]);
	free(v->items);
	*v = (struct pfstates){ 0 };
}

const struct pfstate *pfstates_find(const struct pfstates *v, const char *bdf)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->items[i].bdf, bdf) == 0)
			return &v->items[i];
	return NULL;
}

const char *pfstate_why(int error)
{
	return error == -EREMOTE ? "its interface is in another network namespace: run it there"
				 : strerror(abs(error));
}
