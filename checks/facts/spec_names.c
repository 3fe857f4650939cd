/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the network interfaces of VFs are to be called. */
#include "spec_names.h"

#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/json.h>
#include <sriovctl/parse.h>
#include <sriovctl/pfstate.h>
#include <sriovctl/strv.h>

#include <ctype.h>
#include <errno.h>
#include <linux/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without what the kernel, udev or a shell would take for something else. */
static bool is_name(const char *text, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

	return strspn(text, allowed) >= len;
}

int spec_names_read(const struct spec *s, const struct json *j, const struct spec_place *at,
		    struct spec_entry *ret, struct error *e)
{
	const char *text = json_text(j);
	const char *index = text ? strstr(text, SPEC_NAME_INDEX) : NULL;
	const bool is_one = !ret->is_all && ret->first == ret->last;
	size_t len = text ? strlen(text) : 0;
	size_t head = index ? (size_t)(index - text) : len;

	if (!text || !isalpha((unsigned char)text[0]) || !is_name(text, head) ||
	    (index &&
	     !is_name(index + strlen(SPEC_NAME_INDEX), len - head - strlen(SPEC_NAME_INDEX))))
		return spec_refuse(s, at, e,
				   "a name like \"pf0v" SPEC_NAME_INDEX "\" is expected: a letter, "
				   "then letters, digits, '.', '_' and '-'");
	if (!index && !is_one)
		return spec_refuse(s, at, e,
				   "a name is for one VF: have " SPEC_NAME_INDEX " in it, which is "
				   "the index of each");
	/* The shortest index is one digit. */
	if (len >= IFNAMSIZ + (index ? strlen(SPEC_NAME_INDEX) - 1 : 0))
		return spec_refuse(s, at, e, "a name has %d characters at most", IFNAMSIZ - 1);
	ret->values[SPEC_NAME] = (struct spec_value){ .is_set = true, .at = *at };
	memcpy(ret->name, text, len + 1);
	return 0;
}

/* A driver that makes no interface, as those that hand a VF to user space. */
static bool has_interface(const struct spec_entry *all)
{
	const struct spec_value *driver = &all->values[SPEC_DRIVER];

	if (!driver->is_set || driver->number == SPEC_DRIVER_DEFAULT)
		return true;
	return driver->number == SPEC_DRIVER_NAMED && !parse_has_prefix(all->driver, "vfio") &&
	       !parse_has_prefix(all->driver, "uio") && !parse_has_prefix(all->driver, "igb_uio");
}

static int make_one(const struct spec *s, const struct spec_entry *all, uint32_t vf,
		    struct setting_value *ret, struct error *e)
{
	const char *index = strstr(all->name, SPEC_NAME_INDEX);
	struct setting_value v = { .state = SETTING_KNOWN };
	int n;

	if (index)
		n = snprintf(v.name, sizeof(v.name), "%.*s%u%s", (int)(index - all->name),
			     all->name, vf, index + strlen(SPEC_NAME_INDEX));
	else
		n = snprintf(v.name, sizeof(v.name), "%s", all->name);
	if (n < 0 || n >= IFNAMSIZ)
		return spec_refuse(s, &all->values[SPEC_NAME].at, e,
				   "\"%s\", for VF %u, has more than %d characters", v.name, vf,
				   IFNAMSIZ - 1);
	*ret = v;
	return 0;
}

struct wanted {
	const char *name;
	const struct spec_value *by;
	uint32_t vf;
	size_t pf;
};

static int compare(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r != 0)
		return r;
	return x->by->at.offset > y->by->at.offset ? 1 : -1;
}

struct naming {
	const struct spec *s;
	const struct host *h;
	const struct pfstates *is;
	struct pfstates *want;
	struct wanted *all; /* by name, when all have theirs */
	size_t n;
	struct error *e;
};

static const char *bdf_of(const struct naming *q, const struct wanted *w)
{
	return q->want->items[w->pf].bdf;
}

static int refuse_same(const struct naming *q)
{
	for (size_t i = 1; i < q->n; i++) {
		const struct wanted *a = &q->all[i - 1], *b = &q->all[i];

		if (strcmp(a->name, b->name) == 0)
			return spec_refuse(
				q->s, &b->by->at, q->e,
				"\"%s\", for VF %u of %s, is that of VF %u of %s as well", b->name,
				b->vf, bdf_of(q, b), a->vf, bdf_of(q, a));
	}
	return 0;
}

static bool is_of_vf(const struct pfstates *is, const char *netdev)
{
	for (size_t i = 0; i < is->n; i++)
		for (size_t k = 0; k < is->items[i].n_vfs; k++)
			if (is->items[i].vfs[k].netdev &&
			    strcmp(is->items[i].vfs[k].netdev, netdev) == 0)
				return true;
	return false;
}

/*
 * Those of the spec's VFs come free, or change.  Where names cannot be listed the kernel refuses
 * what is taken.
 */
static int refuse_others(const struct naming *q)
{
	AUTO_STRV struct strv names = { 0 };
	int r = q->n > 0 ? host_list(q->h, &names, NULL, "/sys/class/net") : 0;

	for (size_t i = 0; r == 0 && i < q->n; i++) {
		const struct wanted *w = &q->all[i];

		if (strv_has(&names, w->name) && !is_of_vf(q->is, w->name))
			return spec_refuse(q->s, &w->by->at, q->e,
					   "\"%s\", for VF %u of %s, is that of another interface",
					   w->name, w->vf, bdf_of(q, w));
	}
	return host_ran_out(q->h) ? error_nomem(q->e) : 0;
}

/* Of entries the one that names the VF, which outlives what is laid over others. */
static const struct spec_value *value_of(const struct spec_pf *pf, uint32_t vf)
{
	const struct spec_value *ret = NULL;

	for (size_t i = 0; i < pf->n_entries; i++)
		if (vf >= pf->entries[i].first && vf <= pf->entries[i].last &&
		    pf->entries[i].values[SPEC_NAME].is_set)
			ret = &pf->entries[i].values[SPEC_NAME];
	return ret;
}

static int make_all(struct naming *q)
{
	struct pfstates *want = q->want;
	int r = 0;

	for (size_t i = 0; i < want->n; i++)
		for (uint32_t vf = 0; r == 0 && vf < want->items[i].n_vfs; vf++) {
			struct setting_value *v = &want->items[i].vfs[vf].set[SETTING_VF_NAME];
			struct spec_entry entry;

			spec_overlay(&q->s->pfs[i], vf, &entry);
			if (!entry.values[SPEC_NAME].is_set || !has_interface(&entry))
				continue;
			r = make_one(q->s, &entry, vf, v, q->e);
			q->all[q->n++] = (struct wanted){ .name = v->name,
							  .by = value_of(&q->s->pfs[i], vf),
							  .vf = vf,
							  .pf = i };
		}
	return r;
}

int spec_names_make(const struct spec *s, const struct host *h, const struct pfstates *is,
		    struct pfstates *want, struct error *e)
{
	AUTO_FREE struct wanted *all = NULL;
	struct naming q = { .s = s, .h = h, .is = is, .want = want, .e = e };
	size_t room = 0;
	int r;

	for (size_t i = 0; i < want->n; i++)
		room += want->items[i].n_vfs;
	all = q.all = calloc(room + 1, sizeof(*all));
	if (!all)
		return error_nomem(e);
	r = make_all(&q);
	if (r < 0)
		return r;
	qsort(q.all, q.n, sizeof(*q.all), compare);
	r = refuse_same(&q);
	return r < 0 ? r : refuse_others(&q);
}
