/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build.h"

#include <string.h>

static const struct setting_value unset;
static const struct setting_value none = { .state = SETTING_KNOWN };
static const struct setting_value by_default = { .state = SETTING_KNOWN,
						 .name = SETTING_DRIVER_DEFAULT };

bool plan_driver_is_default(const struct setting_value *driver)
{
	return strcmp(driver->name, SETTING_DRIVER_DEFAULT) == 0;
}

static bool is_bound(const struct setting_value *driver)
{
	return build_is_known(driver) && driver->name[0];
}

static bool has_override(const struct setting_value *override)
{
	return build_is_known(override) && override->name[0];
}

/* Is it bound as wanted?  By default means by the ids that drivers know. */
static bool driver_is_as_wanted(const struct pfstate_vf *is, const struct setting_value *want)
{
	if (plan_driver_is_default(want))
		return is_bound(&is->set[SETTING_DRIVER]) &&
		       !has_override(&is->set[SETTING_OVERRIDE]);
	return setting_equal(SETTING_DRIVER, &is->set[SETTING_DRIVER], want);
}

static struct setting_value override_for(const struct build_vf *vf,
					 const struct setting_value *driver)
{
	if (build_is_known(&vf->want->set[SETTING_OVERRIDE]))
		return vf->want->set[SETTING_OVERRIDE];
	if (!is_bound(driver))
		return unset;
	return plan_driver_is_default(driver) ? none : *driver;
}

bool plan_driver_is_odd(const struct pfstate_vf *is)
{
	const char *driver = is->set[SETTING_DRIVER].name;

	if (!is_bound(&is->set[SETTING_DRIVER]) || !build_is_known(&is->set[SETTING_OVERRIDE]))
		return false;
	if (has_override(&is->set[SETTING_OVERRIDE]))
		return strcmp(is->set[SETTING_OVERRIDE].name, driver) != 0;
	return strstr(driver, "vfio");
}

bool plan_driver_must_be_free(const struct build *b, const struct build_vf *vf)
{
	return plan_queues_wanted(b, vf, PFSTATE_QUEUES_MSIX) ||
	       plan_queues_wanted(b, vf, PFSTATE_QUEUES_NVME);
}

/* Of a VF that is made: without its driver, where autoprobe could be put off. */
static struct plan_binding bind_made(const struct build *b, const struct build_vf *vf)
{
	const struct setting_value *want = &vf->want->set[SETTING_DRIVER];
	struct plan_binding ret = { .driver = *want };

	if (!build_is_known(want) && b->probe)
		ret.driver = by_default;
	ret.override = override_for(vf, want);
	ret.binds =
		is_bound(&ret.driver) || (build_is_known(want) && !build_is_known(&b->autoprobe));
	ret.by_id = !has_override(&ret.override);
	/* It has none when it is made. */
	if (ret.by_id)
		ret.override = unset;
	return ret;
}

static struct plan_binding bind_there(const struct build *b, const struct build_vf *vf)
{
	const struct setting_value *is = vf->is->set, *want = &vf->want->set[SETTING_DRIVER];
	bool changed = build_is_known(&is[SETTING_DRIVER]) && build_is_known(want) &&
		       !driver_is_as_wanted(vf->is, want);
	struct plan_binding ret = {
		.driver = changed ? *want : is[SETTING_DRIVER],
		.override = changed ? override_for(vf, want) : vf->want->set[SETTING_OVERRIDE],
		.was_override = is[SETTING_OVERRIDE],
	};

	ret.frees = is_bound(&is[SETTING_DRIVER]) && (changed || plan_driver_must_be_free(b, vf));
	ret.binds = is_bound(&ret.driver) && (changed || ret.frees);
	if (ret.frees && plan_driver_is_odd(vf->is)) {
		ret.was_override = is[SETTING_DRIVER];
		ret.is_odd = true;
		ret.restores = !build_is_known(&ret.override);
	}
	if (setting_equal(SETTING_OVERRIDE, &ret.override, &ret.was_override))
		ret.override = unset;
	ret.by_id =
		!has_override(build_is_known(&ret.override) ? &ret.override : &ret.was_override);
	return ret;
}

struct plan_binding plan_driver_of(const struct build *b, const struct build_vf *vf)
{
	return vf->is ? bind_there(b, vf) : bind_made(b, vf);
}

bool plan_driver_binds_by_id(const struct build *b)
{
	for (uint32_t i = 0; i < b->to; i++) {
		const struct build_vf vf = build_vf(b, i);
		const struct plan_binding bound = plan_driver_of(b, &vf);

		if (bound.binds && bound.by_id && is_bound(&bound.driver))
			return true;
	}
	return false;
}

/* Undoing binds again what is freed, or lost. */
bool plan_driver_frees_by_id(const struct build *b)
{
	for (uint32_t i = 0; i < b->is->n_vfs; i++) {
		const struct pfstate_vf *is = &b->is->vfs[i];
		const struct build_vf vf = build_vf(b, i);

		if (is_bound(&is->set[SETTING_DRIVER]) && !plan_driver_is_odd(is) &&
		    !has_override(&is->set[SETTING_OVERRIDE]) &&
		    (b->lost || (vf.is && plan_driver_of(b, &vf).frees)))
			return true;
	}
	return false;
}
