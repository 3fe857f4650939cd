/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/vfs.h>

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>

#include <stdlib.h>
#include <string.h>

/* The functions that VFs exist of. */
static int read_states(const struct host *h, const struct pcidevs *devices, struct vfs *ret,
		       struct error *e)
{
	AUTO_STRV struct strv bdfs = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < devices->n; i++)
		if (devices->items[i].numvfs > 0)
			r = strv_add(&bdfs, devices->items[i].name);
	return r < 0 ? host_nomem(h, e) : pfstates_read(h, &bdfs, &ret->states, e);
}

static void add_of(const struct pcidevs *devices, const struct pfstate *state, struct vfs *ret)
{
	const struct pcidev *pf = pcidevs_find(devices, state->bdf);

	for (size_t i = 0; pf && i < state->n_vfs; i++) {
		const struct pfstate_vf *set = &state->vfs[i];
		const struct pcidev *dev = set->bdf ? pcidevs_find(devices, set->bdf) : NULL;

		if (dev)
			ret->items[ret->n++] = (struct vf){ .dev = dev,
							    .pf = pf,
							    .state = state,
							    .set = set,
							    .index = (uint32_t)i };
	}
}

static size_t count_all(const struct pcidevs *devices, const struct vfs *v)
{
	size_t n = devices->n + 1;

	for (size_t i = 0; i < v->states.n; i++)
		n += v->states.items[i].n_vfs;
	return n;
}

/* On a running host a VF without a function is none; of a copy it may only not be in it. */
static void add_unseen(const struct pcidevs *devices, const struct pfstate *state, struct vfs *ret)
{
	const struct pcidev *pf = pcidevs_find(devices, state->bdf);

	for (size_t i = 0; pf && i < state->n_vfs; i++) {
		const struct pfstate_vf *set = &state->vfs[i];

		if (!set->bdf || !pcidevs_find(devices, set->bdf))
			ret->items[ret->n + ret->n_unseen++] = (struct vf){
				.pf = pf, .state = state, .set = set, .index = (uint32_t)i
			};
	}
}

static bool has(const struct vfs *v, size_t n, const struct pcidev *dev)
{
	for (size_t i = 0; i < n; i++)
		if (v->items[i].dev == dev)
			return true;
	return false;
}

static int read_vfs(const struct host *h, struct vfs *ret, struct error *e)
{
	const struct pcidevs *devices = NULL;
	const struct pfs *pfs = NULL;
	size_t known;
	int r = pcidevs_get(h, &devices, e);

	if (r == 0)
		r = pfs_get(h, &pfs, e);
	if (r == 0)
		r = read_states(h, devices, ret, e);
	if (r != 0)
		return r;
	ret->items = calloc(count_all(devices, ret), sizeof(*ret->items));
	if (!ret->items)
		return host_nomem(h, e);
	for (size_t i = 0; i < ret->states.n; i++)
		add_of(devices, &ret->states.items[i], ret);
	known = ret->n;
	for (size_t i = 0; i < pfs->n && ret->n < devices->n; i++)
		if (pfs->items[i].is_vf && !has(ret, known, pfs->items[i].dev))
			ret->items[ret->n++] = (struct vf){ .dev = pfs->items[i].dev };
	for (size_t i = 0; host_is_partial(h) && i < ret->states.n; i++)
		add_unseen(devices, &ret->states.items[i], ret);
	return 0;
}
HOST_FACT_DEFINE(vfs, read_vfs)

void vfs_done(struct vfs *v)
{
	pfstates_done(&v->states);
	free(v->items);
	*v = (struct vfs){ 0 };
}

bool vf_is_passed_through(const struct vf *vf)
{
	return vf->dev && vf->dev->driver_error == 0 && strstr(vf->dev->driver, "vfio");
}
