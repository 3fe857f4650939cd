/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spec_model.h"
#include "spec_names.h"
#include "spec_value.h"

#include <sriovctl/buf.h>
#include <sriovctl/capacity.h>
#include <sriovctl/error.h>
#include <sriovctl/host.h>
#include <sriovctl/pcidev.h>
#include <sriovctl/pf.h>
#include <sriovctl/pfstate.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct work {
	const struct spec *s;
	const struct host *h;
	struct strv *notes;
	struct error *e;
};

static int note(const struct work *w, const char *fmt, ...) PRINTF(2, 3);
static int note(const struct work *w, const char *fmt, ...)
{
	AUTO_BUF struct buf text = { 0 };

	BUF_FORMAT(&text, fmt);
	return strv_take(w->notes, buf_take(&text)) < 0 ? error_nomem(w->e) : 0;
}

/* --- how many --------------------------------------------------------------------------- */

/* What PCI knows of it; NULL: it is none of its functions. */
static const struct pcidev *device_of(const struct host *h, const char *bdf)
{
	const struct pcidevs *devices = NULL;

	return pcidevs_get(h, &devices, NULL) == 0 ? pcidevs_find(devices, bdf) : NULL;
}

/*
 * As many as the function offers and nothing is known to prevent.  Where that is none, one is
 * wanted all the same, so that whoever is asked for it says why it cannot be.
 */
static int count_max(const struct work *w, const char *bdf, uint32_t offered, uint32_t *ret)
{
	const struct pcidev *d = device_of(w->h, bdf);
	const struct pf *pf = d ? pf_of(w->h, d) : NULL;
	AUTO_CAPACITY struct capacity c = { 0 };
	int r;

	*ret = offered ? offered : 1;
	if (host_ran_out(w->h) || (d && !pf))
		return error_nomem(w->e);
	if (!pf)
		return 0;
	r = capacity_read(w->h, pf, offered, 0, &c, w->e);
	if (r < 0 || c.at_most >= offered)
		return r;
	*ret = c.at_most ? c.at_most : 1;
	return note(w, "%s offers %" PRIu32 " VFs, and \"max\" is %" PRIu32 ": the limit is %s",
		    bdf, offered, c.at_most, capacity_limit_name(c.bounded_by));
}

static int count_vfs(const struct work *w, const struct spec_pf *pf, const struct pfstate *is,
		     uint32_t *ret)
{
	if (pf->max_vfs)
		return count_max(w, is->bdf, is->total, ret);
	*ret = pf->vfs.is_set ? (uint32_t)pf->vfs.number : (uint32_t)is->n_vfs;
	return 0;
}

int spec_wish(const struct spec *s, size_t i, const struct host *h, const char *bdf,
	      struct spec_wish *ret, struct error *e)
{
	AUTO_STRV struct strv notes = { 0 };
	const struct work w = { .s = s, .h = h, .notes = &notes, .e = e };
	const struct spec_pf *pf = &s->pfs[i];
	const struct pcidev *d = device_of(h, bdf);
	int r = 0;

	*ret = (struct spec_wish){ .queues = spec_queues(pf) };
	if (pf->max_vfs && d && d->totalvfs_error == 0)
		r = count_max(&w, bdf, d->totalvfs, &ret->vfs);
	else if (pf->vfs.is_set && !pf->max_vfs)
		ret->vfs = (uint32_t)pf->vfs.number;
	ret->none = pf->vfs.is_set && !pf->max_vfs && ret->vfs == 0;
	return r;
}

/* --- one VF ------------------------------------------------------------------------------ */

/* Both rates are set at once: one that is not asked for stays as it is. */
static int set_rate(const struct work *w, const struct spec_entry *all, const struct pfstate_vf *is,
		    struct pfstate_vf *ret)
{
	struct spec_entry both = *all;
	struct spec_value *min = &both.values[SPEC_MIN_RATE], *max = &both.values[SPEC_MAX_RATE];
	uint64_t old = is && is->set[SETTING_RATE].state == SETTING_KNOWN
			       ? is->set[SETTING_RATE].number
			       : 0;
	int r;

	if (!min->is_set && !max->is_set)
		return 0;
	if (!min->is_set && max->number && SETTING_RATE_MIN(old) > max->number)
		return spec_refuse(w->s, &max->at, w->e,
				   "below the min_rate that VF %u has, which is %u", all->first,
				   SETTING_RATE_MIN(old));
	if (!min->is_set)
		*min = (struct spec_value){ .is_set = true, .number = SETTING_RATE_MIN(old) };
	if (!max->is_set)
		*max = (struct spec_value){ .is_set = true, .number = SETTING_RATE_MAX(old) };
	r = spec_judge(w->s, &both, w->e);
	ret->set[SETTING_RATE] = setting_number(SETTING_RATE_OF(min->number, max->number));
	return r;
}

static void set_vlan(const struct spec_entry *all, struct pfstate_vf *ret)
{
	const struct spec_value *v = all->values;

	if (v[SPEC_VLAN].is_set)
		ret->set[SETTING_VLAN] =
			setting_number(SETTING_VLAN_OF(v[SPEC_VLAN].number, v[SPEC_QOS].number,
						       spec_proto(v[SPEC_VLAN_PROTO].number)));
}

/*
 * A driver that is named is the only one that may be bound.  "none" is unbound, whoever may
 * be bound later; "default" is whichever the kernel finds by the VF's ids.
 */
static int set_driver(const struct spec_entry *all, struct pfstate_vf *ret)
{
	const struct spec_value *driver = &all->values[SPEC_DRIVER];
	int r = 0;

	if (!driver->is_set)
		return 0;
	if (driver->number != SPEC_DRIVER_NONE)
		r = setting_text(all->driver, &ret->set[SETTING_OVERRIDE]);
	if (r == 0)
		r = setting_text(driver->number == SPEC_DRIVER_DEFAULT ? SETTING_DRIVER_DEFAULT
								       : all->driver,
				 &ret->set[SETTING_DRIVER]);
	return r;
}

static int refuse_network(const struct work *w, const struct spec_entry *all,
			  const struct pfstate *is)
{
	for (enum spec_key k = 0; !is->is_network && k < SPEC_KEYS; k++)
		if (all->values[k].is_set && spec_rules[k].is_network)
			return spec_refuse(w->s, &all->values[k].at, w->e,
					   "%s has no network interface, and its VFs no such thing",
					   is->bdf);
	return 0;
}

static int resolve_vf(const struct work *w, const struct spec_pf *pf, const struct pfstate *is,
		      uint32_t i, struct pfstate_vf *ret)
{
	static const enum spec_key plain[] = { SPEC_MAC,	SPEC_SPOOFCHK,	SPEC_TRUST,
					       SPEC_LINK_STATE, SPEC_RSS_QUERY, SPEC_MTU,
					       SPEC_QUEUES };
	struct spec_entry all;
	int r;

	spec_overlay(pf, i, &all);
	r = refuse_network(w, &all, is);
	if (r == 0)
		r = spec_judge(w->s, &all, w->e);
	if (r == 0)
		r = set_rate(w, &all, i < is->n_vfs ? &is->vfs[i] : NULL, ret);
	if (r < 0)
		return r;
	set_vlan(&all, ret);
	for (size_t k = 0; k < ARRAY_SIZE(plain); k++)
		if (all.values[plain[k]].is_set)
			ret->set[spec_rules[plain[k]].setting] =
				setting_number(all.values[plain[k]].number);
	ret->required = all.required;
	return set_driver(&all, ret);
}

/* --- one function ------------------------------------------------------------------------ */

static int copy_text(const char *text, char **ret)
{
	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

static int copy_identity(const struct pfstate *is, struct pfstate *ret)
{
	int r;

	*ret = (struct pfstate){
		.is_network = is->is_network,
		.permanent_mac = is->permanent_mac,
		.mac_error = is->mac_error,
		.queues = is->queues,
		.queues_fixed = is->queues_fixed,
		.total = is->total,
		.carrier = is->carrier,
	};
	r = copy_text(is->bdf, &ret->bdf);
	if (r == 0)
		r = copy_text(is->sysfs, &ret->sysfs);
	if (r == 0)
		r = copy_text(is->netdev, &ret->netdev);
	return r < 0 ? r : copy_text(is->driver, &ret->driver);
}

static int resolve_pf(const struct work *w, const struct spec_pf *pf, const struct pfstate *is,
		      struct pfstate *ret)
{
	uint32_t n = 0;
	int r = copy_identity(is, ret);

	if (r < 0)
		return error_nomem(w->e);
	if (pf->mtu.is_set && !is->is_network)
		return spec_refuse(w->s, &pf->mtu.at, w->e, "%s has no network interface", is->bdf);
	r = count_vfs(w, pf, is, &n);
	if (r == 0)
		r = spec_within(w->s, pf, n, w->e);
	if (r < 0)
		return r;
	if (pfstate_set_vfs(ret, n) < 0)
		return error_nomem(w->e);
	if (pf->vfs.is_set)
		ret->set[SETTING_VFS] = setting_number(n);
	if (pf->mtu.is_set)
		ret->set[SETTING_MTU] = setting_number(pf->mtu.number);
	if (pf->eswitch.is_set)
		ret->set[SETTING_ESWITCH] = setting_number(pf->eswitch.number);
	for (uint32_t i = 0; r == 0 && i < n; i++)
		r = resolve_vf(w, pf, is, i, &ret->vfs[i]);
	return r;
}

int spec_resolve(const struct spec *s, const struct host *h, const struct pfstates *is,
		 struct pfstates *ret, struct strv *ret_notes, struct error *e)
{
	const struct work w = { .s = s, .h = h, .notes = ret_notes, .e = e };
	AUTO_PFSTATES struct pfstates want = { 0 };
	int r = 0;

	if (is->n != s->n)
		return error_set(e, -EINVAL, "the state is that of %zu functions, not of %zu",
				 is->n, s->n);
	want.items = calloc(s->n + 1, sizeof(*want.items));
	if (!want.items)
		return error_nomem(e);
	for (size_t i = 0; r == 0 && i < s->n; i++)
		r = resolve_pf(&w, &s->pfs[i], &is->items[i], &want.items[want.n++]);
	if (r == 0)
		r = spec_names_make(s, h, is, &want, e);
	if (r == 0)
		r = spec_macs_make(s, is, &want, ret_notes, e);
	if (r == 0)
		r = spec_clash_check(s, h, is, &want, e);
	if (r < 0)
		return r;
	*ret = want;
	want = (struct pfstates){ 0 };
	return 0;
}
