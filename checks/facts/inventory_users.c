/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inventory_fact.h"

#include <sriovctl/buf.h>
#include <sriovctl/holders.h>
#include <sriovctl/host.h>
#include <sriovctl/inventory.h>

#include <errno.h>

/* Nobody was found: nobody is there, or @blind. */
static void set_users(struct inventory_reader *rd, const struct strv *users, const char *blind,
		      struct inventory_fact *ret)
{
	AUTO_BUF struct buf text = { 0 };

	for (size_t i = 0; i < users->n; i++)
		buf_printf(&text, "%s%s", i > 0 ? "; " : "", users->items[i]);
	if (buf_error(&text) < 0)
		(void)host_nomem(rd->h, NULL);
	else if (users->n > 0)
		inventory_fact_text(rd, ret, buf_text(&text));
	else
		inventory_fact_error(rd, ret, blind ? -ENODATA : -ENOENT, blind);
}

static const char *bdf_of(const struct inventory_vf *vf)
{
	const struct inventory_fact *f = &vf->facts[INVENTORY_VF_BDF];

	return f->error == 0 ? f->text : NULL;
}

static int fill_vfs(struct inventory_reader *rd, struct inventory_pf *pf, struct holders *v,
		    struct error *e)
{
	AUTO_STRV struct strv bdfs = { 0 };
	size_t k = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < pf->n_vfs; i++)
		if (bdf_of(&pf->vfs[i]))
			r = strv_add(&bdfs, bdf_of(&pf->vfs[i]));
	if (r == 0)
		r = holders_read(rd->h, &bdfs, v, e);
	if (r < 0)
		return host_nomem(rd->h, e);
	for (size_t i = 0; i < pf->n_vfs; i++) {
		static const struct strv none = { 0 };
		bool is_known = bdf_of(&pf->vfs[i]);

		set_users(rd, is_known ? &v->items[k++].users : &none,
			  is_known ? v->blind : "its address is not known",
			  &pf->vfs[i].facts[INVENTORY_VF_USERS]);
	}
	return 0;
}

static int fill_pf(struct inventory_reader *rd, struct inventory_pf *pf, struct error *e)
{
	const struct inventory_fact *name = &pf->facts[INVENTORY_PF_NAME];
	AUTO_HOLDERS struct holders v = { 0 };
	AUTO_STRV struct strv users = { 0 };
	int r = fill_vfs(rd, pf, &v, e);

	if (r == 0)
		r = holders_of_pf(rd->h, pf->facts[INVENTORY_PF_BDF].text,
				  name->error == 0 ? name->text : NULL, &users, e);
	if (r == 0)
		set_users(rd, &users, v.blind, &pf->facts[INVENTORY_PF_USERS]);
	return r;
}

int inventory_users_fill(struct inventory_reader *rd, struct inventory *v, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < v->n; i++)
		r = fill_pf(rd, &v->pfs[i], e);
	return r;
}
