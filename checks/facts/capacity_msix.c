/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capacity.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pf.h>
#include <sriovctl/strv.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What one VF has.  0 or -ENOMEM. */
static int weigh(const struct host *h, const char *vf, struct capacity_msix *m)
{
	const struct pciconf *c = NULL;
	struct pciconf_msix x = { 0 };
	int r = pciconf_get(h, vf, &c, NULL);

	if (r == -ENOENT)
		r = -ENODATA;
	if (r == 0)
		r = pciconf_msix(c, &x);
	if (r == 0 && x.table_size == 0)
		r = -ENODATA;
	if (r < 0 && r != -ENOENT) {
		m->error = m->error && m->error != -EAGAIN ? m->error : r;
		return r == -ENOMEM ? r : 0;
	}
	if (m->seen++ > 0 && x.table_size >= m->least)
		return 0;
	free(m->vf);
	m->vf = strdup(vf);
	m->least = x.table_size;
	return m->vf ? 0 : -ENOMEM;
}

static int weigh_all(const struct host *h, const struct strv *vfs, struct capacity_msix *m)
{
	int r = 0;

	pciconf_read_ahead(h, vfs->items, vfs->n);
	for (size_t i = 0; r == 0 && i < vfs->n; i++)
		r = weigh(h, vfs->items[i], m);
	return r;
}

/* Those whose link cannot be read leave the reason in @m. */
static int list_vfs(const struct host *h, const struct pf *pf, struct strv *ret,
		    struct capacity_msix *m)
{
	AUTO_BUF struct buf vf = { 0 };

	for (uint32_t i = 0; i < pf->dev->numvfs; i++) {
		int r = host_link_name(h, &vf, NULL, PCIDEV_PATH "/%s/virtfn%u", pf->dev->name, i);

		if (r < 0)
			m->error = m->error ? m->error : r;
		else if (strv_add(ret, buf_text(&vf)) < 0)
			return -ENOMEM;
	}
	return 0;
}

int capacity_msix_read(const struct host *h, const struct pf *pf, struct capacity_msix *ret,
		       struct error *e)
{
	AUTO_CAPACITY_MSIX struct capacity_msix m = { 0 };
	AUTO_STRV struct strv vfs = { 0 };
	int r = list_vfs(h, pf, &vfs, &m);

	if (r == 0 && vfs.n > 0)
		r = weigh_all(h, &vfs, &m);
	if (r < 0)
		return host_nomem(h, e);
	*ret = m;
	m = (struct capacity_msix){ 0 };
	return 0;
}

void capacity_msix_done(struct capacity_msix *m)
{
	free(m->vf);
	*m = (struct capacity_msix){ 0 };
}
