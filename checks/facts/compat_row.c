/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat_model.h"

#include <stddef.h>

static const char *const judges[] = {
	[COMPAT_FIRMWARE] = "firmware",
	[COMPAT_DRIVER] = "driver",
	[COMPAT_KERNEL] = "kernel",
	[COMPAT_BIOS] = "bios",
	NULL,
};
_Static_assert(ARRAY_SIZE(judges) == COMPAT_JUDGES + 1, "all that is judged has a name");

static const char *const says[] = {
	[COMPAT_BAD] = "bad",
	[COMPAT_MINIMUM] = "minimum",
	[COMPAT_PAIRS] = "pairs",
	[COMPAT_TESTED] = "tested",
	NULL,
};
_Static_assert(ARRAY_SIZE(says) == COMPAT_SAYS + 1, "all that is said has a name");

static const char *const sure[] = { "verified", "derived", NULL };
_Static_assert(ARRAY_SIZE(sure) == COMPAT_SURE + 1, "each way to know has a name");

static const char *const trees[] = { "any", "in", "out", NULL };
_Static_assert(ARRAY_SIZE(trees) == COMPAT_TREES + 1, "each tree has a name");

static const char *const weights[] = {
	[COMPAT_FAULT] = "fault",
	[COMPAT_NOTE] = "note",
	[COMPAT_GRAVE] = "grave",
	NULL,
};
_Static_assert(ARRAY_SIZE(weights) == COMPAT_WEIGHTS + 1, "each weight has a name");

static const struct compat_field ddp[] = {
	{ .name = "os", .at = offsetof(struct compat_row, ddp_os) },
	{ .name = "comms", .at = offsetof(struct compat_row, ddp_comms) },
	{ .name = "wireless", .at = offsetof(struct compat_row, ddp_wireless) },
	{ 0 },
};

#define TEXT(member)                                                                               \
	{                                                                                          \
		.name = #member, .kind = COMPAT_IS_TEXT, .at = offsetof(struct compat_row, member) \
	}
#define LIST(member)                                                                               \
	{                                                                                          \
		.name = #member, .kind = COMPAT_IS_LIST, .at = offsetof(struct compat_row, member) \
	}
#define RANGE(member)                                     \
	{                                                 \
		.name = #member, .kind = COMPAT_IS_RANGE, \
		.at = offsetof(struct compat_row, member) \
	}
#define WORD(member, all, wanted)                                                                \
	{                                                                                        \
		.name = #member, .kind = COMPAT_IS_WORD,                                         \
		.at = offsetof(struct compat_row, member), .words = (all), .is_wanted = (wanted) \
	}

static const struct compat_field fields[] = {
	{ .name = "id", .at = offsetof(struct compat_row, id), .is_wanted = true },
	{ .name = "source", .at = offsetof(struct compat_row, source), .is_wanted = true },
	WORD(judges, judges, true),
	WORD(says, says, true),
	WORD(sure, sure, true),
	WORD(tree, trees, false),
	{ .name = "weight",
	  .kind = COMPAT_IS_WORD,
	  .at = offsetof(struct compat_row, weight),
	  .words = weights },
	TEXT(fault),
	TEXT(fix),
	TEXT(by),
	TEXT(with),
	TEXT(vendor),
	TEXT(product),
	TEXT(distribution),
	TEXT(config),
	TEXT(config_off),
	TEXT(mainline),
	LIST(families),
	LIST(drivers),
	LIST(pci),
	LIST(subsystem),
	LIST(fixed_in),
	RANGE(version),
	RANGE(driver),
	RANGE(firmware),
	{ .name = "vfs", .kind = COMPAT_IS_NUMBER, .at = offsetof(struct compat_row, vfs) },
	{ .name = "ddp", .kind = COMPAT_IS_TEXTS, .fields = ddp },
	{ 0 },
};

const char *compat_row_judges(unsigned i)
{
	return judges[i];
}

const char *compat_row_says(unsigned i)
{
	return says[i];
}

int compat_row_read(struct compat_draft *d, const struct json *j, struct compat_row *ret)
{
	return compat_field_read(d, j, fields, ret);
}
