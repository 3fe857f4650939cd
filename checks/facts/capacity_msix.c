/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/capacity.h>

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* 0 or -ENOMEM. */
static int read_vf(const struct host *h, const char *vf, struct pciconf *c, struct capacity_msix *m)
{
	struct pciconf_msix x = { 0 };
	int r = pciconf_read(h, vf, c, NULL);

	if (r == -ENOMEM)
		return r;
	if (r == -ENOENT)
		r = -ENODATA;
	if (r == 0)
		r = pciconf_msix(c, &x);
	if (r < 0 && r != -ENOENT) {
		m->error = m->error ? m->error : r;
		return 0;
	}
	if (m->seen++ > 0 && x.table_size >= m->least)
		return 0;
	free(m->vf);
	m->vf = strdup(vf);
	m->least = x.table_size;
	return m->vf ? 0 : -ENOMEM;
}

int capacity_msix_read(const struct host *h, const struct pf *pf, struct capacity_msix *ret,
		       struct error *e)
{
	AUTO_CAPACITY_MSIX struct capacity_msix m = { 0 };
	AUTO_FREE struct pciconf *c = calloc(1, sizeof(*c));
	AUTO_BUF struct buf vf = { 0 };

	if (!c)
		return error_nomem(e);
	for (uint32_t i = 0; i < pf->dev->numvfs; i++) {
		int r = host_link_name(h, &vf, NULL, PCIDEV_PATH "/%s/virtfn%u", pf->dev->name, i);

		if (r == 0)
			r = read_vf(h, buf_text(&vf), c, &m);
		else if (r != -ENOMEM && !m.error)
			m.error = r;
		if (r == -ENOMEM)
			return error_nomem(e);
	}
	*ret = m;
	m = (struct capacity_msix){ 0 };
	return 0;
}

void capacity_msix_done(struct capacity_msix *m)
{
	free(m->vf);
	*m = (struct capacity_msix){ 0 };
}
