/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The things that can be set of a physical function and of its VFs.  The state read from a
 * host, the spec, the plan and the journal all speak of them as (setting, value), so that a
 * new one is a row of setting.c and the effector that writes it.
 *
 * A value that a spec does not name is SETTING_UNSET: leave it alone.
 */
#ifndef SRIOVCTL_SETTING_H
#define SRIOVCTL_SETTING_H

#include <sriovctl/base.h>

struct buf;

enum setting {
	/* Of a PF. */
	SETTING_AUTOPROBE, /* 0, 1: are new VFs given to drivers; sriov_drivers_autoprobe */
	SETTING_ESWITCH,   /* 0 legacy, 1 switchdev (DEVLINK_ESWITCH_MODE_*) */
	SETTING_UP,	   /* 0, 1: IFF_UP of its network interface */
	SETTING_MTU,	   /* bytes */
	SETTING_VFS,	   /* how many there are */
	SETTING_PF_END,
	/* Of a VF, as its PF has set them. */
	SETTING_MAC = SETTING_PF_END, /* 48 bits, the first byte highest; 0: none */
	SETTING_VLAN,		      /* SETTING_VLAN_OF(): the kernel sets the three at once */
	SETTING_SPOOFCHK,	      /* 0, 1 */
	SETTING_TRUST,		      /* 0, 1 */
	SETTING_RATE,		      /* SETTING_RATE_OF(), Mbit/s; both at once; 0: no limit */
	SETTING_LINK_STATE,	      /* 0 auto, 1 enable, 2 disable (IFLA_VF_LINK_STATE_*) */
	SETTING_RSS_QUERY,	      /* 0, 1 */
	/* Of a VF, in itself. */
	SETTING_QUEUES,	  /* how many; of what, pfstate.h says for each driver */
	SETTING_OVERRIDE, /* a name: driver_override; "": none */
	SETTING_DRIVER,	  /* a name: the driver that is bound; "": none */
	SETTING_VF_MTU,	  /* bytes */
	SETTING_VF_NAME,  /* a name: of its network interface */
	SETTING_END
};

#define SETTING_VLAN_OF(id, qos, proto) \
	((uint64_t)(id) | (uint64_t)(qos) << 16 | (uint64_t)(proto) << 32)
#define SETTING_VLAN_ID(v)    ((uint16_t)(v))
#define SETTING_VLAN_QOS(v)   ((uint8_t)((v) >> 16))
#define SETTING_VLAN_PROTO(v) ((uint16_t)((v) >> 32)) /* 0x8100 802.1Q, 0x88a8 802.1ad */

#define SETTING_RATE_OF(min, max) ((uint64_t)(min) << 32 | (uint64_t)(max))
#define SETTING_RATE_MIN(v)	  ((uint32_t)((v) >> 32))
#define SETTING_RATE_MAX(v)	  ((uint32_t)(v))

enum setting_state {
	SETTING_UNSET,	     /* not asked for, not asked */
	SETTING_KNOWN,	     /* the value */
	SETTING_UNSUPPORTED, /* this driver, or kernel, has no such thing */
	SETTING_UNKNOWN,     /* could not be read: @error says why */
};

/* A driver is a kernel module or built in: its name has less than MODULE_NAME_LEN bytes. */
#define SETTING_NAME_MAX 64

/* Instead of a driver's name: whichever the kernel finds for it, with no override. */
#define SETTING_DRIVER_DEFAULT "default"

struct setting_value {
	enum setting_state state;
	int error;
	uint64_t number;
	char name[SETTING_NAME_MAX]; /* of those whose value is a name; else "" */
};

/* "vlan", as specs, plans and journals call it. */
const char *setting_name(enum setting s);
/* SETTING_END: no such name. */
enum setting setting_find(const char *name);
bool setting_is_of_vf(enum setting s);
bool setting_is_name(enum setting s);

bool setting_equal(enum setting s, const struct setting_value *a, const struct setting_value *b);
struct setting_value setting_number(uint64_t number);
/* -ENAMETOOLONG. */
int setting_text(const char *name, struct setting_value *ret) MUST_USE;

/*
 * For a person, behind the setting's name: "52:54:00:00:00:01", "100, qos 3, 802.1ad", "on",
 * "at most 1000 Mbit/s", "none", "not known".
 */
void setting_print(enum setting s, const struct setting_value *v, struct buf *ret);

/*
 * For a journal: one word of printable ASCII, which setting_parse() reads back; -EINVAL for any
 * other, and -ENOMEM.
 */
void setting_write(enum setting s, const struct setting_value *v, struct buf *ret);
int setting_parse(enum setting s, const char *word, struct setting_value *ret) MUST_USE;

#endif
