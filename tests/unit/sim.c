/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim.h"

#include <sriovctl/error.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAITS  4
#define MTU    1500
#define QUEUES 4

static void set_name(char *to, const char *name)
{
	memset(to, 0, SIM_NAME);
	memcpy(to, name, strnlen(name, SIM_NAME - 1));
}

void sim_init(struct sim_host *h)
{
	for (size_t i = 0; i < SIM_PFS; i++) {
		h->now.n[i][SETTING_AUTOPROBE] = 1;
		h->now.n[i][SETTING_UP] = 1;
		h->now.n[i][SETTING_MTU] = MTU;
	}
}

bool sim_equal(const struct sim_host *a, const struct sim_host *b)
{
	return memcmp(&a->now, &b->now, sizeof(a->now)) == 0;
}

static void tell_vf(const struct sim_vf *a, const struct sim_vf *b, size_t pf, size_t vf)
{
	for (enum setting s = SETTING_PF_END; s < SETTING_END; s++)
		if (a->n[s] != b->n[s])
			printf("# VF %zu of PF %zu: %s %llu, %llu\n", vf, pf, setting_name(s),
			       (unsigned long long)a->n[s], (unsigned long long)b->n[s]);
	if (strcmp(a->name, b->name) != 0)
		printf("# VF %zu of PF %zu: name %s, %s\n", vf, pf, a->name, b->name);
	if (strcmp(a->driver, b->driver) != 0 || strcmp(a->override, b->override) != 0)
		printf("# VF %zu of PF %zu: driver %s (%s), %s (%s)\n", vf, pf, a->driver,
		       a->override, b->driver, b->override);
}

void sim_tell(const struct sim_host *a, const struct sim_host *b)
{
	for (size_t i = 0; i < a->n_pfs; i++) {
		printf("# PF %zu: %s\n", i, a->kind[i].driver);
		for (enum setting s = 0; s < SETTING_PF_END; s++)
			if (a->now.n[i][s] != b->now.n[i][s])
				printf("# PF %zu: %s %llu, %llu\n", i, setting_name(s),
				       (unsigned long long)a->now.n[i][s],
				       (unsigned long long)b->now.n[i][s]);
		for (size_t k = 0; k < SIM_VFS; k++)
			tell_vf(&a->now.vf[i][k], &b->now.vf[i][k], i, k);
	}
}

static bool has_netdev(const struct sim_vf *vf)
{
	return strcmp(vf->driver, SIM_DRIVER) == 0;
}

static bool is_supported(const struct sim_host *h, uint32_t pf, const struct sim_vf *vf,
			 enum setting s)
{
	const struct sim_kind *k = &h->kind[pf];

	if (s == SETTING_AUTOPROBE)
		return !k->no_autoprobe;
	if (s == SETTING_ESWITCH)
		return !k->no_eswitch;
	if (s < SETTING_PF_END)
		return true;
	if (s == SETTING_QUEUES && k->queues != PFSTATE_QUEUES_MSIX)
		return k->queues == PFSTATE_QUEUES_CHANNELS && has_netdev(vf);
	if (s == SETTING_VF_MTU || s == SETTING_VF_NAME)
		return has_netdev(vf);
	return !(k->unsupported & STEP_BIT(s));
}

static struct setting_value value_of(const struct sim_host *h, uint32_t pf, uint32_t vf,
				     enum setting s)
{
	const struct sim_vf *v = vf == PLAN_OF_PF ? NULL : &h->now.vf[pf][vf];
	struct setting_value ret = { .state = SETTING_UNSUPPORTED };

	if (!is_supported(h, pf, v, s))
		return ret;
	if (!v)
		return setting_number(h->now.n[pf][s]);
	if (!setting_is_name(s))
		return setting_number(v->n[s]);
	if (setting_text(s == SETTING_DRIVER	? v->driver
			 : s == SETTING_VF_NAME ? v->name
						: v->override,
			 &ret) < 0)
		abort();
	return ret;
}

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

static void read_pf(const struct sim_host *h, uint32_t i, struct pfstate *ret)
{
	char bdf[] = "0000:01:00.0";

	bdf[11] = (char)('0' + i);
	*ret = (struct pfstate){
		.bdf = need(strdup(bdf)),
		.sysfs = need(strdup("/sys")),
		.netdev = need(strdup("eth0")),
		.driver = need(strdup(h->kind[i].driver)),
		.is_network = true,
		.permanent_mac = 0x525400000000 + i,
		.queues = h->kind[i].queues,
		.queues_fixed = QUEUES,
		.total = h->kind[i].total,
		.carrier = h->carrier,
	};
	for (enum setting s = 0; s < SETTING_PF_END; s++)
		ret->set[s] = value_of(h, i, PLAN_OF_PF, s);
	if (pfstate_set_vfs(ret, h->now.n[i][SETTING_VFS]) < 0)
		abort();
	for (uint32_t vf = 0; vf < ret->n_vfs; vf++) {
		for (enum setting s = SETTING_PF_END; s < SETTING_END; s++)
			ret->vfs[vf].set[s] = value_of(h, i, vf, s);
		if (i == 0 && (h->held & (1u << vf)) &&
		    strv_add(&ret->vfs[vf].holders, "process 42 (qemu)") < 0)
			abort();
	}
}

void sim_read(const struct sim_host *h, struct pfstates *ret)
{
	ret->items = need(calloc(h->n_pfs, sizeof(*ret->items)));
	ret->n = h->n_pfs;
	for (uint32_t i = 0; i < h->n_pfs; i++)
		read_pf(h, i, &ret->items[i]);
}

void sim_wish(const struct sim_host *h, struct pfstates *ret)
{
	sim_read(h, ret);
	for (size_t i = 0; i < ret->n; i++) {
		struct pfstate *pf = &ret->items[i];

		memset(pf->set, 0, sizeof(pf->set));
		for (size_t k = 0; k < pf->n_vfs; k++) {
			strv_done(&pf->vfs[k].holders);
			pf->vfs[k] = (struct pfstate_vf){ 0 };
		}
		if (pfstate_set_vfs(pf, SIM_VFS) < 0)
			abort();
	}
}

static void bind(const struct sim_host *h, uint32_t pf, struct sim_vf *vf, const char *driver)
{
	uint64_t mtu = h->now.n[pf][SETTING_MTU] < MTU ? h->now.n[pf][SETTING_MTU] : MTU;

	const char *name = h->names[pf][vf - h->now.vf[pf]];

	set_name(vf->driver, driver);
	vf->n[SETTING_VF_MTU] = has_netdev(vf) ? mtu : 0;
	set_name(vf->name, !has_netdev(vf) ? "" : name[0] ? name : "v");
	if (h->kind[pf].queues == PFSTATE_QUEUES_CHANNELS)
		vf->n[SETTING_QUEUES] = has_netdev(vf) ? QUEUES : 0;
}

static int write_driver(struct sim_host *h, uint32_t pf, uint32_t index, const char *name)
{
	struct sim_vf *vf = &h->now.vf[pf][index];

	if (strcmp(vf->driver, name) == 0)
		return 0;
	if (vf->driver[0] && pf == 0 && (h->held & (1u << index)))
		h->blocked = true;
	if (!name[0] || (vf->driver[0] && h->kind[pf].no_autoprobe))
		bind(h, pf, vf, "");
	if (!name[0])
		return 0;
	if (vf->driver[0])
		return -EBUSY;
	if (!vf->override[0] && !h->now.n[pf][SETTING_AUTOPROBE])
		return -ENODEV;
	bind(h, pf, vf, vf->override[0] ? vf->override : SIM_DRIVER);
	return 0;
}

static void make_vf(struct sim_host *h, uint32_t pf, struct sim_vf *vf)
{
	*vf = (struct sim_vf){ .n = { [SETTING_SPOOFCHK] = !h->kind[pf].spoof_wants_mac } };
	if (h->kind[pf].queues == PFSTATE_QUEUES_MSIX)
		vf->n[SETTING_QUEUES] = QUEUES;
	if (h->now.n[pf][SETTING_AUTOPROBE])
		bind(h, pf, vf, SIM_DRIVER);
}

static int remove_vfs(struct sim_host *h, uint32_t pf)
{
	bool late = step_driver_find(h->kind[pf].driver)->eswitch == STEP_ESWITCH_WITH_VFS;

	if (late && h->now.n[pf][SETTING_ESWITCH])
		return -EBUSY;
	h->blocked |= pf == 0 && h->held;
	memset(h->now.vf[pf], 0, sizeof(h->now.vf[pf]));
	h->now.n[pf][SETTING_VFS] = 0;
	if (h->kind[pf].resets) {
		h->now.n[pf][SETTING_ESWITCH] = 0;
		h->now.n[pf][SETTING_MTU] = MTU;
	}
	return 0;
}

/* sriov_numvfs_store(), and bnxt_sriov_configure() of an interface that is down. */
static int write_vfs(struct sim_host *h, uint32_t pf, uint64_t want)
{
	const struct sim_kind *k = &h->kind[pf];
	uint64_t is = h->now.n[pf][SETTING_VFS], n = want;
	bool wants_up = step_driver_find(k->driver)->up & STEP_BIT(SETTING_VFS);

	if (want > k->total)
		return -ERANGE;
	if (want == is)
		return 0;
	if (want == 0)
		return remove_vfs(h, pf);
	if (is != 0)
		return -EBUSY;
	if (k->granted && n > k->granted)
		n = k->granted;
	if (wants_up && !h->now.n[pf][SETTING_UP])
		n = 0;
	for (uint32_t i = 0; i < n; i++)
		make_vf(h, pf, &h->now.vf[pf][i]);
	h->now.n[pf][SETTING_VFS] = n;
	return 0;
}

static int write_eswitch(struct sim_host *h, uint32_t pf, uint64_t mode)
{
	uint64_t *is = &h->now.n[pf][SETTING_ESWITCH], vfs = h->now.n[pf][SETTING_VFS];
	enum step_eswitch order = step_driver_find(h->kind[pf].driver)->eswitch;

	if (order == STEP_ESWITCH_NO_VFS && vfs > 0 && *is != mode)
		return -EBUSY;
	if (order == STEP_ESWITCH_WITH_VFS && (*is == mode || (mode == 1 && vfs == 0)))
		return -EINVAL;
	*is = mode;
	return 0;
}

static int write_mtu(struct sim_host *h, uint32_t pf, uint64_t mtu)
{
	for (uint32_t i = 0; i < SIM_VFS; i++)
		if (h->now.vf[pf][i].n[SETTING_VF_MTU] > mtu)
			return -EINVAL;
	h->now.n[pf][SETTING_MTU] = mtu;
	return 0;
}

static int write_pf(struct sim_host *h, uint32_t pf, enum setting s, uint64_t n)
{
	if (s == SETTING_VFS)
		return write_vfs(h, pf, n);
	if (s == SETTING_ESWITCH)
		return write_eswitch(h, pf, n);
	if (s == SETTING_MTU)
		return write_mtu(h, pf, n);
	h->now.n[pf][s] = n;
	return 0;
}

static int may_set(const struct sim_host *h, uint32_t pf, const struct sim_vf *vf, enum setting s,
		   uint64_t n)
{
	const struct step_driver *d = step_driver_find(h->kind[pf].driver);
	const struct sim_kind *k = &h->kind[pf];
	bool up = h->now.n[pf][SETTING_UP];

	if ((d->carrier & STEP_BIT(s)) && n && (!up || !h->carrier))
		return -EINVAL;
	if ((d->up & STEP_BIT(s)) && !up)
		return -EAGAIN;
	if (k->spoof_wants_trust && !k->spoof_wants_mac && n == 0 &&
	    ((s == SETTING_SPOOFCHK && !vf->n[SETTING_TRUST]) ||
	     (s == SETTING_TRUST && !vf->n[SETTING_SPOOFCHK])))
		return -EPERM;
	if (k->spoof_wants_mac && ((s == SETTING_MAC && n == 0 && vf->n[SETTING_SPOOFCHK]) ||
				   (s == SETTING_SPOOFCHK && n && !vf->n[SETTING_MAC])))
		return -EPERM;
	if (s == SETTING_VF_MTU && n > h->now.n[pf][SETTING_MTU])
		return -EINVAL;
	return 0;
}

static int write_vf(struct sim_host *h, uint32_t pf, uint32_t index, enum setting s,
		    const struct setting_value *v)
{
	struct sim_vf *vf = &h->now.vf[pf][index];
	int r = may_set(h, pf, vf, s, v->number);

	if (r < 0)
		return r;
	if (s == SETTING_DRIVER)
		return write_driver(h, pf, index, v->name);
	if (s == SETTING_QUEUES && h->kind[pf].queues == PFSTATE_QUEUES_MSIX && vf->driver[0])
		return -EBUSY;
	if (s == SETTING_VF_NAME) {
		set_name(h->names[pf][index], v->name);
		set_name(vf->name, v->name);
	} else if (s == SETTING_OVERRIDE)
		set_name(vf->override, v->name);
	else
		vf->n[s] = v->number;
	return 0;
}

int sim_write(struct sim_host *h, const struct step *s, const struct setting_value *v)
{
	const struct sim_vf *vf = s->vf == PLAN_OF_PF ? NULL : &h->now.vf[s->pf][s->vf];

	if (vf && s->vf >= h->now.n[s->pf][SETTING_VFS])
		return -EINVAL;
	if (!is_supported(h, s->pf, vf, s->what))
		return -EOPNOTSUPP;
	if (!vf)
		return write_pf(h, s->pf, s->what, v->number);
	return write_vf(h, s->pf, s->vf, s->what, v);
}

static int faulty_write(struct sim_host *h, const struct step *s, const struct setting_value *v)
{
	unsigned at = h->writes == h->fault_at[0] ? 0 : 1;
	int r;

	if (h->writes != h->fault_at[at])
		return sim_write(h, s, v);
	if (h->fault[at] == SIM_DIES_BEFORE)
		longjmp(h->killed, 1);
	if (h->fault[at] == SIM_FAILS || h->fault[at] == SIM_LIES)
		return h->fault[at] == SIM_LIES ? 0 : -EIO;
	if (h->fault[at] == SIM_HANGS)
		return -EINPROGRESS;
	r = sim_write(h, s, v);
	if (h->fault[at] == SIM_DIES_AFTER)
		longjmp(h->killed, 1);
	return r < 0 ? r : -EIO;
}

static int effector_write(void *ctx, const struct step *s, const struct setting_value *v,
			  struct error *e)
{
	struct sim_host *h = ctx;
	int r;

	if (h->tries++ < h->again)
		return error_set(e, -EAGAIN, "not yet");
	h->tries = h->looks = 0;
	h->writes++;
	if (h->writes == h->comes_at)
		h->held |= 1u << h->comes_to;
	r = faulty_write(h, s, v);
	return r < 0 ? error_set(e, r, "%s", strerror(-r)) : 0;
}

static int effector_read(void *ctx, const struct step *s, struct setting_value *ret,
			 struct error *e)
{
	struct sim_host *h = ctx;

	if (h->looks++ < h->late)
		return error_set(e, -ENODEV, "not there yet");
	if (s->vf != PLAN_OF_PF && s->vf >= h->now.n[s->pf][SETTING_VFS])
		return error_set(e, -ENOENT, "no such VF");
	*ret = value_of(h, s->pf, s->vf, s->what);
	return 0;
}

static int effector_look(void *ctx, uint32_t pf, uint32_t first, uint32_t last, struct error *e)
{
	struct sim_host *h = ctx;

	(void)e;
	h->peeks++;
	h->seen = pf == 0 ? h->held : 0;
	h->seen_pf = pf;
	h->seen_first = first;
	h->seen_last = last;
	return 0;
}

/* Whoever is asked of without a look is somebody's. */
static int effector_guard(void *ctx, const struct step *s, struct error *e)
{
	struct sim_host *h = ctx;
	bool all = s->vf == PLAN_OF_PF;

	h->guards++;
	if (h->peeks == 0 || h->seen_pf != s->pf || s->vf > h->seen_last ||
	    (all ? h->seen_first > 0 : s->vf < h->seen_first))
		h->unseen = true;
	if (h->unseen || (h->seen & (all ? UINT32_MAX : 1u << s->vf)))
		return error_set(e, -EBUSY, "process 42 (qemu)");
	return 0;
}

static int effector_wait(void *ctx, const struct step *s, unsigned tries)
{
	(void)ctx;
	(void)s;
	return tries < WAITS ? 0 : -ETIMEDOUT;
}

static bool effector_carrier(void *ctx, uint32_t pf)
{
	struct sim_host *h = ctx;

	return h->carrier && h->now.n[pf][SETTING_UP];
}

static bool effector_has_written(void *ctx)
{
	const struct sim_host *h = ctx;

	return h->writes > 0;
}

struct effector sim_effector(struct sim_host *h)
{
	return (struct effector){
		.write = effector_write,
		.read = effector_read,
		.look = effector_look,
		.guard = effector_guard,
		.has_written = effector_has_written,
		.wait = effector_wait,
		.carrier = effector_carrier,
		.ctx = h,
	};
}

bool sim_stop(void *ctx)
{
	const struct sim_host *h = ctx;

	return h->stop_at_once || (h->stop_after && h->writes >= h->stop_after);
}
