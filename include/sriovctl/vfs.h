/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The VFs of a host that exist, by their PFs and numbers, with what is set of each: read once,
 * for all checks.  VFs whose PF is on another host, as in a guest, stand behind those.  Behind
 * all are VFs of a copy that a PF tells of, and of which it is not known where they are.
 */
#ifndef SRIOVCTL_VFS_H
#define SRIOVCTL_VFS_H

#include <sriovctl/pfstate.h>

struct error;
struct host;
struct pcidev;

struct vf {
	const struct pcidev *dev; /* NULL: not known where */
	/* NULL: on another host.  Else @state and @set are its state and that of the VF. */
	const struct pcidev *pf;
	const struct pfstate *state;
	const struct pfstate_vf *set;
	uint32_t index;
};

struct vfs {
	struct vf *items;
	size_t n, n_unseen;	/* those unseen stand behind the first @n */
	struct pfstates states; /* of the functions that have VFs */
};
int vfs_get(const struct host *h, const struct vfs **ret, struct error *e) MUST_USE;
void vfs_done(struct vfs *v);

/* Is it bound to a driver by which processes, as guests, drive it? */
bool vf_is_passed_through(const struct vf *vf);

#endif
