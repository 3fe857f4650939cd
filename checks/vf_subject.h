/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the checks of VFs have in common.  Summaries are the same for all VFs that one thing is
 * wrong with, so that reports can say it once: who is meant, and the values, are evidence, and
 * remedies name the physical function.
 */
#ifndef CHECKS_VF_SUBJECT_H
#define CHECKS_VF_SUBJECT_H

#include <sriovctl/check.h>
#include <sriovctl/vfs.h>

/* The interface of the VF's physical function, or its address; of one that is on this host. */
const char *vf_subject_pf(const struct vf *vf);

/* "VF 3 of ens1f0", for evidence. */
const char *vf_subject_source(const struct vf *vf, struct finding *f);

/* Was it not copied whose VF it is?  Said as evidence, then; not of a VF whose PF is known. */
bool vf_subject_is_lost(const struct check_input *in, struct finding *f);

/*
 * Has the check nothing to ask: the PF is elsewhere, has no network interface, or its driver
 * does not tell of this setting?  Then the verdict is in @ret.  So it is where the setting could
 * not be read, with what would answer it.
 */
bool vf_subject_lacks(const struct check_input *in, enum setting s, struct finding *f,
		      enum verdict *ret) MUST_USE;

/* That the setting could not be read: evidence, and how it could be. */
enum verdict vf_subject_unknown(const struct check_input *in, const struct setting_value *v,
				const char *what, struct finding *f);

/* How a setting of the VF is changed: of all VFs of its PF by @options, where that takes nothing
 * away from others; else (@options NULL) by a spec, in which @what is to be put. */
void vf_subject_provision(const struct vf *vf, const char *options, const char *what,
			  struct finding *f);

/* Has any VF of the same PF a value of this setting, which is a number? */
bool vf_subject_any_has(const struct vf *vf, enum setting s);

#endif
