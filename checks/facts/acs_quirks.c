/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "acs_quirks.h"

#define ANY_FIRST 0x0000
#define ANY_LAST  0xffff

/* Which functions of its ids a rule is for. */
enum filter { ALL, ROOT_PORTS, ROOT_AND_DOWNSTREAM_PORTS, INTEGRATED, AMD_SOUTHBRIDGE };

struct rule {
	uint16_t vendor, first, last;
	enum filter filter;
	enum acs_quirk_kind kind;
	unsigned major, minor;
};

#define RULE(v, a, b, f, k, x, y)                                                               \
	{                                                                                       \
		.vendor = (v), .first = (a), .last = (b), .filter = (f), .kind = ACS_QUIRK_##k, \
		.major = (x), .minor = (y)                                                      \
	}
#define ISOLATES(v, a, b)    RULE(v, a, b, ALL, ISOLATES, 4, 18)
#define SOUTHBRIDGE(v, a)    RULE(v, a, a, AMD_SOUTHBRIDGE, ISOLATES, 4, 18)
#define BY_KERNEL(a, b)	     RULE(0x8086, a, b, ROOT_PORTS, BY_KERNEL, 4, 18)
#define DWORDS(a, b)	     RULE(0x8086, a, b, ROOT_PORTS, DWORDS, 4, 18)
#define SINCE(v, a, b, x, y) RULE(v, a, b, ALL, ISOLATES, x, y)
#define PORTS(v, a, b, x, y) RULE(v, a, b, ROOT_PORTS, ISOLATES, x, y)

/* The first rule that fits decides. */
static const struct rule rules[] = {
	/* AMD southbridges: no traffic between their functions. */
	SOUTHBRIDGE(0x1002, 0x4385),
	SOUTHBRIDGE(0x1002, 0x439c),
	SOUTHBRIDGE(0x1002, 0x4383),
	SOUTHBRIDGE(0x1002, 0x439d),
	SOUTHBRIDGE(0x1002, 0x4384),
	SOUTHBRIDGE(0x1002, 0x4399),
	SOUTHBRIDGE(0x1022, 0x780f),
	SOUTHBRIDGE(0x1022, 0x7809),
	/* Solarflare SFC9020, SFC9120, SFC9220 */
	ISOLATES(0x1924, 0x0903, 0x0903),
	ISOLATES(0x1924, 0x0923, 0x0923),
	ISOLATES(0x1924, 0x0a03, 0x0a03),
	/* Intel 82598, 82599, X540 */
	ISOLATES(0x8086, 0x10c6, 0x10c6),
	ISOLATES(0x8086, 0x10db, 0x10db),
	ISOLATES(0x8086, 0x10dd, 0x10dd),
	ISOLATES(0x8086, 0x10e1, 0x10e1),
	ISOLATES(0x8086, 0x10f1, 0x10f1),
	ISOLATES(0x8086, 0x10f7, 0x10fc),
	ISOLATES(0x8086, 0x1507, 0x1507),
	ISOLATES(0x8086, 0x1514, 0x1514),
	ISOLATES(0x8086, 0x151c, 0x151c),
	ISOLATES(0x8086, 0x1529, 0x152a),
	ISOLATES(0x8086, 0x154d, 0x154d),
	ISOLATES(0x8086, 0x154f, 0x154f),
	ISOLATES(0x8086, 0x1551, 0x1551),
	ISOLATES(0x8086, 0x1558, 0x1558),
	/* Intel 82580 */
	ISOLATES(0x8086, 0x1509, 0x1509),
	ISOLATES(0x8086, 0x150e, 0x1511),
	ISOLATES(0x8086, 0x1516, 0x1516),
	ISOLATES(0x8086, 0x1527, 0x1527),
	/* Intel 82576 */
	ISOLATES(0x8086, 0x10c9, 0x10c9),
	ISOLATES(0x8086, 0x10e6, 0x10e8),
	ISOLATES(0x8086, 0x150a, 0x150a),
	ISOLATES(0x8086, 0x150d, 0x150d),
	ISOLATES(0x8086, 0x1518, 0x1518),
	ISOLATES(0x8086, 0x1526, 0x1526),
	/* Intel 82575, I350, 82571, I219 */
	ISOLATES(0x8086, 0x10a7, 0x10a7),
	ISOLATES(0x8086, 0x10a9, 0x10a9),
	ISOLATES(0x8086, 0x10d6, 0x10d6),
	ISOLATES(0x8086, 0x1521, 0x1524),
	ISOLATES(0x8086, 0x105e, 0x1060),
	ISOLATES(0x8086, 0x10d9, 0x10d9),
	ISOLATES(0x8086, 0x15b7, 0x15b8),
	/* Intel integrated functions (VT-d specification, 3.16) */
	RULE(0x8086, ANY_FIRST, ANY_LAST, INTEGRATED, ISOLATES, 5, 9),
	/* Qualcomm and HXT */
	ISOLATES(0x17cb, 0x0400, 0x0401),
	SINCE(0x17cb, 0x0115, 0x0115, 6, 18),
	ISOLATES(0x1dbf, 0x0401, 0x0401),
	/* Intel chipsets of the 5 to 9 series, X79 and X99: ports without the capability */
	BY_KERNEL(0x3b42, 0x3b51),
	BY_KERNEL(0x1c10, 0x1c1f),
	BY_KERNEL(0x1e10, 0x1e1f),
	BY_KERNEL(0x8c10, 0x8c1f),
	BY_KERNEL(0x9c10, 0x9c1b),
	BY_KERNEL(0x9c90, 0x9c9b),
	BY_KERNEL(0x1d10, 0x1d10),
	BY_KERNEL(0x1d12, 0x1d12),
	BY_KERNEL(0x1d14, 0x1d14),
	BY_KERNEL(0x1d16, 0x1d16),
	BY_KERNEL(0x1d18, 0x1d18),
	BY_KERNEL(0x1d1a, 0x1d1a),
	BY_KERNEL(0x1d1c, 0x1d1c),
	BY_KERNEL(0x1d1e, 0x1d1e),
	BY_KERNEL(0x8d10, 0x8d1e),
	BY_KERNEL(0x8c90, 0x8c90),
	BY_KERNEL(0x8c92, 0x8c92),
	BY_KERNEL(0x8c94, 0x8c94),
	BY_KERNEL(0x8c96, 0x8c96),
	BY_KERNEL(0x8c98, 0x8c98),
	BY_KERNEL(0x8c9a, 0x8c9a),
	BY_KERNEL(0x8c9c, 0x8c9c),
	BY_KERNEL(0x8c9e, 0x8c9e),
	/* Intel chipsets of the 100 and 200 series (specification updates, errata 23 and 22) */
	DWORDS(0xa110, 0xa11f),
	DWORDS(0xa167, 0xa16a),
	DWORDS(0xa290, 0xa29f),
	DWORDS(0xa2e7, 0xa2ee),
	DWORDS(0x9d10, 0x9d1b),
	/* Emulex BE3-R, Skyhawk-R */
	ISOLATES(0x19a2, 0x0710, 0x0710),
	ISOLATES(0x10df, 0x0720, 0x0720),
	/* Cavium ThunderX, then ThunderX2 and ThunderX3, then functions of these */
	PORTS(0x177d, 0xa000, 0xa7ff, 4, 18),
	PORTS(0x177d, 0xaf84, 0xaf84, 6, 1),
	PORTS(0x177d, 0xb884, 0xb884, 6, 1),
	SINCE(0x177d, 0xa026, 0xa026, 6, 1),
	SINCE(0x177d, 0xa059, 0xa059, 6, 1),
	SINCE(0x177d, 0xa060, 0xa060, 6, 1),
	/* APM X-Gene, Ampere */
	ISOLATES(0x10e8, 0xe004, 0xe004),
	SINCE(0x1def, 0xe005, 0xe00c, 6, 1),
	/* Broadcom BCM57414, BCM5750x, BCM5760x, iProc */
	SINCE(0x14e4, 0x16d7, 0x16d7, 6, 1),
	SINCE(0x14e4, 0x1750, 0x1752, 6, 18),
	SINCE(0x14e4, 0x1760, 0x1763, 6, 18),
	SINCE(0x14e4, 0xd714, 0xd714, 6, 1),
	/* Loongson */
	SINCE(0x0014, 0x3c09, 0x3c09, 6, 18),
	SINCE(0x0014, 0x3c19, 0x3c19, 6, 18),
	SINCE(0x0014, 0x3c29, 0x3c29, 6, 18),
	SINCE(0x0014, 0x7a09, 0x7a09, 6, 18),
	SINCE(0x0014, 0x7a19, 0x7a19, 6, 18),
	SINCE(0x0014, 0x7a29, 0x7a29, 6, 18),
	SINCE(0x0014, 0x7a39, 0x7a39, 6, 18),
	SINCE(0x0014, 0x7a49, 0x7a49, 6, 18),
	SINCE(0x0014, 0x7a59, 0x7a59, 6, 18),
	SINCE(0x0014, 0x7a69, 0x7a69, 6, 18),
	/* Annapurna Labs */
	PORTS(0x1c36, 0x0031, 0x0031, 6, 1),
	/* Zhaoxin */
	SINCE(0x1d17, 0x3038, 0x3038, 6, 1),
	SINCE(0x1d17, 0x3104, 0x3104, 6, 1),
	SINCE(0x1d17, 0x9083, 0x9083, 6, 1),
	/* NXP LX2160A and its relatives */
	SINCE(0x1957, 0x8d80, 0x8d83, 6, 1),
	SINCE(0x1957, 0x8d88, 0x8d8b, 6, 1),
	SINCE(0x1957, 0x8d90, 0x8d93, 6, 1),
	SINCE(0x1957, 0x8d98, 0x8d9b, 6, 1),
	SINCE(0x1957, 0x8da0, 0x8da1, 6, 1),
	SINCE(0x1957, 0x8da8, 0x8da9, 6, 1),
	SINCE(0x1957, 0x8db0, 0x8db1, 6, 1),
	SINCE(0x1957, 0x8db8, 0x8db9, 6, 1),
	/* Zhaoxin ports: those listed isolate, of the others it is denied */
	RULE(0x1d17, 0x0710, 0x071e, ROOT_AND_DOWNSTREAM_PORTS, ISOLATES, 6, 1),
	RULE(0x1d17, 0x0721, 0x0721, ROOT_AND_DOWNSTREAM_PORTS, ISOLATES, 6, 1),
	RULE(0x1d17, 0x0723, 0x0752, ROOT_AND_DOWNSTREAM_PORTS, ISOLATES, 6, 1),
	RULE(0x1d17, ANY_FIRST, ANY_LAST, ROOT_AND_DOWNSTREAM_PORTS, SHARES, 6, 1),
	/* Wangxun, likewise */
	SINCE(0x8088, 0x0100, 0x010f, 6, 18),
	SINCE(0x8088, 0x1001, 0x1001, 6, 18),
	SINCE(0x8088, 0x2001, 0x2001, 6, 18),
	SINCE(0x8088, 0x5010, 0x5010, 6, 18),
	SINCE(0x8088, 0x5025, 0x5025, 6, 18),
	SINCE(0x8088, 0x5040, 0x5040, 6, 18),
	SINCE(0x8088, 0x5110, 0x5110, 6, 18),
	SINCE(0x8088, 0x5125, 0x5125, 6, 18),
	SINCE(0x8088, 0x5140, 0x5140, 6, 18),
	RULE(0x8088, ANY_FIRST, ANY_LAST, ALL, SHARES, 6, 18),
};

static bool passes(enum filter f, const struct acs_subject *s)
{
	switch (f) {
	case ALL:
		return true;
	case ROOT_PORTS:
		return s->express && s->type == PCICONF_ROOT_PORT;
	case ROOT_AND_DOWNSTREAM_PORTS:
		return s->express &&
		       (s->type == PCICONF_ROOT_PORT || s->type == PCICONF_DOWNSTREAM);
	case INTEGRATED:
		return s->express && s->type == PCICONF_INTEGRATED_ENDPOINT;
	case AMD_SOUTHBRIDGE:
		return s->multifunction && s->on_root_bus && s->ivrs;
	}
	return false;
}

struct acs_quirk acs_quirks_find(const struct acs_subject *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct rule *r = &rules[i];

		if (r->vendor == s->vendor && r->first <= s->device && s->device <= r->last &&
		    passes(r->filter, s))
			return (struct acs_quirk){ .kind = r->kind,
						   .major = r->major,
						   .minor = r->minor };
	}
	return (struct acs_quirk){ .kind = ACS_QUIRK_NONE };
}
