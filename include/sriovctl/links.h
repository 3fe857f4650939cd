/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The network interfaces of this network namespace as the kernel tells them by rtnetlink
 * (Linux include/uapi/linux/if_link.h), and the VFs that each reports with what their PF
 * has set for them.  Another namespace's interfaces are not among them.
 *
 * A plain tree has none of them: -ENODATA.
 */
#ifndef SRIOVCTL_LINKS_H
#define SRIOVCTL_LINKS_H

#include <sriovctl/strv.h>

struct buf;
struct error;
struct host;

#define LINKS_ADDRESS_MAX 32 /* MAX_ADDR_LEN */

struct links_address {
	uint8_t bytes[LINKS_ADDRESS_MAX];
	size_t len; /* 6 on Ethernet; 0: none */
};

/* -EOPNOTSUPP everywhere: the driver does not report it. */
struct links_vf {
	uint32_t index;
	struct links_address mac; /* what the PF has set, not what the VF uses */
	int vlan_error;
	uint16_t vlan; /* 0: none */
	uint8_t qos;
	uint16_t protocol; /* of the VLAN, 0x8100 or 0x88a8; 0: not told */
	int spoofchk_error, trust_error, rss_query_error;
	bool spoofchk, trust, rss_query;
	/* Mbit/s; a driver that limits nothing, or cannot, shows 0. */
	int rate_error;
	uint32_t min_rate, max_rate;
	/* A driver that has no such setting shows as automatic. */
	int state_error;
	enum { LINKS_VF_AUTO, LINKS_VF_ENABLE, LINKS_VF_DISABLE } state;
};

struct links_item {
	int index;
	char *name;
	char *device; /* the BDF; NULL: not on PCI, or a kernel before 5.14, which does not say */
	struct links_address address;
	struct links_address permanent; /* @len 0: not told, as before Linux 5.6 */
	bool is_up;			/* IFF_UP: it was switched on */
	bool has_carrier;
	uint32_t mtu; /* 0: not told */
	int master;   /* the index of what has it as a member; 0: nothing */
	/*
	 * The index of the interface that it stands on, as a VLAN does; 0: none.  Of another
	 * namespace when @lower_elsewhere.
	 */
	int lower;
	bool lower_elsewhere;
	int lower_space; /* then the number by which this namespace knows the other */
	char *kind;	 /* "bridge", "bond", "vlan" ...; NULL: a device's own */
	bool has_xdp;	 /* a program is attached */
	struct strv altnames;
	/*
	 * Of a PF the number of its VFs.  -ENODATA: the kernel did not say, as of what has
	 * no device, or of what it could not fit into its answer (-EMSGSIZE).
	 */
	int count_error;
	uint32_t count;
	/*
	 * 0: @vfs are those that the driver answered for, by index; some may lack.
	 * -EOVERFLOW: the message's 16-bit length of the list wrapped, and what is there are
	 * not just these VFs.
	 * Else as @count_error, or -EBADMSG.
	 */
	int vfs_error;
	struct links_vf *vfs;
	size_t n_vfs;
};

struct links {
	struct links_item *items;
	size_t n;
};
int links_get(const struct host *h, const struct links **ret, struct error *e) MUST_USE;
void links_done(struct links *l);
#define AUTO_LINKS CLEANUP(links_done)

/* NULL: no such one here. */
const struct links_item *links_find(const struct links *l, const char *name);
const struct links_item *links_find_index(const struct links *l, int index);
/* NULL: the driver did not answer for it. */
const struct links_vf *links_find_vf(const struct links_item *item, uint32_t index);

/* "02:00:00:00:00:01" */
void links_address_text(const struct links_address *a, struct buf *ret);

/* Why @vfs_error, for a sentence. */
const char *links_why(int r);

/*
 * What the kernel answers to RTM_GETLINK, any number of messages; a later one about
 * an interface replaces an earlier one.  -EBADMSG: this is no such answer.
 */
int links_parse(const void *data, size_t len, struct links *ret, struct error *e) MUST_USE;

#endif
