/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build.h"

#include <errno.h>
#include <string.h>

/* ixgbe_set_vmdq_queues(): 32 pools of 4 queues or 64 of 2, of which the PF has one. */
#define IXGBE_WIDE_VFS 31

bool plan_queues_wanted(const struct build *b, const struct build_vf *vf, enum pfstate_queues how)
{
	const struct setting_value *want = &vf->want->set[SETTING_QUEUES];
	const struct setting_value before = build_before(vf, SETTING_QUEUES);

	return b->is->queues == how && build_is_known(want) &&
	       !setting_equal(SETTING_QUEUES, &before, want);
}

/* What a VF will have where the driver alone decides; 0: not known. */
static uint64_t given(const struct build *b)
{
	if (b->is->queues == PFSTATE_QUEUES_FIXED || b->from == b->to)
		return b->is->queues_fixed;
	if (b->is->driver && strcmp(b->is->driver, "ixgbe") == 0)
		return b->to <= IXGBE_WIDE_VFS ? 4 : 2;
	return 0;
}

static void judge_given(struct build *b, const struct build_vf *vf, uint64_t want)
{
	const char *driver = b->is->driver ? b->is->driver : "its driver";
	uint64_t has = given(b);

	if (has == want)
		return;
	if (has > 0 && b->is->queues == PFSTATE_QUEUES_FIXED)
		build_refuse(
			b, PLAN_IMPOSSIBLE,
			"VF %u of %s: %llu queues are wanted, and they are fixed at %llu on %s",
			vf->index, b->is->bdf, (unsigned long long)want, (unsigned long long)has,
			driver);
	else if (has > 0)
		build_refuse(b, PLAN_IMPOSSIBLE,
			     "VF %u of %s: %llu queues are wanted, and with %u VFs %s gives each "
			     "%llu",
			     vf->index, b->is->bdf, (unsigned long long)want, b->to, driver,
			     (unsigned long long)has);
	else if (vf->want->required & STEP_BIT(SETTING_QUEUES))
		build_refuse(b, PLAN_IMPOSSIBLE,
			     "VF %u of %s: %llu queues are required, and how many there will be "
			     "is up to %s",
			     vf->index, b->is->bdf, (unsigned long long)want, driver);
	else
		build_note(b, "VF %u of %s: how many queues it has is up to %s", vf->index,
			   b->is->bdf, driver);
}

void plan_queues_judge(struct build *b, const struct build_vf *vf)
{
	const struct setting_value *want = &vf->want->set[SETTING_QUEUES];

	if (!build_is_known(want))
		return;
	switch (b->is->queues) {
	case PFSTATE_QUEUES_UNKNOWN:
	case PFSTATE_QUEUES_FIXED:
	case PFSTATE_QUEUES_TOTAL:
		judge_given(b, vf, want->number);
		return;
	case PFSTATE_QUEUES_MSIX:
	case PFSTATE_QUEUES_CHANNELS:
	case PFSTATE_QUEUES_NVME:
		return;
	}
}
