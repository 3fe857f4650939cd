/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "random_host.h"

#include <stdlib.h>
#include <string.h>

#define WRITES 60
#define VFS    4 /* of SIM_VFS: enough to reach every line, and few writes to fail at */

uint32_t draw_below(struct draw *d, uint32_t n)
{
	d->state ^= d->state >> 12;
	d->state ^= d->state << 25;
	d->state ^= d->state >> 27;
	return (uint32_t)((d->state * 0x2545f4914f6cdd1d) >> 32) % n;
}

static bool one_in(struct draw *d, uint32_t n)
{
	return draw_below(d, n) == 0;
}

static struct setting_value name(const char *text)
{
	struct setting_value ret;

	if (setting_text(text, &ret) < 0)
		abort();
	return ret;
}

static struct setting_value random_value(struct draw *d, enum setting s)
{
	static const uint64_t mtus[] = { 1400, 1500, 9000 };
	static const char *const overrides[] = { "", "vfio-pci" };
	static const char *const drivers[] = { "", "vfio-pci", SIM_DRIVER, SETTING_DRIVER_DEFAULT };

	switch (s) {
	case SETTING_AUTOPROBE:
	case SETTING_ESWITCH:
	case SETTING_UP:
	case SETTING_SPOOFCHK:
	case SETTING_TRUST:
	case SETTING_RSS_QUERY:
		return setting_number(draw_below(d, 2));
	case SETTING_MTU:
	case SETTING_VF_MTU:
		return setting_number(mtus[draw_below(d, ARRAY_SIZE(mtus))]);
	case SETTING_VFS:
		return setting_number(draw_below(d, VFS + 1));
	case SETTING_MAC:
		return setting_number(one_in(d, 4) ? 0 : 0x020000000000 + draw_below(d, 9));
	case SETTING_VLAN:
		return setting_number(one_in(d, 4) ? 0
						   : SETTING_VLAN_OF(draw_below(d, 9), 3, 0x8100));
	case SETTING_RATE:
		return setting_number(SETTING_RATE_OF(0, 100 * draw_below(d, 3)));
	case SETTING_LINK_STATE:
		return setting_number(draw_below(d, 3));
	case SETTING_QUEUES:
		return setting_number(2u << draw_below(d, 3));
	case SETTING_OVERRIDE:
		return name(overrides[draw_below(d, ARRAY_SIZE(overrides))]);
	case SETTING_VF_NAME:
		return name(one_in(d, 2) ? "pf0v0" : "x");
	case SETTING_DRIVER:
		return name(drivers[draw_below(d, ARRAY_SIZE(drivers))]);
	case SETTING_END:
		break;
	}
	abort();
}

static struct sim_kind random_kind(struct draw *d)
{
	static const char *const drivers[] = { "igb", "ice", "bnxt_en", "rvu_nicpf", "other" };
	static const enum pfstate_queues queues[] = { PFSTATE_QUEUES_FIXED, PFSTATE_QUEUES_MSIX,
						      PFSTATE_QUEUES_CHANNELS };

	struct sim_kind ret = {
		.driver = drivers[draw_below(d, ARRAY_SIZE(drivers))],
		.total = one_in(d, 8) ? VFS - 1 : VFS,
		.granted = one_in(d, 10) ? 1 + draw_below(d, VFS - 1) : 0,
		.queues = queues[draw_below(d, ARRAY_SIZE(queues))],
		.unsupported = one_in(d, 3) ? STEP_BIT(SETTING_PF_END + draw_below(d, 7)) : 0,
		.no_eswitch = one_in(d, 2),
		.resets = one_in(d, 3),
		.spoof_wants_trust = one_in(d, 3),
		.spoof_wants_mac = one_in(d, 3),
	};

	/* Vectors can be set since 5.13, and autoprobe since 4.12. */
	ret.no_autoprobe = ret.queues != PFSTATE_QUEUES_MSIX && one_in(d, 8);
	return ret;
}

/* A name that a person gives is "default"; a host has drivers. */
static void write_anything(struct draw *d, struct sim_host *h, uint32_t pf)
{
	struct step s = { .pf = pf, .vf = PLAN_OF_PF };
	struct setting_value v;

	s.what = one_in(d, 3) ? (enum setting)draw_below(d, SETTING_PF_END)
			      : SETTING_PF_END + draw_below(d, SETTING_END - SETTING_PF_END);
	if (setting_is_of_vf(s.what))
		s.vf = draw_below(d, VFS);
	v = random_value(d, s.what);
	if (s.what == SETTING_VFS && one_in(d, 2))
		v = setting_number(VFS - 1);
	if (strcmp(v.name, SETTING_DRIVER_DEFAULT) != 0)
		(void)sim_write(h, &s, &v);
}

void random_host(struct draw *d, struct sim_host *ret)
{
	*ret = (struct sim_host){ .n_pfs = 1 + one_in(d, 4), .carrier = true };
	sim_init(ret);
	for (uint32_t i = 0; i < ret->n_pfs; i++) {
		uint32_t granted;

		ret->kind[i] = random_kind(d);
		/* What was made before was not short of anything. */
		granted = ret->kind[i].granted;
		ret->kind[i].granted = 0;
		for (uint32_t k = draw_below(d, WRITES); k > 0; k--)
			write_anything(d, ret, i);
		if (ret->now.n[i][SETTING_VFS] <= granted)
			ret->kind[i].granted = granted;
	}
	if (one_in(d, 5)) {
		/* A rate of before could not be set back without. */
		for (uint32_t i = 0; i < SIM_PFS * SIM_VFS; i++)
			ret->now.vf[i / SIM_VFS][i % SIM_VFS].n[SETTING_RATE] = 0;
		ret->carrier = false;
	}
	ret->again = one_in(d, 6) ? 1 + draw_below(d, 3) : 0;
	ret->late = one_in(d, 6) ? 1 + draw_below(d, 3) : 0;
}

static void wish_of_vf(struct draw *d, struct pfstate_vf *vf)
{
	for (enum setting s = SETTING_PF_END; s < SETTING_END; s++)
		if (s != SETTING_OVERRIDE && one_in(d, 3))
			vf->set[s] = random_value(d, s);
	vf->required = one_in(d, 8) ? draw_below(d, 1u << SETTING_END) : 0;
}

void random_wish(struct draw *d, const struct sim_host *h, struct pfstates *ret)
{
	sim_wish(h, ret);
	for (size_t i = 0; i < ret->n; i++) {
		struct pfstate *pf = &ret->items[i];

		for (enum setting s = 0; s < SETTING_PF_END; s++)
			if (one_in(d, s == SETTING_VFS ? 2 : 6))
				pf->set[s] = random_value(d, s);
		/* One that is to be down has no rates on some drivers: no wish that can be had. */
		if (pf->set[SETTING_UP].state == SETTING_KNOWN)
			pf->set[SETTING_UP].number = 1;
		for (uint32_t k = 0; k < VFS; k++)
			wish_of_vf(d, &pf->vfs[k]);
	}
}
