/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/check.h>

#include "areas.h"

#include <string.h>

#define AREA_POINTER(name) &name,
static const struct check_group *const groups[] = { FOREACH_AREA(AREA_POINTER) };
#undef AREA_POINTER

static const char *const verdict_names[] = {
	[VERDICT_PASS] = "pass",
	[VERDICT_FAIL] = "fail",
	[VERDICT_NA] = "na",
	[VERDICT_UNKNOWN] = "unknown",
};
_Static_assert(ARRAY_SIZE(verdict_names) == VERDICT_MAX, "every verdict has a name");

static const char *const severity_names[] = {
	[SEVERITY_INFO] = "info",
	[SEVERITY_RECOMMENDED] = "recommended",
	[SEVERITY_REQUIRED] = "required",
};
_Static_assert(ARRAY_SIZE(severity_names) == SEVERITY_MAX, "every severity has a name");

static const char *const actor_names[] = {
	[ACTOR_FIRMWARE] = "firmware", [ACTOR_CMDLINE] = "cmdline",   [ACTOR_OS] = "os",
	[ACTOR_NIC] = "nic",	       [ACTOR_HARDWARE] = "hardware", [ACTOR_VENDOR] = "vendor",
};
_Static_assert(ARRAY_SIZE(actor_names) == ACTOR_MAX, "every actor has a name");

const struct check *check_at(size_t i)
{
	for (size_t g = 0; g < ARRAY_SIZE(groups); i -= groups[g++]->n_checks)
		if (i < groups[g]->n_checks)
			return &groups[g]->checks[i];
	return NULL;
}

const struct check *check_find(const char *id)
{
	const struct check *c;

	for (size_t i = 0; (c = check_at(i)); i++)
		if (strcmp(c->id, id) == 0)
			return c;
	return NULL;
}

const char *verdict_name(enum verdict v)
{
	return verdict_names[v];
}

const char *severity_name(enum severity s)
{
	return severity_names[s];
}

const char *actor_name(enum actor a)
{
	return actor_names[a];
}
