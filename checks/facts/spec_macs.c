/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spec_model.h"

#include <sriovctl/buf.h>
#include <sriovctl/error.h>
#include <sriovctl/macs.h>
#include <sriovctl/pfstate.h>

#include <errno.h>
#include <string.h>

/* Half of an address is its vendor's. */
#define NIC_MASK UINT64_C(0xffffff)

struct policy {
	const struct spec *s;
	const struct spec_pf *pf;
	const struct pfstate *is;
	struct error *e;
};

static int make_derived(const struct policy *p, uint32_t vf, uint64_t *ret)
{
	if (p->is->permanent_mac == 0)
		return spec_refuse(p->s, &p->pf->policy.at, p->e,
				   "the permanent address of %s, from which those of its VFs are "
				   "derived, is not known%s%s",
				   p->is->bdf, p->is->mac_error ? ": " : "",
				   p->is->mac_error ? pfstate_why(p->is->mac_error) : "");
	*ret = macs_derive(p->is->permanent_mac, vf);
	return 0;
}

static int make_pooled(const struct policy *p, uint32_t vf, uint64_t *ret)
{
	uint64_t first = p->pf->first.number;

	/* Beyond it the addresses are another vendor's, or a group's. */
	if ((first & NIC_MASK) + vf > NIC_MASK)
		return spec_refuse(p->s, &p->pf->first.at, p->e,
				   "the pool ends before VF %u: no more addresses begin with the "
				   "same three bytes",
				   vf);
	*ret = first + vf;
	return 0;
}

static int make_one(const struct policy *p, uint32_t vf, struct setting_value *ret)
{
	uint64_t mac = 0;
	int r = 0;

	switch ((enum spec_policy)p->pf->policy.number) {
	case SPEC_POLICY_DERIVE:
		r = make_derived(p, vf, &mac);
		break;
	case SPEC_POLICY_POOL:
		r = make_pooled(p, vf, &mac);
		break;
	case SPEC_POLICY_KEEP:
		return 0;
	case SPEC_POLICY_NONE:
		break;
	}
	if (r == 0)
		*ret = setting_number(mac);
	return r;
}

static int note_unset(const struct pfstate *want, size_t n, struct strv *ret_notes)
{
	AUTO_BUF struct buf text = { 0 };

	buf_printf(&text,
		   "%s: no MAC policy is given: the addresses of %zu of its %zu VFs will be the "
		   "driver's own, random at each boot or derived in its own way",
		   want->bdf, n, want->n_vfs);
	return strv_take(ret_notes, buf_take(&text));
}

static int make_all(const struct policy *p, struct pfstate *want, struct strv *ret_notes)
{
	const struct spec_value *policy = &p->pf->policy;
	size_t left = 0;
	int r = 0;

	if (!want->is_network)
		return policy->is_set ? spec_refuse(p->s, &policy->at, p->e,
						    "%s has no network interface, and its VFs no "
						    "addresses",
						    want->bdf)
				      : 0;
	for (size_t i = 0; r == 0 && i < want->n_vfs; i++) {
		struct setting_value *mac = &want->vfs[i].set[SETTING_MAC];

		if (mac->state == SETTING_UNSET && policy->is_set)
			r = make_one(p, (uint32_t)i, mac);
		left += mac->state == SETTING_UNSET;
	}
	if (r == 0 && left > 0 && !policy->is_set && note_unset(want, left, ret_notes) < 0)
		r = error_nomem(p->e);
	return r;
}

int spec_macs_make(const struct spec *s, const struct pfstates *is, struct pfstates *want,
		   struct strv *ret_notes, struct error *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->n; i++) {
		const struct policy p = { .s = s, .pf = &s->pfs[i], .is = &is->items[i], .e = e };

		r = make_all(&p, &want->items[i], ret_notes);
	}
	return r;
}
