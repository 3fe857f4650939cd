/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan while it is made, for one PF: what plan.c decided for it, and the list that
 * everything is put on.  A failed allocation sticks in @error.
 */
#ifndef PROVISION_BUILD_H
#define PROVISION_BUILD_H

#include <sriovctl/step.h>

struct build {
	const struct pfstate *is, *want;
	const struct step_driver *driver;
	const struct plan_options *options;
	struct plan *plan;
	size_t first; /* of this PF's steps */
	uint32_t pf;
	uint32_t from, to; /* VFs */
	bool lost;	   /* VFs that are there are destroyed */
	bool made;	   /* VFs are made */
	bool moves;	   /* the mode of the eswitch changes */
	/* As the steps so far leave them; not known: cannot be set here. */
	struct setting_value autoprobe, eswitch;
	bool probe;	   /* the autoprobe of the end */
	bool out_of_reach; /* that its interface is elsewhere was told */
	int error;
};

/* A VF of those that will be; @want is never NULL, @is is NULL for one that is made anew. */
struct build_vf {
	const struct pfstate_vf *is, *want;
	uint32_t index;
};
struct build_vf build_vf(const struct build *b, uint32_t index);

bool build_is_known(const struct setting_value *v);
/* The setting of a VF that is there, or SETTING_UNSET of one that is not. */
struct setting_value build_before(const struct build_vf *vf, enum setting s);

/* Pending, required and so on are found out here. */
void build_step(struct build *b, const struct step *s);
void build_of_pf(struct build *b, enum setting s, uint64_t before, uint64_t after);
void build_of_vf(struct build *b, const struct build_vf *vf, enum setting s,
		 const struct setting_value *before, const struct setting_value *after);
void build_keep(struct build *b, uint32_t vf, enum setting s, const struct setting_value *v);

void build_note(struct build *b, const char *fmt, ...) PRINTF(2, 3);
void build_refuse(struct build *b, enum plan_refusal_kind kind, const char *fmt, ...) PRINTF(3, 4);

/* plan_vf.c: before VFs go, and once they are there. */
void plan_vf_release(struct build *b); /* what their drivers have */
void plan_vf_keep(struct build *b);    /* what the PF has set */
void plan_vf_set(struct build *b);     /* what the PF sets, and what wants no driver */
void plan_vf_bind(struct build *b);
/* plan_driver.c: by which steps a VF comes from its driver to the one that is wanted. */
struct plan_binding {
	bool frees, binds;
	struct setting_value driver, override; /* to be written; or unset */
	struct setting_value was_override;     /* where @override is written */
	bool by_id;			       /* no override decides who takes it */
	bool is_odd, restores;		       /* the override of before is put back last */
};
struct plan_binding plan_driver_of(const struct build *b, const struct build_vf *vf);
bool plan_driver_is_default(const struct setting_value *driver);
/* Bound to what neither its override nor its ids would bind it to again. */
bool plan_driver_is_odd(const struct pfstate_vf *is);
/* Do its queues have to be set while it has no driver? */
bool plan_driver_must_be_free(const struct build *b, const struct build_vf *vf);
/* Is a VF bound by its ids alone, when these steps are done, or when they are undone? */
bool plan_driver_binds_by_id(const struct build *b);
bool plan_driver_frees_by_id(const struct build *b);

/* plan_queues.c: true, if queues are to be set in the way @how. */
bool plan_queues_wanted(const struct build *b, const struct build_vf *vf, enum pfstate_queues how);
void plan_queues_judge(struct build *b, const struct build_vf *vf);

/* plan_guard.c: what the steps of this PF must not do, and what they do to whom. */
void plan_guard(struct build *b);

#endif
